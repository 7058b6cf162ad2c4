// Rules, the site tree and diagnostics, by what a person sees. Two addresses are one page or two: the test says which.
import type { Page } from '@playwright/test';
import { Popup } from './harness/popup.ts';
import { expect, test } from './harness/test.ts';
import { plant, workingDay } from './seed.ts';

test.use({ launch: { grant: 'sites' } });

const SHOP = 'https://shop.example.com';

function rules(a: string, b: string, by = ''): string {
  return `#/rules?${new URLSearchParams({ a, b, ...(by && { by }) }).toString()}`;
}

async function go(dashboard: Page, hash: string): Promise<void> {
  await dashboard.evaluate((hash) => (location.hash = hash), hash);
}

test('a rule is added, judged, refused, changed, deleted and brought back', async ({ onceover }) => {
  const dashboard = await onceover.open('dashboard.html');
  await dashboard.locator('h1').waitFor();
  await plant(onceover.backstage, workingDay(Date.now(), 5));
  await dashboard.reload();
  const verdict = dashboard.getByTestId('test-verdict');
  const toast = dashboard.locator('.toast');

  await go(dashboard, rules(`${SHOP}/item?b=1&id=7&utm_source=a#x`, `${SHOP}/item?utm_source=b&id=7&b=1`));
  await expect(verdict).toHaveText('Same page');
  const [first, second] = [
    dashboard.getByTestId('test-side').nth(0),
    dashboard.getByTestId('test-side').nth(1),
  ];
  await expect(first.getByTestId('why-step')).toHaveCount(2);
  await expect(first).toContainText('Drop fragment');
  await expect(second.getByTestId('why-step')).toHaveCount(2);
  await expect(second).toContainText('Sort parameters by name');

  await dashboard.getByRole('button', { name: 'Add a site rule' }).click();
  const form = dashboard.getByRole('form', { name: 'Site rules' });
  await form.getByRole('button', { name: 'Save rule' }).click();
  await expect(form.getByRole('alert')).toContainText('Name a parameter');
  await form.getByLabel('Site').fill('https://shop.example.com/');
  await form.getByLabel('Parameters to keep').fill('utm_source');
  await form.getByRole('button', { name: 'Save rule' }).click();
  await expect(form.getByRole('alert')).toContainText('siteRules[0].host');
  await form.getByLabel('Site').fill('Shop.Example.com');
  await form.getByRole('button', { name: 'Save rule' }).click();
  await expect(toast).toContainText('acts from the next round on');
  await expect(dashboard.getByTestId('site-rule')).toContainText('keeps utm_source');
  await expect(verdict).toContainText('Two pages');
  await expect(verdict).toContainText('They differ first in the query: utm_source=a and utm_source=b.');
  // The round that is open keeps its rules.
  await dashboard.getByLabel('By the rules of').selectOption({ label: 'the next round' });
  await dashboard.getByLabel('By the rules of').selectOption({ index: 1 });
  await expect(verdict).toHaveText('Same page');
  await dashboard.goBack();
  await expect(verdict).toContainText('Two pages');

  await dashboard.getByRole('button', { name: /Delete the rule of shop/i }).click();
  await expect(verdict).toHaveText('Same page');
  await toast.getByRole('button', { name: 'Undo' }).click();
  await expect(verdict).toContainText('Two pages');
  await expect(dashboard.getByTestId('site-rule')).toHaveCount(1);

  await dashboard.getByText('Policy as text').click();
  const policy = dashboard.getByRole('textbox', { name: /as the command line reads it/ });
  await policy.fill('{ "presett": "broad" }');
  await dashboard.getByRole('button', { name: 'Save policy' }).click();
  await expect(dashboard.getByRole('alert')).toContainText('"presett" is unknown');
  await policy.fill('{ "preset": "broad" }');
  await dashboard.getByRole('button', { name: 'Save policy' }).click();
  await expect(dashboard.getByLabel('Preset')).toHaveValue('broad');
  await expect(dashboard.getByTestId('site-rule')).toHaveCount(0);

  await go(dashboard, rules(`${SHOP}/`, 'mailto:a@example.com'));
  await expect(verdict).toHaveText('Not both have a key');
  await expect(second).toContainText('Not a web address: only http and https have keys.');
});

test('a rule file is read, its bad parts are named, and it can be taken back', async ({ onceover }) => {
  const dashboard = await onceover.open('dashboard.html');
  await dashboard.locator('h1').waitFor();
  await plant(onceover.backstage, workingDay(Date.now(), 5));
  await dashboard.goto(onceover.url(`dashboard.html${rules(`${SHOP}/a?zz=1`, `${SHOP}/a?zz=2`)}`));
  await dashboard.reload();
  const verdict = dashboard.getByTestId('test-verdict');
  await expect(verdict).toContainText('Two pages');
  const choose = (name: string, content: string) =>
    dashboard
      .getByLabel('Rule file', { exact: true })
      .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(content) });
  await choose('notes.json', '[1]');
  await expect(dashboard.getByTestId('import-problem')).toHaveText('This is not a ClearURLs rule file');
  const provider = { urlPattern: '^https?://(?:[a-z0-9-]+\\.)*example\\.com', rules: ['zz', '(a+)+$', '('] };
  await choose('data.min.json', JSON.stringify({ providers: { shop: provider } }));
  await expect(verdict).toHaveText('Same page');
  await expect(dashboard.getByTestId('import-problem')).toHaveCount(2);
  await expect(dashboard.getByTestId('import-problem').nth(0)).toContainText('shop.rules takes too long');
  await expect(dashboard.getByTestId('import-problem').nth(1)).toContainText('is not a regular expression');
  await dashboard.getByText('1 imported site', { exact: true }).click();
  await dashboard.getByRole('button', { name: 'Delete the rule of shop' }).click();
  await expect(verdict).toContainText('Two pages');
  await dashboard.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  await expect(verdict).toHaveText('Same page');
});

