// What the observer costs a page, by the sampling profiler of the page's main thread: every sample with the content script
// on its stack counts, calls into the DOM included.
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

for (const [path, limit] of [
  ['/links/10000', 50],
  ['/links/50000', 250],
] as const) {
  test(
    `${path}: less than ${limit} ms of the main thread`,
    { tag: '@long' },
    async ({ onceover: browser }) => {
      const site = await startSite();
      const round = await Round.start(browser, site.url);
      const page = await browser.context.newPage();
      await page.goto('about:blank');
      const time = await observerTime(page, async () => {
        await page.goto(`${site.url}${path}?links`);
        await page.waitForTimeout(6000);
      });
      const known = await round.known();
      console.log(`${path}: ${time.toFixed(1)} ms, ${known.length} links known`);
      await expect
        .poll(async () => (await round.known()).length, { timeout: 60_000 })
        .toBe(Number(path.slice(7)));
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
    // Lazily added links within a second.
    await expect.poll(async () => (await round.known()).length, { timeout: 20_000 }).toBe(18_000);
    expect(time / wall).toBeLessThan(0.05);
    site.server.close();
  },
);
