// A round of its own for each test of capture, in a browser that the tests of one worker share; what was recorded as lines.
import { test as base, expect, type Page } from '@playwright/test';
import { startDemo, type Demo } from '../../demo/server.mjs';
import type { Page as PageRow, Round as RoundRow, Visit } from '#lib/rounds/types.ts';
import { Browser } from '../harness/browser.ts';
import { storedRows } from '../harness/stored.ts';

export { expect };

type Answer = { ok: Record<string, never> } | { error: { code: string; detail: string } };

/** Asks the worker as a view does. */
export async function ask<T>(browser: Browser, type: string, fields: object = {}): Promise<T> {
  const message = { v: 1, id: crypto.randomUUID(), type, ...fields };
  const answer = await browser.backstage.evaluate(
    (message) => chrome.runtime.sendMessage<object, Answer>(message),
    message,
  );
  if ('error' in answer) throw new Error(`${type}: ${answer.error.code}, ${answer.error.detail}`);
  return answer.ok as T;
}

/** A round that is open, and what was recorded in it. */
export class Round {
  readonly browser: Browser;
  readonly site: string;
  readonly id: string;
  private readonly space: string;

  private constructor(browser: Browser, site: string, { id, space }: { id: string; space: string }) {
    this.browser = browser;
    this.site = site;
    this.id = id;
    this.space = space;
  }

  /** Starts a round over everything at 127.0.0.1, with a scope of its own. */
  static async start(browser: Browser, site: string, origins = ['http://127.0.0.1/*']): Promise<Round> {
    const scope = { name: 'Practice site', origins };
    const { round } = await ask<{ round: { id: string; space: string } }>(browser, 'startRound', {
      scope,
      base: 'none',
    });
    return new Round(browser, site, round);
  }

  async end(): Promise<void> {
    await ask(this.browser, 'endRound', { round: this.id });
  }

  private path(url: string | undefined): string {
    return (url ?? '?').replace(this.site, '');
  }

  async visitRows(): Promise<Visit[]> {
    const visits = await storedRows<Visit>(this.browser.backstage, 'visits');
    return visits
      .filter(({ space }) => space === this.space)
      .toSorted((a, b) => a.at - b.at || a.seq - b.seq);
  }

  async pageRows(): Promise<PageRow[]> {
    const pages = await storedRows<PageRow>(this.browser.backstage, 'pages');
    return pages.filter(({ space }) => space === this.space);
  }

  /** The round itself, as it is stored. */
  async row(): Promise<RoundRow> {
    const rounds = await storedRows<RoundRow>(this.browser.backstage, 'rounds');
    const row = rounds.find(({ id }) => id === this.id);
    if (!row) throw new Error('The round is not stored.');
    return row;
  }

  /** Every visit in order of time: kind, address, how, and `< source` where that is known. */
  async visits(): Promise<string[]> {
    return (await this.visitRows()).map(({ kind, url, how, source, chain = [] }) =>
      [
        kind,
        this.path(url),
        how,
        ...chain.map((hop) => `via ${this.path(hop.url)}`),
        ...(source === undefined ? [] : [`< ${this.path(source)}`]),
      ].join(' '),
    );
  }

  /** Every page that is more than a known link: its state and address. */
  async pages(): Promise<string[]> {
    const rows = (await this.pageRows()).filter(({ state }) => state !== 'known');
    return rows.map(({ state, url }) => `${state} ${this.path(url)}`).toSorted();
  }

  /** Addresses of known links. */
  async known(): Promise<string[]> {
    const rows = (await this.pageRows()).filter(({ state }) => state === 'known');
    return rows.map(({ url }) => this.path(url)).toSorted();
  }

  /** Waits for exactly these visits, and sees that none follows. */
  async expectVisits(expected: string[], wait = 300): Promise<void> {
    await expect.poll(() => this.visits(), { timeout: 8000 }).toEqual(expected);
    await new Promise((done) => setTimeout(done, wait));
    expect(await this.visits()).toEqual(expected);
  }
}

interface Shared {
  browser: Browser;
  demo: Demo;
}

export const test = base.extend<
  { round: Round; tab: Page; demo: Demo; browserOf: Browser },
  { shared: Shared }
>({
  shared: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs.
    async ({}, use) => {
      const demo = await startDemo();
      const browser = await Browser.launch({
        grant: 'start',
        ignoreDefaultArgs: ['--disable-back-forward-cache'],
      });
      await use({ browser, demo });
      await browser.dispose();
      await demo.close();
    },
    { scope: 'worker' },
  ],
  demo: async ({ shared }, use) => {
    shared.demo.reset();
    await use(shared.demo);
  },
  browserOf: async ({ shared }, use) => {
    await use(shared.browser);
  },
  round: async ({ shared }, use) => {
    const round = await Round.start(shared.browser, shared.demo.url);
    await use(round);
    await round.end();
    // Tabs that a test opened must not speak in the next one.
    const { context, backstage } = shared.browser;
    for (const page of context.pages()) if (page !== backstage) await page.close();
  },
  tab: async ({ round }, use) => {
    await use(await round.browser.context.newPage());
  },
});
