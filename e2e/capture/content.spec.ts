// What pages say: one digest for a page with all its frames, and "changed" when a page is looked at again.
import { expect, test } from './round.ts';

test('a page that says something else at the second look is changed, one that does not is not', async ({
  tab,
  round,
  demo,
}) => {
  const digested = async (path: string) => {
    await tab.goto(demo.url + path);
    const { length: before } = demo.log.filter((entry) => entry.path === path);
    await tab.waitForTimeout(3200);
    expect(before).toBeGreaterThan(0);
    return (await round.pageRows()).find(({ url }) => url === demo.url + path);
  };
  const first = await digested('/dashboard');
  expect(first?.digest).toMatch(/^[0-9a-f]{16}$/);
  expect(first?.changed ?? false).toBe(false);
  await digested('/shop');
  expect(await digested('/dashboard')).toMatchObject({ changed: true });
  expect((await digested('/shop'))?.changed ?? false).toBe(false);
});

test('the text of frames belongs to the page', async ({ tab, round, demo }) => {
  const digest = async () => {
    await tab.waitForTimeout(3500);
    return (await round.pageRows()).find(({ url }) => url.endsWith('/doors'))?.digest;
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
