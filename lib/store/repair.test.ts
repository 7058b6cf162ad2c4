import { deleteDB } from 'idb';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Page, Round } from '#lib/rounds/types.ts';
import { act, Afternoon, SITE, type Act } from './afternoon.testing.ts';
import { closeStore, useDatabase, withStore } from './open.ts';
import { getRound, listRounds, listScopes } from './read.ts';
import { recount } from './recount.ts';
import { FAULTS, repair, type Repaired } from './repair.ts';

const NOTHING = Object.fromEntries(FAULTS.map((fault) => [fault, 0]));

let names = 0;
let day: Afternoon;

beforeEach(begin);
afterEach(finish);

function begin(): void {
  useDatabase(`repair-${(names += 1)}`);
  day = new Afternoon();
}
async function finish(): Promise<void> {
  await closeStore(`repair-${names}`);
  await deleteDB(`repair-${names}`);
}

const run = (signal = new AbortController().signal): Promise<Repaired> =>
  repair({ now: day.at, alone: (work) => work(), signal, onProgress: () => undefined });

describe('a database that nothing broke', () => {
  it.each(['inspecting', 'collecting'] as const)('has no fault, whatever happened (%s)', async (mode) => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 40 }), async (acts) => {
        begin();
        try {
          let round = await day.start(undefined, mode);
          for (const one of acts) round = await day.happen(one, round);
          expect((await run()).found).toEqual(NOTHING);
        } finally {
          await finish();
        }
      }),
      { numRuns: 25 },
    );
  });
});

/** Two rounds with pages, visits, a redirect, links and saved sets. */
async function workedWith(): Promise<Round> {
  let round = await day.start();
  const acts: Act[] = [
    { do: 'show', path: '/a' },
    { do: 'show', path: '/a' },
    { do: 'show', path: '/b' },
    { do: 'link', path: '/c?x=1' },
    { do: 'round' },
    { do: 'show', path: '/a' },
    { do: 'fail', path: '/b' },
    { do: 'redirect', from: '/old', path: '/d', status: 301 },
    { do: 'link', path: '/c?x=2' },
    { do: 'save' },
  ];
  for (const one of acts) round = await day.happen(one, round);
  expect((await run()).found).toEqual(NOTHING);
  return round;
}

const page = (round: Round, path: string): Promise<Page | undefined> =>
  withStore((db) => db.get('pages', [round.space, SITE + path]));

describe('a broken database', () => {
  const mended = async (faults: Partial<Repaired['found']>): Promise<void> => {
    expect((await run()).found).toEqual({ ...NOTHING, ...faults });
    // Once is enough, and nothing new was broken.
    expect((await run()).found).toEqual(NOTHING);
  };

  it('with wrong counts', async () => {
    const round = await workedWith();
    const before = (await getRound(round.id))!;
    const wrong = { ...before, counters: { ...before.counters, visited: 99, visits: 0 }, baseSize: 50 };
    await withStore((db) => db.put('rounds', wrong));
    await mended({ counters: 1, baseSizes: 1 });
    expect(await getRound(round.id)).toEqual(before);
  });

  it('with pages that belie their rows', async () => {
    const round = await workedWith();
    const before = (await page(round, '/a'))!;
    const wrong = { ...before, host: 'evil.example.com', path: '/x', visits: 7, inBase: false };
    await withStore((db) => db.put('pages', wrong));
    await mended({ pages: 1, counters: 1 });
    expect(await page(round, '/a')).toEqual(before);
    const counted = (await getRound(round.id))!;
    expect(counted.counters).toEqual(await recount(counted));
  });

  it('without a round', async () => {
    const round = await workedWith();
    const [last] = await listRounds();
    await withStore((db) => db.delete('rounds', round.id));
    await mended({ lostRounds: 1 });
    const again = (await getRound(round.id))!;
    expect(again).toMatchObject({ state: 'ended', scope: round.scope, counters: last?.counters });
  });

  it('without its project', async () => {
    const round = await workedWith();
    await withStore((db) => db.delete('scopes', round.scope));
    await mended({ lostScopes: 1 });
    expect(await listScopes()).toMatchObject([
      { id: round.scope, name: 'shop.example.com', origins: ['*://shop.example.com/*'], mode: 'inspecting' },
    ]);
  });

  it('with two open rounds', async () => {
    const round = await workedWith();
    const first = (await listRounds()).find(({ id }) => id !== round.id)!;
    const { endedAt: _, ...open } = first;
    await withStore((db) => db.put('rounds', { ...open, state: 'open' }));
    await mended({ openRounds: 1 });
    expect((await getRound(round.id))?.state).toBe('open');
    expect((await getRound(first.id))?.state).toBe('ended');
  });

  it('with saved sets that lie or are damaged', async () => {
    const round = await workedWith();
    const rows = await withStore((db) => db.getAll('sets'));
    const set = rows.find(({ owner, shard }) => owner === `set:${round.space}` && shard === 0)!;
    const bytes = set.bytes.slice();
    bytes[bytes.length >> 1]! ^= 0xff;
    await withStore((db) => db.put('sets', { ...set, bytes }));
    await mended({ sets: 1 });
    // A page that came without the log: no set knows it.
    const one = (await page(round, '/a'))!;
    await day.happen({ do: 'link', path: '/z' }, round);
    await day.recorder.saveSets();
    const secret = { ...one, key: `${SITE}/secret`, path: '/secret', visits: 0, inBase: false };
    await withStore((db) => db.put('pages', secret));
    await mended({ sets: 1, counters: 1 });
  });

  it('with numbers that would be given again', async () => {
    const round = await workedWith();
    await withStore((db) => db.put('meta', { id: 'log', number: 2, first: 1 }));
    const { found } = await run();
    expect(found.numbers).toBe(1);
    const visits = await withStore((db) => db.count('visits'));
    await day.happen({ do: 'show', path: '/new' }, round);
    expect(await withStore((db) => db.count('visits'))).toBe(visits + 1);
    expect((await run()).found).toEqual(NOTHING);
  });

  it('with rows that belong to nothing', async () => {
    await workedWith();
    await withStore(async (db) => {
      const [visit] = await db.getAll('visits');
      const [variant] = await db.getAll('variants');
      await db.put('visits', { ...visit!, seq: 1, round: 'lost', space: 'lost' });
      await db.put('variants', { ...variant!, scope: 'lost' });
      await db.put('policies', { scope: 'lost', version: '1', policy: {}, at: 0 });
    });
    await mended({ orphans: 3 });
  });

  it('is never left worse by a repair that was stopped', async () => {
    const round = await workedWith();
    const before = (await page(round, '/a'))!;
    const counts = (await getRound(round.id))!;
    await withStore((db) => db.put('pages', { ...before, visits: 9, inBase: false }));
    const stop = new AbortController();
    const stopped = repair({
      now: day.at,
      alone: (work) => work(),
      signal: stop.signal,
      onProgress: (done) => {
        if (done > 3) stop.abort(new Error('enough'));
      },
    });
    await expect(stopped).rejects.toThrow('enough');
    expect((await run()).found).toMatchObject({ lostRounds: 0, lostScopes: 0, orphans: 0, sets: 0 });
    expect(await getRound(round.id)).toEqual(counts);
  });
});
