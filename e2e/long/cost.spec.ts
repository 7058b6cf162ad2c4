// What the observer costs a page: on pages without scripts of their own, the CPU time of all scripts on the main thread, calls
// into the DOM included; on a page with scripts, the samples of its profiler with the content script on their stack.
import type { Page } from '@playwright/test';
import { Round } from '../capture/round.ts';
import { expect, test } from '../harness/test.ts';
import { observerTime, scriptTime, startSite } from '../page-cost.ts';

test.use({ launch: { grant: 'start' } });

/** Links of the round that are stored; counted, since reading very many rows would cost the worker its time. */
const known = async (round: Round) => (await round.row()).counters.known;

for (const [count, limit] of [
  [10_000, 50],
  [50_000, 500],
] as const) {
  test(
    `${count} links: less than ${limit} ms of the main thread, all stored`,
    { tag: '@long' },
    async ({ onceover: browser }) => {
      test.setTimeout(240_000);
      const site = await startSite();
      const load = (isDone: (page: Page) => Promise<unknown>) =>
        scriptTime(browser.context, `${site.url}/links/${count}?links`, isDone);
      const outside = await load((page) => page.waitForTimeout(3000));
      const round = await Round.start(browser, site.url);
      const begun = performance.now();
      const isStored = () => expect.poll(() => known(round), { timeout: 120_000 }).toBe(count);
      const time = await load(isStored);
      const stored = performance.now() - begun;
      console.log(`outside of a round: ${outside.toFixed(1)} ms`);
      console.log(`${count} links: ${time.toFixed(1)} ms, stored after ${(stored / 1000).toFixed(1)} s`);
      expect(outside, 'outside of a round').toBeLessThan(2);
      expect(time, 'the observer has run').toBeGreaterThan(outside);
      expect(time).toBeLessThan(limit);
      site.server.close();
    },
  );
}

test(
  '100 new links a frame: less than 5 % of the frames',
  { tag: '@long' },
  async ({ onceover: browser }) => {
    const site = await startSite();
    const round = await Round.start(browser, site.url);
    const page = await browser.context.newPage();
    await page.goto(`${site.url}/stream?links`);
    let wall = 0;
    const time = await observerTime(page, async () => {
      const begun = performance.now();
      await page.waitForFunction(() => document.title === 'done', undefined, { timeout: 60_000 });
      wall = performance.now() - begun;
    });
    console.log(
      `stream: ${time.toFixed(1)} ms in ${wall.toFixed(0)} ms, ${((100 * time) / wall).toFixed(2)} %`,
    );
    await expect.poll(() => known(round), { timeout: 60_000 }).toBe(18_000);
    // Lazily added links within a second, on a page that has very many.
    const added = await page.evaluate(() => {
      document.getElementById('list')?.append(Object.assign(document.createElement('a'), { href: '/late' }));
      return Date.now();
    });
    await expect.poll(() => known(round)).toBe(18_001);
    const late = (await round.pageRows()).find(({ key }) => key.endsWith('/late'));
    expect(late?.linkedAt).toBeLessThan(added + 1000);
    expect(time / wall).toBeLessThan(0.05);
    site.server.close();
  },
);
