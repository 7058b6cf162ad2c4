// `test` of the browser tests: a browser with the shipped build and a practice site of its own for each test.
import { test as base } from '@playwright/test';
import { startDemo, type Demo } from '../../demo/server.mjs';
import { Browser, type LaunchOptions } from './browser.ts';

export { expect } from '@playwright/test';

interface Fixtures {
  /** How the browser is launched; set it with `test.use({ launch: … })`. */
  launch: LaunchOptions;
  /** The browser with the extension in it. */
  onceover: Browser;
  /** The practice site; its log is the oracle. */
  demo: Demo;
}

export const test = base.extend<Fixtures>({
  launch: [{}, { option: true }],
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs.
  demo: async ({}, use) => {
    const demo = await startDemo();
    await use(demo);
    await demo.close();
  },
  onceover: async ({ launch }, use) => {
    const browser = await Browser.launch(launch);
    await use(browser);
    await browser.dispose();
  },
});
