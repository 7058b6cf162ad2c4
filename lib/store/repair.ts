import { watchSpace } from '#lib/content/watch.ts';
import { partsOf } from '#lib/rounds/address.ts';
import { addCount, countPage } from '#lib/rounds/counters.ts';
import { end } from '#lib/rounds/rounds.ts';
import { indexed } from '#lib/rounds/rows.ts';
import type { Counters, Page, Round, Scope } from '#lib/rounds/types.ts';
import { withStore } from './open.ts';
import { below } from './ranges.ts';
import { recount } from './recount.ts';
import type { Db, StoreName, WriteTransaction } from './schema.ts';
import { Sets } from './sets.ts';
import { send } from './transaction.ts';
import { sweepTexts } from './versions.ts';
import { deleteRange, firstParts, pageBatches, roundsOfVisits, visitsByPage } from './walk.ts';
import { appendLog } from './writes.ts';

/** What can be wrong, and what was done about it. */
export const FAULTS = [
  /** Numbers given out would have been given out again; the log counts on from the highest one. */
  'numbers',
  /** Rounds or pages of a project that was not there; it was made again from them. */
  'lostScopes',
  /** Pages of a round that was not there; it was made again from them. */
  'lostRounds',
  /** More than one round of a project was open; all but the latest were ended. */
  'openRounds',
  /** Pages whose site, path, number of visits or place in the base round was not that of their key and rows; corrected. */
  'pages',
  /** Rounds whose counts were not those of their rows; counted again. */
  'counters',
  /** Rounds that said another size of their base round than it has; corrected. */
  'baseSizes',
  /** Saved sets and filters that were damaged or not as the rows are; they are built again. */
  'sets',
  /** Visits, other addresses, aliases and texts that belong to nothing any more; deleted. */
  'orphans',
] as const;
export type Fault = (typeof FAULTS)[number];

export interface Repaired {
  /** Rows that were looked at. */
  checked: { rounds: number; pages: number; visits: number };
  /** How many of each were found and mended. */
  found: Record<Fault, number>;
}

export interface RepairOptions {
  now: number;
  /** Runs work as the only writer; others get their turn between steps. */
  alone: <T>(work: () => Promise<T>) => Promise<T>;
  signal: AbortSignal;
  /** Rows looked at, of about so many. */
  onProgress: (done: number, total: number) => void;
}

/**
 * Holds the stores against what must be true of them, and mends what is not. Rows that somebody saw are kept: what they belong to is made
 * again around them. Every step leaves the stores better than before, so it may be stopped at any time and run again.
 * @throws what `signal` was aborted with; {@link StoreError}
 */
export async function repair(options: RepairOptions): Promise<Repaired> {
  const { alone, signal, onProgress } = options;
  // Each page is looked at for itself, for the sets, and for the counts.
  const total = 3 * (await withStore((db) => db.count('pages')));
  const checked = { rounds: 0, pages: 0, visits: 0 };
  const found = Object.fromEntries(FAULTS.map((fault) => [fault, 0])) as Record<Fault, number>;
  let done = 0;
  const about: Repair = {
    now: options.now,
    checked,
    found,
    step: (rows) => {
      signal.throwIfAborted();
      onProgress((done += rows), Math.max(total, done));
    },
  };
  const step = <T>(work: (db: Db) => Promise<T>) => alone(() => withStore(work));
  await step((db) => mendNumbers(db, about));
  await step((db) => mendScopes(db, about));
  await step((db) => mendRounds(db, about));
  await step((db) => removeOrphans(db, about));
  // In one step, since the worker does not know of it.
  found.orphans += (await step((db) => sweepTexts(db, (work) => work()))).deleted;
  const rounds = await withStore(standingOfRounds);
  checked.rounds = rounds.length;
  for (const { id } of rounds.filter(({ isLatest }) => isLatest)) {
    await step((db) => mendPages(db, id, about));
    await step((db) => mendSets(db, id, about));
  }
  // After all pages: whether a page is of the base is asked of the pages there.
  for (const standing of rounds) await step((db) => mendCounters(db, standing, about));
  return { checked, found };
}

/** The latest round of a space is the one that counts its pages; that of a scope is the one that aliases speak of. */
interface Standing {
  id: string;
  isLatest: boolean;
  isLatestOfScope: boolean;
}

async function standingOfRounds(db: Db): Promise<Standing[]> {
  const rounds = await db.getAll('rounds');
  const isLatest = (round: Round, of: 'space' | 'scope') =>
    rounds.every((other) => other[of] !== round[of] || other.number <= round.number);
  return rounds.map((round) => ({
    id: round.id,
    isLatest: isLatest(round, 'space'),
    isLatestOfScope: isLatest(round, 'scope'),
  }));
}