test('split on the why card acts in the next round, and not in this one', async ({ onceover, demo }) => {
  const tab = await onceover.context.newPage();
  const addresses = ['/shop/item/101?utm_source=a', '/shop/item/101?utm_source=b'].map(
    (path) => demo.url + path,
  );
  const walk = async (): Promise<void> => {
    for (const address of addresses) {
      await tab.goto(address);
      await tab.waitForTimeout(250);
    }
  };
  await tab.goto(`${demo.url}/shop`);
  const popup = await Popup.open(onceover, tab);
  await popup.click('[data-testid="start-round"]');
  await popup.waitFor('[data-testid="visited-count"]');
  await popup.close();
  await walk();

  const dashboard = await onceover.open('dashboard.html#/pages?show=visited&q=item%2F101');
  const rows = dashboard.getByTestId('page-row');
  await expect(rows).toHaveCount(1);
  await rows.first().click();
  const other = dashboard.getByTestId('why-address').filter({ hasText: 'utm_source=b' });
  await expect(other).toHaveCount(1);
  await other.locator('summary').click();
  await other.getByRole('button', { name: 'Split these addresses' }).click();
  await expect(dashboard.locator('.toast')).toContainText('Two pages from the next round on: “utm_source”');
  await expect(other).toContainText('two pages from the next round on');
  await walk();
  await expect(rows).toHaveCount(1);

  await go(dashboard, '#/rounds');
  await dashboard.getByRole('button', { name: 'Close the round' }).click();
  await dashboard.getByTestId('end-round').click();
  await tab.goto('about:blank');
  await dashboard.getByTestId('start-round').click();
  await expect(dashboard.getByTestId('round-state').filter({ hasText: 'Recording' })).toBeVisible();
  await walk();
  await go(dashboard, '#/pages?show=visited&q=item%2F101');
  await expect(rows).toHaveCount(2);
});

test('the tree is walked by keyboard, and its counts are those of the lists behind it', async ({
  onceover,
}) => {
  const dashboard = await onceover.open('dashboard.html');
  await dashboard.locator('h1').waitFor();
  await plant(onceover.backstage, workingDay(Date.now(), 60));
  await dashboard.goto(onceover.url('dashboard.html#/tree'));
  await dashboard.reload();
  const rows = dashboard.getByTestId('tree-row');
  await expect(dashboard.getByText('77 pages on 3 sites')).toBeVisible();
  const focused = dashboard.locator('[role=row]:focus');
  await rows.first().focus();
  await dashboard.keyboard.press('ArrowLeft');
  await expect(focused).toHaveAttribute('aria-expanded', 'false');
  await dashboard.keyboard.press('l');
  await expect(focused).toHaveAttribute('aria-expanded', 'true');
  for (const key of ['j', 'j', 'ArrowDown', 'l', 'ArrowRight']) await dashboard.keyboard.press(key);
  await expect(focused).toHaveAttribute('aria-level', '3');
  await expect(focused).toContainText('/catalogue/item-{id}');
  await expect(focused).toContainText('60 of one shape');
  await dashboard.keyboard.press('h');
  await expect(focused).toContainText('/catalogue/');
  const pages = await focused.getByRole('gridcell').nth(1).innerText();
  expect(pages).toBe('60');
  await dashboard.keyboard.press('Enter');
  await expect(dashboard.getByText('Only pages below shop.example.com/catalogue/')).toBeVisible();
  await expect(dashboard.getByRole('grid')).toHaveAttribute('aria-rowcount', '61');
  await dashboard.getByRole('link', { name: 'Show all pages' }).click();
  await expect(dashboard.getByRole('grid')).not.toHaveAttribute('aria-rowcount', '61');
});

test('a collecting scope keeps its rules, and diagnostics say what was counted', async ({ onceover }) => {
  const dashboard = await onceover.open('dashboard.html');
  await dashboard.locator('h1').waitFor();
  const day = workingDay(Date.now(), 5);
  day.scopes[0]!.mode = 'collecting';
  await plant(onceover.backstage, day);
  await dashboard.goto(onceover.url('dashboard.html#/rules'));
  await dashboard.reload();
  await expect(dashboard.getByText('all its rounds keep the rules it began with')).toBeVisible();
  await expect(dashboard.getByLabel('Preset')).toBeDisabled();
  await expect(dashboard.getByRole('button', { name: 'Add a site rule' })).toBeDisabled();
  await go(dashboard, '#/data');
  await expect(dashboard.getByText('2 repeats not counted again')).toBeVisible();
  await expect(dashboard.getByRole('link', { name: 'shop.example.com/news/a-337' })).toBeVisible();
  await expect(dashboard.getByText('A radix trie.')).toBeVisible();
});
