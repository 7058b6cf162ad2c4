// What the platform does with pages: upgrades to https, a page's own service worker, discarded tabs, several windows; and
// what the browser's own interface says to the extension. One browser for all, since each part needs little of it.
import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from '@playwright/test';
import type { Scope } from '#lib/rounds/types.ts';
import { Browser } from '../harness/browser.ts';
import { storedRows } from '../harness/stored.ts';
import { ask, expect, Round, test } from './round.ts';

const SECURE = 'secure.example.com';

/** A certificate of this host's own, that the browser is told to trust: with errors it would keep no host to https. */
function makeCertificate(): { key: string; cert: string; hash: string } {
  const folder = mkdtempSync(join(tmpdir(), 'onceover-certificate-'));
  try {
    const [keyFile, certFile] = [join(folder, 'key'), join(folder, 'cert')];
    const about = ['-days', '2', '-subj', `/CN=${SECURE}`, '-addext', `subjectAltName=DNS:${SECURE}`];
    const files = ['-keyout', keyFile, '-out', certFile];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...about, ...files], {
      stdio: 'ignore',
    });
    const cert = readFileSync(certFile, 'utf8');
    const spki = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' });
    return {
      key: readFileSync(keyFile, 'utf8'),
      cert,
      hash: createHash('sha256').update(spki).digest('base64'),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const PAGES: Record<string, string> = {
  '/': `<a id="upgraded" href="http://${SECURE}/inside">To the secure site</a> <a href="/left?utm_source=x">Left</a>`,
  '/app': `<a id="offline" href="/offline/page">Offline</a><script>
    navigator.serviceWorker.register('/sw.js');
    navigator.serviceWorker.ready.then(() => (document.title = 'ready'));
  </script>`,
};
const WORKER = `
  addEventListener('activate', (event) => event.waitUntil(clients.claim()));
  addEventListener('fetch', (event) => {
    if (new URL(event.request.url).pathname.startsWith('/offline/'))
      event.respondWith(new Response('<title>By the worker</title><p>Offline', { headers: { 'content-type': 'text/html' } }));
  });`;

async function listen(server: Server | ReturnType<typeof createSecureServer>): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
}

