// Prerender and prefetch happen only without a debugger: the browser runs by itself, the page walks by its own script.
import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findChromium } from '../../scripts/browser.mjs';
import { BUILD } from '../harness/browser.ts';
import { expect, test } from '../harness/test.ts';
import { Round } from '../capture/round.ts';

test.use({ launch: { grant: 'start' } });

const RULES = JSON.stringify({
  prerender: [{ source: 'list', urls: ['/gone-to', '/never'], eagerness: 'immediate' }],
  prefetch: [{ source: 'list', urls: ['/prefetched'], eagerness: 'immediate' }],
});

/** Goes on by itself once it is really shown. */
const walk = (to: string, wait: number) => `<script>
  const go = () => setTimeout(() => { location.href = '${to}'; }, ${wait});
  if (document.prerendering) document.addEventListener('prerenderingchange', go); else go();
</script>`;

const PAGES: Record<string, string> = {
  // By then the worker has registered the observer, which a start with --load-extension forgets.
  '/wait': walk('/start', 1500),
  '/start': `<script type="speculationrules">${RULES}</script><a href="/linked">x</a>${walk('/gone-to', 2000)}`,
  '/gone-to': `<a href="/linked-there">x</a>${walk('/end', 1000)}`,
  '/never': '<a href="/linked-from-never">x</a>',
  '/prefetched': '',
  '/end': walk('/done', 1000),
};

interface Site {
  url: string;
  /** Path and purpose of each request. */
  log: string[];
  server: Server;
}

async function startSite(): Promise<Site> {
  const log: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    log.push(`${path} ${String(request.headers['sec-purpose'] ?? '')}`.trim());
    response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'max-age=60' });
    response.end(`<!doctype html><title>${path}</title>${PAGES[path] ?? ''}`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, log, server };
}

test(
  'prerendered and prefetched pages count only when they are gone to',
  { tag: '@long' },
  async ({ onceover: browser }) => {
    const site = await startSite();
    const round = await Round.start(browser, site.url);
    await browser.stop();
    const plain = spawn(
      findChromium(),
      [
        '--headless=new',
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        '--no-first-run',
        `--user-data-dir=${browser.profile}`,
        `--disable-extensions-except=${BUILD}`,
        `--load-extension=${BUILD}`,
        `${site.url}/wait`,
      ],
      { stdio: 'ignore', detached: true },
    );
    await expect.poll(() => site.log, { timeout: 20_000 }).toContain('/done');
    await new Promise((done) => setTimeout(done, 500));
    const ended = new Promise((done) => plain.once('exit', done));
    process.kill(-plain.pid!, 'SIGTERM');
    await ended;
    await browser.start();

    expect(site.log).toEqual(
      expect.arrayContaining([
        '/gone-to prefetch;prerender',
        '/never prefetch;prerender',
        '/prefetched prefetch',
      ]),
    );
    // It was shown as it had been prerendered.
    expect(site.log).not.toContain('/gone-to');
    expect((await round.visits()).map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'first /wait',
      'first /start',
      'first /gone-to',
      'first /end',
      'first /done',
    ]);
    expect(await round.known()).toEqual(['/linked', '/linked-there']);
    site.server.close();
  },
);
