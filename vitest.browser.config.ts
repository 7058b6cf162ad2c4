import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { findChromium } from './scripts/browser.mjs';

// Tests whose subject is the platform itself (DOM, layout, IndexedDB): *.browser.test.ts, in real Chromium.
export default defineConfig({
  test: {
    include: ['{lib,components,entrypoints}/**/*.browser.test.{ts,tsx}'],
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({
        launchOptions: { executablePath: findChromium(), args: ['--no-sandbox', '--disable-quic'] },
      }),
      instances: [{ browser: 'chromium' }],
    },
  },
});
