// Clicks of every kind, each a row of the event matrix; what is expected comes from the steps of the test.
import { expect, test } from './round.ts';

const OPENED = 'first /doors typed';

test.beforeEach(async ({ tab, demo }) => {
  await tab.goto(`${demo.url}/doors`);
});

test('left click', async ({ tab, round }) => {
  await tab.click('#broken');
  await round.expectVisits([OPENED, 'first /shop/item/123?note=%E0%A4%A link < /doors']);
  const [, visit] = await round.visitRows();
  expect(visit).toMatchObject({ linkText: 'a broken escape', told: ['browser', 'observer'], status: 200 });
});

test('Enter', async ({ tab, round }) => {
  await tab.focus('#broken');
  await tab.keyboard.press('Enter');
  await round.expectVisits([OPENED, 'first /shop/item/123?note=%E0%A4%A link < /doors']);
});

for (const [name, press] of [
  ['middle click', { button: 'middle' }],
  ['Ctrl+click', { modifiers: ['Control'] }],
  ['Shift+click (a new window)', { modifiers: ['Shift'] }],
] as const) {
  test(name, async ({ tab, round }) => {
    await tab.click('#broken', press as Parameters<typeof tab.click>[1]);
    await round.expectVisits([OPENED, 'first /shop/item/123?note=%E0%A4%A link < /doors']);
    expect((await round.visitRows())[1]).toMatchObject({ linkText: 'a broken escape' });
  });
}

test('Ctrl+Enter', async ({ tab, round }) => {
  await tab.focus('#broken');
  await tab.keyboard.press('Control+Enter');
  await round.expectVisits([OPENED, 'first /shop/item/123?note=%E0%A4%A link < /doors']);
});

test('target=_blank', async ({ tab, round }) => {
  await tab.click('#blank');
  await round.expectVisits([OPENED, 'first /shop/item/114 link < /doors']);
});

test('window.open', async ({ tab, round }) => {
  await tab.click('#open');
  await round.expectVisits([OPENED, 'first /shop/item/115 link < /doors']);
});

test('a link in SVG', async ({ tab, round }) => {
  await tab.locator('#svg text').click({ force: true });
  await round.expectVisits([OPENED, 'first /shop/item/116 link < /doors']);
  expect((await round.visitRows())[1]).toMatchObject({ linkText: 'Link in SVG' });
});

test('an area of an image map', async ({ tab, round }) => {
  await tab.locator('img[usemap]').click({ position: { x: 30, y: 30 } });
  await round.expectVisits([OPENED, 'first /shop/item/117 link < /doors']);
  expect((await round.visitRows())[1]).toMatchObject({ linkText: 'Left room' });
});

test('a link in an open shadow root', async ({ tab, round }) => {
  await tab.click('#open-link');
  await round.expectVisits([OPENED, 'first /shop/item/119 link < /doors']);
  expect((await round.visitRows())[1]).toMatchObject({ linkText: 'In an open root' });
});

test('a link in a closed shadow root: the visit without its text', async ({ tab, round }) => {
  await tab.locator('#closed-root').click({ position: { x: 20, y: 8 } });
  await round.expectVisits([OPENED, 'first /shop/item/120 link < /doors']);
  expect((await round.visitRows())[1]).not.toHaveProperty('linkText');
});

test('no visit: Alt+click, javascript:void, a click the page takes for itself', async ({ tab, round }) => {
  await tab.click('#void');
  await tab.click('#prevented');
  await round.expectVisits([OPENED]);
  expect(await tab.evaluate(() => location.pathname)).toBe('/doors');
});

test('two clicks in quick succession are one visit', async ({ tab, round }) => {
  await tab.dblclick('#broken');
  await round.expectVisits([OPENED, 'first /shop/item/123?note=%E0%A4%A link < /doors']);
});

test('a frame: its links are known, what happens in it is no visit, but leaving through it is', async ({
  tab,
  round,
}) => {
  await tab.frameLocator('#frame').getByText('Stays in the frame').click();
  await tab.waitForTimeout(600);
  await tab
    .frameLocator('#frame')
    .locator('body')
    .evaluate(() => history.pushState(null, '', '/doors/frame/route'));
  await round.expectVisits([OPENED]);
  await expect.poll(() => round.known()).toContain('/shop/item/109');
  expect(await round.known()).toContain('/shop/item/121');
  await tab.frameLocator('#frame').getByText('Leaves the frame').click();
  await round.expectVisits([OPENED, 'first /shop/item/109 link < /doors']);
});

test('links of the page are known, and no address that is no page', async ({ tab, round, demo }) => {
  await round.expectVisits([OPENED]);
  await expect.poll(() => round.known()).toContain('/shop/item/119');
  const known = await round.known();
  for (const path of ['/shop/item/114', '/shop/item/116', '/shop/item/118', '/shop']) {
    expect(known).toContain(path);
  }
  for (const address of known) expect(address).toMatch(/^\//);
  expect(known).not.toContain('/shop/item/124');
  await tab.click('#more');
  await expect.poll(() => round.known()).toContain('/shop/item/124');
  expect(demo.log.filter(({ path }) => path === '/shop/item/124')).toEqual([]);
});
