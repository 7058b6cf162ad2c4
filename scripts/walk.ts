// A walk through the practice site with real clicks and keys: the demonstration round of `npm start -- --headless`.
import type { BrowserContext, Page } from '@playwright/test';
import { DIFFERENT, SAME } from '../demo/addresses.mjs';

/** Follows links in one tab and counts what it did; knows nothing of the extension. */
export class Walk {
  /** Every navigation so far, by the address that was asked for. */
  readonly steps: string[] = [];
  /** How many of them were routes of a single-page application, for which the site was asked nothing. */
  routes = 0;
  private readonly page: Page;
  private readonly context: BrowserContext;

  constructor(page: Page) {
    this.page = page;
    this.context = page.context();
  }

  private link(href: string) {
    return this.page.locator(`a[href="${href}"]`).first();
  }

  /** A left click on a link of the page. */
  async click(href: string): Promise<void> {
    this.steps.push(href);
    await Promise.all([this.page.waitForNavigation({ waitUntil: 'load' }), this.link(href).click()]);
  }

  /** The same by keyboard: the link gets the focus and Enter is pressed. */
  async enter(href: string): Promise<void> {
    this.steps.push(href);
    await this.link(href).focus();
    await Promise.all([
      this.page.waitForNavigation({ waitUntil: 'load' }),
      this.page.keyboard.press('Enter'),
    ]);
  }

  /** Opens a link in a new tab, looks at it until `arrived` (if the link leads elsewhere) and closes the tab. */
  async aside(
    href: string,
    how: 'middle' | 'control' | 'keys' | 'target' = 'middle',
    arrived?: string,
  ): Promise<void> {
    this.steps.push(href);
    const opened = this.context.waitForEvent('page');
    if (how === 'middle') await this.link(href).click({ button: 'middle' });
    else if (how === 'control') await this.link(href).click({ modifiers: ['Control'] });
    else if (how === 'target') await this.link(href).click();
    else {
      await this.link(href).focus();
      await this.page.keyboard.press('Control+Enter');
    }
    const tab = await opened;
    if (arrived) await tab.waitForURL(`**${arrived}`);
    await tab.waitForLoadState('load');
    await this.linger();
    await tab.close();
    await this.page.bringToFront();
  }

  /** A route of a single-page application: no document is loaded, the address settles. */
  async route(href: string): Promise<void> {
    this.steps.push(href);
    this.routes++;
    await this.link(href).click();
    await this.linger(1200);
  }

  /** Types words into a search field and presses Enter. */
  async search(words: string): Promise<void> {
    this.steps.push(`search for ${words}`);
    await this.page.locator('form[method="get"] input[name="q"]').pressSequentially(words);
    await Promise.all([
      this.page.waitForNavigation({ waitUntil: 'load' }),
      this.page.keyboard.press('Enter'),
    ]);
  }

  /** Looks at the page for a moment, in ms. */
  async linger(moment = 250): Promise<void> {
    await this.page.waitForTimeout(moment);
  }
}

/** Walks through every corner once, and through some of them again by other addresses. The tab shows the site's `/`. */
export async function walkAround(page: Page): Promise<Walk> {
  const walk = new Walk(page);
  const lookAt = async (href: string): Promise<void> => {
    await walk.click('/');
    await walk.click(href);
  };

  // The shop, item by item: each link glues something else to the address.
  await walk.click('/shop');
  await walk.click('/shop/item/101?utm_source=home&utm_medium=banner');
  await walk.enter('/shop/item/102?from=singlemessage&share_token=t102');
  await walk.click('/shop');
  await walk.enter('/shop/c/teapots');
  await walk.click('/shop/item/103?spm=shop.list.103');
  await walk.click('/shop');
  await walk.click('/shop/search');
  await walk.search('茶杯');

  // The same pages by other addresses, and pages that only look alike.
  await lookAt('/shop/variants');
  const ways = ['middle', 'control', 'keys'] as const;
  const alike = DIFFERENT.filter(({ one }) => !one.includes('#')).flatMap(({ one, other }) => [one, other]);
  const addresses = [...SAME.flatMap((group) => group.addresses.map(({ href }) => href)), ...alike];
  for (const [at, href] of addresses.entries()) await walk.aside(href, ways[at % ways.length]);

  // News, and the same article printed.
  await walk.click('/news');
  await walk.click('/news?page=2');
  await walk.click('/news/a/24?from=timeline');
  await walk.aside('/news/a/24?print=1');

  // Roads that lead elsewhere.
  await lookAt('/roads');
  await walk.aside('/s/t1', 'middle', '/shop/item/104');
  await walk.aside('/s/n1', 'control', '/news/a/7');
  await walk.aside('/old/item/106', 'middle', '/shop/item/106');
  await walk.aside('/go/chain/111', 'middle', '/shop/item/111');
  await walk.aside('/go/meta/112', 'middle', '/shop/item/112');
  await walk.aside('/go/script/113', 'middle', '/shop/item/113');
  // Two pages that ask to log in: they are not seen, and wait for another try.
  for (const href of ['/account/orders', '/account/invoices'])
    await walk.aside(href, 'middle', `/login?next=${href}`);

  // Troubles: two tries fail, the third works; others stay as they are.
  await lookAt('/troubles');
  for (let tries = 0; tries < 3; tries++) await walk.aside('/flaky/kettle');
  for (const href of ['/busy', '/missing', '/withdrawn']) await walk.aside(href);

  // The status page, twice at the same address: its numbers differ.
  for (let looks = 0; looks < 2; looks++) {
    await lookAt('/dashboard');
    await walk.linger(2000);
  }

  // Single-page applications.
  await lookAt('/app/hosts');
  await walk.route('/app/alerts');
  await walk.route('/app/search');
  await lookAt('/board#/overview');
  await walk.route('#/hosts');
  await walk.route('#/hosts/db-1');

  // A link that opens beside the page.
  await lookAt('/doors');
  await walk.aside('/shop/item/114', 'target');
  return walk;
}
