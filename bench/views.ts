import { existsSync, mkdirSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { Browser, BUILD } from '../e2e/harness/browser.ts';
import { SCHEMA_VERSION } from '../lib/store/schema.ts';
import { extensionId } from '../scripts/profile.mjs';
import { DONE_HOST, MANY, MANY_HOST, plantMany, RARE, type Size } from '../e2e/seed-many.ts';
import { exactRow, type Context } from './context.ts';
import type { Row } from './row.ts';

const CACHE = resolve(import.meta.dirname, '../node_modules/.cache/onceover');
/** Times each view is opened; the median counts. */
const TIMES = 5;
const ROWS = '[data-testid=page-row] .state';
const millions = (count: number) => `${(count / 1e6).toLocaleString('en')}M pages`;

/** What the built dashboard and popup take with very many pages stored. @throws where there is no build */
export async function* measureViews(context: Context): AsyncGenerator<Row> {
  if (!existsSync(join(BUILD, 'manifest.json')))
    throw new Error('There is no build: run `npm run build` first.');
  const base = Number(process.env.BENCH_PAGES ?? 1_000_000);
  const size: Size = { base, visited: Math.floor(base / 5) };
  const browser = await Browser.launch({ grant: 'none', from: await planted(size) });
  try {
    yield* measure(context, browser, base);
  } finally {
    await browser.dispose();
  }
}

/** The folder of a profile with so many pages stored. It is kept: planting takes minutes. */
async function planted(size: Size): Promise<string> {
  const name = `${size.base}-${size.visited}-v${SCHEMA_VERSION}-${extensionId(BUILD)}`;
  const folder = join(CACHE, name);
  if (existsSync(folder)) return folder;
  const browser = await Browser.launch({ grant: 'none' });
  try {
    const first = await browser.open('dashboard.html');
    await first.locator('h1').waitFor();
    await first.close();
    const begun = performance.now();
    await plantMany(browser.backstage, size);
    // What the worker remembers of a round it has followed from its beginning.
    while (!(await browser.backstage.evaluate(leftIsNoted, MANY.round))) {
      await browser.backstage.evaluate(tellWorker, MANY.round);
      await browser.backstage.waitForTimeout(500);
    }
    console.error(`planted in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
    mkdirSync(CACHE, { recursive: true });
    await browser.keep(folder);
    return folder;
  } finally {
    await browser.dispose();
  }
}

async function* measure(context: Context, browser: Browser, pages: number): AsyncGenerator<Row> {
  const row = (name: string, ours: number, most: number | undefined, unit = 'ms', ratioOf = 'ours'): Row =>
    exactRow(
      context,
      { name, set: millions(pages), unit, ratioOf, ...(most !== undefined && { target: { most } }) },
      { ours, peerName: 'an empty store', ratio: ours },
    );
  const here = (view: string, more = '') => `#/${view}?round=${MANY.round}${more}`;
  const dashboard = await browser.open('dashboard.html#/help');
  await dashboard.locator('h1').waitFor();
  const shown = (hash: string, what: string) => median(TIMES, () => timeTo(dashboard, hash, what));

  const floors = await floorsOf(browser);
  console.error(
    `load ${loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')}; in the same run, ms: ${JSON.stringify(floors)}`,
  );
  yield row('an empty page of the extension', floors.page, undefined);
  yield row('reading 50 rows by a range of keys', floors.rows, undefined);
  yield row('popup ready', await median(TIMES, () => popupReady(browser)), 100);
  yield row('Pages, first rows', await shown(here('pages'), ROWS), 200);
  yield row('Pages, left', await shown(here('pages', '&show=left'), ROWS), 200);
  yield row('Pages, changed', await shown(here('pages', '&show=changed'), ROWS), 200);
  yield row('Pages, new', await shown(here('pages', '&show=new'), ROWS), 200);
  yield row('Pages of a host that is done', await shown(here('pages', `&host=${DONE_HOST}`), ROWS), 150);
  yield row('Pages of a host', await shown(here('pages', `&host=${MANY_HOST}`), ROWS), 150);
  yield row(
    'Pages below a prefix',
    await shown(here('pages', `&host=${MANY_HOST}&prefix=${encodeURIComponent('/section-20/')}`), ROWS),
    150,
  );
  yield row('Compare, first rows', await shown(here('compare', `&base=${MANY.base}`), ROWS), 200);
  yield row('Compare, new', await shown(here('compare', `&base=${MANY.base}&show=new`), ROWS), 200);
  yield row('Compare, left', await shown(here('compare', `&base=${MANY.base}&show=left`), ROWS), 200);
  yield row('free text, first hit of many', await shown(here('pages', '&q=item'), ROWS), 150);
  yield row('Tree, first rows', await shown(here('tree'), '[data-testid=tree-row]'), 200);
  const { longest, rows, heap } = await scroll(dashboard, here('pages', '&show=left'));
  yield row('scrolling, longest task', longest, 50);
  yield row('scrolling, rows in the page', rows, 100, 'rows');
  if (heap !== undefined) yield row('scrolling, growth of the heap', heap / 1e6, 50, 'MB');
  yield row(
    'next unvisited',
    await median(TIMES, () => browser.backstage.evaluate(askNext, MANY.round)),
    undefined,
  );
  // Once: nothing says where it is, so this looks at every page before.
  yield row(
    'free text, first hit at the end',
    await timeTo(dashboard, here('pages', `&q=${RARE}`), ROWS),
    undefined,
  );
}

/** From the change of the address to the first frame that has what is waited for. */
async function timeTo(page: Page, hash: string, what: string): Promise<number> {
  await page.evaluate(() => (location.hash = '#/help'));
  await page.locator('#shortcuts').waitFor();
  return page.evaluate(
    async ({ hash, what }) => {
      const begun = performance.now();
      location.hash = hash;
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      // The view that is left may show the same for a moment.
      await frame();
      while (!document.querySelector(what) && performance.now() - begun < 120_000) await frame();
      return performance.now() - begun;
    },
    { hash, what },
  );
}

/** What nothing can be faster than here and now: a page of the extension without content, and 50 rows read from one of its pages. */
async function floorsOf(browser: Browser): Promise<{ page: number; rows: number }> {
  const page = await median(TIMES, async () => {
    const empty = await browser.context.newPage();
    await empty.addInitScript(() => requestAnimationFrame(() => (window.name = String(performance.now()))));
    await empty.goto(browser.url('manifest.json'));
    await empty.waitForFunction(() => window.name !== '');
    const time = Number(await empty.evaluate(() => window.name));
    await empty.close();
    return time;
  });
  const rows = await median(TIMES, () => browser.backstage.evaluate(readFifty, MANY.base));
  return { page, rows };
}

async function askNext(round: string): Promise<number> {
  const begun = performance.now();
  await chrome.runtime.sendMessage({
    v: 1,
    id: crypto.randomUUID(),
    type: 'nextUnvisited',
    round,
    open: false,
  });
  return performance.now() - begun;
}

function readFifty(space: string): Promise<number> {
  return new Promise((done) => {
    const request = indexedDB.open('onceover');
    request.addEventListener('success', () => {
      const begun = performance.now();
      const database = request.result;
      const range = IDBKeyRange.bound([space], [space, []]);
      const asked = database.transaction('pages').objectStore('pages').getAll(range, 50);
      asked.addEventListener('success', () => {
        database.close();
        done(performance.now() - begun);
      });
    });
  });
}

/** From the start of the document to the first frame that has the round and its next page. */
async function popupReady(browser: Browser): Promise<number> {
  const address = encodeURIComponent(`https://${MANY_HOST}/`);
  const page = await browser.context.newPage();
  await page.addInitScript(() => {
    const look = (): void => {
      if (document.querySelector('[data-testid=next-unvisited] small'))
        window.name = String(performance.now());
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto(browser.url(`popup.html?url=${address}`));
  await page.waitForFunction(() => window.name !== '', undefined, { timeout: 120_000 });
  const time = await page.evaluate(() => Number(window.name));
  await page.close();
  return time;
}

async function scroll(
  page: Page,
  hash: string,
): Promise<{ longest: number; rows: number; heap: number | undefined }> {
  await timeTo(page, hash, ROWS);
  return page.evaluate(async () => {
    const memory = (): number | undefined =>
      (performance as { memory?: { usedJSHeapSize: number } }).memory?.usedJSHeapSize;
    let longest = 0;
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
    });
    observer.observe({ type: 'longtask' });
    const grid = document.querySelector('[role=grid]') as HTMLElement;
    const before = memory();
    let rows = 0;
    for (let step = 0; step < 150; step++) {
      grid.scrollTop += 1_500;
      await new Promise((done) => setTimeout(done, 30));
      rows = Math.max(rows, document.querySelectorAll('[data-testid=page-row]').length);
    }
    const after = memory();
    observer.disconnect();
    const heap = before === undefined || after === undefined ? undefined : Math.max(0, after - before);
    return { longest, rows, heap };
  });
}

async function median(times: number, measure: () => Promise<number>): Promise<number> {
  const all: number[] = [];
  for (let time = 0; time < times; time++) all.push(await measure());
  return all.toSorted((a, b) => a - b)[times >> 1] ?? NaN;
}

/** Whether the worker has noted where what is left begins. */
function leftIsNoted(round: string): Promise<boolean> {
  return new Promise((done) => {
    const request = indexedDB.open('onceover');
    request.addEventListener('success', () => {
      const database = request.result;
      const asked = database.transaction('meta').objectStore('meta').get(`left:${round}`);
      asked.addEventListener('success', () => {
        database.close();
        done(asked.result !== undefined);
      });
    });
  });
}

/** Wakes the worker and tells it of the rows, as a view does that wrote them. */
async function tellWorker(round: string): Promise<void> {
  await chrome.runtime.sendMessage({ v: 1, id: crypto.randomUUID(), type: 'health' });
  const channel = new BroadcastChannel('onceover-tick');
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
  channel.postMessage({ log: 0, rounds: [round] });
  channel.close();
}