test('upgrades, workers of pages, discarded tabs, windows, menus and the address bar', async () => {
  const { key, cert, hash } = makeCertificate();
  const asked: string[] = [];
  const answer: RequestListener = (request, response) => {
    const path = (request.url ?? '').split('?')[0]!;
    asked.push(path);
    const isWorker = path === '/sw.js';
    response.writeHead(200, {
      'content-type': isWorker ? 'text/javascript' : 'text/html',
      'strict-transport-security': 'max-age=3600',
    });
    response.end(isWorker ? WORKER : `<!doctype html><title>${path}</title>${PAGES[path] ?? '<p>x'}`);
  };
  const [plain, secure] = [createServer(answer), createSecureServer({ key, cert }, answer)];
  const [port, securePort] = [await listen(plain), await listen(secure)];
  const site = `http://127.0.0.1:${port}`;
  const hosts = ['http://127.0.0.1/*', `http://${SECURE}/*`, `https://${SECURE}/*`];
  const rules = [`MAP ${SECURE}:80 127.0.0.1:${port}`, `MAP ${SECURE}:443 127.0.0.1:${securePort}`];
  const browser = await Browser.launch({
    grant: 'start',
    hosts,
    args: [`--host-resolver-rules=${rules.join(',')}`, `--ignore-certificate-errors-spki-list=${hash}`],
  });
  try {
    const round = await Round.start(browser, site, hosts);
    const visits: string[] = [];
    const expectMore = (...more: string[]) => {
      visits.push(...more);
      return round.expectVisits(visits);
    };
    const tab = await browser.context.newPage();

    await test.step('a host that is kept to https: one visit of the https address', async () => {
      await tab.goto(`https://${SECURE}/`);
      await tab.goto(`${site}/`);
      await expectMore(`first https://${SECURE}/ typed`, 'first / typed');
      await tab.click('#upgraded');
      await expectMore(`first https://${SECURE}/inside link via http://${SECURE}/inside < /`);
      const keys = (await round.pageRows()).map(({ key }) => key).filter((key) => key.endsWith('/inside'));
      expect(keys).toHaveLength(1);
      expect((await round.visitRows()).at(-1)).toMatchObject({ status: 200, linkText: 'To the secure site' });
    });

    await test.step('a page that the page’s own service worker serves', async () => {
      await tab.goto(`${site}/app`);
      await expect(tab).toHaveTitle('ready');
      await tab.waitForFunction(() => navigator.serviceWorker.controller !== null);
      await tab.click('#offline');
      await expectMore('first /app typed', 'first /offline/page link < /app');
      expect(asked).not.toContain('/offline/page');
      expect((await round.visitRows()).at(-1)).toMatchObject({ status: 200 });
      const titles = async () => (await round.pageRows()).map(({ title }) => title);
      await expect.poll(titles).toContain('By the worker');
    });

    await test.step('a discarded tab is no visit until it is looked at, and then a return', async () => {
      const tabs = () => browser.backstage.evaluate(() => chrome.tabs.query({}));
      const id = (await tabs()).find(({ url }) => url === `${site}/offline/page`)!.id!;
      await browser.backstage.bringToFront();
      const discarded = await browser.backstage.evaluate((id) => chrome.tabs.discard(id), id);
      await expectMore();
      // Chromium may give it another id.
      const now = discarded?.id ?? id;
      await browser.backstage.evaluate((id) => chrome.tabs.update(id, { active: true }), now);
      await expect.poll(async () => (await round.visitRows()).length).toBe(visits.length + 1);
      expect((await round.visitRows()).at(-1)).toMatchObject({ kind: 'return', url: `${site}/offline/page` });
      visits.push((await round.visits()).at(-1)!);
      await expectMore();
    });

    await test.step('two windows: each page once, the same page twice', async () => {
      for (const path of ['/one', '/two', '/one'])
        await browser.backstage.evaluate((url) => chrome.windows.create({ url }), site + path);
      await expect.poll(async () => (await round.visitRows()).length).toBe(visits.length + 3);
      const rows = (await round.visitRows()).slice(-3);
      expect(rows.map(({ kind, url }) => `${kind} ${url.slice(site.length)}`).toSorted()).toEqual([
        'first /one',
        'first /two',
        'return /one',
      ]);
    });

    /** The browser's menus and address bar cannot be driven: their events are sent to the listeners instead. */
    const send = async (event: 'contextMenus.onClicked' | 'omnibox.onInputEntered', ...args: unknown[]) => {
      await ask(browser, 'health');
      const worker = browser.context.serviceWorkers().find((each) => each.url().includes(browser.id))!;
      await dispatch(worker, event, args);
    };
    const states = async (path: string) =>
      (await round.pageRows()).filter(({ url }) => url === site + path).map(({ state }) => state);

    await test.step('each item of the menu does what it says', async () => {
      const page = { pageUrl: `${site}/`, editable: false };
      const choose = (item: string, more: object = {}) =>
        send('contextMenus.onClicked', { menuItemId: item, ...page, ...more }, { id: 0 });
      await choose('menuAddLink', { linkUrl: `${site}/by-menu` });
      await expect.poll(() => states('/by-menu')).toEqual(['known']);
      await choose('menuVisited', { linkUrl: `${site}/by-menu` });
      await expect.poll(() => states('/by-menu')).toEqual(['visited']);
      await choose('menuNotVisited', { linkUrl: `${site}/by-menu` });
      await expect.poll(() => states('/by-menu')).toEqual(['known']);
      const why = browser.context.waitForEvent('page');
      await choose('menuWhySame', { linkUrl: `${site}/by-menu` });
      await expect((await why).getByText('/by-menu').first()).toBeVisible();
    });

    await test.step('words of the address bar are looked for, addresses are opened', async () => {
      const list = browser.context.waitForEvent('page');
      await send('omnibox.onInputEntered', 'by-menu', 'newForegroundTab');
      await expect((await list).getByText('/by-menu').first()).toBeVisible();
      const opened = browser.context.waitForEvent('page');
      await send('omnibox.onInputEntered', `${site}/by-address-bar`, 'newForegroundTab');
      await expect.poll(async () => (await opened).url()).toBe(`${site}/by-address-bar`);
      await expect.poll(() => states('/by-address-bar')).toEqual(['visited']);
    });

    await test.step('“exclude this site” takes it out of the project', async () => {
      await send('contextMenus.onClicked', { menuItemId: 'menuExcludeSite', pageUrl: `${site}/` }, { id: 0 });
      const origins = async () =>
        (await storedRows<Scope>(browser.backstage, 'scopes')).flatMap(({ origins }) => origins);
      await expect.poll(origins).toEqual(hosts.slice(1));
      await round.end();
    });
  } finally {
    await browser.dispose();
    plain.close();
    secure.close();
  }
});

/** Chromium's events have a method to send them, which its own bindings use. */
function dispatch(worker: Worker, event: string, args: unknown[]): Promise<void> {
  return worker.evaluate(
    ([event, args]) => {
      const [name = '', on = ''] = event.split('.');
      const events = chrome as unknown as Record<
        string,
        Record<string, { dispatch: (...args: unknown[]) => void }>
      >;
      events[name]![on]!.dispatch(...args);
    },
    [event, args] as const,
  );
}
