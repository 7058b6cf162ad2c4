// What a person sees, from the first start to the exported list, on the practice site. The oracle is what the test did.
//
// Hooks of the views, kept stable:
//   popup and side panel   start-round · round-state (data-on) · visited-count · left-count · next-unvisited · end-round · why-link
//   dashboard              round-state · visited-count · left-count · page-row · why-step · why-address · start-round · end-round
//                          export-list · export-jsonl
//                          start-this · start-list · next-retry · aliases · proposal · save-report · copy-report · report
//   side panel             work-row · next-retry
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { SAME } from '../demo/addresses.mjs';
import type { Browser } from './harness/browser.ts';
import { Popup } from './harness/popup.ts';
import { expect, test } from './harness/test.ts';

test.use({ launch: { grant: 'sites' } });

const TEAPOT = SAME[0]!.addresses.map(({ href }) => href);

/** Starts a round from the popup over `page`, and waits until it is on. */
async function start(onceover: Browser, page: Page): Promise<void> {
  const popup = await Popup.open(onceover, page);
  await popup.click('[data-testid="start-round"]');
  await popup.waitFor('[data-testid="visited-count"]');
  await popup.close();
}

/** Opens pages one after another, each long enough to be told. */
async function visit(page: Page, paths: string[], url: string): Promise<void> {
  for (const path of paths) {
    await page.goto(url + path);
    await page.waitForTimeout(250);
  }
}

test('the first round: said what is kept, recorded, explained, exported', async ({ onceover, demo }) => {
  const tab = await onceover.context.newPage();
  await tab.goto(`${demo.url}/shop/item/101`);
  const first = await Popup.open(onceover, tab);
  await first.waitFor('[data-testid="start-round"]');
  const words = await first.text();
  for (const said of ['Not recording', 'stays on this computer', 'Never: passwords', 'for 127.0.0.1 only']) {
    expect(words).toContain(said);
  }
  await first.click('[data-testid="start-round"]');
  await first.waitFor('[data-testid="visited-count"]');
  expect(await first.text()).toContain('Recording');
  await first.close();

  await visit(tab, TEAPOT.slice(1, 8), demo.url);
  const popup = await Popup.open(onceover, tab);
  await popup.waitFor('[data-testid="why-link"]');
  const seen = await popup.text();
  expect(seen).toMatch(/\b1 of \d+ visited/);
  expect(seen).toContain('New');
  expect(seen).toContain('8 addresses, one page');
  await popup.close();

  const dashboard = await onceover.open('dashboard.html#/pages?show=visited');
  const rows = dashboard.getByTestId('page-row');
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText('8 addresses');
  await rows.first().click();
  const others = dashboard.getByTestId('why-address');
  await expect(others).toHaveCount(7);
  await expect(dashboard.getByRole('heading', { name: 'Why 8 addresses are one page' })).toBeVisible();
  const newsletter = others.filter({ hasText: 'utm_source=newsletter' });
  await newsletter.locator('summary').click();
  await expect(newsletter.getByTestId('why-step')).toHaveCount(1);
  await expect(newsletter.getByTestId('why-step')).toContainText('Remove tracking parameter');
  await expect(newsletter.locator('del')).toContainText('utm_source=newsletter&utm_medium=email');

  await dashboard.goto(onceover.url('dashboard.html#/export?show=visited'));
  const [list] = await Promise.all([
    dashboard.waitForEvent('download'),
    dashboard.getByTestId('export-list').click(),
  ]);
  expect(list.suggestedFilename()).toMatch(/\.txt$/);
  expect(readFileSync(await list.path(), 'utf8')).toBe(`${demo.url}/shop/item/101\n`);
  await expect(dashboard.getByRole('status').filter({ hasText: '1 page saved' })).toBeVisible();
  const [lines] = await Promise.all([
    dashboard.waitForEvent('download'),
    dashboard.getByTestId('export-jsonl').click(),
  ]);
  const [record, ...more] = readFileSync(await lines.path(), 'utf8')
    .trim()
    .split('\n');
  expect(more).toEqual([]);
  expect(JSON.parse(record!)).toMatchObject({
    url: `${demo.url}/shop/item/101`,
    key: `${demo.url}/shop/item/101`,
    state: 'visited',
    visits: 8,
    addresses: 8,
    firstSeenAt: expect.any(Number),
    otherAddresses: TEAPOT.slice(1, 8).map((path) => demo.url + path),
  });
});

