// The extension and a real service: pairing, an outbox that outlives both, and what the team saw.
import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { Browser } from './harness/browser.ts';
import { Service } from './harness/service.ts';
import { storedRows } from './harness/stored.ts';
import { expect, test } from './harness/test.ts';
import { ask, Round } from './capture/round.ts';

const NAMESPACE = 'practice-site';
const fingerprint = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 32);

async function pair(options: Page, address: string, token: string): Promise<void> {
  await options.getByLabel('Address', { exact: true }).fill(address);
  await options.getByLabel('Token').fill(token);
  await options.getByTestId('pair').click();
}

/** Pairs, and lets the practice site take part. */
async function takePart(options: Page, service: Service): Promise<void> {
  await pair(options, service.address, service.token);
  await options.getByTestId('service-test').waitFor();
  await options.getByRole('switch', { name: 'Practice site takes part' }).click();
  await options.getByTestId('binding-save').waitFor();
}

const waiting = (browser: Browser) => storedRows<object>(browser.backstage, 'outbox');

test.use({ launch: { grant: 'start' } });

test('pages reach the team exactly once, whatever stops, and others see them', async ({ onceover, demo }) => {
  test.setTimeout(300_000);
  const service = new Service();
  await service.start();
  const round = await Round.start(onceover, demo.url);
  const tab = await onceover.context.newPage();
  const visit = (path: string) => tab.goto(demo.url + path);
  const keys: string[] = [];
  const visited = async (...paths: string[]): Promise<void> => {
    for (const path of paths) await visit(path);
    keys.push(...paths.map((path) => demo.url + path));
    await expect.poll(async () => (await round.pages()).length).toBe(keys.length);
  };
  const arrived = async () => (await service.holds(NAMESPACE)).toSorted();
  const expected = () => keys.map(fingerprint).toSorted();
  await visited('/shop/item/101', '/shop/item/102');

  // Nothing is asked of any service before the pairing, and nothing waits for one.
  expect(service.log.filter((line) => line.includes('"request"'))).toEqual([]);
  expect(await waiting(onceover)).toEqual([]);

  // A fault is called by its name.
  const options = await onceover.open('dashboard.html#/options');
  const said = options.getByTestId('service-said');
  await pair(options, 'http://127.0.0.1:1', 'x');
  await expect(said).toContainText('Nothing answers at http://127.0.0.1:1');
  await pair(options, demo.url, 'x');
  await expect(said).toContainText('is no Onceover service');
  await pair(options, service.address, 'wrong');
  await expect(said).toContainText('The token is wrong');
  await takePart(options, service);
  await options.getByTestId('service-test').click();
  await expect(said).toContainText('It answers');
  // What was visited before goes along.
  await expect.poll(arrived).toEqual(expected());

  // The service is away: everything is recorded as always, and waits; the browser ends meanwhile, without a word.
  await service.kill();
  await visited('/shop/item/103', '/shop/item/104', '/shop/item/105');
  await expect.poll(async () => (await waiting(onceover)).length).toBe(3);
  await onceover.kill();
  await onceover.start();
  expect(await waiting(onceover)).toHaveLength(3);
  await service.start();
  await ask(onceover, 'syncTeam');
  await expect.poll(arrived).toEqual(expected());
  await expect.poll(async () => (await waiting(onceover)).length).toBe(0);

  // The worker dies with the answer in its hand, then before it asks, and the service with it.
  const walker = await onceover.context.newPage();
  for (const [index, step] of ['outbox:answered', 'outbox:sending'].entries()) {
    await onceover.backstage.evaluate(
      (step) => chrome.storage.session.set({ hold: { step, skip: 0 }, heldAt: '' }),
      step,
    );
    const paths = [`/shop/item/11${index}`, `/shop/item/12${index}`];
    for (const path of paths) await walker.goto(demo.url + path);
    keys.push(...paths.map((path) => demo.url + path));
    const heldAt = () => onceover.backstage.evaluate(() => chrome.storage.session.get('heldAt'));
    await expect.poll(heldAt).toEqual({ heldAt: step });
    await onceover.stopWorker();
    await service.kill();
    await service.start();
    await ask(onceover, 'syncTeam');
    await expect.poll(arrived).toEqual(expected());
  }
  const team = await storedRows<{ own?: boolean }>(onceover.backstage, 'team');
  // A lost answer that was not replayed would have made our own mark somebody else's.
  expect(team.filter(({ own }) => own)).toHaveLength(keys.length);

  // A second profile sees what the team saw, and nothing of it counts as visited.
  const other = await Browser.launch({ grant: 'start' });
  try {
    const second = await Round.start(other, demo.url);
    const page = await other.context.newPage();
    await page.goto(`${demo.url}/shop`);
    await expect.poll(() => second.pages()).toEqual(['visited /shop']);
    const theirs = await other.open('dashboard.html#/options');
    await takePart(theirs, service);
    await expect(theirs.getByTestId('team-pulled')).toContainText(`seen ${keys.length}`);
    await theirs.goto(other.url(`dashboard.html#/pages?round=${second.id}&show=left`));
    await theirs.reload();
    const row = theirs.getByTestId('page-row').filter({ hasText: '/shop/item/101' }).first();
    await expect(row).toContainText('team');
    await row.click();
    await expect(theirs.locator('.why-card')).toContainText('Seen by the team');
    expect(await second.pages()).toEqual(['visited /shop']);
    const looked = await ask<{ marked: unknown[] }>(other, 'lookup', {
      url: `${demo.url}/shop`,
      links: [`${demo.url}/nobody`, `${demo.url}/shop/item/101`, `${demo.url}/shop`],
    });
    expect(looked.marked).toEqual([
      { at: 1, state: 'known', changed: false, team: true },
      { at: 2, state: 'visited', changed: false },
    ]);
    // "Next unvisited" passes over what others saw or are at, and is ours for a while.
    const { page: next } = await ask<{ page: { url: string } }>(other, 'nextUnvisited', {
      round: second.id,
      open: true,
    });
    expect(keys).not.toContain(next.url);
    // Unpaired, nothing of the service is left, the token least of all.
    await theirs.goto(other.url('dashboard.html#/options'));
    await theirs.getByTestId('unpair').click();
    await theirs.getByTestId('pair').waitFor();
    await expect.poll(() => storedRows(other.backstage, 'team')).toEqual([]);
    const stored = await other.backstage.evaluate(() => chrome.storage.local.get());
    expect(JSON.stringify(stored)).not.toContain(service.token);
  } finally {
    await other.dispose();
    await service.dispose();
  }
});

