import { afterAll, beforeAll, expect, test } from 'vitest';
import { DIFFERENT, SAME } from './addresses.mjs';
import { startDemo, type Demo } from './server.mjs';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo.close());

const get = (path: string) => fetch(demo.url + path, { redirect: 'manual' });
const heading = (html: string) => /<h1>(.*?)<\/h1>/.exec(html)?.[1];

/** Every address on the page that leads to this site, as the browser would ask for it. */
function addresses(html: string, base: string): string[] {
  // Of the page with 50,000 links the first ones stand for all.
  return [...html.matchAll(/(?:href|action)="([^"]*)"/g)]
    .slice(0, 500)
    .map(([, href = '']) => URL.parse(href.replaceAll('&amp;', '&').replaceAll('&#39;', "'"), base))
    .filter((url) => url !== null && url.origin === demo.url)
    .map((url) => url!.pathname + url!.search);
}

test('every link leads to a page, or to one of the troubles', async () => {
  const troubles = /^\/(flaky|missing|withdrawn|busy|too-many|staff|hang-up)/;
  const seen = new Set(['/']);
  for (const path of seen) {
    if (troubles.test(path) || path.startsWith('/catalogue/') || path.length > 10_000) continue;
    const answer = await get(path);
    expect(answer.status, path).toBeLessThan(400);
    const location = answer.headers.get('location');
    if (location) seen.add(new URL(location, demo.url).href.slice(demo.url.length));
    const html = answer.headers.get('content-type')?.startsWith('text/html') ? await answer.text() : '';
    for (const found of addresses(html, demo.url + path)) seen.add(found);
  }
  expect(seen.size).toBeGreaterThan(200);
});

test('the addresses of a group show one page', async () => {
  for (const { addresses: group } of SAME) {
    const shown = new Set<string | undefined>();
    for (const { href } of group) shown.add(heading(await (await get(href)).text()));
    expect([...shown], group[0]?.href).toEqual([expect.any(String)]);
  }
});

test('addresses that only look alike show different pages', async () => {
  for (const { one, other } of DIFFERENT.filter(({ one }) => !one.includes('#'))) {
    const pages = await Promise.all([one, other].map(async (path) => (await get(path)).text()));
    expect(pages[0], one).not.toBe(pages[1]);
  }
});

test('a flaky page works at the third try, and again after a reset', async () => {
  const statuses = async () =>
    [await get('/flaky/x'), await get('/flaky/x'), await get('/flaky/x')].map((a) => a.status);
  expect(await statuses()).toEqual([502, 502, 200]);
  demo.reset();
  expect(await statuses()).toEqual([502, 502, 200]);
});

test('the status page differs at every look, and some service goes down', async () => {
  const looks = [];
  for (let n = 0; n < 3; n++) looks.push(await (await get('/dashboard/status')).text());
  expect(new Set(looks).size).toBe(3);
  expect(looks[0]).not.toContain('DOWN');
  expect(looks[1]).toContain('DOWN');
});

test('the log tells what was asked and what was answered', async () => {
  demo.reset();
  await get('/shop/item/101?utm_source=x');
  await get('/s/t1');
  await get('/nowhere');
  await expect(get('/hang-up')).rejects.toThrow();
  expect(demo.log.map(({ method, path, status }) => [method, path, status])).toEqual([
    ['GET', '/shop/item/101?utm_source=x', 200],
    ['GET', '/s/t1', 302],
    ['GET', '/nowhere', 404],
    ['GET', '/hang-up', 0],
  ]);
});

test('text of a visitor is shown as text', async () => {
  const html = await (await get('/shop/search?q=<script>alert(1)</script>"')).text();
  expect(html).not.toContain('<script>alert');
});

test('a login lets the two account pages in', async () => {
  expect((await get('/account/orders')).headers.get('location')).toBe('/login?next=/account/orders');
  const answer = await fetch(`${demo.url}/login`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ next: 'https://elsewhere.example.com/' }),
  });
  expect(answer.headers.get('location')).toBe('/account/orders');
  const cookie = answer.headers.get('set-cookie') ?? '';
  expect((await fetch(`${demo.url}/account/orders`, { headers: { cookie } })).status).toBe(200);
});