test('pause, resume, close, and the next round from the last one', async ({ onceover, demo }) => {
  const tab = await onceover.context.newPage();
  await tab.goto(`${demo.url}/news`);
  await start(onceover, tab);
  await visit(tab, ['/news?page=1', '/shop'], demo.url);
  const dashboard = await onceover.open('dashboard.html#/rounds');
  await expect(dashboard.getByRole('rowheader', { name: 'Round 1' })).toBeVisible();
  await expect(dashboard.getByRole('row', { name: /Round 1/ })).toContainText('3 of');

  await dashboard.getByRole('button', { name: 'Pause' }).click();
  await dashboard.getByRole('button', { name: 'Until I resume' }).click();
  await expect(dashboard.getByTestId('round-state')).toHaveText('Paused');
  await visit(tab, ['/roads'], demo.url);
  // What is shown when the round goes on is seen by it, so this page goes first.
  await tab.goto('about:blank');
  await dashboard.getByRole('button', { name: 'Resume' }).click();
  await expect(dashboard.getByTestId('round-state')).toHaveText('Recording');
  await visit(tab, ['/troubles'], demo.url);
  await expect(dashboard.getByRole('row', { name: /Round 1/ })).toContainText('4 of');

  await dashboard.getByRole('button', { name: 'Close the round' }).click();
  await expect(dashboard.getByText('A closed round cannot be opened again')).toBeVisible();
  await dashboard.getByTestId('end-round').click();
  await expect(dashboard.getByTestId('round-state')).toHaveText('Not recording');
  await tab.goto('about:blank');
  // The summary of the round, from which the same round starts again with one click.
  await expect(dashboard.getByRole('heading', { name: 'Report' })).toBeVisible();
  await dashboard.getByTestId('start-round').click();
  await expect(dashboard.getByRole('rowheader', { name: 'Round 2' })).toBeVisible();
  await visit(tab, ['/news'], demo.url);
  await dashboard.goto(onceover.url('dashboard.html#/compare?show=visited'));
  await expect(dashboard.getByTestId('page-row')).toHaveCount(1);
  await expect(dashboard.getByTestId('page-row')).toContainText('/news');
  for (const path of ['/troubles', '/shop']) {
    await dashboard.goto(onceover.url(`dashboard.html#/pages?show=left&q=${path}`));
    const row = dashboard.getByTestId('page-row').filter({ has: dashboard.getByText(path, { exact: true }) });
    await expect(row).toContainText('In the last round only');
  }
  // What was opened while the round was paused is nowhere.
  await dashboard.goto(onceover.url('dashboard.html#/pages?q=/roads'));
  await expect(dashboard.getByText('Nothing matches “/roads”')).toBeVisible();

  // What is left is copied as original addresses.
  await onceover.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const copying = await onceover.open(`popup.html?url=${encodeURIComponent(`${demo.url}/news`)}`);
  await copying.getByRole('button', { name: 'Copy left' }).click();
  await expect(copying.getByText(/^\d+ addresses copied$/).first()).toBeVisible();
  const copied = (await copying.evaluate(() => navigator.clipboard.readText())).split('\n');
  expect(copied).toContain(`${demo.url}/troubles`);
  expect(copied).not.toContain(`${demo.url}/news`);
  await copying.close();

  // The panel and the popup tell the same.
  const count = await dashboard.getByTestId('visited-count').innerText();
  const popup = await Popup.open(onceover, tab);
  await popup.waitFor('[data-testid="visited-count"]');
  expect((await popup.text()).replace(/\s+/g, ' ')).toContain(count.replace(/\s+/g, ' '));
  await popup.close();
});