test('a service that never answers holds up nothing', async ({ onceover, demo }) => {
  const { createServer } = await import('node:http');
  let asked = 0;
  const silent = createServer(() => (asked += 1));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as { port: number };
  const round = await Round.start(onceover, demo.url);
  const { scope } = await round.row();
  await onceover.backstage.evaluate(
    ({ port, scope, policy }) =>
      chrome.storage.local.set({
        service: {
          address: `http://127.0.0.1:${port}`,
          token: 'x',
          pairedAt: 1,
          scopes: { [scope]: { on: true, ns: 'silent', policy, round: 'all', addresses: false } },
        },
      }),
    { port, scope, policy: (await round.row()).policyVersion },
  );
  const tab = await onceover.context.newPage();
  for (let n = 101; n < 111; n++) await tab.goto(`${demo.url}/shop/item/${n}`);
  await expect.poll(() => asked).toBeGreaterThan(0);
  await tab.goto(`${demo.url}/shop`);
  await expect.poll(async () => (await round.pages()).length).toBe(11);
  await expect.poll(async () => (await round.known()).length).toBeGreaterThan(0);
  const before = Date.now();
  const { page } = await ask<{ page: object | null }>(onceover, 'nextUnvisited', {
    round: round.id,
    open: true,
  });
  expect(page).not.toBeNull();
  // It waits for its patience, not for the service.
  expect(Date.now() - before).toBeLessThan(10_000);
  // The page that was opened may be there too by now.
  expect((await waiting(onceover)).length).toBeGreaterThanOrEqual(11);
  silent.closeAllConnections();
  silent.close();
});
