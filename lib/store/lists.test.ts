import { deleteDB } from 'idb';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Round } from '#lib/rounds/types.ts';
import { act, Afternoon, SITE, type Act } from './afternoon.testing.ts';
import { noteLeft, pagesOf, type PageFilter } from './lists.ts';
import { closeStore, useDatabase, withStore } from './open.ts';
import { getRound } from './read.ts';

let names = 0;
let day: Afternoon;

beforeEach(begin);
afterEach(finish);
function begin(): void {
  useDatabase(`lists-${(names += 1)}`);
  day = new Afternoon();
}
async function finish(): Promise<void> {
  await closeStore(`lists-${names}`);
  await deleteDB(`lists-${names}`);
}

async function keysOf(round: Round, filter: Partial<PageFilter>): Promise<string[]> {
  const keys: string[] = [];
  let after: string | null = null;
  do {
    const answer = await pagesOf(round.space, { ...filter, after, limit: 2, budget: 3 });
    keys.push(...answer.rows.map(({ key }) => key));
    after = answer.next;
  } while (after !== null);
  return keys;
}

const forgetMarks = () =>
  withStore((db) => db.delete('meta', IDBKeyRange.bound('left:', 'left:\uffff') as never));
const note = async ({ id }: Round) => {
  const round = await getRound(id);
  if (round) await withStore((db) => noteLeft(db, round));
};

it('lists what is left, however it is remembered where that begins, and what changed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(act, fc.boolean()), { minLength: 5, maxLength: 40 }), async (acts) => {
      begin();
      try {
        let round = await day.start();
        for (const [one, isNoted] of acts) {
          round = await day.happen(one, round);
          if (isNoted) await note(round);
        }
        const remembered = await keysOf(round, { compare: 'left' });
        await forgetMarks();
        const left = await keysOf(round, { compare: 'left' });
        expect(remembered).toEqual(left);
        const host = await keysOf(round, { compare: 'left', host: 'shop.example.com' });
        expect(host.toSorted()).toEqual(left.toSorted());
        const below = await keysOf(round, { compare: 'left', host: 'shop.example.com', prefix: '/c' });
        expect(below.toSorted()).toEqual(left.filter((key) => key.startsWith(`${SITE}/c`)).toSorted());
        const rows = await withStore((db) => db.getAll('pages'));
        const changed = rows.filter(({ space, changed }) => space === round.space && changed);
        expect(await keysOf(round, { compare: 'changed' })).toEqual(changed.map(({ key }) => key).toSorted());
      } finally {
        await finish();
      }
    }),
    { numRuns: 40 },
  );
});

it('does not pass over what was visited once more, and finds what is left again', async () => {
  let round = await day.start();
  const acts: Act[] = ['/a', '/b', '/e'].map((path) => ({ do: 'show', path }));
  for (const one of [...acts, { do: 'round' } as const, ...acts.slice(0, 2)])
    round = await day.happen(one, round);
  await note(round);
  const first = () => pagesOf(round.space, { compare: 'left', limit: 1 });
  expect(await first()).toMatchObject({ rows: [{ key: `${SITE}/e` }], scanned: 1 });
  round = await day.happen({ do: 'delete', path: '/a' }, round);
  expect(await first()).toMatchObject({ rows: [{ key: `${SITE}/a` }], scanned: 1 });
});
