import type { Page, PageState, Visit } from '#lib/rounds/types.ts';
import { below } from './ranges.ts';
import type { Db } from './schema.ts';

/** Rows read at a time. */
const WALK_BATCH = 1_000;

/**
 * All pages of a space, or those in a state, by key, a batch at a time; what is changed of a batch meanwhile does not disturb the walk. The
 * last batch may be empty.
 */
export async function* pageBatches(
  db: Db,
  space: string,
  { state, size = WALK_BATCH }: { state?: PageState; size?: number } = {},
): AsyncGenerator<Page[]> {
  let range = state === undefined ? below([space]) : below([space, state]);
  for (;;) {
    const pages =
      state === undefined
        ? await db.getAll('pages', range, size)
        : await db.getAllFromIndex('pages', 'state', range, size);
    yield pages;
    const last = pages.at(-1);
    if (!last || pages.length < size) return;
    const from = state === undefined ? [space, last.key] : [space, state, last.key];
    range = IDBKeyRange.bound(from, range.upper, true);
  }
}

/** All visits of a space, those of one page together, by key. */
export async function* visitsByPage(
  db: Db,
  space: string,
  size = WALK_BATCH,
): AsyncGenerator<[key: string, visits: Visit[]]> {
  let range = below([space]);
  let limit = size;
  for (;;) {
    const visits = await db.getAllFromIndex('visits', 'page', range, limit);
    const isEnd = visits.length < limit;
    const groups = new Map<string, Visit[]>();
    for (const visit of visits) {
      const group = groups.get(visit.key);
      if (group) group.push(visit);
      else groups.set(visit.key, [visit]);
    }
    const keys = [...groups.keys()];
    const last = keys.at(-1);
    // The last page may have more visits than were read: the next batch begins with it.
    for (const key of isEnd ? keys : keys.slice(0, -1)) yield [key, groups.get(key) ?? []];
    if (isEnd || last === undefined) return;
    limit = keys.length === 1 ? limit * 2 : size;
    range = IDBKeyRange.bound([space, last], range.upper, false);
  }
}

type Parted = 'pages' | 'variants' | 'aliases' | 'policies' | 'snapshots';

/** The different first parts of the primary keys of a store (spaces, scopes): one step each, however many rows it has. */
export async function firstParts(db: Db, store: Parted): Promise<string[]> {
  const parts: string[] = [];
  let cursor = await db.transaction(store).store.openKeyCursor();
  while (cursor) {
    const [part] = cursor.primaryKey as readonly string[] as [string];
    parts.push(part);
    // Arrays sort after every string.
    cursor = await cursor.continue([part, []] as never);
  }
  return parts;
}

/** The different rounds that visits name. */
export async function roundsOfVisits(db: Db): Promise<string[]> {
  const rounds: string[] = [];
  let cursor = await db.transaction('visits').store.index('round').openKeyCursor();
  while (cursor) {
    const [round] = cursor.key;
    rounds.push(round);
    cursor = await cursor.continue([round, Infinity]);
  }
  return rounds;
}

/** Deletes what lies in a range of primary keys, in steps. Answers how many rows there were. */
export async function deleteRange(
  db: Db,
  store: Parted,
  range: IDBKeyRange,
  step: () => void,
): Promise<number> {
  let gone = 0;
  for (;;) {
    const transaction = db.transaction(store, 'readwrite');
    const keys = await transaction.store.getAllKeys(range, WALK_BATCH);
    for (const key of keys) void transaction.store.delete(key);
    await transaction.done;
    gone += keys.length;
    step();
    if (keys.length < WALK_BATCH) return gone;
  }
}
