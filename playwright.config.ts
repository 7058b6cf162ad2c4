import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';

// The shipped build in real Chromium. Nothing is tried twice: a test that fails sometimes is a fault.
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.spec.ts',
  fullyParallel: true,
  // A test waits for its browser half of the time.
  workers: availableParallelism() + 1,
  retries: 0,
  // Against hanging only: no test is about time.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: process.env.CI !== undefined,
  use: { trace: 'off', screenshot: 'off', video: 'off' },
  reporter: [['list']],
});
