import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { workingDay } from '#lib/rounds/working-day.fixture.ts';
import type { Alias, Page, Round } from '#lib/rounds/types.ts';
import { closeStore, openStore, useDatabase } from '#lib/store/open.ts';
import { exportRecords, type ExportChoice } from './export-rows.ts';
import { SHOWS } from './list-parts.ts';

const seed = workingDay(Date.UTC(2026, 10, 30, 9), 700);
const open = seed.rounds.find(({ state }) => state !== 'ended') as Round;
const own = seed.pages.filter(({ space }) => space === open.space);
const base = seed.pages.filter(({ space }) => space === open.baseSpace);
const bySeq = (a: Page, b: Page): number => a.seq - b.seq;
/** A page of the base round that is known to lead to another page now: it is not left. */
const moved = base.find((there) => !own.some(({ key }) => key === there.key)) as Page;
const target = own.find(({ state }) => state === 'visited') as Page;
const led = {
  to: target.key,
  toUrl: target.url,
  strength: 'permanent',
  evidence: 'redirect',
  round: open.id,
  at: open.startedAt,
} as const;
const alias: Alias = {
  ...led,
  scope: open.scope,
  from: moved.key,
  fromUrl: moved.url,
  targets: [{ ...led, times: 1, firsts: 1, place: target.key }],
  leads: [],
};
const isAlias = ({ key }: Page): boolean => key === moved.key;

beforeAll(async () => {
  useDatabase('export-rows');
  const db = await openStore();
  const transaction = db.transaction(
    ['scopes', 'rounds', 'pages', 'visits', 'variants', 'aliases'],
    'readwrite',
  );
  for (const name of ['scopes', 'rounds', 'pages', 'visits', 'variants'] as const)
    for (const row of seed[name]) void transaction.objectStore(name).put(row);
  void transaction.objectStore('aliases').put(alias);
  await transaction.done;
});
afterAll(() => closeStore());

async function urls(choice: ExportChoice): Promise<string[]> {
  const found: string[] = [];
  for await (const { url } of exportRecords(open, choice)) found.push(url);
  return found;
}

/** The pages of a choice by plain arrays, in the order in which they came. */
function expected(show: ExportChoice['show']): Page[] {
  const onlyBase = base
    .filter((there) => !own.some(({ key }) => key === there.key) && !isAlias(there))
    .sort(bySeq);
  const ours = own.toSorted(bySeq);
  if (show === 'all') return [...ours, ...onlyBase];
  if (show === 'left') {
    return base.toSorted(bySeq).flatMap((there) => {
      const here = own.find(({ key }) => key === there.key);
      if (here) return here.state === 'known' ? [here] : [];
      return isAlias(there) ? [] : [there];
    });
  }
  if (show === 'new') return ours.filter(({ state, inBase }) => state !== 'known' && !inBase);
  if (show === 'changed') return ours.filter(({ changed }) => changed);
  return ours.filter(({ state }) => state === show);
}

describe('the records of an export', () => {
  it('there is something to choose from', () => {
    expect(base.length).toBeGreaterThan(600);
    for (const show of SHOWS) expect(expected(show), show).not.toHaveLength(0);
  });

  it.each(SHOWS)('%s: every page once, as they came and from A to Z', async (show) => {
    const pages = expected(show);
    expect(await urls({ show })).toEqual(pages.map(({ url }) => url));
    const byKey = pages.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ url }) => url);
    expect(await urls({ show, order: 'az' })).toEqual(byKey);
  });

  it('takes only what begins with the prefix, and the address that is wanted', async () => {
    const prefix = 'https://shop.example.com/';
    const some = expected('all').filter(({ url }) => url.startsWith(prefix));
    expect(some.length).toBeLessThan(expected('all').length);
    expect(await urls({ show: 'all', prefix })).toEqual(some.map(({ url }) => url));
    const usable = expected('visited').map(({ url, usable }) => usable ?? url);
    expect(await urls({ show: 'visited', address: 'usable' })).toEqual(usable);
    const latest = (page: Page): string =>
      seed.visits
        .filter(({ space, key, kind }) => space === page.space && key === page.key && kind !== 'failed')
        .toSorted((a, b) => a.at - b.at)
        .at(-1)?.url ??
      page.usable ??
      page.url;
    expect(await urls({ show: 'visited', address: 'final' })).toEqual(expected('visited').map(latest));
  });

  it('writes every visit of the round', async () => {
    const visits = seed.visits.filter(({ round, kind }) => round === open.id && kind !== 'failed');
    expect(visits.length).toBeGreaterThan(expected('visited').length);
    expect(await urls({ show: 'visited', allVisits: true })).toEqual(visits.map(({ url }) => url));
    expect((await urls({ show: 'visited', allVisits: true, order: 'az' })).toSorted()).toEqual(
      visits.map(({ url }) => url).toSorted(),
    );
  });
});
