// How the views look and work for everybody: keyboard alone, a screen reader's rules (axe), small and enlarged windows, two
// languages and themes, long lists. On rows that are planted, so that every state is there.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { Browser } from './harness/browser.ts';
import { expect, test } from './harness/test.ts';
import { CHANGED_PAGE, WATCH } from './seed-watches.ts';
import { plantViews } from './seed-views.ts';
import { plant, workingDay } from './seed.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const ITEM = 'https://shop.example.com/item?b=1&id=7';
const RULES = `#/rules?a=${encodeURIComponent(`${ITEM}&utm_source=mail#a`)}&b=${encodeURIComponent('mailto:a@example.com')}`;
const VIEWS = [
  '#/rounds',
  '#/pages',
  `#/pages?page=${encodeURIComponent(ITEM)}`,
  // A page of a round that is closed.
  `#/pages?round=round-1&page=${encodeURIComponent(ITEM)}`,
  '#/pages?q=nowhere',
  '#/tree',
  '#/compare',
  '#/compare?show=retrying',
  '#/compare?show=changed',
  '#/report',
  '#/watches',
  `#/watches?watch=${WATCH}`,
  '#/watches?watch=watch-alerts&only=not-found',
  `#/watches?page=${encodeURIComponent(CHANGED_PAGE)}`,
  RULES,
  '#/import',
  '#/export',
  '#/data',
  '#/options',
  '#/help',
  '#/privacy',
];
const ALONE = ['welcome.html', 'welcome.html#2', 'welcome.html#3', 'practice.html'];
const ELSEWHERE = 'popup.html?url=https%3A%2F%2Fother.example.com%2F';
const HERE = 'popup.html?url=https%3A%2F%2Fshop.example.com%2Forders%2Flist';
const PANEL = 'sidepanel.html?url=https%3A%2F%2Fshop.example.com%2Forders%2Flist';

/** A dashboard over a planted day. */
async function planted(onceover: Browser, pages = 60): Promise<Page> {
  const dashboard = await onceover.open('dashboard.html');
  await dashboard.locator('h1').waitFor();
  await plantViews(onceover, { pages });
  await dashboard.reload();
  return dashboard;
}

async function go(page: Page, hash: string): Promise<void> {
  await page.evaluate((hash) => (location.hash = hash), hash);
  await page.locator('h1').first().waitFor();
  if (hash === '#/report') await page.getByTestId('report').waitFor();
  if (hash.startsWith('#/watches')) await page.locator('.watch-main h2').first().waitFor();
  if (hash === '#/watches' || hash.startsWith('#/watches?page')) {
    await page.getByTestId('change').first().waitFor();
  }
  if (hash === '#/rounds') await page.locator('.start-form').last().waitFor();
  if (hash === RULES) await page.getByTestId('proposal').first().waitFor();
  if (hash === '#/options') await page.getByTestId('binding-save').waitFor();
  if (hash === '#/compare?show=changed') await page.getByTestId('equal-edits').waitFor();
  if (hash === '#/tree') await page.getByTestId('tree-row').first().waitFor();
  if (/pages|compare/.test(hash)) {
    await page
      .locator(
        hash.includes('nowhere')
          ? '.empty'
          : hash.includes('page=')
            ? '.why-card'
            : '[data-testid=page-row] .state',
      )
      .first()
      .waitFor();
  }
  // What is folded is looked at too.
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
}

