// `npm run screens`: photographs every view in both languages and both themes into docs/screens/, on a planted day in
// which every state is there.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Browser } from '../e2e/harness/browser.ts';
import { watchedDay } from '../e2e/seed-watches.ts';
import { plant, workingDay } from '../e2e/seed.ts';

const folder = resolve(import.meta.dirname, '../docs/screens');
const at = (url: string): string => `?url=${encodeURIComponent(url)}`;
const HERE = at('https://shop.example.com/orders/list');
const ITEM = encodeURIComponent('https://shop.example.com/item?b=1&id=7');
const FIRST = encodeURIComponent('https://shop.example.com/item?id=7&utm_source=mail#reviews');
const SECOND = encodeURIComponent('https://shop.example.com/item?id=8&ref=poster');

/** Name of the picture, address of the view, and the window it is looked at in. */
const DASHBOARD = { width: 1280, height: 800 };
const VIEWS = [
  ['popup-start', `popup.html${at('https://other.example.com/')}`, { width: 380, height: 100 }],
  ['popup', `popup.html${HERE}`, { width: 380, height: 100 }],
  ['sidepanel', `sidepanel.html${HERE}`, { width: 360, height: 800 }],
  ['rounds', 'dashboard.html#/rounds', DASHBOARD],
  ['pages', 'dashboard.html#/pages', DASHBOARD],
  ['why', `dashboard.html#/pages?page=${ITEM}`, DASHBOARD],
  ['tree', 'dashboard.html#/tree', DASHBOARD],
  ['compare', 'dashboard.html#/compare', DASHBOARD],
  ['report', 'dashboard.html#/report', DASHBOARD],
  ['watches', 'dashboard.html#/watches', DASHBOARD],
  ['rules', `dashboard.html#/rules?a=${FIRST}&b=${SECOND}`, DASHBOARD],
  ['import', 'dashboard.html#/import', DASHBOARD],
  ['export', 'dashboard.html#/export', DASHBOARD],
  ['data', 'dashboard.html#/data', DASHBOARD],
  ['options', 'dashboard.html#/options', DASHBOARD],
  ['help', 'dashboard.html#/help', DASHBOARD],
] as const;

mkdirSync(folder, { recursive: true });
for (const language of ['en', 'zh-CN'] as const) {
  const browser = await Browser.launch({ grant: 'start', language });
  try {
    const tab = await browser.open('dashboard.html');
    await tab.locator('h1').waitFor();
    const now = Date.now();
    await plant(browser.backstage, { ...workingDay(now), ...(await watchedDay(now)) });
    for (const [view, path, window] of VIEWS) {
      // A fresh document each time; what it reads and the changes of a theme (120 ms) have settled after a while.
      await tab.goto('about:blank');
      await tab.setViewportSize(window);
      await tab.goto(browser.url(path));
      for (const colorScheme of ['light', 'dark'] as const) {
        await tab.emulateMedia({ colorScheme });
        await tab.waitForLoadState('networkidle');
        await tab.waitForTimeout(500);
        const popup = view.startsWith('popup');
        await tab.screenshot({
          path: join(folder, `${view}-${language}-${colorScheme}.png`),
          fullPage: popup,
        });
      }
    }
  } finally {
    await browser.dispose();
  }
}
console.log(`The pictures are in ${folder}.`);
