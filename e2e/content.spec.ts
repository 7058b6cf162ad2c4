// Dashboards whose address never changes, told by pages of our own whose changes the test makes: what is found, what does not
// flood, what a watch says, in frames and closed shadow roots too, and against the round before.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, type Page } from '@playwright/test';
import type { Watch } from '#lib/content/watch.ts';
import type { Page as PageRow } from '#lib/rounds/types.ts';
import type { StoredSnapshot } from '#lib/store/schema.ts';
import { ask } from './capture/round.ts';
import { Browser } from './harness/browser.ts';
import { storedRows } from './harness/stored.ts';

const BOARD = `<!doctype html><title>Board</title><h1>Board</h1>
<h2>Services</h2><div id="services"></div>
<h2>Load</h2><p>now <b id="load">10</b> %</p>
<h2>Inside</h2><x-box id="closed"></x-box><iframe src="/frame" title="frame"></iframe>
<p>The rest of the page stays as it is.</p><img alt="the hall at night">
<script>
  const root = document.getElementById('closed').attachShadow({ mode: 'closed' });
  root.innerHTML = '<p>closed: <span id="text">calm</span></p>';
  window.sayInside = (text) => (root.getElementById('text').textContent = text);
  window.draw = (rows) => {
    document.getElementById('services').innerHTML = '<table><tr><th>Service</th><th>State</th></tr>' +
      rows.map(([name, state]) => '<tr><td>' + name + '</td><td class="state">' + state + '</td></tr>').join('') + '</table>';
  };
  draw([['mail', 'UP'], ['shop', 'UP']]);
  window.count = 10;
  if (location.hash === '#live') setInterval(() => (document.getElementById('load').textContent = count += 7), 700);
</script>`;
const FRAME = `<!doctype html><title>f</title><p>frame: <span id="text">calm</span></p>`;

let server: Server;
let browser: Browser;
let site = '';

