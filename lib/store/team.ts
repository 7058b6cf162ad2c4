import { teamFingerprint } from '#lib/team/outbox.ts';
import type { TeamPlace } from '#lib/team/pairing.ts';
import { roundKey } from '#lib/team/windows.ts';
import { withStore } from './open.ts';
import type { TeamPage } from './schema.ts';
import { send } from './transaction.ts';

/** Somebody else of the team saw a page first. */
export interface TeamFact {
  at: number;
  state: 'visited' | 'gone';
}

type Place = Pick<TeamPlace, 'ns' | 'round'>;

/** What the team knows of pages, in the order of the keys; nothing where only we were there, or nobody. */
export async function teamFacts(
  place: Place,
  keys: readonly { key: string; fullKey?: string | undefined }[],
): Promise<(TeamFact | undefined)[]> {
  const rows = await teamRows(place, keys.map(teamFingerprint));
  return rows.map(factOf);
}

function factOf(row: TeamPage | undefined): TeamFact | undefined {
  return row?.at === undefined || row.own ? undefined : { at: row.at, state: row.state ?? 'visited' };
}

/** The rows of fingerprints, in their order. */
export function teamRows({ ns, round }: Place, fps: readonly string[]): Promise<(TeamPage | undefined)[]> {
  return withStore((db) => {
    const { store } = db.transaction('team');
    return Promise.all(fps.map((fp) => store.get([ns, round, fp])));
  });
}

/** Keeps what the service says. That a page was marked from here first is never forgotten for it. */
export function keepTeam({ ns, round }: Place, pages: Omit<TeamPage, 'ns' | 'round'>[]): Promise<void> {
  return withStore(async (db) => {
    const { store, done } = db.transaction('team', 'readwrite', { durability: 'relaxed' });
    const known = await Promise.all(pages.map(({ fp }) => store.get([ns, round, fp])));
    for (const [index, page] of pages.entries()) {
      const before = known[index];
      send(store.put({ ...before, ...page, ns, round, ...(before?.own && { own: true }) }));
    }
    await done;
  });
}

/** Windows are kept so long after their end, in ms. */
const KEPT_FOR = 30 * 24 * 3_600_000;

/** Forgets windows of the team that ended long ago. */
export function tidyTeam(now: number): Promise<void> {
  return withStore(async (db) => {
    const { store, done } = db.transaction('team', 'readwrite');
    let cursor = await store.openKeyCursor();
    while (cursor) {
      const [ns, round] = cursor.key;
      const whole = IDBKeyRange.bound([ns, round], [ns, round, []]);
      const ends = roundKey(round, now)?.ends ?? null;
      if (ends !== null && ends + KEPT_FOR < now) await store.delete(whole);
      cursor = await store.openKeyCursor(IDBKeyRange.lowerBound(whole.upper, true));
    }
    await done;
  });
}
