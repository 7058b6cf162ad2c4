// `npm run screens`: photographs popup and dashboard in both languages and both themes into docs/screens/.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startDemo } from '../demo/server.mjs';
import { Browser } from '../e2e/harness/browser.ts';
import { Popup } from '../e2e/harness/popup.ts';
import { walkAround } from './walk.ts';

const folder = resolve(import.meta.dirname, '../docs/screens');

/** Name of the picture and address of the view; `%KEY%` stands for the key of the page with the most addresses. */
const VIEWS = [
  ['rounds', '#/rounds'],
  ['pages', '#/pages'],
  ['why', '#/pages?page=%KEY%'],
  ['compare', '#/compare'],
  ['export', '#/export'],
  ['data', '#/data'],
  ['options', '#/options'],
  ['help', '#/help'],
] as const;

const LANGUAGES = ['en', 'zh-CN'] as const;
const THEMES = ['light', 'dark'] as const;

mkdirSync(folder, { recursive: true });
for (const language of LANGUAGES) {
  const demo = await startDemo();
  const browser = await Browser.launch({ grant: 'sites', language });
  try {
    const tab = await browser.context.newPage();
    await tab.goto(demo.url);
    const file = (view: string, theme: string): string => join(folder, `${view}-${language}-${theme}.png`);

    const photographPopup = async (name: string): Promise<void> => {
      for (const colorScheme of THEMES) {
        const popup = await Popup.open(browser, tab);
        await popup.emulate({ colorScheme });
        await popup.waitFor('main section');
        await popup.screenshot(file(name, colorScheme));
        await popup.close();
      }
    };
    await photographPopup('popup-first');
    const popup = await Popup.open(browser, tab);
    await popup.click('[data-testid="start-round"]');
    await popup.waitFor('[data-testid="visited-count"]');
    await popup.close();
    await walkAround(tab);
    await photographPopup('popup');

    const dashboard = await browser.open('dashboard.html');
    for (const [name, hash] of VIEWS) {
      await dashboard.goto(
        browser.url(
          `dashboard.html${hash.replace('%KEY%', encodeURIComponent(`${demo.url}/shop/item/101`))}`,
        ),
      );
      for (const colorScheme of THEMES) {
        await dashboard.emulateMedia({ colorScheme });
        await dashboard.waitForTimeout(500);
        await dashboard.screenshot({ path: file(name, colorScheme) });
      }
    }
    console.log(`${language}: done`);
  } finally {
    await browser.dispose();
    await demo.close();
  }
}
