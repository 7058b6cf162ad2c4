// Follows real applications whose address stays, with the shipped build and without it, in turn: the address stays, a change is found,
// numbers make no flood, and what the page itself works and keeps in its heap is the same within a tenth. What the extension works in the
// page is told beside it. Needs `wxt build` first.
//   npm run test:apps -- [--app NAME] [--minutes 10] [--runs 5]
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type BrowserContext, type Page } from '@playwright/test';
import type { StoredSnapshot } from '#lib/store/schema.ts';
import { findChromium } from '../../scripts/browser.mjs';
import { Browser } from '../harness/browser.ts';
import { storedRows } from '../harness/stored.ts';
import { APPS, install, type App } from './apps.ts';

const { values } = parseArgs({
  options: {
    app: { type: 'string' },
    minutes: { type: 'string', default: '10' },
    runs: { type: 'string', default: '5' },
  },
});
const minutes = Number(values.minutes);
const runs = Number(values.runs);
/** By how much work and heap may differ. */
const TOLERANCE = 0.1;
/** Most the extension may work in the page, in ms a minute: a hundredth of a core. */
const MOST_OWN = 600;
/** So long a page may load and draw before it is measured, in ms. */
const SETTLE = 15_000;
/** How often it is asked what runs just now, in µs. */
const SAMPLES = 2_000;
const PORT = 18_600;

/** As `Profiler.stop` answers. */
interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[];
  samples?: number[];
  timeDeltas?: number[];
}

interface Cost {
  /** What the page works on its main thread, in ms a minute, without what the extension's script works there: that is `own`. */
  work: number;
  own: number;
  /** After a collection, in bytes; the extension's script has its own there too. */
  heap: number;
}

interface Found {
  urlStays: boolean;
  changeFound: boolean;
  /** Most changes of one page within a minute that were only numbers. */
  numbers: number;
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Which part of the work code of the extension did, with what it called. */
function ownShare({ nodes, samples = [], timeDeltas = [] }: Profile): number {
  const own = new Set<number>();
  const idle = new Set<number>();
  // Callers come before what they call.
  for (const { id, callFrame, children = [] } of nodes) {
    if (callFrame.url.startsWith('chrome-extension://')) own.add(id);
    if (callFrame.functionName === '(idle)') idle.add(id);
    if (own.has(id)) for (const child of children) own.add(child);
  }
  const timeOf = (isCounted: (id: number) => boolean) =>
    samples.reduce((sum, id, at) => sum + (isCounted(id) ? (timeDeltas[at + 1] ?? 0) : 0), 0);
  return (
    timeOf((id) => own.has(id)) /
    Math.max(
      1,
      timeOf((id) => !idle.has(id)),
    )
  );
}

/** Begins to measure a page, in the same way with and without the extension; the answer ends it. */
async function costOf(context: BrowserContext, tab: Page): Promise<() => Promise<Cost>> {
  const cdp = await context.newCDPSession(tab);
  await cdp.send('Performance.enable');
  const read = async (name: string) => {
    const { metrics } = await cdp.send('Performance.getMetrics');
    return metrics.find((metric) => metric.name === name)?.value ?? 0;
  };
  await cdp.send('Profiler.enable');
  await cdp.send('Profiler.setSamplingInterval', { interval: SAMPLES });
  await cdp.send('Profiler.start');
  // Time on a processor: other programs do not count.
  const begun = { at: performance.now(), work: await read('ThreadTime') };
  return async () => {
    const work = ((await read('ThreadTime')) - begun.work) * 1000;
    const took = (performance.now() - begun.at) / 60_000;
    const own = work * ownShare((await cdp.send('Profiler.stop')).profile);
    await cdp.send('HeapProfiler.collectGarbage');
    return { work: (work - own) / took, own: own / took, heap: await read('JSHeapUsedSize') };
  };
}

/** The page without the extension, in a browser that is the same else. */
async function plain(url: string): Promise<Cost> {
  const profile = mkdtempSync(join(tmpdir(), 'onceover-plain-'));
  const args = ['--disable-quic', '--disable-background-networking', '--lang=en-US'];
  if (process.getuid?.() === 0) args.push('--no-sandbox');
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: findChromium(),
    headless: true,
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    args,
  });
  try {
    const tab = await context.newPage();
    await tab.goto(url);
    await pause(SETTLE);
    const end = await costOf(context, tab);
    await pause(minutes * 60_000);
    return await end();
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

/** The most versions of one page within a minute that differ in numbers only. */
function mostNumbers(snapshots: readonly StoredSnapshot[]): number {
  const numeric = snapshots.filter(({ frame, numbers }) => frame === '0' && numbers === true);
  const within = ({ space, key, at }: StoredSnapshot) =>
    numeric.filter((row) => row.space === space && row.key === key && row.at >= at && row.at - at < 60_000);
  return Math.max(0, ...numeric.map((row) => within(row).length));
}

/** The page with it, in a round. */
async function followed(app: App, url: string, port: number): Promise<Cost & Found> {
  const browser = await Browser.launch({ grant: 'start' });
  try {
    const message = { v: 1, id: crypto.randomUUID(), type: 'startRound', base: 'none' };
    const scope = { name: app.name, origins: ['http://127.0.0.1/*'] };
    await browser.backstage.evaluate((start) => chrome.runtime.sendMessage(start), { ...message, scope });
    const tab = await browser.context.newPage();
    await tab.goto(url);
    await pause(SETTLE);
    const before = tab.url();
    const end = await costOf(browser.context, tab);
    await pause(minutes * 60_000);
    const cost = await end();
    const snapshots = await storedRows<StoredSnapshot>(browser.backstage, 'snapshots');
    const numbers = mostNumbers(snapshots);
    const known = new Set(
      (await storedRows<{ hash: string }>(browser.backstage, 'texts')).map(({ hash }) => hash),
    );
    const word = await app.change(tab, port);
    let changeFound = false;
    for (let tries = 0; tries < 30 && !changeFound; tries += 1) {
      await pause(1000);
      const texts = await storedRows<{ hash: string; text?: string }>(browser.backstage, 'texts');
      changeFound = texts.some(({ hash, text }) => !known.has(hash) && text?.includes(word) === true);
    }
    const urlStays = tab.url() === before;
    return { ...cost, urlStays, changeFound, numbers };
  } finally {
    await browser.dispose();
  }
}

const median = (list: number[]): number => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;

async function ready(url: string): Promise<void> {
  for (let tries = 0; tries < 60; tries += 1) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await pause(1000);
  }
  throw new Error(`${url} does not answer`);
}

