// Pages that cost an observer most, and what it costs them: for e2e/long/cost.spec.ts and `bench/`.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, CDPSession, Page } from '@playwright/test';

const links = (count: number) =>
  Array.from(
    { length: count },
    (_, n) => `<p>Entry <a href="/entry/${n}?utm_source=a">number ${n}</a> and text</p>`,
  );

const PAGES: Record<string, () => string> = {
  '/links/10000': () => links(10_000).join('\n'),
  // The least that reading the links can cost.
  '/walk/10000': () =>
    `${links(10_000).join('\n')}<script>let n = 0; for (const { href } of document.links) n += href.length</script>`,
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

export async function startSite(): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    // The text of an error page is not read: what is left is the cost of its links, showing and marks.
    const [path = '', kind] = (request.url ?? '').split('?');
    response.writeHead(kind === 'links' ? 404 : 200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><title>x</title>${PAGES[path]?.() ?? ''}`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

/**
 * CPU ms of the main thread in scripts, of a document from its start until `isDone`; other processes do not count. In a tab of its own,
 * hence in a process of its own that has run nothing before: a navigation may change the process, and its counters with it.
 */
export async function scriptTime(
  context: BrowserContext,
  url: string,
  isDone: (page: Page) => Promise<unknown>,
): Promise<number> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(url);
  await isDone(page);
  const { metrics } = await session.send('Performance.getMetrics');
  await page.close();
  return (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? NaN) * 1000;
}

/** Main-thread ms with the observer on the stack while `work` runs. */
export async function observerTime(page: Page, work: () => Promise<void>): Promise<number> {
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
