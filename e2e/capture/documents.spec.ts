// Whole documents: forms, redirects, failures, downloads, what comes back, and what is no page of the web.
import { expect, test } from './round.ts';

test('a form, GET and POST', async ({ tab, round, demo }) => {
  await tab.goto(`${demo.url}/shop/search`);
  await tab.fill('input[name=q]', 'x y&z');
  await tab.press('input[name=q]', 'Enter');
  await tab.waitForURL(/q=/);
  const address = new URL(tab.url());
  await round.expectVisits([
    'first /shop/search typed',
    `first ${address.pathname}${address.search} form < /shop/search`,
  ]);
});

test('redirects: the server’s, in one step and in several', async ({ tab, round, demo }) => {
  await tab.goto(`${demo.url}/s/t1`);
  await tab.goto(`${demo.url}/go/chain/111`);
  await round.expectVisits([
    'first /shop/item/104 typed via /s/t1',
    'first /shop/item/111 typed via /go/chain/111',
  ]);
  expect(await round.pages()).toEqual(['visited /shop/item/104', 'visited /shop/item/111']);
});

for (const [kind, path, to] of [
  ['meta refresh', '/go/meta/112', '/shop/item/112'],
  ['a script', '/go/script/113', '/shop/item/113'],
] as const) {
  test(`redirects: ${kind}; the stub is no page`, async ({ tab, round, demo }) => {
    await tab.goto(demo.url + path).catch(() => undefined);
    await tab.waitForURL(demo.url + to);
    await expect.poll(() => round.pages()).toEqual([`visited ${to}`]);
    await tab.waitForTimeout(900);
    const visits = await round.visitRows();
    expect(visits.filter(({ kind }) => kind === 'first')).toHaveLength(1);
    expect(visits.filter(({ kind }) => kind === 'return')).toEqual([]);
    expect(await round.pages()).toEqual([`visited ${to}`]);
  });
}

test('502 twice, then it works', async ({ tab, round, demo }) => {
  const look = async () => {
    await tab.goto(`${demo.url}/flaky/kettle`);
    await tab.waitForTimeout(300);
    return (await round.pageRows()).find(({ url }) => url.endsWith('/flaky/kettle'));
  };
  await look();
  await expect.poll(() => round.pages()).toEqual(['retrying /flaky/kettle']);
  const second = await look();
  expect(second).toMatchObject({ state: 'retrying', status: 502 });
  await expect
    .poll(async () => (await round.pageRows()).find(({ state }) => state === 'retrying')?.tries?.count)
    .toBe(2);
  await look();
  await expect.poll(() => round.pages()).toEqual(['visited /flaky/kettle']);
  expect(demo.log.filter(({ path }) => path === '/flaky/kettle').map(({ status }) => status)).toEqual([
    502, 502, 200,
  ]);
});

test('each status has its state', async ({ tab, round, demo }) => {
  for (const path of ['/missing', '/withdrawn', '/busy', '/too-many', '/staff'])
    await tab.goto(demo.url + path);
  await expect
    .poll(() => round.pages())
    .toEqual(['gone /missing', 'gone /withdrawn', 'retrying /busy', 'retrying /staff', 'retrying /too-many']);
});

test('no answer and a circle of redirects are tries, with the browser’s word', async ({
  tab,
  round,
  demo,
}) => {
  await tab.goto(`${demo.url}/hang-up`).catch(() => undefined);
  await tab.waitForTimeout(300);
  await tab.goto(`${demo.url}/go/loop`).catch(() => undefined);
  await expect.poll(() => round.pages()).toEqual(['retrying /go/loop', 'retrying /hang-up']);
  const errors = (await round.pageRows()).map(({ tries }) => tries?.error);
  expect(new Set(errors)).toEqual(new Set(['net::ERR_EMPTY_RESPONSE', 'net::ERR_TOO_MANY_REDIRECTS']));
});

test('downloads and empty answers are no visits', async ({ tab, round, demo }) => {
  await tab.goto(`${demo.url}/troubles`);
  for (const text of ['Price list', 'Nothing']) {
    await tab.getByText(text).first().click();
    await tab.waitForTimeout(300);
  }
  await round.expectVisits(['first /troubles typed']);
  expect(demo.log.map(({ path }) => path)).toEqual(expect.arrayContaining(['/files/prices.csv', '/empty']));
});

test('a PDF is one visit', async ({ tab, round, demo }) => {
  await tab.goto(`${demo.url}/files/manual.pdf`).catch(() => undefined);
  await round.expectVisits(['first /files/manual.pdf typed'], 1500);
});

test('back from the back/forward cache is a return, each time', async ({ tab, round, demo }) => {
  await tab.goto(`${demo.url}/shop`);
  await tab.waitForTimeout(300);
  await tab.goto(`${demo.url}/news`);
  for (let times = 0; times < 2; times++) {
    await tab.waitForTimeout(500);
    await tab.evaluate(() => history.back()).catch(() => undefined);
    await tab.waitForTimeout(1000);
    await tab.evaluate(() => history.forward()).catch(() => undefined);
  }
  await round.expectVisits([
    'first /shop typed',
    'first /news typed',
    'return /shop back',
    'return /news back',
    'return /shop back',
    'return /news back',
  ]);
});

test('reload is a return', async ({ tab, round, demo }) => {
  await tab.goto(`${demo.url}/shop`);
  await tab.reload();
  await round.expectVisits(['first /shop typed', 'return /shop reload']);
});

