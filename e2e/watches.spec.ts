// A page whose address stays: a change of its text is found in Watches, read, shown on the page, seen by a key, ignored and taken back.
import { expect, test } from './capture/round.ts';

test('what changes on an open page is found, read, shown, seen and ignored', async ({ round, tab, demo }) => {
  const board = `${demo.url}/dashboard`;
  await tab.goto(board);
  await expect(tab.getByText('checkout')).toBeVisible();

  const dashboard = await round.browser.open('dashboard.html#/watches');
  const row = dashboard.getByTestId('watchable').filter({ hasText: '/dashboard' });
  await row.getByRole('button', { name: 'Watch this page' }).click();
  const watch = dashboard.getByTestId('watch');
  await expect(watch).toHaveCount(1);
  // The first look, once the page is in view, is what later ones are compared with.
  await tab.bringToFront();
  await expect(dashboard.getByTestId('compared')).toContainText('nothing to compare', { timeout: 60_000 });

  // At its second look the practice site says that the service `mail` is down; its numbers move as well.
  await tab.getByRole('button', { name: 'Look again' }).click();
  await expect(tab.locator('tr.down')).toContainText('mail');
  await dashboard.bringToFront();
  await expect(watch).toHaveAttribute('data-unseen', '');
  await expect(dashboard.getByRole('link', { name: 'Watches 1' })).toBeVisible();
  const down = dashboard.getByTestId('change').filter({ hasText: 'DOWN' });
  await expect(down).toHaveCount(1);
  await expect(down).toContainText('mail, State');
  await expect(down.locator('del')).toHaveText('UP');
  await expect(down.locator('ins')).toHaveText('DOWN');

  // By keyboard: to the change, to its page, back.
  await dashboard.locator('h1').click();
  await dashboard.keyboard.press('j');
  const focused = dashboard.locator('.change:focus');
  await expect(focused).toHaveCount(1);
  for (let step = 0; step < 20 && !(await focused.innerText()).includes('DOWN'); step++) {
    await dashboard.keyboard.press('j');
  }
  await expect(focused).toContainText('DOWN');
  await dashboard.keyboard.press('Enter');
  await expect(tab.locator('onceover-picker')).toBeAttached();
  await expect.poll(() => tab.evaluate(() => document.visibilityState)).toBe('visible');
  await dashboard.bringToFront();

  // Ignored, and taken back.
  await down.focus();
  await dashboard.keyboard.press('i');
  await expect(down).toHaveCount(0);
  await expect(dashboard.getByTestId('noise')).toContainText('Ignored blocks 1');
  await dashboard.locator('h1').click();
  await dashboard.keyboard.press('u');
  await expect(down).toHaveCount(1);

  // Seen by one key, and taken back.
  await dashboard.keyboard.press('s');
  await expect(watch).not.toHaveAttribute('data-unseen');
  await expect(dashboard.getByRole('link', { name: 'Watches 1' })).toHaveCount(0);
  await dashboard.keyboard.press('u');
  await expect(watch).toHaveAttribute('data-unseen', '');
  await expect(down).toHaveCount(1);

  // Two versions stand on the line of time; the address of their comparison leads to it again.
  await dashboard.getByTestId('versions').locator('summary').click();
  await expect(dashboard.getByTestId('version')).toHaveCount(2);
  await dashboard.getByTestId('version').first().getByRole('radio').first().check();
  await expect(dashboard).toHaveURL(/from=.*to=/);
  await expect(dashboard.getByTestId('no-change')).toBeVisible();
  await dashboard.goBack();
  await expect(down).toHaveCount(1);

  // A region of the page is picked on it, and is a watch of its own.
  await dashboard.getByRole('button', { name: 'Watch a region' }).click();
  await expect.poll(() => tab.evaluate(() => document.visibilityState)).toBe('visible');
  const mail = tab.locator('tr.down td').nth(1);
  await mail.hover();
  await tab.keyboard.press('Enter');
  await dashboard.bringToFront();
  await expect(watch).toHaveCount(2);
  await expect(watch.filter({ hasText: 'mail' })).toHaveCount(1);
  await watch.filter({ hasNotText: 'mail' }).getByRole('link').click();

  // The end of a watch can be taken back, with all it knew.
  await dashboard.getByText('How it is watched').click();
  await dashboard.getByRole('button', { name: 'Stop watching' }).click();
  await expect(watch).toHaveCount(1);
  await dashboard.keyboard.press('u');
  await expect(watch).toHaveCount(2);
  await watch.filter({ hasNotText: 'mail' }).getByRole('link').click();
  await expect(down).toHaveCount(1);
});