test.beforeAll(async () => {
  server = createServer(({ url }, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(url === '/frame' ? FRAME : BOARD);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await Browser.launch({ grant: 'start' });
});
test.afterAll(async () => {
  await browser.dispose();
  server.closeAllConnections();
  server.close();
});

const call = (tab: Page, code: string): Promise<unknown> => tab.evaluate(code);
const rows = <T>(store: string) => storedRows<T>(browser.backstage, store);
const versions = async (space: string) =>
  (await rows<StoredSnapshot>('snapshots')).filter((row) => row.space === space && row.frame === '0');
const page = async (space: string) =>
  (await rows<PageRow>('pages')).find((row) => row.space === space && row.url === `${site}/board`);
const watches = async () =>
  Object.fromEntries(
    (await rows<Watch>('watches')).map(({ label, state, unseen }) => [label, `${state} ${unseen}`]),
  );

async function startRound(scope: object, base: string) {
  const { round } = await ask<{ round: { id: string; space: string; scope: string } }>(
    browser,
    'startRound',
    { scope, base },
  );
  return round;
}

test('boards whose address stays', async () => {
  const first = await startRound({ name: 'Boards', origins: ['http://127.0.0.1/*'] }, 'none');
  const tab = await browser.context.newPage();
  await tab.goto(`${site}/board`);
  await expect.poll(async () => (await versions(first.space)).length).toBe(1);

  await test.step('a region is picked in the page, by its own names', async () => {
    const tabId = await browser.backstage.evaluate(
      async (url) => (await chrome.tabs.query({ url }))[0]?.id,
      `${site.replace(/:\d+$/, '')}/*`,
    );
    expect(await ask<object>(browser, 'pickRegion', { tab: tabId })).toEqual({ picking: true });
    await tab.bringToFront();
    await tab.mouse.move(5, 5);
    const box = (await tab.locator('.state').first().boundingBox())!;
    await tab.mouse.move(box.x + 3, box.y + 3);
    await tab.keyboard.press('ArrowUp');
    await tab.keyboard.press('ArrowDown');
    await tab.keyboard.press('Enter');
    await expect.poll(watches).toEqual({ 'mail · State': 'same false' });
    const [watch] = await rows<Watch>('watches');
    expect(watch?.region).toEqual({ row: 'mail', column: 'State' });
    await ask(browser, 'addWatch', {
      scope: first.scope,
      url: `${site}/board`,
      label: 'closed',
      region: { heading: 'Inside' },
    });
  });

  await test.step('a change is found while the address stays; the watch of another row is not told', async () => {
    await call(tab, `draw([['db', 'UP'], ['shop', 'DOWN'], ['mail', 'UP']])`);
    await expect.poll(async () => (await page(first.space))?.changed).toBe(true);
    expect((await watches())['mail · State']).toBe('same false');
    expect(tab.url()).toBe(`${site}/board`);
  });

  await test.step('the region is found after the table was drawn anew, and missing where it is gone', async () => {
    await call(tab, `draw([['mail', 'DOWN'], ['shop', 'DOWN'], ['db', 'UP']])`);
    await expect.poll(async () => (await watches())['mail · State']).toBe('changed true');
    await expect.poll(() => browser.backstage.evaluate(() => chrome.action.getBadgeText({}))).toMatch(/^Δ/);
    await call(tab, `draw([['shop', 'DOWN'], ['db', 'UP']])`);
    await expect.poll(async () => (await watches())['mail · State']).toBe('not-found true');
    const [watch] = (await rows<Watch>('watches')).filter(({ label }) => label !== 'closed');
    await ask(browser, 'seenWatch', { watch: watch!.id });
    expect((await watches())['mail · State']).toBe('not-found false');
  });

  await test.step('closed shadow roots and frames are read', async () => {
    await ask(browser, 'seenWatch', {
      watch: (await rows<Watch>('watches')).find(({ label }) => label === 'closed')!.id,
    });
    await call(tab, `sayInside('alarm')`);
    await expect.poll(async () => (await watches())['closed']).toBe('changed true');
    const before = (await versions(first.space)).length;
    await tab.frames()[1]!.evaluate(`document.getElementById('text').textContent = 'fire'`);
    await expect.poll(async () => (await versions(first.space)).length).toBe(before + 1);
    expect((await rows<StoredSnapshot>('snapshots')).map(({ frame }) => frame)).toContain('0.0');
  });

  await test.step('a block is jumped to', async () => {
    const tabId = await browser.backstage.evaluate(
      async (url) => (await chrome.tabs.query({ url }))[0]?.id,
      `${site.replace(/:\d+$/, '')}/*`,
    );
    const jump = (text: string) =>
      ask<object>(browser, 'jumpToBlock', { tab: tabId, place: { order: 3 }, text });
    expect(await jump('closed: alarm')).toEqual({ found: true });
    expect(await jump('nowhere')).toEqual({ found: false });
  });

  await test.step('a number that lives makes no flood, and a word beside it is found', async () => {
    const calm = (await versions(first.space)).length;
    await call(tab, `draw([['mail', 'UP'], ['shop', 'UP']])`);
    await expect.poll(async () => (await versions(first.space)).length).toBe(calm + 1);
    const before = calm + 1;
    await call(
      tab,
      `ticking = setInterval(() => (document.getElementById('load').textContent = count += 7), 700)`,
    );
    // Told twice.
    await tab.waitForTimeout(11_000);
    expect((await versions(first.space)).length - before).toBeLessThanOrEqual(1);
    const [live] = (await rows<{ scope: string; tracks: object }>('live')).filter(
      ({ scope }) => scope === first.scope,
    );
    expect(Object.values(live?.tracks ?? {}).length).toBeGreaterThan(0);
    const quiet = (await versions(first.space)).length;
    await call(
      tab,
      `clearInterval(ticking); document.getElementById('load').textContent = 10; draw([['mail', 'UP'], ['shop', 'BROKEN']])`,
    );
    await expect.poll(async () => (await versions(first.space)).length).toBeGreaterThan(quiet);
  });

  await test.step('a rule of what is read holds for open pages at once, and is no change', async () => {
    const read = async () => (await rows<{ text?: string }>('texts')).map(({ text }) => text);
    const before = await versions(first.space);
    expect(await read()).not.toContain('the hall at night');
    await ask(browser, 'setContentRule', { scope: first.scope, rules: { attributeText: true } });
    await expect.poll(read).toContain('the hall at night');
    await expect.poll(async () => (await versions(first.space)).at(-1)?.readBy).toMatch(/^\w{16}$/);
    expect((await versions(first.space)).length).toBe(before.length);
  });

  await test.step('against the round before', async () => {
    await tab.close();
    await ask(browser, 'endRound', { round: first.id });
    const second = await startRound({ id: first.scope }, 'last');
    const again = await browser.context.newPage();
    await again.goto(`${site}/board`);
    await call(again, `draw([['mail', 'UP'], ['shop', 'BROKEN']]); sayInside('alarm')`);
    await expect.poll(async () => (await versions(second.space)).length).toBe(1);
    // The frame is calm again: that is the change.
    await expect.poll(async () => (await page(second.space))?.changed).toBe(true);
    await again.frames()[1]!.evaluate(`document.getElementById('text').textContent = 'fire'`);
    await expect.poll(async () => (await page(second.space))?.changed).toBe(false);
    await again.close();
    await ask(browser, 'endRound', { round: second.id });
  });
});
