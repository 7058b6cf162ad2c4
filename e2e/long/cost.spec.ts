// What the observer costs a page: on pages without scripts of their own, the CPU time of all scripts on the main thread, calls
// into the DOM included; on a page with scripts, the samples of its profiler with the content script on their stack.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CDPSession, Page } from '@playwright/test';
import { Round } from '../capture/round.ts';
import { expect, test } from '../harness/test.ts';

test.use({ launch: { grant: 'start' } });

const links = (count: number) =>
  Array.from(
    { length: count },
    (_, n) => `<p>Entry <a href="/entry/${n}?utm_source=a">number ${n}</a> and text</p>`,
  );

const PAGES: Record<string, () => string> = {
  '/links/10000': () => links(10_000).join('\n'),
  '/links/50000': () => links(50_000).join('\n'),
  '/stream': () => `<div id="list"></div><script>
    let n = 0, frames = 0;
    const frame = () => {
      for (let k = 0; k < 100; k++) {
        const a = Object.assign(document.createElement('a'), { href: '/entry/' + n, textContent: 'entry ' + n++ });
        document.getElementById('list').append(a, ' ');
      }
      if (++frames < 180) requestAnimationFrame(frame); else document.title = 'done';
    };
    addEventListener('load', () => setTimeout(() => requestAnimationFrame(frame), 1500));
  </script>`,
};

async function startSite(): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    // The text of an error page is not read: what is left is the cost of its links, showing and marks.
    const [path = '', kind] = (request.url ?? '').split('?');
    response.writeHead(kind === 'links' ? 404 : 200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><title>x</title>${PAGES[path]?.() ?? ''}`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

/** CPU ms of the page's main thread in scripts while `work` runs; other processes do not count. */
async function scriptTime(page: Page, work: () => Promise<void>): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? NaN;
  };
  const before = await spent();
  await work();
  const after = await spent();
  await session.detach();
  return (after - before) * 1000;
}

/** Main-thread ms with the observer on the stack while `work` runs. */
async function observerTime(page: Page, work: () => Promise<void>): Promise<number> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('Profiler.enable');
  await session.send('Profiler.setSamplingInterval', { interval: 200 });
  await session.send('Profiler.start');
  await work();
  const { profile } = await session.send('Profiler.stop');
  await session.detach();
  const parents = new Map<number, number>();
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  for (const { id, children = [] } of profile.nodes) for (const child of children) parents.set(child, id);
  const isOurs = (id: number | undefined): boolean => {
    for (let at = id; at !== undefined; at = parents.get(at)) {
      if (nodes.get(at)?.callFrame.url.includes('content-scripts/observer.js')) return true;
    }
    return false;
  };
  const { samples = [], timeDeltas = [] } = profile;
  return samples.reduce((sum, id, index) => sum + (isOurs(id) ? (timeDeltas[index] ?? 0) : 0), 0) / 1000;
}

/** Links of the round that are stored; counted, since reading very many rows would cost the worker its time. */
const known = async (round: Round) => (await round.row()).counters.known;

for (const [count, limit] of [
  [10_000, 50],
  [50_000, 500],
] as const) {
  test(
    `${count} links: less than ${limit} ms of the main thread, all stored`,
    { tag: '@long' },
    async ({ onceover: browser }) => {
      test.setTimeout(240_000);
      const site = await startSite();
      const page = await browser.context.newPage();
      await page.goto('about:blank');
      const load = (isDone: () => Promise<unknown>) =>
        scriptTime(page, async () => {
          await page.goto(`${site.url}/links/${count}?links`);
          await isDone();
        });
      expect(await load(() => page.waitForTimeout(3000)), 'outside of a round').toBeLessThan(2);
      const round = await Round.start(browser, site.url);
      const begun = performance.now();
      const isStored = () => expect.poll(() => known(round), { timeout: 120_000 }).toBe(count);
      const time = await load(isStored);
      const stored = performance.now() - begun;
      console.log(`${count} links: ${time.toFixed(1)} ms, stored after ${(stored / 1000).toFixed(1)} s`);
      expect(time).toBeLessThan(limit);
      site.server.close();
    },
  );
}

test(
  '100 new links a frame: less than 5 % of the frames',
  { tag: '@long' },
  async ({ onceover: browser }) => {
    const site = await startSite();
    const round = await Round.start(browser, site.url);
    const page = await browser.context.newPage();
    await page.goto(`${site.url}/stream?links`);
    let wall = 0;
    const time = await observerTime(page, async () => {
      const begun = performance.now();
      await page.waitForFunction(() => document.title === 'done', undefined, { timeout: 60_000 });
      wall = performance.now() - begun;
    });
    console.log(
      `stream: ${time.toFixed(1)} ms in ${wall.toFixed(0)} ms, ${((100 * time) / wall).toFixed(2)} %`,
    );
    await expect.poll(() => known(round), { timeout: 60_000 }).toBe(18_000);
    // Lazily added links within a second, on a page that has very many.
    const added = await page.evaluate(() => {
      document.getElementById('list')?.append(Object.assign(document.createElement('a'), { href: '/late' }));
      return Date.now();
    });
    await expect.poll(() => known(round)).toBe(18_001);
    const late = (await round.pageRows()).find(({ key }) => key.endsWith('/late'));
    expect(late?.linkedAt).toBeLessThan(added + 1000);
    expect(time / wall).toBeLessThan(0.05);
    site.server.close();
  },
);
