// A round from its start to its report, and the controls beside it. The oracle is what the test did and what the little site answered.
import { createServer, type Server } from 'node:http';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './harness/test.ts';

test.use({ launch: { grant: 'sites' } });

/** A site that one can finish: four pages, one of which fails at first, and one is gone. */
async function littleSite(): Promise<{ url: string; asked: string[]; server: Server }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const again = asked.includes(path);
    asked.push(path);
    const status = path === '/flaky' && !again ? 503 : /^\/(first|second|flaky)$/.test(path) ? 200 : 404;
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
    response.end(`<!doctype html><title>Page ${path}</title><p>${path}</p>`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, server };
}

/** Presses Tab until the element has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, to: Locator): Promise<void> {
  await to.waitFor();
  for (let presses = 0; presses < 80; presses++) {
    if (await to.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('No number of tabs leads there.');
}

test('a whole round by keyboard alone', async ({ onceover }) => {
  const { url, asked, server } = await littleSite();
  try {
    const tab = await onceover.context.newPage();
    await tab.goto(`${url}/before`);
    const id = await onceover.backstage.evaluate(
      async () => (await chrome.tabs.query({ url: 'http://127.0.0.1/*' })).at(0)?.id,
    );
    await tab.goto('about:blank');
    asked.length = 0;
    const dashboard = await onceover.open('dashboard.html#/rounds');
    const keys = dashboard.keyboard;

    // The round starts from a pasted list.
    await tabTo(dashboard, dashboard.getByLabel('Start from'));
    await keys.press('A');
    await tabTo(dashboard, dashboard.getByTestId('start-list'));
    await keys.insertText(['first', 'second', 'flaky', 'gone'].map((name) => `${url}/${name}`).join('\n'));
    await expect(dashboard.getByText('4 addresses on 127.0.0.1')).toBeVisible();
    await tabTo(dashboard, dashboard.getByTestId('start-this'));
    await keys.press('Enter');
    await expect(dashboard.getByText('Round 1 started with 4 pages')).toBeVisible();
    await expect(dashboard.getByRole('row', { name: /Round 1/ })).toContainText('0 of 4');

    // The work list beside the page: next, verdict, note. The counts are true at every moment.
    const panel = await onceover.open(`sidepanel.html?tab=${id}`);
    await panel.setViewportSize({ width: 360, height: 800 });
    const visited = panel.getByTestId('visited-count');
    const left = panel.getByTestId('left-count');
    const page = panel.locator('.this-page .one-line');
    await expect(left).toHaveText('4 left');
    await panel.keyboard.press('n');
    await expect(page).toHaveText('/first');
    await expect(visited).toHaveText('1 of 4 visited');
    await panel.keyboard.press('1');
    await expect(panel.getByRole('radio', { name: 'OK' })).toBeChecked();
    await panel.keyboard.press('n');
    await expect(page).toHaveText('/flaky');
    await expect(left).toHaveText('2 left');
    await expect(visited).toHaveText('1 of 4 visited');
    await panel.keyboard.press('n');
    await expect(page).toHaveText('/gone');
    await expect(left).toHaveText('1 left');
    await panel.keyboard.press('3');
    await expect(panel.getByRole('radio', { name: 'Skip' })).toBeChecked();
    await panel.keyboard.press('n');
    await expect(page).toHaveText('/second');
    await panel.keyboard.press('2');
    await expect(panel.getByRole('radio', { name: 'Problem' })).toBeChecked();
    await panel.keyboard.press('m');
    await panel.keyboard.type('No <b>price</b>');
    await panel.keyboard.press('Tab');
    await expect(left).toHaveText('0 left');
    await expect(visited).toHaveText('2 of 4 visited');
    await panel.keyboard.press('r');
    await expect(page).toHaveText('/flaky');
    await expect(visited).toHaveText('3 of 4 visited');
    // A captcha by hand, and that it was none.
    await tabTo(panel, panel.getByRole('button', { name: 'Captcha' }));
    await panel.keyboard.press('Enter');
    await expect(visited).toHaveText('2 of 4 visited');
    await panel.keyboard.press('Enter');
    await expect(visited).toHaveText('3 of 4 visited');
    expect(asked.filter((path) => path !== '/favicon.ico')).toEqual([
      '/first',
      '/flaky',
      '/gone',
      '/second',
      '/flaky',
    ]);

    // Its end, with a summary that is a file too.
    await dashboard.bringToFront();
    await dashboard.reload();
    await tabTo(dashboard, dashboard.getByRole('button', { name: 'Close the round' }));
    await keys.press('Enter');
    await tabTo(dashboard, dashboard.getByTestId('end-round'));
    await keys.press('Enter');
    await expect(dashboard.getByRole('heading', { name: 'Report' })).toBeVisible();
    await expect(dashboard.getByTestId('visited-count')).toHaveText('3 of 4 visited');
    await tabTo(dashboard, dashboard.getByTestId('save-report'));
    const [saved] = await Promise.all([dashboard.waitForEvent('download'), keys.press('Enter')]);
    expect(saved.suggestedFilename()).toBe('127-0-0-1-1-report.html');
    const file = await saved.path();
    const html = readFileSync(file, 'utf8');
    expect(html).toContain('3 of 4 visited');
    expect(html).toContain('1 page with a problem');
    expect(html).toContain('No &lt;b&gt;price&lt;/b&gt;');
    expect(html).toContain('1 page gone');
    expect(html).not.toContain('page left</h2>');

    // The same round again with one click (one key), compared with this one.
    await tabTo(dashboard, dashboard.getByTestId('start-round'));
    await keys.press('Enter');
    await expect(dashboard.getByRole('rowheader', { name: 'Round 2' })).toBeVisible();
    // The page that is shown when a round begins is seen by it.
    await expect(dashboard.getByRole('row', { name: /Round 2/ })).toContainText('1 of 4');
  } finally {
    server.close();
  }
});

test('schedules, pauses, retries and markings, and the way back through every view', async ({
  onceover,
  demo,
}) => {
  const tab = await onceover.context.newPage();
  await tab.goto(`${demo.url}/roads`);
  const dashboard = await onceover.open('dashboard.html#/rounds');
  await dashboard.getByRole('textbox', { name: 'Site' }).fill(demo.url);
  await dashboard.getByTestId('start-this').click();
  await expect(dashboard.getByTestId('round-state')).toHaveText('Recording');

  // A round that starts by itself says when; switched off again with undo.
  await dashboard.getByLabel('Starts by itself').selectOption('Every hour');
  await expect(dashboard.getByText(/^The next round begins .*\d\d:00 /)).toBeVisible();
  await dashboard.getByLabel('Starts by itself').selectOption('Every day');
  await expect(dashboard.getByText(/begins .*09:00/)).toBeVisible();
  await dashboard.locator('.schedule select').nth(1).selectOption('18:00');
  await expect(dashboard.getByText(/begins .*18:00/)).toBeVisible();
  await expect(dashboard.locator('.toast')).toContainText('18:00');
  await dashboard.keyboard.press('u');
  await expect(dashboard.getByText(/begins .*09:00/)).toBeVisible();
  await dashboard.getByLabel('Starts by itself').selectOption('Never, rounds start by hand');
  await expect(dashboard.getByText(/^The next round begins/)).toHaveCount(0);

  // A site is paused from the popup and goes on from the dashboard.
  const popup = await onceover.open(`popup.html?url=${encodeURIComponent(`${demo.url}/roads`)}`);
  await popup.getByRole('button', { name: 'Pause' }).click();
  await popup.getByRole('button', { name: 'On 127.0.0.1 only' }).click();
  await expect(popup.getByText('127.0.0.1 is not recorded for now.')).toBeVisible();
  await tab.goto(`${demo.url}/news`);
  await tab.waitForTimeout(500);
  await expect(dashboard.getByText('Not recorded for now: 127.0.0.1')).toBeVisible();
  await dashboard.getByRole('button', { name: 'Record 127.0.0.1 again' }).click();
  await expect(popup.getByText('127.0.0.1 is not recorded for now.')).toHaveCount(0);
  await tab.goto(`${demo.url}/shop`);
  await dashboard.goto(onceover.url('dashboard.html#/pages?show=visited'));
  await expect(dashboard.getByTestId('page-row').filter({ hasText: '/shop' }).first()).toBeVisible();
  await expect(dashboard.getByTestId('page-row').filter({ hasText: '/news' })).toHaveCount(0);

  // Several pages are marked at once, and all markings are taken back at once.
  await dashboard.keyboard.press('j');
  await dashboard.keyboard.press('x');
  await dashboard.getByRole('button', { name: 'Login page', exact: true }).click();
  await expect(dashboard.locator('.toast')).toContainText('1 page marked: Login page');
  await dashboard.goto(onceover.url('dashboard.html#/compare'));
  await expect(dashboard.getByText('Nothing to compare with')).toBeVisible();
  await dashboard.goto(onceover.url('dashboard.html#/pages?show=retrying'));
  const retry = dashboard.getByTestId('page-row').first();
  await expect(retry).toContainText('Login page: 1 try');
  await retry.click();
  await expect(dashboard.getByRole('button', { name: 'Login page', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await dashboard.getByRole('button', { name: 'Login page', exact: true }).click();
  await expect(dashboard.locator('.toast')).toContainText('Marking taken back');
  await dashboard.keyboard.press('u');
  await expect(dashboard.getByRole('button', { name: 'Login page', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await dashboard.keyboard.press('Escape');
  const [opened] = await Promise.all([onceover.context.waitForEvent('page'), dashboard.keyboard.press('r')]);
  await opened.waitForURL(/\/shop|\/roads/);
  await expect(dashboard.getByText('No page in this list')).toBeVisible();
  await opened.close();

  // A redirect that was seen is kept apart, learned again, and both can be taken back.
  await tab.goto(`${demo.url}/s/t1`);
  const target = new URL(tab.url());
  await dashboard.goto(
    onceover.url(`dashboard.html#/pages?page=${encodeURIComponent(target.origin + target.pathname)}`),
  );
  const aliases = dashboard.getByTestId('aliases');
  await expect(aliases).toContainText('/s/t1');
  await expect(aliases).toContainText('redirect seen');
  await aliases.getByRole('button', { name: 'Keep apart' }).click();
  await expect(aliases).toContainText('kept apart by hand');
  await dashboard.keyboard.press('u');
  await expect(aliases).not.toContainText('kept apart by hand');
  await expect(aliases).toContainText('/s/t1');

  // A canonical link proposes and merges nothing; what is accepted is one page, and two again when it is taken back.
  await tab.goto(`${demo.url}/news/a/30`);
  await tab.goto(`${demo.url}/news/a/30?print=1`);
  await dashboard.goto(onceover.url('dashboard.html#/rules'));
  const proposal = dashboard.getByTestId('proposal').filter({ hasText: '/news/a/30?print=1' });
  await expect(proposal).toContainText('its canonical link says so');
  await proposal.getByRole('button', { name: 'Accept' }).click();
  await expect(proposal).toHaveCount(0);
  await dashboard.goto(onceover.url('dashboard.html#/pages?show=visited&q=/a/30'));
  await expect(dashboard.getByTestId('page-row')).toHaveCount(1);
  await dashboard.keyboard.press('u');
  await expect(dashboard.getByTestId('page-row')).toHaveCount(2);

  // Every view and filter has an address, and the way back leads through them.
  const steps = [
    '#/pages?show=visited',
    '#/pages?show=left&q=shop',
    '#/tree',
    '#/pages?show=gone&host=127.0.0.1&prefix=%2Fshop',
    '#/report',
    '#/rules',
    '#/export?show=left',
    '#/rounds',
  ];
  for (const step of steps) {
    await dashboard.evaluate((hash) => (location.hash = hash), step);
    await dashboard.locator('h1').waitFor();
  }
  for (const step of steps.toReversed().slice(1)) {
    await dashboard.goBack();
    expect(new URL(dashboard.url()).hash).toBe(step);
    const title = { pages: 'Pages', tree: 'Tree', report: 'Report', rules: 'Rules', export: 'Export' };
    const view = step.slice(2).split('?')[0] as keyof typeof title;
    await expect(dashboard.getByRole('heading', { name: title[view], exact: true, level: 1 })).toBeVisible();
  }
  await dashboard.reload();
  await expect(dashboard.locator('.tabs [aria-current]')).toContainText('Visited');
});
