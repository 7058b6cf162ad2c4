import { deleteDB } from 'idb';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Page, Round } from '#lib/rounds/types.ts';
import { addressOf } from '#lib/rounds/address.ts';
import { knownPage } from '#lib/rounds/links.ts';
import { compilePolicy } from '#lib/url/index.ts';
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
        const { baseSpace = '' } = (await getRound(round.id)) ?? {};
        const ofBase = new Set(rows.filter(({ space }) => space === baseSpace).map(({ key }) => key));
        // One that took in an original of the base round stands for it.
        const isFresh = ({ space, key, state, inBase }: Page) =>
          space === round.space && state !== 'known' && !inBase && !ofBase.has(key);
        expect(
          rows.filter(({ inBase, space, key }) => space === round.space && !inBase && ofBase.has(key)),
        ).toEqual([]);
        expect(await keysOf(round, { compare: 'new' })).toEqual(
          rows
            .filter(isFresh)
            .map(({ key }) => key)
            .toSorted(),
        );
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

it('lists the pages of a host whatever their scheme, length and neighbours, each once', async () => {
  const round = await day.start();
  const long = `/a?q=${'x'.repeat(2_100)}`;
  const addresses = [
    'shop.example.com',
    'shop.example.com:8080',
    'shop.example.com.evil.example.com',
    'shop.example.co',
  ]
    .flatMap((host) => ['/', '/a', '/a/b', '/b', long].map((path) => `${host}${path}`))
    .flatMap((rest) => [`http://${rest}`, `https://${rest}`]);
  const seed = await withStore((db) => db.transaction('pages').store.getAll());
  expect(seed).toEqual([]);
  const rows: Page[] = addresses.map((url, index) => {
    const address = addressOf(url, compilePolicy({}))!;
    const about = { seq: index, at: 0, isNew: true, inBase: false };
    return { ...knownPage(address, round, about), state: index % 3 === 0 ? 'visited' : 'known' };
  });
  await withStore(async (db) => {
    const transaction = db.transaction('pages', 'readwrite');
    for (const row of rows) void transaction.store.put(row);
    await transaction.done;
  });
  for (const host of ['shop.example.com', 'shop.example.com:8080'])
    for (const prefix of ['', '/', '/a', '/a/', '/a?q'])
      for (const state of [undefined, 'visited', 'known'] as const) {
        const wanted = rows.filter(
          (row) =>
            row.host === host && row.path.startsWith(prefix) && (state === undefined || row.state === state),
        );
        const filter = { host, prefix, ...(state && { state }) };
        expect((await keysOf(round, filter)).toSorted()).toEqual(wanted.map(({ key }) => key).toSorted());
      }
});