test('a window written into by its opener is no page', async ({ tab, round, demo }) => {
  await tab.goto(`${demo.url}/doors`);
  await tab.click('#written');
  await round.expectVisits(['first /doors typed'], 1200);
});

test('userinfo and text directives are kept nowhere', async ({ tab, round, demo }) => {
  await tab.goto(`${demo.url.replace('//', '//anna:secret@')}/shop`);
  await tab.evaluate(() => {
    document.body.innerHTML = '<a id="text" href="/news#:~:text=tea">there</a>';
  });
  await tab.click('#text');
  await round.expectVisits(['first /shop typed', 'first /news link < /shop']);
  const stored = JSON.stringify([await round.visitRows(), await round.pageRows()]);
  expect(stored).not.toContain('secret');
  expect(stored).not.toContain(':~:');
});

test('what is no page of the web is not recorded, and stops nothing', async ({ tab, round, demo }) => {
  for (const address of ['about:blank', 'data:text/html,<p>x', 'chrome://version/']) {
    await tab.goto(address).catch(() => undefined);
  }
  await tab.goto(`${demo.url}/shop`);
  await tab.evaluate(() => {
    location.href = URL.createObjectURL(new Blob(['<p>x'], { type: 'text/html' }));
  });
  await tab.waitForTimeout(400);
  await tab.goto(`${demo.url}/news`);
  await round.expectVisits(['first /shop typed', 'first /news typed']);
});

test('addresses of 100,000 letters and with broken escapes', async ({ tab, round, demo }) => {
  await tab.goto(`${demo.url}/doors`);
  await tab.click('#long');
  await tab.waitForURL(/\/long/);
  await expect.poll(async () => (await round.visits()).length).toBe(2);
  const [, long] = await round.visitRows();
  expect(long?.url).toBe(tab.url());
  await tab.goto(`${demo.url}/shop/item/123?price=100%`);
  await expect.poll(() => round.pages()).toContain('visited /shop/item/123?price=100%');
});

test('several tabs at once, and one that is closed while it loads', async ({
  tab,
  round,
  demo,
  browserOf,
}) => {
  const { context } = browserOf;
  const others = await Promise.all([context.newPage(), context.newPage(), context.newPage()]);
  const closeSoon = async () => {
    const page = await context.newPage();
    void page.goto(`${demo.url}/slow/2`).catch(() => undefined);
    await page.waitForTimeout(300);
    await page.close();
  };
  await Promise.all([
    closeSoon(),
    tab.goto(`${demo.url}/shop`),
    ...others.map((page, n) => page.goto(`${demo.url}/news/a/${n + 1}`)),
  ]);
  await expect
    .poll(() => round.pages())
    .toEqual(['visited /news/a/1', 'visited /news/a/2', 'visited /news/a/3', 'visited /shop']);
  await tab.waitForTimeout(2200);
  expect(await round.pages()).toHaveLength(4);
  expect((await round.visits()).length).toBe(4);
});

test('other sites are not recorded', async ({ tab, round, demo }) => {
  await tab.goto(`${demo.url.replace('127.0.0.1', 'localhost')}/shop`);
  await tab.goto(`${demo.url}/shop`);
  await round.expectVisits(['first /shop typed']);
  expect(JSON.stringify([await round.visitRows(), await round.pageRows()])).not.toContain('localhost');
});

test('names of elements that hide the document’s own properties hide nothing from the observer', async ({
  tab,
  round,
  demo,
}) => {
  const names = [
    'title',
    'readyState',
    'referrer',
    'head',
    'baseURI',
    'evaluate',
    'querySelector',
    'querySelectorAll',
  ];
  const more = [
    'createElement',
    'createElementNS',
    'documentElement',
    'visibilityState',
    'addEventListener',
    'body',
  ];
  const fields = ['action', 'getAttribute', 'target', 'baseURI', 'textContent'];
  await tab.route('**/shop/odd', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<title>Odd</title>${[...names, ...more].map((name) => `<img name="${name}">`).join('')}
        <a href="/news">News</a>
        <form action="/shop/search">${fields.map((name) => `<input name="${name}">`).join('')}<button>Go</button></form>`,
    }),
  );
  await tab.goto(`${demo.url}/shop/odd`);
  await expect.poll(() => round.known()).toEqual(['/news']);
  // Playwright's own click does not survive such a form.
  const [x, y] = await tab.evaluate(() => {
    const { left, top } = document.getElementsByTagName('button')[0]!.getBoundingClientRect();
    return [left + 5, top + 5] as const;
  });
  await tab.mouse.click(x, y);
  await tab.waitForURL(/search/);
  await expect
    .poll(async () => (await round.visitRows()).map(({ told, how }) => `${told.join()} ${how}`))
    .toEqual(['browser,observer typed', 'browser,observer form']);
  expect((await round.visitRows())[1]?.source).toBe(`${demo.url}/shop/odd`);
  expect((await round.pageRows()).find(({ url }) => url.endsWith('/odd'))?.title).toBe('Odd');
});

test('an error page that leads on by itself is no stub: its failure stands', async ({ tab, round, demo }) => {
  await tab.route('**/closed', (route) =>
    route.fulfill({
      status: 403,
      contentType: 'text/html',
      body: '<script>location.href = "/news"</script>',
    }),
  );
  await tab.goto(`${demo.url}/closed`).catch(() => undefined);
  await tab.waitForURL(/news/);
  await expect.poll(() => round.pages()).toEqual(['retrying /closed', 'visited /news']);
  expect((await round.pageRows()).find(({ url }) => url.endsWith('/closed'))?.status).toBe(403);
});
