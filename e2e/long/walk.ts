// A long walk over the practice site by real clicks and keys, the same for the same seed, with its own account of what must
// have been recorded.
import type { BrowserContext, Page } from '@playwright/test';

/** Numbers from 0 to below `n`, the same for the same seed (mulberry32). */
export function dice(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * n) | 0;
  };
}

/** What the walk knows must be stored: how often each page was shown, and the pages that only failed. */
export interface Account {
  shown: Map<string, number>;
  failed: Map<string, number>;
}

/** How long a page is looked at, in ms. */
const DWELL = 300;

export class Walk {
  readonly account: Account = { shown: new Map(), failed: new Map() };
  /** Visits and clicks so far. */
  done = 0;
  private readonly site: string;
  private readonly context: BrowserContext;
  private readonly roll: (n: number) => number;
  private tab: Page | undefined;
  /** Path of the page shown in the tab. */
  private here = '';

  constructor(context: BrowserContext, site: string, seed: number) {
    this.context = context;
    context.setDefaultTimeout(20_000);
    this.site = site;
    this.roll = dice(seed);
  }

  private shown(path: string): void {
    this.account.shown.set(path, (this.account.shown.get(path) ?? 0) + 1);
    this.done += 1;
  }

  private async page(): Promise<Page> {
    this.tab ??= await this.context.newPage();
    return this.tab;
  }

  private async type(path: string, shows = path): Promise<void> {
    const tab = await this.page();
    await tab.goto(this.site + path);
    await tab.waitForURL(this.site + shows);
    this.shown(shows);
    this.here = shows;
  }

  /** Clicks the link with that address in a page put there for it, so that every step is possible everywhere. */
  private async click(path: string, how: 'click' | 'enter' | 'new tab'): Promise<void> {
    const tab = await this.page();
    this.done += 1;
    await tab.evaluate((path) => {
      document.querySelector('#walk')?.remove();
      const link = Object.assign(document.createElement('a'), {
        id: 'walk',
        href: path,
        textContent: 'walk',
      });
      document.body.prepend(link);
    }, path);
    if (how === 'new tab') {
      const opened = this.context.waitForEvent('page');
      await tab.click('#walk', { button: 'middle' });
      const other = await opened;
      await other.waitForLoadState();
      this.shown(path);
      await other.waitForTimeout(DWELL);
      await other.close();
      return;
    }
    if (how === 'click') await tab.click('#walk');
    else await tab.press('#walk', 'Enter');
    await tab.waitForURL(this.site + path);
    this.shown(path);
    this.here = path;
  }

  /** Changes the address of an application, as its own links do. */
  async route(): Promise<void> {
    if (!this.here.startsWith('/app/')) await this.type('/app/hosts');
    const tab = await this.page();
    await tab.waitForTimeout(900);
    const path = ['/app/alerts', '/app/hosts', '/app/hosts/db-1', '/app/hosts/web-2'].filter(
      (path) => path !== this.here,
    )[this.roll(3)]!;
    await tab.evaluate((path) => history.pushState(null, '', path), path);
    this.here = path;
    this.shown(path);
    await tab.waitForTimeout(900);
  }

  private async fail(): Promise<void> {
    const tab = await this.page();
    const path = ['/busy', '/too-many'][this.roll(2)]!;
    await tab.goto(this.site + path);
    this.account.failed.set(path, (this.account.failed.get(path) ?? 0) + 1);
    this.done += 1;
    this.here = path;
  }

  private async reload(): Promise<void> {
    const tab = await this.page();
    if (!this.account.shown.has(this.here)) return this.type('/shop');
    await tab.reload();
    this.shown(this.here);
  }

  /** One step of a person. */
  async step(): Promise<void> {
    const item = `/shop/item/${101 + this.roll(20)}`;
    const article = `/news/a/${1 + this.roll(25)}`;
    switch (this.here === '' ? 0 : this.roll(10)) {
      case 0:
        await this.type(article);
        break;
      case 1:
        await this.type(item.replace('/shop/', '/old/'), item);
        break;
      case 2:
        await this.route();
        break;
      case 3:
        await this.fail();
        break;
      case 4:
        await this.reload();
        break;
      case 5:
        await this.click(item, 'new tab');
        break;
      case 6:
        await this.click(article, 'enter');
        break;
      default:
        await this.click(item, 'click');
    }
    await (await this.page()).waitForTimeout(DWELL);
  }
}
