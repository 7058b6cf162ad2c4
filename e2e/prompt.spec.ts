// The one test with a window: the toolbar button, Chromium's own permission prompt, and the popup that dies with it.
import { Browser } from './harness/browser.ts';
import { Display } from './harness/display.ts';
import { Popup } from './harness/popup.ts';
import { expect, test } from './harness/test.ts';

let display: Display;
let browser: Browser;
test.beforeAll(async () => {
  display = await Display.start();
});
test.beforeEach(async () => {
  browser = await Browser.launch({
    grant: 'none',
    display: display.name,
    viewport: null,
    args: Display.WINDOW,
  });
});
test.afterEach(() => browser.dispose());
test.afterAll(() => display.close());

const granted = (): Promise<chrome.permissions.Permissions> =>
  browser.backstage.evaluate(() => chrome.permissions.getAll());

test('a round starts when the prompt is answered with Allow, although the popup is gone by then', async ({
  demo,
}) => {
  const page = await browser.context.newPage();
  await page.goto(`${demo.url}/shop`);
  const popup = await Popup.open(browser, page, () => display.clickToolbarButton());
  expect((await granted()).origins).toEqual([]);
  await popup.click('[data-testid="start-round"]');
  await page.waitForTimeout(1000);
  display.press('Tab', 'Return');
  await expect.poll(async () => (await granted()).origins).toEqual(['http://127.0.0.1/*']);
  const dashboard = await browser.open('dashboard.html#/pages');
  // The tab that was open is recorded too.
  await expect(dashboard.getByTestId('page-row').filter({ hasText: '/shop' }).first()).toBeVisible();
  await expect(dashboard.getByTestId('round-state')).toHaveAttribute('data-on', 'true');
});

test('nothing starts when the prompt is answered with Deny', async ({ demo }) => {
  const page = await browser.context.newPage();
  await page.goto(`${demo.url}/shop`);
  const popup = await Popup.open(browser, page, () => display.clickToolbarButton());
  await popup.click('[data-testid="start-round"]');
  await page.waitForTimeout(1000);
  display.press('Return');
  await page.waitForTimeout(1000);
  expect((await granted()).origins).toEqual([]);
  const dashboard = await browser.open('dashboard.html#/rounds');
  await expect(dashboard.getByTestId('round-state')).toHaveAttribute('data-on', 'false');
});