interface Repair extends Repaired {
  now: number;
  step: (rows: number) => void;
}

const STORES: StoreName[] = ['scopes', 'rounds', 'pages', 'policies', 'sets', 'log', 'meta'];

/** One transaction of a repair. */
async function mend(db: Db, work: (transaction: WriteTransaction) => Promise<void> | void): Promise<void> {
  const transaction = db.transaction(STORES, 'readwrite') as WriteTransaction;
  await work(transaction);
  await transaction.done;
}

async function mendNumbers(db: Db, { found }: Repair): Promise<void> {
  const meta = await db.get('meta', 'log');
  const number = meta?.id === 'log' ? meta.number : 0;
  const first = meta?.id === 'log' ? meta.first : 1;
  const keyAt = async (store: 'log' | 'visits', from: IDBCursorDirection): Promise<number> =>
    (await db.transaction(store).store.openKeyCursor(null, from))?.primaryKey ?? 0;
  let highest = Math.max(number, await keyAt('log', 'prev'), await keyAt('visits', 'prev'));
  for (const space of await firstParts(db, 'pages')) {
    const last = await db
      .transaction('pages')
      .store.index('seq')
      .openKeyCursor(below([space]), 'prev');
    highest = Math.max(highest, last?.key[1] ?? 0);
  }
  // What is missing at the beginning of the log cannot be told any more: sets that need it are built again.
  const oldest = (await keyAt('log', 'next')) || highest + 1;
  const from = first < oldest && (await db.get('log', first)) === undefined && first > 1 ? oldest : first;
  if (highest === number && from === first) return;
  found.numbers += 1;
  await db.put('meta', { id: 'log', number: highest, first: from });
}

/** Projects that rounds and pages name but that are not there. */
async function mendScopes(db: Db, about: Repair): Promise<void> {
  const scopes = new Set(await db.getAllKeys('scopes'));
  const lost = new Map<string, { policy?: Round['policy']; mode: Scope['mode']; spaces: Set<string> }>();
  const note = (scope: string, space: string, policy?: Round['policy']): void => {
    if (scopes.has(scope)) return;
    const mode = space === scope ? 'collecting' : 'inspecting';
    const known = lost.get(scope) ?? { mode, spaces: new Set() };
    known.spaces.add(space);
    lost.set(scope, policy ? { ...known, policy } : known);
  };
  for (const { scope, space, policy } of await db.getAll('rounds')) note(scope, space, policy);
  for (const space of await firstParts(db, 'pages')) {
    const [page] = await db.getAll('pages', below([space]), 1);
    if (page) note(page.scope, space);
  }
  for (const [id, { policy = {}, mode, spaces }] of lost) {
    const hosts = new Set<string>();
    for (const space of spaces)
      for await (const pages of pageBatches(db, space)) {
        for (const { host } of pages) if (host !== '') hosts.add(host);
        about.step(0);
      }
    const origins = [...hosts].map((host) => `*://${host.replace(/:\d+$/, '')}/*`);
    const [first] = await db.getAllFromIndex('rounds', 'scope', below([id]), 1);
    const version = first?.policyVersion ?? '';
    const scope: Scope = {
      id,
      name: [...hosts][0] ?? id,
      origins: [...new Set(origins)],
      paths: [],
      mode,
      policy,
      policyVersion: version,
      createdAt: first?.startedAt ?? about.now,
    };
    about.found.lostScopes += 1;
    await mend(db, async (transaction) => {
      send(transaction.objectStore('scopes').put(scope));
      await appendLog(transaction, [{ at: about.now, scope: id, change: 'scope' }]);
    });
  }
}

/** Spaces that somebody may still come to: of rounds, collecting projects and watches, also of those in the trash. */
async function knownSpaces(db: Db): Promise<Set<string>> {
  const [rounds, scopes, watches, trash] = await Promise.all([
    db.getAll('rounds'),
    db.getAllKeys('scopes'),
    db.getAllKeys('watches'),
    db.getAll('trash'),
  ]);
  const trashed = trash.flatMap(({ round, watch }) => [
    ...(round ? [round.space] : []),
    ...(watch ? [watchSpace(watch.id)] : []),
  ]);
  return new Set([...rounds.map(({ space }) => space), ...scopes, ...watches.map(watchSpace), ...trashed]);
}

async function mendRounds(db: Db, about: Repair): Promise<void> {
  const known = await knownSpaces(db);
  for (const space of await firstParts(db, 'pages'))
    if (!known.has(space)) await recoverRound(db, space, about);
  const open = (await db.getAll('rounds')).filter(({ state }) => state !== 'ended');
  for (const round of open) {
    const rivals = open.filter(({ scope, id }) => scope === round.scope && id !== round.id);
    if (!rivals.some(({ number }) => number > round.number)) continue;
    about.found.openRounds += 1;
    await mend(db, async (transaction) => {
      send(transaction.objectStore('rounds').put(end(round, about.now)));
      const entry = { at: about.now, scope: round.scope, change: 'round' as const, space: round.space };
      await appendLog(transaction, [entry]);
    });
  }
}

