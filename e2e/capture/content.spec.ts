// What pages say: one digest for a page with all its frames, and "changed" when a page is looked at again.
import { expect, test } from './round.ts';

test('a page that says something else at the second look is changed, one that does not is not', async ({
  tab,
  round,
  demo,
}) => {
  const digested = async (path: string) => {
    const begun = Date.now();
    await tab.goto(demo.url + path);
    const row = async () => (await round.pageRows()).find(({ url }) => url === demo.url + path);
    await expect.poll(async () => (await row())?.digestAt ?? 0, { timeout: 10_000 }).toBeGreaterThan(begun);
    return row();
  };
  const first = await digested('/dashboard');
  expect(first?.digest).toMatch(/^[0-9a-f]{16}$/);
  expect(first?.changed ?? false).toBe(false);
  await digested('/shop');
  expect(await digested('/dashboard')).toMatchObject({ changed: true });
  expect((await digested('/shop'))?.changed ?? false).toBe(false);
});

test('the text of frames belongs to the page', { tag: '@long' }, async ({ tab, round, demo }) => {
  const digest = async () => {
    const begun = Date.now();
    const row = async () => (await round.pageRows()).find(({ url }) => url.endsWith('/doors'));
    await expect.poll(async () => (await row())?.digestAt ?? 0, { timeout: 10_000 }).toBeGreaterThan(begun);
    // A frame that is later than the others makes another one.
    await tab.waitForTimeout(1000);
    return (await row())?.digest;
  };
  await tab.goto(`${demo.url}/doors`);
  const first = await digest();
  expect(first).toMatch(/^[0-9a-f]{16}$/);
  await tab.reload();
  expect(await digest()).toBe(first);
  await tab.route('**/doors/frame', (route) =>
    route.fulfill({ body: '<p>another text in the frame</p>', contentType: 'text/html' }),
  );
  await tab.reload();
  expect(await digest()).not.toBe(first);
});
