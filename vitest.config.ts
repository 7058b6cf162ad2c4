import { defineConfig } from 'vitest/config';
import { WxtVitest } from 'wxt/testing/vitest-plugin';

export default defineConfig({
  plugins: [WxtVitest()],
  test: {
    include: ['{lib,components,entrypoints,service,cli,scripts,corpus,demo}/**/*.test.{ts,tsx}'],
    exclude: ['**/*.browser.test.{ts,tsx}', '**/*.long.test.ts', '**/node_modules/**'],
    setupFiles: ['fake-indexeddb/auto'],
    // Nothing here changes the world of another file, and starting anew for each costs as much as half of the tests.
    isolate: false,
    maxWorkers: '100%',
    // Against hanging only: a slow machine is no fault. What must be fast says so in a test of its own.
    testTimeout: 60_000,
  },
});
