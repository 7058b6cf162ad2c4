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
    await dashboard.screenshot({ path: file('why.png') });

    // What was shown, by the site's own log. The two pages that lead on by themselves are no visits.
    const documents = demo.log.filter(({ dest, status }) => dest === 'document' && status === 200);
    const shown = documents.filter(({ path }) => !/^\/go\/(meta|script)/.test(path)).length + walk.routes;
    const visits = rows.reduce((sum, row) => sum + row.visits, 0);
    print(rows, reasons, { driven: walk.steps.length, shown, visits });
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

/** Presses a button of the export page and keeps what is downloaded. */
async function save(dashboard: Page, button: string, path: string): Promise<void> {
  await dashboard.goto(dashboard.url().replace(/#.*/, '#/export'));
  const download = dashboard.waitForEvent('download');
  await dashboard.getByTestId(button).click();
  await (await download).saveAs(path);
}

/** How many other addresses there are for each reason, as the why cards name it. */
async function reasonsOf(dashboard: Page, rows: Exported[]): Promise<Map<string, number>> {
  const reasons = new Map<string, number>();
  for (const { key } of rows.filter(({ addresses }) => addresses > 1)) {
    await dashboard.goto(dashboard.url().replace(/#.*/, `#/pages?page=${encodeURIComponent(key)}`));
    const others = dashboard.getByTestId('why-address');
    await others.first().waitFor();
    for (const other of await others.all()) {
      await other.locator('summary').click();
      const titles = await other
        .getByTestId('why-step')
        .locator('.between > span:first-child')
        .allInnerTexts();
      const reason = titles.join(' + ');
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    }
  }
  return new Map([...reasons].sort(([, a], [, b]) => b - a));
}

interface Totals {
  driven: number;
  shown: number;
  visits: number;
}

function print(rows: Exported[], reasons: Map<string, number>, { driven, shown, visits }: Totals): void {
  const of = (state: Exported['state']): Exported[] => rows.filter((row) => row.state === state);
  const path = ({ url }: Exported): string => url.replace(/^https?:\/\/[^/]*/, '');
  const line = (name: string, count: number | string, more = ''): void =>
    console.log(`${name.padEnd(28)}${String(count).padStart(6)}${more && `   ${more}`}`);
  const tried = (state: 'retrying' | 'gone'): string =>
    of(state)
      .map((row) => `${path(row)} (${row.status ?? 'no answer'})`)
      .join('  ');
  console.log('');
  line('Navigations driven', driven, 'clicks and keys');
  line('Pages and routes shown', shown, "by the site's own log; the rest failed or led on");
  line('Visits recorded', visits);
  line('Pages visited', of('visited').length);
  line('Duplicates', visits - of('visited').length, 'visits of a page that was visited before');
  line(
    'Other addresses',
    [...reasons.values()].reduce((a, b) => a + b, 0),
    'of these pages, by reason:',
  );
  for (const [reason, count] of reasons) line(`  ${reason}`, count);
  line('To retry', of('retrying').length, tried('retrying'));
  line('Gone', of('gone').length, tried('gone'));
  line('Known, not visited', of('known').length);
}
