import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Browser, BUILD } from '../e2e/harness/browser.ts';
import { observerTime, scriptTime, startSite } from '../e2e/page-cost.ts';
import { exactRow, type Context } from './context.ts';
import type { Row } from './row.ts';

const LINKS = 10_000;
/** An observer that is in a page has told what it found within this time, in ms. */
const QUIET = 3_000;

/**
 * CPU time of the main thread on a page of 10,000 links, in scope and out of it, beside a script that reads each address once; and the
 * share of its time that a page pays that adds 100 links a frame. They take turns. @throws where there is no build
 */
export async function* measurePages(context: Context): AsyncGenerator<Row> {
  if (!existsSync(join(BUILD, 'manifest.json')))
    throw new Error('There is no build: run `npm run build` first.');
  const site = await startSite();
  const outside = site.url.replace('127.0.0.1', 'localhost');
  const browser = await Browser.launch({ grant: 'start' });
  const times = {
    inScope: [] as number[],
    outOfScope: [] as number[],
    walk: [] as number[],
    share: [] as number[],
  };
  const wait = (page: { waitForTimeout: (ms: number) => Promise<void> }) => page.waitForTimeout(QUIET);
  try {
    for (let round = 0; round < context.rounds; round++) {
      const id = await startRound(browser);
      const until = async () => {
        while ((await knownIn(browser, id)) < LINKS) await browser.backstage.waitForTimeout(200);
      };
      times.inScope.push(await scriptTime(browser.context, `${site.url}/links/${LINKS}?links`, until));
      times.outOfScope.push(await scriptTime(browser.context, `${outside}/links/${LINKS}?links`, wait));
      times.walk.push(await scriptTime(browser.context, `${outside}/walk/${LINKS}?links`, wait));
      times.share.push(await shareOfStream(browser, site.url));
      await tell(browser, { type: 'endRound', round: id });
      console.error(`round ${round + 1} of ${context.rounds}`, JSON.stringify(times));
    }
  } finally {
    await browser.dispose();
    site.server.close();
  }
  const here: Context = { ...context, engine: 'chromium' };
  const floor = median(times.walk);
  const peerName = 'no observer';
  const row = (name: string, ours: number, most: number, unit: string, least?: number): Row =>
    exactRow(
      here,
      { name, set: `${LINKS.toLocaleString('en')} links`, unit, ratioOf: 'ours', target: { most } },
      { ours, peerName, floor: least, ratio: ours },
    );
  yield row('observer, main thread', median(times.inScope), 50, 'ms', floor);
  // What reads the counters runs there too: less than that is nothing.
  yield row('observer out of scope, main thread', median(times.outOfScope), 2, 'ms');
  yield { ...row('observer, 100 new links a frame', median(times.share), 5, '%'), set: '18,000 links' };
}

async function shareOfStream(browser: Browser, url: string): Promise<number> {
  const page = await browser.context.newPage();
  await page.goto(`${url}/stream?links`);
  let wall = 0;
  const time = await observerTime(page, async () => {
    const begun = performance.now();
    await page.waitForFunction(() => document.title === 'done', undefined, { timeout: 120_000 });
    wall = performance.now() - begun;
  });
  await page.close();
  return (100 * time) / wall;
}

async function startRound(browser: Browser): Promise<string> {
  const scope = { name: 'Bench', origins: ['http://127.0.0.1/*'] };
  const answer = await tell(browser, { type: 'startRound', scope, base: 'none' });
  const id = answer.ok?.round?.id;
  if (id === undefined) throw new Error(`No round: ${JSON.stringify(answer)}`);
  return id;
}

interface Answer {
  ok?: { round?: { id: string } };
}

function tell(browser: Browser, fields: { type: string } & Record<string, unknown>): Promise<Answer> {
  const message = { v: 1, id: crypto.randomUUID(), ...fields };
  return browser.backstage.evaluate((told) => chrome.runtime.sendMessage<object, Answer>(told), message);
}

/** Links of a round that are stored. */
function knownIn(browser: Browser, round: string): Promise<number> {
  return browser.backstage.evaluate(
    (id) =>
      new Promise<number>((done, failed) => {
        const request = indexedDB.open('onceover');
        request.addEventListener('error', () => failed(request.error));
        request.addEventListener('success', () => {
          const asked = request.result.transaction('rounds').objectStore('rounds').get(id);
          asked.addEventListener('success', () => {
            request.result.close();
            const row = asked.result as { counters: { known: number } } | undefined;
            done(row?.counters.known ?? 0);
          });
        });
      }),
    round,
  );
}

function median(all: number[]): number {
  return all.toSorted((a, b) => a - b)[all.length >> 1] ?? NaN;
}
