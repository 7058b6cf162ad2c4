// `npm run screens`: photographs every view in both languages and both themes into docs/screens/, on a planted day in
// which every state is there.
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { Browser } from '../e2e/harness/browser.ts';
import { Service } from '../e2e/harness/service.ts';
import { CHANGED_PAGE, WATCH } from '../e2e/seed-watches.ts';
import { plantViews } from '../e2e/seed-views.ts';

const folder = resolve(import.meta.dirname, '../docs/screens');
const [, , ...only] = process.argv;
const at = (url: string): string => `?url=${encodeURIComponent(url)}`;
const HERE = at('https://shop.example.com/orders/list');
const ITEM = encodeURIComponent('https://shop.example.com/item?b=1&id=7');
const FIRST = encodeURIComponent('https://shop.example.com/item?id=7&utm_source=mail#reviews');
const SECOND = encodeURIComponent('https://shop.example.com/item?id=8&ref=poster');

interface View {
  /** Of the pictures. */
  name: string;
  path: string;
  window?: { width: number; height: number };
  /** What is done before the picture is taken: opened, or brought to the top. */
  before?: (tab: Page) => Promise<unknown>;
}

const SMALL = { width: 380, height: 100 };
const ALONE = { width: 900, height: 640 };
const DASHBOARD = { width: 1280, height: 800 };
const toTop = (selector: string) => (tab: Page) =>
  tab.locator(selector).evaluate((element) => element.scrollIntoView({ block: 'start' }));

const VIEWS: View[] = [
  { name: 'welcome-1', path: 'welcome.html', window: ALONE },
  { name: 'welcome-2', path: 'welcome.html#2', window: ALONE },
  { name: 'welcome-3', path: 'welcome.html#3', window: ALONE },
  {
    name: 'practice',
    path: 'practice.html',
    window: ALONE,
    before: async (tab) => {
      for (const link of [0, 1, 2])
        await tab.locator('#links').locator('xpath=../..').locator('a').nth(link).click();
    },
  },
  { name: 'popup-start', path: `popup.html${at('https://other.example.com/')}`, window: SMALL },
  { name: 'popup', path: `popup.html${HERE}`, window: SMALL },
  { name: 'sidepanel', path: `sidepanel.html${HERE}`, window: { width: 360, height: 800 } },
  { name: 'rounds', path: 'dashboard.html#/rounds' },
  {
    name: 'start',
    path: 'dashboard.html#/rounds',
    before: async (tab) => {
      await tab.locator('details:has(.start-form) > summary').click();
      const form = tab.locator('details .start-form');
      await form.locator('select').selectOption('list');
      await form
        .getByTestId('start-list')
        .fill('https://boards.example.com/queue\nhttps://boards.example.com/mail\n');
      await tab
        .locator('#scope-scope-boards')
        .evaluate((element) => element.scrollIntoView({ block: 'start' }));
    },
  },
  { name: 'pages', path: 'dashboard.html#/pages' },
  { name: 'why', path: `dashboard.html#/pages?page=${ITEM}` },
  { name: 'tree', path: 'dashboard.html#/tree' },
  { name: 'compare', path: 'dashboard.html#/compare' },
  {
    name: 'report',
    path: 'dashboard.html#/report',
    before: (tab) => tab.frameLocator('iframe.report').locator('svg.chart').first().waitFor(),
  },
  { name: 'watches', path: 'dashboard.html#/watches?only=same' },
  { name: 'watch-changes', path: `dashboard.html#/watches?watch=${WATCH}` },
  {
    name: 'watch-versions',
    path: `dashboard.html#/watches?watch=${WATCH}`,
    before: async (tab) => {
      await tab.getByTestId('versions').locator('summary').first().click();
      await toTop('[data-testid=versions]')(tab);
    },
  },
  { name: 'page-changes', path: `dashboard.html#/watches?page=${encodeURIComponent(CHANGED_PAGE)}` },
  { name: 'rules', path: `dashboard.html#/rules?a=${FIRST}&b=${SECOND}` },
  { name: 'proposals', path: 'dashboard.html#/rules', before: toTop('#proposals') },
  { name: 'import', path: 'dashboard.html#/import' },
  { name: 'export', path: 'dashboard.html#/export' },
  { name: 'data', path: 'dashboard.html#/data' },
  { name: 'diagnostics', path: 'dashboard.html#/data', before: toTop('#diagnostics') },
  { name: 'options', path: 'dashboard.html#/options' },
  { name: 'service', path: 'dashboard.html#/options', before: toTop('#service') },
  { name: 'privacy', path: 'dashboard.html#/privacy' },
  { name: 'help', path: 'dashboard.html#/help' },
];

const wanted = VIEWS.filter(({ name }) => only.length === 0 || only.includes(name));
if (only.length === 0) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const service = new Service();
await service.start();
for (const language of ['en', 'zh-CN'] as const) {
  const browser = await Browser.launch({ grant: 'start', language });
  try {
    const tab = await browser.open('dashboard.html');
    await tab.locator('h1').waitFor();
    await plantViews(browser, { service });
    for (const { name, path, window = DASHBOARD, before } of wanted) {
      // A fresh document each time, that has read what it shows after a while.
      await tab.goto('about:blank');
      await tab.setViewportSize(window);
      await tab.goto(browser.url(path));
      await tab.waitForTimeout(700);
      await before?.(tab);
      for (const colorScheme of ['light', 'dark'] as const) {
        // Without motion a theme changes at once.
        await tab.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await tab.waitForTimeout(100);
        await tab.screenshot({
          path: join(folder, `${name}-${language}-${colorScheme}.png`),
          fullPage: window === SMALL,
        });
      }
    }
  } finally {
    await browser.dispose();
  }
}
await service.dispose();
console.log(`The pictures are in ${folder}.`);
