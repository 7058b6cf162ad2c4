// The browser's main process is killed while it writes: what was acknowledged is there, and counters agree with rows.
import type { Page as PageRow, Visit } from '#lib/rounds/types.ts';
import { ask, Round } from '../capture/round.ts';
import { storedRows } from '../harness/stored.ts';
import { expect, test } from '../harness/test.ts';
import { Walk } from './walk.ts';

test.use({ launch: { grant: 'start' } });

async function expectAgreement(round: Round): Promise<void> {
  const [{ counters }, pages, visits] = await Promise.all([round.row(), round.pageRows(), round.visitRows()]);
  const inState = (state: string) => pages.filter((page) => page.state === state).length;
  const ofKind = (...kinds: string[]) => visits.filter(({ kind }) => kinds.includes(kind)).length;
  expect(counters).toMatchObject({
    known: inState('known'),
    visited: inState('visited'),
    retrying: inState('retrying'),
    gone: inState('gone'),
    visits: ofKind('first', 'return'),
    failed: ofKind('failed'),
  });
  const shown = new Map<string, number>();
  for (const { key, kind } of visits) {
    if (kind === 'first' || kind === 'return') shown.set(key, (shown.get(key) ?? 0) + 1);
  }
  for (const { key, visits } of pages) expect(visits).toBe(shown.get(key) ?? 0);
}

test(
  'the browser is killed three times while it writes',
  { tag: '@long' },
  async ({ onceover: browser, demo }) => {
    test.setTimeout(5 * 60_000);
    const round = await Round.start(browser, demo.url);
    let noted = 0;

    for (let kill = 0; kill < 3; kill++) {
      const walk = new Walk(browser.context, demo.url, kill);
      await walk.step();
      const [page] = await expect
        .poll(() => storedRows<PageRow>(browser.backstage, 'pages'))
        .not.toEqual([])
        .then(() => storedRows<PageRow>(browser.backstage, 'pages'));
      const seen = new Set<number>();
      const life = { isOver: false };
      // Writing without pause, while it is seen what was acknowledged.
      const writing = (async () => {
        while (!life.isOver) {
          await ask(browser, 'setVerdict', {
            space: page!.space,
            key: page!.key,
            verdict: 'ok',
            note: String(noted + 1),
          });
          noted += 1;
        }
      })();
      const watching = (async () => {
        while (!life.isOver)
          for (const { seq } of await storedRows<Visit>(browser.backstage, 'visits')) seen.add(seq);
      })();
      const walking = (async () => {
        while (!life.isOver) await walk.step();
      })();
      await new Promise((done) => setTimeout(done, 4000 + 700 * kill));
      await browser.kill();
      life.isOver = true;
      await Promise.allSettled([writing, watching, walking]);

      await browser.start();
      await expect.poll(() => ask(browser, 'health')).toMatchObject({ database: 'ok', pending: 0 });
      const rows = new Set((await storedRows<Visit>(browser.backstage, 'visits')).map(({ seq }) => seq));
      expect(seen.size).toBeGreaterThan(2);
      expect([...seen].filter((seq) => !rows.has(seq))).toEqual([]);
      const after = (await storedRows<PageRow>(browser.backstage, 'pages')).find(
        ({ key }) => key === page!.key,
      );
      // The last note may have been written without its answer.
      expect(Number(after?.note)).toBeGreaterThanOrEqual(noted);
      expect(Number(after?.note)).toBeLessThanOrEqual(noted + 1);
      noted = Number(after?.note);
      await expectAgreement(round);
    }
  },
);
