// The Firefox build installs, starts, and its views draw. Chromium is the product; more is not promised.
import { test as base } from '@playwright/test';
import { expect } from './harness/test.ts';
import { Firefox } from './harness/firefox.ts';

const test = base.extend<{ firefox: Firefox }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs.
  firefox: async ({}, use) => {
    const firefox = await Firefox.launch();
    await use(firefox);
    await firefox.dispose();
  },
});

for (const view of ['popup.html', 'dashboard.html']) {
  test(`${view} draws in Firefox @long`, async ({ firefox }) => {
    const tab = await firefox.open(firefox.url(view));
    await expect
      .poll(() => firefox.evaluate<string>(tab, 'document.querySelector("h1")?.textContent ?? ""'))
      .not.toBe('');
    expect(await firefox.evaluate(tab, 'document.querySelector("[role=alert]")?.textContent ?? ""')).toBe('');
  });
}
