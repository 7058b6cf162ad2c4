import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { workingDay } from '#lib/rounds/working-day.fixture.ts';
import { KNOWN } from '#lib/sets/index.ts';
import { closeStore, useDatabase, withStore } from './open.ts';
import { pagesOf } from './read.ts';
import { Sets } from './sets.ts';
import { readTree, type SiteTree } from './tree.ts';

const never = new AbortController().signal;

describe('the tree of a round', () => {
  beforeEach(() => useDatabase('tree'));
  afterEach(() => closeStore('tree'));

  it('has every page of the round and of its base once, counted by state, and follows what is written', async () => {
    const day = workingDay(Date.UTC(2026, 10, 30, 12), 40);
    const base = day.pages.find(({ space }) => space === 'round-1')!;
    await withStore(async (db) => {
      for (const scope of day.scopes) await db.put('scopes', scope);
      for (const round of day.rounds) await db.put('rounds', round);
      for (const page of day.pages) await db.put('pages', page);
    });
    const round = day.rounds[1]!;
    const { rows } = await pagesOf(round.space, { compare: 'all', limit: 1_000 });
    const read = (known?: SiteTree) => readTree(round, never, { onProgress: () => undefined }, known);
    const tree = await read();
    expect([...tree.pages.entries()].map(([key]) => key)).toEqual(rows.map(({ key }) => key).toSorted());
    const count = (state: string) => rows.filter((page) => page.state === state).length;
    expect(tree.pages.countsBelow('')).toEqual({ visited: count('visited'), known: count('known') });
    expect(tree.failed.countsBelow('')).toEqual({ visited: count('retrying'), known: count('gone') });

    expect(await read(tree)).toBe(tree);
    // From a saved set with what came since, as from the rows.
    await withStore(async (db) => {
      const sets = new Sets();
      await sets.statesOf(db, round, []);
      await sets.save(db);
    });
    const added = { ...base, space: round.space, key: 'https://new.example.com/', state: 'known' as const };
    await withStore(async (db) => {
      await db.put('pages', added);
      const { scope, space, key } = added;
      await db.put('log', { seq: 1, at: 0, scope, change: 'page', space, key, state: 'known' });
      await db.put('meta', { id: 'log', number: 1, first: 1 });
    });
    const next = await read(tree);
    expect(next.pages.stateOf('https://new.example.com/')).toBe(KNOWN);
    expect(next.pages.size).toBe(tree.pages.size + 1);
    expect(next.pages.countsBelow('')).toEqual({ visited: count('visited'), known: count('known') + 1 });
  });
});