/** An ended round around pages that have none; its counts follow with those of all. */
async function recoverRound(db: Db, space: string, about: Repair): Promise<void> {
  let startedAt = Infinity;
  let endedAt = 0;
  let one: Page | undefined;
  for await (const pages of pageBatches(db, space)) {
    for (const page of pages) {
      one = page;
      startedAt = Math.min(startedAt, page.firstSeenAt);
      endedAt = Math.max(endedAt, page.lastVisitAt ?? page.firstSeenAt);
    }
    about.step(0);
  }
  const scope = one && (await db.get('scopes', one.scope));
  if (!one || !scope) return;
  const { policyVersion } = one;
  const kept = await db.get('policies', [scope.id, policyVersion]);
  const rounds = await db.getAllFromIndex('rounds', 'scope', below([scope.id]));
  const round: Round = {
    id: space,
    scope: scope.id,
    space,
    number: (rounds.at(-1)?.number ?? 0) + 1,
    state: 'ended',
    startedAt,
    endedAt,
    baseSize: 0,
    policy: kept?.policy ?? scope.policy,
    policyVersion,
    counters: await recount({ id: space, space, scope: scope.id } as Round),
  };
  about.found.lostRounds += 1;
  await mend(db, async (transaction) => {
    send(transaction.objectStore('rounds').put(round));
    await appendLog(transaction, [{ at: about.now, scope: scope.id, change: 'space', space }]);
  });
}

/** Rows that nobody can come to: their round or project is gone for good. */
async function removeOrphans(db: Db, about: Repair): Promise<void> {
  const scopes = new Set(await db.getAllKeys('scopes'));
  const spaces = await knownSpaces(db);
  const step = (): void => about.step(0);
  for (const store of ['variants', 'aliases', 'policies'] as const)
    for (const scope of await firstParts(db, store))
      if (!scopes.has(scope)) about.found.orphans += await deleteRange(db, store, below([scope]), step);
  for (const space of await firstParts(db, 'snapshots'))
    if (!spaces.has(space)) about.found.orphans += await deleteRange(db, 'snapshots', below([space]), step);
  for (const round of await roundsOfVisits(db)) about.found.orphans += await removeVisits(db, round, spaces);
}

async function removeVisits(db: Db, round: string, spaces: ReadonlySet<string>): Promise<number> {
  const range = IDBKeyRange.bound([round], [round, Infinity]);
  const [first] = await db.getAllFromIndex('visits', 'round', range, 1);
  if (!first || spaces.has(first.space)) return 0;
  const keys = await db.getAllKeysFromIndex('visits', 'round', range);
  const transaction = db.transaction('visits', 'readwrite');
  for (const key of keys) send(transaction.store.delete(key));
  await transaction.done;
  return keys.length;
}

/** Pages of a space against their own keys, their visits and the base round. `id`: the round that counts them. */
async function mendPages(db: Db, id: string, about: Repair): Promise<void> {
  const round = await db.get('rounds', id);
  if (!round) return;
  const { space, baseSpace } = round;
  const visits = visitsByPage(db, space);
  let next = (await visits.next()).value as [string, unknown[]] | undefined;
  for await (const pages of pageBatches(db, space)) {
    const inBase = await baseKeys(db, baseSpace, pages);
    const wrong: [Page, Page][] = [];
    for (const page of pages) {
      while (next && next[0] < page.key) {
        about.checked.visits += next[1].length;
        next = (await visits.next()).value as typeof next;
      }
      const own = (next?.[0] === page.key ? next[1] : []) as { kind: string }[];
      const mended = mendedPage(page, own, inBase.has(page.key));
      if (mended) wrong.push([page, mended]);
    }
    about.checked.pages += pages.length;
    about.step(pages.length);
    if (wrong.length === 0) continue;
    about.found.pages += wrong.length;
    await mend(db, async (transaction) => {
      const current = await transaction.objectStore('rounds').get(id);
      let counters = current?.counters;
      for (const [before, after] of wrong) {
        if (counters) counters = addCount(addCount(counters, countPage(before), -1), countPage(after));
        send(transaction.objectStore('pages').put(indexed(after)));
      }
      if (current && counters) send(transaction.objectStore('rounds').put({ ...current, counters }));
      const keys = wrong.map(([{ key }]) => key);
      await appendLog(transaction, [{ at: about.now, scope: round.scope, change: 'round', space, keys }]);
    });
  }
  for (; next; next = (await visits.next()).value as typeof next) about.checked.visits += next[1].length;
}