test('a deleted round comes back with undo', async ({ onceover, demo }) => {
  const tab = await onceover.context.newPage();
  await tab.goto(`${demo.url}/news`);
  await start(onceover, tab);
  const dashboard = await onceover.open('dashboard.html#/rounds');
  await dashboard.getByRole('button', { name: 'Close the round' }).click();
  await dashboard.getByTestId('end-round').click();
  // Where the report comes first: going on before it is there would be undone by it.
  await expect(dashboard).toHaveURL(/#\/report/);
  await dashboard.goto(onceover.url('dashboard.html#/rounds'));
  await dashboard.getByRole('button', { name: 'Delete' }).click();
  await expect(dashboard.getByRole('rowheader', { name: 'Round 1' })).toHaveCount(0);
  await expect(dashboard.getByText('Round 1 deleted')).toBeVisible();
  await dashboard.keyboard.press('u');
  await expect(dashboard.getByRole('rowheader', { name: 'Round 1' })).toBeVisible();
});

test('the side panel: what is left beside the page, verdicts by key', async ({ onceover, demo }) => {
  const tab = await onceover.context.newPage();
  await tab.goto(`${demo.url}/news`);
  await start(onceover, tab);
  const id = await onceover.backstage.evaluate(
    async (url) => (await chrome.tabs.query({ url })).at(0)?.id,
    'http://127.0.0.1/*',
  );
  const panel = await onceover.open(`sidepanel.html?tab=${id}`);
  await panel.setViewportSize({ width: 360, height: 800 });
  await expect(panel.getByTestId('work-row').first()).toBeVisible();
  const before = Number((await panel.getByTestId('left-count').innerText()).match(/\d+/)?.[0]);
  await panel.keyboard.press('2');
  await expect(panel.getByRole('radio', { name: 'Problem' })).toBeChecked();
  await panel.getByPlaceholder('Add a note').fill('Import failed');
  await panel.getByRole('heading', { name: 'This page' }).click();
  const first = await panel.getByTestId('work-row').first().getByRole('link').innerText();
  await panel.getByTestId('next-unvisited').click();
  await tab.waitForURL((url) => url.pathname === first.trim());
  await expect(panel.getByTestId('left-count')).not.toHaveText(`${before} left`);
  await expect(panel.getByRole('radio', { name: 'Problem' })).not.toBeChecked();
  await tab.goto(`${demo.url}/news`);
  await expect(panel.getByRole('radio', { name: 'Problem' })).toBeChecked();
  await expect(panel.getByPlaceholder('Add a note')).toHaveValue('Import failed');
});

test('pages that are not the web get a sentence, not a round', async ({ onceover, demo }) => {
  const tab = await onceover.context.newPage();
  const sentences: [string, string][] = [
    ['chrome://version', 'The browser’s own pages are never recorded.'],
    ['about:blank', 'The browser’s own pages are never recorded.'],
    ['data:text/html,hello', 'no address on the web'],
    [onceover.url('dashboard.html'), 'Pages of extensions are never recorded.'],
  ];
  for (const [address, sentence] of sentences) {
    const popup = await onceover.open(`popup.html?url=${encodeURIComponent(address)}`);
    await expect(popup.getByRole('heading', { name: 'Nothing to inspect here' })).toBeVisible();
    await expect(popup.getByText(sentence)).toBeVisible();
    await expect(popup.getByTestId('start-round')).toHaveCount(0);
    await popup.close();
  }
  await tab.goto('chrome://version');
  const real = await Popup.open(onceover, tab);
  await real.waitFor('h1');
  expect(await real.text()).toContain('never recorded');
  await real.close();
  const pdf = await onceover.open(`popup.html?url=${encodeURIComponent(`${demo.url}/troubles/a.pdf`)}`);
  await expect(pdf.getByTestId('start-round')).toBeVisible();
});

test.describe('what goes wrong is said', () => {
  test('a database from a newer version', async ({ onceover }) => {
    await onceover.backstage.evaluate(
      () =>
        new Promise<void>((done, fail) => {
          const request = indexedDB.open('onceover', 999);
          request.addEventListener('success', () => {
            request.result.close();
            done();
          });
          request.addEventListener('error', () => fail(request.error));
        }),
    );
    const dashboard = await onceover.open('dashboard.html');
    await expect(dashboard.getByRole('alert')).toContainText('The records come from a newer Onceover');
    await expect(dashboard.getByRole('alert')).toContainText('Update Onceover');
    const popup = await onceover.open('popup.html?url=https%3A%2F%2Fshop.example.com%2F');
    await expect(popup.getByRole('alert')).toContainText('Update Onceover');
  });

  test('a second page that holds the database during an upgrade; it goes on by itself', async ({
    onceover,
  }) => {
    // An old page that does not let go, and somebody who waits for it: whoever opens now waits behind both.
    await onceover.backstage.evaluate(
      () =>
        new Promise<void>((done) => {
          const request = indexedDB.open('onceover');
          request.addEventListener('success', () => {
            Object.assign(globalThis, { held: request.result });
            indexedDB.deleteDatabase('onceover').addEventListener('blocked', () => done());
          });
        }),
    );
    const dashboard = await onceover.open('dashboard.html');
    await expect(dashboard.getByRole('alert')).toContainText('Another Onceover page holds the records', {
      timeout: 10_000,
    });
    await onceover.backstage.evaluate(() => (globalThis as unknown as { held: IDBDatabase }).held.close());
    await expect(dashboard.getByRole('alert')).toHaveCount(0, { timeout: 15_000 });
    await expect(dashboard.getByRole('heading', { name: 'No round yet' })).toBeVisible();
  });

  test('a full disk, and that it is over', async ({ onceover, demo }) => {
    const tab = await onceover.context.newPage();
    await tab.goto(`${demo.url}/news`);
    await start(onceover, tab);
    await onceover.backstage.evaluate(() =>
      chrome.storage.session.set({ fail: { fault: 'quota', times: 1000 } }),
    );
    await visit(tab, ['/shop'], demo.url);
    const dashboard = await onceover.open('dashboard.html#/pages');
    await expect(dashboard.getByRole('alert')).toContainText('The disk is full', { timeout: 10_000 });
    await expect(dashboard.getByRole('alert')).toContainText('Free some space');
    await onceover.backstage.evaluate(() =>
      chrome.storage.session.set({ fail: { fault: 'quota', times: 0 } }),
    );
    // The worker tries again every minute: the test does not wait that long.
    await onceover.backstage.evaluate(() => chrome.alarms.create('save-unsaved', { when: Date.now() }));
    await expect(dashboard.getByRole('alert')).toHaveCount(0, { timeout: 15_000 });
    await dashboard.goto(onceover.url('dashboard.html#/pages?show=visited'));
    await expect(dashboard.getByTestId('page-row').filter({ hasText: '/shop' }).first()).toBeVisible();
  });
});
