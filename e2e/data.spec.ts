// The first run, and what a person does with what is stored: check and repair it, delete a site, delete everything.
import { expect, test } from './harness/test.ts';
import { storedRows } from './harness/stored.ts';
import { plant, workingDay } from './seed.ts';

interface Row {
  host?: string;
  counters?: { visited: number };
}

test.describe('the first run', () => {
  test.use({ launch: { welcome: true, grant: 'click' } });

  test('opens once, asks for a site, starts a round there, and can be skipped', async ({
    onceover,
    demo,
  }) => {
    const isWelcome = (url: string) => url.startsWith(onceover.url('welcome.html'));
    await expect.poll(() => onceover.context.pages().some((page) => isWelcome(page.url()))).toBe(true);
    const welcome = onceover.context.pages().find((page) => isWelcome(page.url()))!;
    await expect(welcome.getByTestId('welcome-1')).toBeVisible();
    await welcome.getByTestId('welcome-next').click();
    await welcome.getByRole('textbox').fill('not a site');
    await welcome.getByTestId('welcome-allow').click();
    await expect(welcome.getByRole('alert')).toBeVisible();
    // Agreed to beforehand in the profile: the browser does not ask.
    await welcome.getByRole('textbox').fill(demo.url);
    await welcome.getByTestId('welcome-allow').click();
    await expect(welcome.getByText('http://127.0.0.1/*')).toBeVisible();
    await welcome.getByTestId('welcome-next').click();
    const tab = await onceover.context.newPage();
    await tab.goto(demo.url);
    await welcome.getByTestId('welcome-start').click();
    await expect
      .poll(async () => storedRows<Row>(onceover.backstage, 'rounds'))
      .toMatchObject([{ state: 'open' }]);
    await expect.poll(() => storedRows<Row>(onceover.backstage, 'pages')).not.toEqual([]);
    await welcome.goto(onceover.url('practice.html'));
    await welcome.getByRole('link', { name: 'Orders', exact: true }).click();
    await welcome.getByRole('link', { name: 'Orders, from the newsletter' }).click();
    await expect(welcome.getByText('Another address of a page you have seen')).toBeVisible();
    await expect(welcome.getByText('1 of 4 pages visited')).toBeVisible();
    await welcome.getByTestId('practice-next').click();
    await welcome.getByRole('link', { name: 'Queue board' }).click();
    await expect(welcome.getByText('12 → 480')).toBeVisible();
    await welcome.goto(onceover.url('welcome.html'));
    await welcome.getByTestId('welcome-skip').click();
    await expect(welcome.getByRole('heading', { name: 'Rounds' })).toBeVisible();
    await onceover.stop();
    await onceover.start();
    await onceover.backstage.waitForTimeout(500);
    expect(onceover.context.pages().some((page) => isWelcome(page.url()))).toBe(false);
  });
});

test('stores are repaired, a site is deleted for good, then everything', async ({ onceover }) => {
  const dashboard = await onceover.open('dashboard.html');
  await dashboard.locator('h1').waitFor();
  const day = workingDay(Date.now(), 10);
  const [round] = day.rounds.slice(-1);
  const visited = round!.counters.visited;
  round!.counters = { ...round!.counters, visited: 999 };
  await plant(onceover.backstage, day);
  await dashboard.goto(onceover.url('dashboard.html#/data'));
  await dashboard.reload();
  await dashboard.getByTestId('repair').click();
  await expect(dashboard.getByTestId('repaired')).toContainText('wrong counts');
  const rounds = await storedRows<Row & { id: string }>(onceover.backstage, 'rounds');
  expect(rounds.find(({ id }) => id === round!.id)?.counters?.visited).toBe(visited);

  await dashboard.getByRole('combobox', { name: 'Site' }).selectOption('wiki.example.com');
  await dashboard.getByTestId('forget-count').click();
  await expect(dashboard.getByTestId('forget-counted')).toContainText('cannot be undone');
  const before = await storedRows<Row>(onceover.backstage, 'pages');
  await dashboard.getByTestId('forget').click();
  await expect(dashboard.getByText('Nothing is stored of wiki.example.com any more')).toBeVisible();
  const after = await storedRows<Row>(onceover.backstage, 'pages');
  expect(after.length).toBe(before.filter(({ host }) => host !== 'wiki.example.com').length);
  expect(after.length).toBeLessThan(before.length);
  await dashboard.getByTestId('repair').click();
  await expect(dashboard.getByTestId('repaired')).toContainText('Nothing was wrong');

  const remove = dashboard.getByTestId('delete-all');
  await expect(remove).toHaveAttribute('aria-disabled', 'true');
  await dashboard.getByLabel('Type Onceover to confirm').fill('Onceover');
  await remove.click();
  await expect(dashboard.getByText('Everything was deleted')).toBeVisible();
  expect(await storedRows(onceover.backstage, 'scopes')).toEqual([]);
  expect(await storedRows(onceover.backstage, 'pages')).toEqual([]);
  const left = await onceover.backstage.evaluate(async () => ({
    local: Object.keys(await chrome.storage.local.get(null)).filter((key) => key !== 'observed'),
    origins: (await chrome.permissions.getAll()).origins,
  }));
  expect(left).toEqual({ local: [], origins: [] });
});
