// What must outlive something: tabs older than the round, an update of the extension, a pause, a full disk, a restart.
import type { Page } from '@playwright/test';
import type { Browser } from '../harness/browser.ts';
import { expect, test } from '../harness/test.ts';
import { ask, Round } from './round.ts';

test.use({ launch: { grant: 'start' } });

/** Loads the extension anew, as an update does; every page of it is closed by that. */
async function reload(browser: Browser): Promise<void> {
  // Without developer mode Chromium turns unpacked extensions off instead.
  const settings = await browser.context.newPage();
  await settings.goto('chrome://extensions');
  await settings.evaluate('chrome.developerPrivate.updateProfileConfiguration({ inDeveloperMode: true })');
  await settings.close();
  await browser.backstage.evaluate(() => chrome.runtime.reload()).catch(() => undefined);
  await expect(async () => {
    const page = await browser.context.newPage();
    await page.goto(browser.url('manifest.json')).catch(async (error: unknown) => {
      await page.close();
      throw error;
    });
  }).toPass();
}

const badge = (browser: Browser) => browser.backstage.evaluate(() => chrome.action.getBadgeText({}));

test('a tab that is older than the round is recorded once it is looked at, and its clicks are', async ({
  onceover: browser,
  demo,
}) => {
  const tab = await browser.context.newPage();
  await tab.goto(`${demo.url}/shop`);
  const round = await Round.start(browser, demo.url);
  await round.expectVisits(['first /shop other'], 500);
  await tab.getByText('Search').first().click();
  await round.expectVisits(['first /shop other', 'first /shop/search link < /shop']);
});

test('an update with open tabs: the old observers go quietly, the new ones see what follows', async ({
  onceover: browser,
  demo,
}) => {
  const round = await Round.start(browser, demo.url);
  const tabs: Page[] = [];
  const errors: string[] = [];
  for (const path of ['/shop', '/news', '/roads']) {
    const tab = await browser.context.newPage();
    tab.on('pageerror', (error) => errors.push(error.message));
    tab.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await tab.goto(demo.url + path);
    tabs.push(tab);
  }
  await expect.poll(() => round.pages()).toHaveLength(3);
  await reload(browser);
  await tabs[0]!.waitForTimeout(1000);
  for (const [tab, text] of [
    [tabs[0]!, 'Search'],
    [tabs[1]!, 'Board'],
    [tabs[2]!, 'Console'],
  ] as const) {
    await tab.bringToFront();
    await tab.getByText(text).first().click();
    await tab.waitForTimeout(300);
  }
  await round.expectVisits(
    [
      'first /shop typed',
      'first /news typed',
      'first /roads typed',
      'first /shop/search link < /shop',
      'first /board#/overview link < /news',
      'first /app/hosts link < /roads',
    ],
    900,
  );
  const visits = await round.visitRows();
  // The observers were injected again: they tell the clicks' words.
  expect(visits.slice(3).map(({ linkText }) => linkText !== undefined)).toEqual([true, true, true]);
  expect(errors).toEqual([]);
});

test('a paused round records nothing; the page in front counts when it goes on', async ({
  onceover: browser,
  demo,
}) => {
  const round = await Round.start(browser, demo.url);
  const tab = await browser.context.newPage();
  await tab.goto(`${demo.url}/shop`);
  await expect.poll(() => round.pages()).toEqual(['visited /shop']);
  await ask(browser, 'pauseRound', { round: round.id, until: null });
  await expect.poll(() => badge(browser)).toBe('II');
  await tab.goto(`${demo.url}/news`);
  await tab.goto(`${demo.url}/roads`);
  await tab.waitForTimeout(1000);
  expect(await round.pages()).toEqual(['visited /shop']);
  await ask(browser, 'resumeRound', { round: round.id });
  await expect.poll(() => round.pages()).toEqual(['visited /roads', 'visited /shop']);
  await ask(browser, 'endRound', { round: round.id });
  await expect.poll(() => badge(browser)).toBe('');
  await tab.goto(`${demo.url}/news`);
  await tab.waitForTimeout(600);
  expect(await round.pages()).toEqual(['visited /roads', 'visited /shop']);
});

test('a full disk: what is seen is kept, said, and saved later', async ({ onceover: browser, demo }) => {
  const round = await Round.start(browser, demo.url);
  const tab = await browser.context.newPage();
  await browser.backstage.evaluate(() =>
    chrome.storage.session.set({ fail: { fault: 'quota', times: 1000 } }),
  );
  await tab.goto(`${demo.url}/shop`);
  await expect
    .poll(() => ask<{ database: string; pending: number }>(browser, 'health'))
    .toMatchObject({ database: 'full' });
  expect(await round.visits()).toEqual([]);
  await tab.goto(`${demo.url}/news`);
  await tab.waitForTimeout(500);
  await browser.backstage.evaluate(() => chrome.storage.session.set({ fail: { fault: 'quota', times: 0 } }));
  // Any start of the worker tries again, as the alarm does.
  await browser.stopWorker();
  await expect
    .poll(() => ask<{ database: string; pending: number }>(browser, 'health'))
    .toMatchObject({ database: 'ok', pending: 0 });
  await round.expectVisits(['first /shop typed', 'first /news typed'], 900);
});

