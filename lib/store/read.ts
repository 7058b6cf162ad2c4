import type { Watch } from '#lib/content/watch.ts';
import type { PageDetails } from '#lib/protocol.ts';
import { holds } from '#lib/rounds/aliases.ts';
import type { Alias, Page, Round, Scope, Variant, Visit } from '#lib/rounds/types.ts';
import { notVisited, roundOfSpace, streamPages } from './lists.ts';
import { withStore } from './open.ts';
import { below } from './ranges.ts';
import type { Db, Diagnostics, Trash } from './schema.ts';

export { notVisited, pagesOf, streamPages, type PageFilter } from './lists.ts';

/** All scopes, oldest first. */
export async function listScopes(): Promise<Scope[]> {
  const scopes = await withStore((db) => db.getAll('scopes'));
  return scopes.sort((a, b) => a.createdAt - b.createdAt);
}

/** The rounds of a scope, or of all, newest first. */
export async function listRounds(scope?: string): Promise<Round[]> {
  const rounds = await withStore((db) =>
    scope === undefined ? db.getAll('rounds') : db.getAllFromIndex('rounds', 'scope', below([scope])),
  );
  return rounds.sort((a, b) => b.startedAt - a.startedAt || b.number - a.number);
}

/** All watches, or those of a scope; changed ones first, then the newest. */
export async function listWatches(scope?: string): Promise<Watch[]> {
  const all = await withStore((db) => db.getAll('watches'));
  return all
    .filter((watch) => scope === undefined || watch.scope === scope)
    .sort(
      (a, b) =>
        Number(b.unseen) - Number(a.unseen) ||
        (b.changedAt ?? b.createdAt) - (a.changedAt ?? a.createdAt) ||
        (a.id < b.id ? -1 : 1),
    );
}

export function getScope(id: string): Promise<Scope | undefined> {
  return withStore((db) => db.get('scopes', id));
}

export function getRound(id: string): Promise<Round | undefined> {
  return withStore((db) => db.get('rounds', id));
}

/** Rounds that are open or paused. */
export async function openRounds(): Promise<Round[]> {
  return withStore(async (db) => {
    const [open, paused] = await Promise.all([
      db.getAllFromIndex('rounds', 'state', 'open'),
      db.getAllFromIndex('rounds', 'state', 'paused'),
    ]);
    return [...open, ...paused];
  });
}

const MOST_VISITS = 200;

/** Everything the *why* view shows; `undefined` where the page does not exist (any more). */
export function pageDetails(space: string, key: string): Promise<PageDetails | undefined> {
  return withStore(async (db) => {
    const round = await roundOfSpace(db, space);
    const own = await db.get('pages', [space, key]);
    const ofBase = own || !round?.baseSpace ? undefined : await db.get('pages', [round.baseSpace, key]);
    const page = own ?? (ofBase && notVisited(ofBase, space));
    if (!page) return undefined;
    const scope = await db.get('scopes', page.scope);
    const [variants, leading, leads, visits] = await Promise.all([
      db.getAll('variants', below([page.scope, key])),
      db.getAllFromIndex('aliases', 'to', [page.scope, key]),
      db.get('aliases', [page.scope, key]),
      latestVisits(db, space, key),
    ]);
    const here = leading.filter((alias) => round !== undefined && holds(alias, round, scope?.tokens));
    const apart = leading.filter((alias) => alias.undone === true || alias.strength === 'proposed');
    return { page, variants, aliases: leads ? [...here, leads] : here, apart, visits };
  });
}

async function latestVisits(db: Db, space: string, key: string): Promise<Visit[]> {
  const visits: Visit[] = [];
  let cursor = await db
    .transaction('visits')
    .store.index('page')
    .openCursor(below([space, key]), 'prev');
  while (cursor && visits.length < MOST_VISITS) {
    visits.push(cursor.value);
    cursor = await cursor.continue();
  }
  return visits;
}

const ALIASES_AT_ONCE = 500;

/**
 * The first proposals of a scope, in order of their originals: pages that may be one page with another, which a person has neither accepted
 * nor kept apart.
 */
export function listProposals(scope: string, limit: number): Promise<Alias[]> {
  return withStore(async (db) => {
    const found: Alias[] = [];
    let range = below([scope]);
    for (;;) {
      const aliases = await db.getAll('aliases', range, ALIASES_AT_ONCE);
      for (const alias of aliases) if (alias.strength === 'proposed' && !alias.undone) found.push(alias);
      const last = aliases.at(-1);
      if (!last || aliases.length < ALIASES_AT_ONCE || found.length >= limit) return found.slice(0, limit);
      range = IDBKeyRange.bound([scope, last.from], range.upper, true, range.upperOpen);
    }
  });
}

/** The original addresses of a page. */
export function variantsOf(scope: string, key: string): Promise<Variant[]> {
  return withStore((db) => db.getAll('variants', below([scope, key])));
}

/** The latest visit of a page that showed it. */
export function latestVisitOf(space: string, key: string): Promise<Visit | undefined> {
  return withStore(async (db) => {
    const visits = db.transaction('visits').store.index('page');
    let cursor = await visits.openCursor(below([space, key]), 'prev');
    while (cursor?.value.kind === 'failed') cursor = await cursor.continue();
    return cursor?.value;
  });
}

/** All visits of a page, oldest first. */
export function visitsOfPage(space: string, key: string): Promise<Visit[]> {
  return withStore((db) => db.getAllFromIndex('visits', 'page', below([space, key])));
}

/** Visits of a round in the order they were recorded; `after` is the `seq` of the last one. */
export function visitsOf(
  round: string,
  { after = -1, limit }: { after?: number; limit: number },
): Promise<{ rows: Visit[]; next: number | null }> {
  return withStore(async (db) => {
    const range = IDBKeyRange.bound([round, after], [round, Infinity], true);
    const rows = await db.getAllFromIndex('visits', 'round', range, limit);
    return { rows, next: rows.length < limit ? null : (rows.at(-1)?.seq ?? null) };
  });
}

/** The pages that were shown most often in a space, most first: where repeats come from. */
export async function mostRepeated(space: string, limit: number): Promise<Page[]> {
  let most: Page[] = [];
  for await (const page of streamPages(space, { state: 'visited' })) {
    if (page.visits < 2 || (most.length === limit && page.visits <= most[limit - 1]!.visits)) continue;
    most = [...most, page].sort((a, b) => b.visits - a.visits).slice(0, limit);
  }
  return most;
}

export const NO_DIAGNOSTICS: Diagnostics = {
  events: 0,
  repeated: 0,
  refused: { page: 0, import: 0, paste: 0 },
  collapsed: 0,
  downloads: 0,
  filterNo: 0,
  filterMaybe: 0,
  filterWrong: 0,
  decisions: 0,
  decisionMs: 0,
  setsRebuilt: 0,
};

/** What Data > Diagnostics shows. */
export async function diagnostics(): Promise<Diagnostics> {
  const row = await withStore((db) => db.get('meta', 'diagnostics'));
  return row?.id === 'diagnostics' ? { ...NO_DIAGNOSTICS, ...row } : NO_DIAGNOSTICS;
}

/** What can be brought back, newest first, without its rows. */
export async function listTrash(): Promise<Pick<Trash, 'id' | 'what' | 'label' | 'until'>[]> {
  // Ids are UUIDs, so parts of imports come behind all of them.
  const trash = await withStore((db) => db.getAll('trash', IDBKeyRange.upperBound('part:', true)));
  return trash
    .map(({ id, what, label, until }) => ({ id, what, label, until }))
    .sort((a, b) => b.until - a.until);
}