async function baseKeys(db: Db, base: string | undefined, pages: Page[]): Promise<Set<string>> {
  const [first, last] = [pages[0], pages.at(-1)];
  if (base === undefined || !first || !last) return new Set();
  const range = IDBKeyRange.bound([base, first.key], [base, last.key]);
  return new Set((await db.getAllKeys('pages', range)).map(([, key]) => key));
}

/** The page as it must be, where it is not. */
function mendedPage(page: Page, visits: { kind: string }[], isOfBase: boolean): Page | undefined {
  const isLong = page.key.startsWith('sha256:');
  const { host, path } = isLong && page.fullKey === undefined ? page : partsOf(page);
  const counted = visits.filter(({ kind }) => kind === 'first' || kind === 'return').length;
  const inBase = page.inBase || isOfBase;
  if (page.host === host && page.path === path && page.visits === counted && page.inBase === inBase)
    return undefined;
  return { ...page, host, path, visits: counted, inBase };
}

/**
 * Pages of a collecting project are counted on from round to round, so only its latest round has them all. An alias names the latest round
 * whose base it covers or was left out of: of earlier rounds, what was counted then stands, as long as it can be.
 */
async function mendCounters(
  db: Db,
  { id, isLatest, isLatestOfScope }: Standing,
  about: Repair,
): Promise<void> {
  const round = await db.get('rounds', id);
  if (!round) return;
  const rows = await recount(round);
  about.step(isLatest ? sizeOfRows(rows) : 0);
  const { visits, duplicates, failed } = rows;
  const counters = isLatest ? rows : { ...round.counters, visits, duplicates, failed };
  if (!isLatestOfScope && canBeBase(round, rows)) counters.baseVisited = round.counters.baseVisited;
  const baseSize = isLatestOfScope ? await baseSizeOf(db, round) : round.baseSize;
  const isCounted = sameCounts(counters, round.counters);
  if (isCounted && baseSize === round.baseSize) return;
  about.found.counters += isCounted ? 0 : 1;
  about.found.baseSizes += baseSize === round.baseSize ? 0 : 1;
  await mend(db, async (transaction) => {
    send(transaction.objectStore('rounds').put({ ...round, counters, baseSize }));
    const entry = { at: about.now, scope: round.scope, change: 'round' as const, space: round.space };
    await appendLog(transaction, [entry]);
  });
}

/** Whether an ended round may have visited so many of its base: at least those of its rows, and no more than there were. */
function canBeBase({ baseSize, counters: { baseVisited } }: Round, rows: Counters): boolean {
  return baseVisited >= rows.baseVisited && baseVisited + rows.baseRetrying + rows.baseGone <= baseSize;
}

const sizeOfRows = ({ known, visited, retrying, gone }: Counters): number =>
  known + visited + retrying + gone;

function sameCounts(a: Counters, b: Counters): boolean {
  return (Object.keys(a) as (keyof Counters)[]).every((name) => a[name] === b[name]);
}

/**
 * Pages of the base round, with originals of tentative aliases that are left here with a hint, without those that became one with
 * another page before the round began (see `baseOf` in lifecycle.ts). Where the base round is gone for good, what was counted stands.
 */
async function baseSizeOf(db: Db, { id, scope, space, base, baseSpace, baseSize }: Round): Promise<number> {
  if (base === undefined || baseSpace === undefined || !(await knownSpaces(db)).has(baseSpace))
    return baseSize;
  const isInBase = async (key: string) => (await db.getKey('pages', [baseSpace, key])) !== undefined;
  let size = await db.count('pages', below([baseSpace]));
  for await (const pages of pageBatches(db, space)) {
    const inBase = await baseKeys(db, baseSpace, pages);
    size += pages.filter((page) => page.inBase && !inBase.has(page.key)).length;
  }
  for (const { from, coversBase, leftBase } of await db.getAll('aliases', below([scope]))) {
    if (coversBase === id && !(await isInBase(from))) size += 1;
    if (leftBase === id) size -= 1;
  }
  return size;
}

async function mendSets(db: Db, id: string, about: Repair): Promise<void> {
  const round = await db.get('rounds', id);
  if (!round || (await new Sets().agree(db, round, about.step))) return;
  about.found.sets += 1;
  await mend(db, async (transaction) => {
    const sets = transaction.objectStore('sets');
    for (const owner of [`set:${round.space}`, `filter:${round.scope}`])
      for (const key of await sets.getAllKeys(below([owner]))) send(sets.delete(key));
    // Whoever has them in memory builds them again.
    const entry = { at: about.now, scope: round.scope, change: 'space' as const, space: round.space };
    await appendLog(transaction, [entry]);
  });
}
