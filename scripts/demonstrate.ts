// The demonstration round: walks through the practice site in a headless browser and tells what the extension made of it.
// Every number is read from the dashboard or from the file it exports.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { startDemo } from '../demo/server.mjs';
import { Browser } from '../e2e/harness/browser.ts';
import { Popup } from '../e2e/harness/popup.ts';
import { walkAround } from './walk.ts';

/** A line of the exported JSON Lines, as far as it is used here. */
interface Exported {
  url: string;
  key: string;
  state: 'known' | 'visited' | 'retrying' | 'gone';
  status?: number;
  visits: number;
  addresses: number;
}

/**
 * Drives the round and prints it; list and pictures are put into `folder`.
 * @returns whether as many visits were recorded as the site showed documents and the walk went to routes
 */
export async function demonstrate(folder: string): Promise<boolean> {
  mkdirSync(folder, { recursive: true });
  const file = (name: string): string => join(folder, name);
  const demo = await startDemo();
  const browser = await Browser.launch({ grant: 'sites' });
  try {
    const tab = await browser.context.newPage();
    await tab.goto(demo.url);
    const popup = await Popup.open(browser, tab);
    await popup.click('[data-testid="start-round"]');
    await popup.waitFor('[data-testid="visited-count"]');
    await popup.close();

    console.log('Walking through the practice site…');
    const walk = await walkAround(tab);

    const dashboard = await browser.open('dashboard.html#/pages');
    await settled(dashboard);
    await dashboard.screenshot({ path: file('dashboard.png') });
    const closing = await Popup.open(browser, tab);
    await closing.waitFor('[data-testid="visited-count"]');
    await closing.screenshot(file('popup.png'));
    await closing.close();

    await dashboard.bringToFront();
    await save(dashboard, 'export-list', file('links.txt'));
    await save(dashboard, 'export-jsonl', file('links.jsonl'));
    const rows = readFileSync(file('links.jsonl'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Exported);
    const reasons = await reasonsOf(dashboard, rows);
    await dashboard.screenshot({ path: file('why.png') }); // The card opened last.

    // What was shown, by the site's own log. The two pages that lead on by themselves are no visits.
    const documents = demo.log.filter(({ dest, status }) => dest === 'document' && status === 200);
    const shown = documents.filter(({ path }) => !/^\/go\/(meta|script)/.test(path)).length + walk.routes;
    const visits = rows.reduce((sum, row) => sum + row.visits, 0);
    const retrying = await listed(dashboard, 'retrying');
    const gone = await listed(dashboard, 'gone');
    print({ rows, reasons, retrying, gone, driven: walk.steps.length, shown, visits });
    console.log('');
    for (const name of ['links.txt', 'links.jsonl', 'popup.png', 'dashboard.png', 'why.png'])
      console.log(file(name));
    if (visits !== shown)
      console.log(`\nThe site showed ${shown} pages and routes, and ${visits} visits are recorded.`);
    return visits === shown;
  } finally {
    await browser.dispose();
    await demo.close();
  }
}

/** Waits until the count of visited pages has stood still for 2 s. */
async function settled(dashboard: Page): Promise<void> {
  const count = dashboard.getByTestId('visited-count');
  for (let before = ''; ;) {
    const now = await count.innerText();
    if (now === before) return;
    before = now;
    await dashboard.waitForTimeout(2000);
  }
}

/** Shows another view of the dashboard; nothing of the view before is left, so nothing of it can be read by mistake. */
async function go(dashboard: Page, hash: string): Promise<void> {
  const address = dashboard.url().replace(/#.*/, hash);
  await dashboard.goto('about:blank');
  await dashboard.goto(address);
}

/** Presses a button of the export page and keeps what is downloaded. */
async function save(dashboard: Page, button: string, path: string): Promise<void> {
  await go(dashboard, '#/export');
  const download = dashboard.waitForEvent('download');
  await dashboard.getByTestId(button).click();
  await (await download).saveAs(path);
}

/** How many other addresses there are for each reason, as the why cards name it. */
async function reasonsOf(dashboard: Page, rows: Exported[]): Promise<Map<string, number>> {
  const reasons = new Map<string, number>();
  for (const { key } of rows.filter(({ addresses }) => addresses > 1)) {
    await go(dashboard, `#/pages?page=${encodeURIComponent(key)}`);
    await dashboard.getByTestId('why-address').first().waitFor();
    for (const other of await dashboard.getByTestId('why-address').all()) {
      const steps = other.getByTestId('why-step').locator('.between > span:first-child');
      const titles = await steps.allTextContents();
      const reason = titles.join(' + ') || 'Written as the key itself';
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    }
  }
  return new Map([...reasons].sort(([, a], [, b]) => b - a));
}

/** The rows of a filter of the page list, in short: path and what is said of it. */
async function listed(dashboard: Page, show: 'retrying' | 'gone'): Promise<string[]> {
  await go(dashboard, `#/pages?show=${show}`);
  const row = dashboard.getByTestId('page-row');
  await row.first().waitFor();
  const texts = await Promise.all((await row.all()).map((one) => one.getByRole('gridcell').allInnerTexts()));
  return texts.map(([, , , path, , why]) => `${path?.trim()} (${why?.trim()})`);
}

interface Told {
  rows: Exported[];
  reasons: Map<string, number>;
  retrying: string[];
  gone: string[];
  driven: number;
  shown: number;
  visits: number;
}

function print({ rows, reasons, retrying, gone, driven, shown, visits }: Told): void {
  const count = (state: Exported['state']): number => rows.filter((row) => row.state === state).length;
  const line = (name: string, number: number, more = ''): void =>
    console.log(`${name.padEnd(60)}${String(number).padStart(5)}${more && `   ${more}`}`);
  console.log('');
  line('Navigations driven', driven, 'clicks and keys');
  line('Pages and routes shown', shown, "by the site's own log; the rest failed or led on");
  line('Visits recorded', visits);
  line('Pages visited', count('visited'));
  line('Duplicates', visits - count('visited'), 'visits of a page that was visited before');
  line(
    'Other addresses of these pages, by reason',
    [...reasons.values()].reduce((a, b) => a + b, 0),
  );
  for (const [reason, number] of reasons) line(`  ${reason}`, number);
  line('To retry', count('retrying'), retrying.join('  '));
  line('Gone', count('gone'), gone.join('  '));
  line('Known, not visited', count('known'));
}