interface Violation {
  id: string;
  help: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** Everything axe finds, as text. */
async function axe(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run: (options: object) => Promise<{ violations: Violation[] }> };
    };
    // The frame of a report runs nothing, so it does not answer either; it is looked at by itself.
    return (await axe.run({ resultTypes: ['violations'], iframes: false })).violations;
  });
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`,
  );
}

for (const [language, colorScheme] of [
  ['en', 'light'],
  ['zh-CN', 'dark'],
] as const) {
  test.describe(`${language}, ${colorScheme}`, () => {
    test.use({ launch: { language, colorScheme } });

    test('axe finds nothing on any page', async ({ onceover }) => {
      test.setTimeout(300_000);
      const empty = await onceover.open('dashboard.html');
      await empty.locator('h1').waitFor();
      expect(await axe(empty)).toEqual([]);
      const first = await onceover.open(ELSEWHERE);
      await first.getByTestId('start-round').waitFor();
      expect(await axe(first)).toEqual([]);
      const dashboard = await planted(onceover);
      for (const view of VIEWS) {
        await go(dashboard, view);
        expect(await axe(dashboard), view).toEqual([]);
        if (view !== '#/report') continue;
        const report = await onceover.context.newPage();
        await report.setContent((await dashboard.getByTestId('report').getAttribute('srcdoc')) ?? '');
        for (const table of await report.locator('summary').all()) await table.click();
        await expect(report.locator('svg.chart')).toHaveCount(3);
        expect(await axe(report), 'the report itself').toEqual([]);
        await report.setViewportSize({ width: 320, height: 640 });
        expect(await overflow(report), 'the report at 320 px').toEqual([]);
        await report.close();
      }
      for (const path of ALONE) {
        const page = await onceover.open(path);
        await page.locator('h1').waitFor();
        expect(await axe(page), path).toEqual([]);
        await page.close();
      }
      for (const other of [HERE, PANEL]) {
        const page = await onceover.open(other);
        await page.getByTestId('visited-count').waitFor();
        expect(await axe(page), other).toEqual([]);
        await page.close();
      }
    });

    test('nothing is cut off at 320 px, nor at 200 %', async ({ onceover }) => {
      const dashboard = await planted(onceover);
      // 1280 × 900 enlarged to 200 % is 640 × 450.
      for (const size of [
        { width: 320, height: 640 },
        { width: 640, height: 450 },
      ]) {
        await dashboard.setViewportSize(size);
        for (const view of VIEWS) {
          await go(dashboard, view);
          expect(await overflow(dashboard), `${view} at ${size.width} px`).toEqual([]);
        }
      }
      for (const path of ALONE) {
        const page = await onceover.open(path);
        await page.setViewportSize({ width: 320, height: 640 });
        await page.locator('h1').waitFor();
        expect(await overflow(page), path).toEqual([]);
        await page.close();
      }
      for (const path of [ELSEWHERE, HERE, PANEL]) {
        const page = await onceover.open(path);
        await page.setViewportSize({ width: 320, height: 300 });
        await page.locator('main').first().waitFor();
        expect(await overflow(page), path).toEqual([]);
        // The next action is in the first 300 px.
        const next = page.getByTestId(path === ELSEWHERE ? 'start-round' : 'next-unvisited');
        if (path !== PANEL) await expect(next).toBeInViewport();
        await page.close();
      }
    });
  });
}

/** Elements that stick out of the window to the side, unless they scroll by themselves. */
function overflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const scrolls = (element: Element | null): boolean => {
      for (let at = element; at; at = at.parentElement) {
        if (/auto|scroll|hidden/.test(getComputedStyle(at).overflowX) && at !== document.body) return true;
      }
      return false;
    };
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
      .filter((element) => !scrolls(element))
      .map((element) => element.outerHTML.slice(0, 120));
  });
}

test.describe('by keyboard alone', () => {
  test('a list is walked, opened, selected, searched and left', async ({ onceover }) => {
    const dashboard = await planted(onceover);
    await go(dashboard, '#/pages');
    const focused = dashboard.locator('[role=row]:focus');
    await dashboard.keyboard.press('j');
    await expect(focused).toHaveAttribute('aria-rowindex', '2');
    await dashboard.keyboard.press('j');
    await dashboard.keyboard.press('ArrowDown');
    await expect(focused).toHaveAttribute('aria-rowindex', '4');
    await dashboard.keyboard.press('k');
    await expect(focused).toHaveAttribute('aria-rowindex', '3');
    await expect(dashboard.locator('[role=row][tabindex="0"]')).toHaveCount(1);
    await dashboard.keyboard.press('x');
    await expect(focused).toHaveAttribute('aria-selected', 'true');
    await expect(dashboard.getByText('1 selected')).toBeVisible();
    await dashboard.keyboard.press('Enter');
    await expect(dashboard.locator('.why-card')).toBeVisible();
    expect(dashboard.url()).toContain('page=');
    await dashboard.keyboard.press('Escape');
    await expect(dashboard.locator('.why-card')).toHaveCount(0);
    await expect(focused).toHaveAttribute('aria-rowindex', '3');
    await dashboard.keyboard.press('/');
    await dashboard.keyboard.type('runbook');
    await expect(dashboard.getByTestId('page-row')).toHaveCount(1);
    expect(dashboard.url()).toContain('q=runbook');
    await dashboard.keyboard.press('Escape');
    await expect(dashboard.getByTestId('page-row').nth(5)).toBeVisible();
    await dashboard.keyboard.press('End');
    await dashboard.locator('h1').click();
    await dashboard.keyboard.press('e');
    await expect(dashboard.getByRole('heading', { name: 'Export' })).toBeVisible();
    await dashboard.keyboard.press('?');
    await expect(dashboard.getByRole('heading', { name: 'Shortcuts' })).toBeVisible();
    // The back button leads through what was seen.
    await dashboard.goBack();
    await expect(dashboard.getByRole('heading', { name: 'Export' })).toBeVisible();
    await dashboard.goBack();
    await expect(dashboard.getByRole('grid')).toBeVisible();
  });

  test('the focus is always to be seen', async ({ onceover }) => {
    const dashboard = await planted(onceover);
    for (const view of ['#/rounds', '#/pages', '#/export', '#/options']) {
      await go(dashboard, view);
      await dashboard.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      for (let step = 0; step < 25; step++) {
        await dashboard.keyboard.press('Tab');
        const outline = await dashboard.evaluate(() => {
          const element = document.activeElement;
          if (!element || element === document.body) return 'none needed';
          for (let at: Element | null = element; at; at = at.parentElement) {
            const { outlineStyle, outlineWidth } = getComputedStyle(at);
            if (outlineStyle !== 'none' && outlineWidth !== '0px') return 'seen';
          }
          return element.outerHTML.slice(0, 120);
        });
        expect(outline, view).toMatch(/^(seen|none needed)$/);
      }
    }
  });
});

test('the language follows the browser, and a choice in Options', async ({ onceover }) => {
  const dashboard = await planted(onceover);
  await go(dashboard, '#/options');
  await dashboard.getByLabel('Language').selectOption('简体中文');
  await expect(dashboard.getByRole('heading', { name: '选项' })).toBeVisible();
  await expect(dashboard.locator('html')).toHaveAttribute('lang', 'zh-CN');
  await expect(dashboard.getByRole('link', { name: '站点树' })).toBeVisible();
  // So do the tooltips of marks, whose words come from the worker.
  const tip = await dashboard.evaluate(() =>
    chrome.runtime.sendMessage<object, unknown>({ v: 1, id: 'tip', type: 'tip', shape: 'visited' }),
  );
  expect(tip).toEqual({ ok: { words: '本轮已访问' } });
  const popup = await onceover.open(HERE);
  await expect(popup.getByText('下一个未访问页面')).toBeVisible();
  await dashboard.getByLabel('主题').selectOption('深色');
  await expect(popup.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(popup.locator('body')).toHaveCSS('background-color', 'rgb(20, 23, 28)');
});

test('a long list scrolls to its end and back, with few rows in the page', async ({ onceover }) => {
  const dashboard = await planted(onceover, 1_500);
  await go(dashboard, '#/pages?show=visited');
  const grid = dashboard.getByRole('grid');
  await dashboard.keyboard.press('j');
  for (let step = 0; step < 20; step++) await dashboard.keyboard.press('PageDown');
  await expect(dashboard.locator('[role=row]:focus .state')).toBeVisible();
  expect(await dashboard.getByTestId('page-row').count()).toBeLessThan(60);
  const total = await dashboard.locator('.tabs [aria-current] b').innerText();
  expect(total).toBe('1,208');
  await expect
    .poll(
      async () => {
        await dashboard.keyboard.press('End');
        return grid.getAttribute('aria-rowcount');
      },
      { intervals: [50], timeout: 15_000 },
    )
    .toBe('1209');
  await dashboard.keyboard.press('End');
  await expect(dashboard.locator('[role=row]:focus')).toHaveAttribute('aria-rowindex', '1209');
  await dashboard.keyboard.press('Home');
  await expect(dashboard.locator('[role=row]:focus')).toHaveAttribute('aria-rowindex', '2');
  await expect(dashboard.locator('[role=row]:focus .state')).toBeVisible();
});

test('hostile titles and addresses stay text, from left to right', async ({ onceover }) => {
  const dashboard = await onceover.open('dashboard.html');
  await dashboard.locator('h1').waitFor();
  const day = workingDay(Date.now(), 0);
  const page = day.pages.find(({ space, state }) => space === 'round-2' && state === 'visited')!;
  const key = 'http://facebook.com.xn--mgbh0fb/%D9%A0/123';
  day.pages.push({
    ...page,
    key,
    url: key,
    host: 'facebook.com.xn--mgbh0fb',
    path: '/%D9%A0/123',
    seq: 9_999,
    title: '<img src=x onerror="document.title=1">\u202Eevil',
  });
  await plant(onceover.backstage, day);
  await dashboard.goto(onceover.url(`dashboard.html#/pages?page=${encodeURIComponent(key)}`));
  await dashboard.reload();
  const row = dashboard.getByTestId('page-row').filter({ hasText: 'facebook.com.xn--mgbh0fb' });
  await expect(row).toContainText('/%D9%A0/123');
  await expect(dashboard.locator('.why-card')).toContainText('<img src=x');
  expect(await dashboard.locator('.why-card img').count()).toBe(0);
  await expect(row.locator('bdi').first()).toHaveAttribute('dir', 'ltr');
});