test('a restart of the browser: the round goes on, and badge and counters agree with the rows', async ({
  onceover: browser,
  demo,
}) => {
  const round = await Round.start(browser, demo.url);
  const tab = await browser.context.newPage();
  for (const path of ['/shop', '/news', '/flaky/kettle']) await tab.goto(demo.url + path);
  await expect.poll(() => round.pages()).toHaveLength(3);
  // Links of the last page are known a moment later; the badge counts them as left.
  let before: string;
  do {
    before = await badge(browser);
    await tab.waitForTimeout(1500);
  } while (before !== (await badge(browser)));
  await browser.stop();
  await browser.start();
  await expect.poll(() => badge(browser)).toBe(before);
  const again = await browser.context.newPage();
  await again.goto(`${demo.url}/roads`);
  await again.getByText('Corners').click();
  await expect
    .poll(() => round.pages())
    .toEqual(['retrying /flaky/kettle', 'visited /', 'visited /news', 'visited /roads', 'visited /shop']);
  // Its links are known a moment later, here too.
  const isAgreed = async () => (await badge(browser)) === `${(await round.row()).counters.known}!`;
  await expect.poll(isAgreed).toBe(true);
  const { counters } = await round.row();
  const rows = await round.pageRows();
  const count = (state: string) => rows.filter((row) => row.state === state).length;
  expect(counters).toMatchObject({
    visited: count('visited'),
    known: count('known'),
    retrying: count('retrying'),
  });
});

test('the source of a click survives the death of the worker', async ({ onceover: browser, demo }) => {
  const round = await Round.start(browser, demo.url);
  const tab = await browser.context.newPage();
  await tab.goto(`${demo.url}/shop`);
  await expect.poll(() => round.pages()).toEqual(['visited /shop']);
  await browser.stopWorker();
  await tab.getByText('Search').first().click();
  await round.expectVisits(['first /shop typed', 'first /shop/search link < /shop']);
  expect((await round.visitRows())[1]).toMatchObject({ linkText: expect.stringContaining('Search') });
});

test('a database of a newer version: said, and what is seen meanwhile is kept', async ({
  onceover: browser,
  demo,
}) => {
  await Round.start(browser, demo.url);
  const tab = await browser.context.newPage();
  await tab.goto(`${demo.url}/shop`);
  const version = (to?: number) =>
    browser.backstage.evaluate(
      (to) =>
        new Promise<number>((resolve, reject) => {
          const request = to === undefined ? indexedDB.open('onceover') : indexedDB.open('onceover', to);
          request.addEventListener('error', () => reject(request.error));
          request.addEventListener('success', () => {
            const { version } = request.result;
            request.result.close();
            resolve(version);
          });
        }),
      to,
    );
  await version((await version()) + 1);
  const health = () => ask<{ database: string; pending: number }>(browser, 'health');
  await expect.poll(health).toMatchObject({ database: 'newer' });
  const { pending } = await health();
  await tab.goto(`${demo.url}/news`);
  await expect.poll(async () => (await health()).pending).toBeGreaterThan(pending);
  // A start of the worker does not change that.
  await browser.stopWorker();
  expect(await health()).toMatchObject({ database: 'newer' });
  await expect.poll(() => badge(browser)).toBe('?');
});

test('a site taken back is recorded no more, also in pages that are still open', async ({
  onceover: browser,
  demo,
}) => {
  const round = await Round.start(browser, demo.url);
  const tab = await browser.context.newPage();
  await tab.goto(`${demo.url}/app/hosts`);
  await expect.poll(() => round.pages()).toEqual(['visited /app/hosts']);
  const removed = await browser.backstage.evaluate(() =>
    chrome.permissions.remove({ origins: ['http://127.0.0.1/*'] }),
  );
  expect(removed).toBe(true);
  await expect
    .poll(() => browser.backstage.evaluate(() => chrome.scripting.getRegisteredContentScripts()))
    .toEqual([]);
  await tab.getByText('db-1').click();
  await tab.waitForTimeout(1200);
  await tab.goto(`${demo.url}/news`);
  await tab.waitForTimeout(800);
  expect(await round.pages()).toEqual(['visited /app/hosts']);
  expect((await round.row()).state).toBe('open');
});

test('a pause until a time ends by itself', async ({ onceover: browser, demo }) => {
  const round = await Round.start(browser, demo.url);
  await ask(browser, 'pauseRound', { round: round.id, until: Date.now() + 1500 });
  await expect.poll(() => badge(browser)).toBe('II');
  await browser.stopWorker();
  await expect.poll(async () => (await round.row()).state, { timeout: 35_000 }).toBe('open');
});

test('back to a page that was not kept: it is loaded again, and that is one return', async ({
  onceover: browser,
  demo,
}) => {
  const round = await Round.start(browser, demo.url);
  const tab = await browser.context.newPage();
  await tab.goto(`${demo.url}/shop`);
  await tab.goto(`${demo.url}/news`);
  await tab.goBack();
  await round.expectVisits(['first /shop typed', 'first /news typed', 'return /shop back'], 500);
});