async function judge(app: App, port: number): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), `onceover-${app.name}-`));
  const server = app.start(folder, port);
  const stop = () => server.kill();
  process.once('exit', stop);
  const url = `http://127.0.0.1:${port}${app.path}`;
  const without: Cost[] = [];
  const by: (Cost & Found)[] = [];
  try {
    await ready(url);
    for (let run = 0; run < runs; run += 1) {
      without.push(await plain(url));
      by.push(await followed(app, url, port));
    }
  } finally {
    stop();
    process.off('exit', stop);
    rmSync(folder, { recursive: true, force: true });
  }
  const ratio = (of: (cost: Cost) => number) => median(by.map(of)) / median(without.map(of));
  const work = ratio((cost) => cost.work);
  const heap = ratio((cost) => cost.heap);
  const own = median(by.map((cost) => cost.own));
  const numbers = Math.max(...by.map((found) => found.numbers));
  const per = (value: number) => `${((value - 1) * 100).toFixed(1)} %`;
  console.log(
    `${app.name}: work ${per(work)} of ${median(without.map((cost) => cost.work)).toFixed(0)} ms/min, the extension's own ` +
      `${own.toFixed(0)} ms/min (${(own / 600).toFixed(2)} % of a core), heap ${per(heap)} of ` +
      `${(median(without.map((cost) => cost.heap)) / 1e6).toFixed(1)} MB, at most ${numbers} changes of numbers a minute, ` +
      `load ${loadavg()[0]!.toFixed(1)}, change found in ${by.filter(({ changeFound }) => changeFound).length} of ${by.length} runs`,
  );
  return [
    ...(by.every(({ urlStays }) => urlStays) ? [] : [`${app.name}: the address changed`]),
    ...(by.every(({ changeFound }) => changeFound) ? [] : [`${app.name}: a change was not found`]),
    ...(numbers <= 1 ? [] : [`${app.name}: numbers flood`]),
    ...(Math.abs(work - 1) <= TOLERANCE ? [] : [`${app.name}: work differs by ${per(work)}`]),
    ...(own <= MOST_OWN ? [] : [`${app.name}: the extension works ${own.toFixed(0)} ms a minute`]),
    ...(Math.abs(heap - 1) <= TOLERANCE ? [] : [`${app.name}: heap differs by ${per(heap)}`]),
  ];
}

// A server of a run that is broken off would answer for the next one.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const wanted = APPS.filter(({ name }) => values.app === undefined || name === values.app);
if (wanted.length === 0) throw new Error(`Known applications: ${APPS.map(({ name }) => name).join(', ')}`);
install(wanted);
const wrong: string[] = [];
for (const app of wanted) wrong.push(...(await judge(app, PORT + 10 * APPS.indexOf(app))));
for (const line of wrong) console.error(line);
process.exitCode = wrong.length > 0 ? 1 : 0;
