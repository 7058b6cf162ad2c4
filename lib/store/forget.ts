import { hostOf } from '#lib/rounds/address.ts';
import { addCount, countAlias, countPage, countVisit, type Count } from '#lib/rounds/counters.ts';
import { indexed } from '#lib/rounds/rows.ts';
import type { Alias, Page, Round, Visit } from '#lib/rounds/types.ts';
import type { Outgoing } from '#lib/team/outbox.ts';
import { WITHOUT_HOST } from '#lib/rounds/without-host.ts';
import { withStore } from './open.ts';
import { below } from './ranges.ts';
import type { Db, LogEntry, StoreName, Trash, WriteTransaction } from './schema.ts';
import { send } from './transaction.ts';
import { sweepTexts } from './versions.ts';
import { firstParts } from './walk.ts';
import { appendLog } from './writes.ts';

/** What there is of a host, over all projects and rounds. */
export interface HostRows {
  /** Pages that were opened, or tried. */
  pages: number;
  /** Links that were seen and never opened. */
  links: number;
  visits: number;
  /** Other addresses of pages. */
  addresses: number;
  aliases: number;
  /** Versions of what pages say. */
  texts: number;
  /** Watches of its pages, and rules for their text. */
  watches: number;
  /** Rows of other hosts that name it: where somebody came from or was led through. The rows stay, without the name. */
  mentions: number;
  /** Deletions in the trash that hold something of it. */
  trash: number;
}

const NOTHING: HostRows = {
  pages: 0,
  links: 0,
  visits: 0,
  addresses: 0,
  aliases: 0,
  texts: 0,
  watches: 0,
  mentions: 0,
  trash: 0,
};

export interface ForgetOptions {
  now: number;
  /** Runs work as the only writer; others get their turn between steps. */
  alone: <T>(work: () => Promise<T>) => Promise<T>;
  signal: AbortSignal;
  /** Rows looked at, of all. */
  onProgress: (done: number, total: number) => void;
}

/** Every host that something is stored of. */
export function knownHosts(): Promise<string[]> {
  return withStore(async (db) => {
    const hosts = new Set<string>();
    for (const space of await firstParts(db, 'pages')) {
      let cursor = await db
        .transaction('pages')
        .store.index('place')
        .openKeyCursor(below([space]));
      while (cursor) {
        const [, host] = cursor.key;
        if (host !== '') hosts.add(host);
        // Arrays sort after every string.
        cursor = await cursor.continue([space, host, []] as never);
      }
    }
    return [...hosts].sort();
  });
}

/** Counts what there is of a host; every row is looked at, since others may name it. @throws what `signal` was aborted with */
export function countHost(host: string, options: Omit<ForgetOptions, 'alone' | 'now'>): Promise<HostRows> {
  return goThrough(host, { ...options, now: 0, alone: (work) => work() }, false);
}

/**
 * Deletes everything about a host, for good: it does not go to the trash, and what is in the trash of it is deleted too. Stopped, it has
 * deleted a part; run again, it deletes the rest. @throws what `signal` was aborted with
 */
export async function forgetHost(host: string, options: ForgetOptions): Promise<HostRows> {
  const found = await goThrough(host, options, true);
  const { alone, now } = options;
  await alone(() =>
    withStore(async (db) => {
      await forgetInRounds(db, host);
      const scopes = await db.getAllKeys('scopes');
      const transaction = db.transaction(['sets', 'log', 'meta'], 'readwrite');
      // Filters keep the bits of deleted keys, and tries their letters: all are built again.
      send(transaction.objectStore('sets').clear());
      const entries = scopes.map((scope) => ({ at: now, scope, change: 'space' as const }));
      await appendLog(transaction, entries);
      await transaction.done;
    }),
  );
  // Texts that no version has any more; in one step, since the worker does not know of it.
  await alone(() => withStore((db) => sweepTexts(db, (work) => work())));
  return found;
}

type Kind = keyof typeof WITHOUT_HOST;
type Scrubbed =
  Kind | 'snapshots' | 'live' | 'watches' | 'contentRules' | 'outbox' | 'events' | 'trash' | 'log';
const STORES: Scrubbed[] = [
  'pages',
  'visits',
  'variants',
  'aliases',
  'snapshots',
  'live',
  'watches',
  'contentRules',
  'outbox',
  'events',
  'trash',
  'log',
];
const BATCH = 1_000;

async function goThrough(
  host: string,
  { alone, signal, onProgress }: ForgetOptions,
  remove: boolean,
): Promise<HostRows> {
  const found = { ...NOTHING };
  const counts = await withStore((db) => Promise.all(STORES.map((store) => db.count(store))));
  const total = counts.reduce((sum, count) => sum + count, 0);
  let done = 0;
  for (const store of STORES) {
    let after: IDBValidKey | undefined;
    do {
      signal.throwIfAborted();
      const step = await alone(() =>
        withStore((db) => scrubBatch(db, store, host, { after, remove, found })),
      );
      after = step.last;
      onProgress((done += step.rows), Math.max(total, done));
    } while (after !== undefined);
  }
  return found;
}

async function scrubBatch(
  db: Db,
  store: Scrubbed,
  host: string,
  { after, remove, found }: { after: IDBValidKey | undefined; remove: boolean; found: HostRows },
): Promise<{ rows: number; last: IDBValidKey | undefined }> {
  const stores: StoreName[] = [...new Set<StoreName>([store, 'pages', 'rounds'])];
  const transaction = db.transaction(stores, remove ? 'readwrite' : 'readonly');
  const own = transaction.objectStore(store);
  const range = after === undefined ? undefined : IDBKeyRange.lowerBound(after, true);
  const [keys, rows, rounds] = await Promise.all([
    own.getAllKeys(range as never, BATCH),
    own.getAll(range as never, BATCH) as Promise<unknown[]>,
    transaction.objectStore('rounds').getAll(),
  ]);
  const books = new Books(rounds);
  for (const [index, row] of rows.entries()) {
    const left = without(store, row, host);
    if (left === row) continue;
    note(found, store, row, left);
    if (!remove) continue;
    if (left === undefined) {
      await strike(transaction as WriteTransaction, books, store, row, host);
      send(own.delete?.(keys[index] as never) ?? Promise.resolve());
    } else send(own.put?.(left as never) ?? Promise.resolve());
  }
  for (const round of books.changed())
    send((transaction as WriteTransaction).objectStore('rounds').put(round));
  await transaction.done;
  return { rows: rows.length, last: rows.length < BATCH ? undefined : keys.at(-1) };
}

/** The rounds while rows are deleted beside their decisions: what they count is kept true in the same transaction. */
class Books {
  readonly #rounds: Map<string, Round>;
  readonly #changed = new Set<string>();

  constructor(rounds: Round[]) {
    this.#rounds = new Map(rounds.toSorted((a, b) => a.number - b.number).map((round) => [round.id, round]));
  }

  /** `baseSize`: pages more (or less) that the base has. */
  count(id: string | undefined, count: Count, times: 1 | -1, baseSize = 0): void {
    const round = id === undefined ? undefined : this.#rounds.get(id);
    if (!round) return;
    this.#changed.add(round.id);
    this.#rounds.set(round.id, {
      ...round,
      counters: addCount(round.counters, count, times),
      baseSize: round.baseSize + baseSize,
    });
  }

  /** The round that counts the pages of a space: the latest. */
  ofSpace(space: string): Round | undefined {
    return [...this.#rounds.values()].findLast((round) => round.space === space);
  }

  basedOn(space: string): Round[] {
    return [...this.#rounds.values()].filter(({ baseSpace }) => baseSpace === space);
  }

  changed(): Round[] {
    return [...this.#changed].flatMap((id) => this.#rounds.get(id) ?? []);
  }
}

/** Takes a row that goes out of what is counted. */
async function strike(
  transaction: WriteTransaction,
  books: Books,
  store: Scrubbed,
  row: unknown,
  host: string,
): Promise<void> {
  const pages = transaction.objectStore('pages');
  if (store === 'pages') {
    const page = row as Page;
    const round = books.ofSpace(page.space);
    // Spaces are gone through in the order of their ids: the base's row may be deleted already, and is then of this host too.
    const isHint = page.inBase && page.hint !== undefined && page.visits === 0;
    books.count(round?.id, countPage(page), -1, isHint ? -1 : 0);
    for (const { id } of books.basedOn(page.space)) books.count(id, {}, -1, -1);
  } else if (store === 'visits') {
    const visit = row as Visit;
    books.count(visit.round, countVisit(visit), -1);
  } else if (store === 'aliases') {
    const alias = row as Alias;
    if (alias.coversBase !== undefined)
      books.count(alias.coversBase, countAlias(alias, alias.coversBase), -1);
    if (alias.leftBase !== undefined) books.count(alias.leftBase, {}, 1, 1);
    // What its original was before the alias took its place is a page of its own again.
    const page = alias.folded && WITHOUT_HOST.pages(alias.folded, host);
    if (!page || (await pages.get([page.space, page.key]))) return;
    send(pages.put(indexed(page)));
    books.count(books.ofSpace(page.space)?.id, countPage(page), 1);
  }
}

function without(store: Scrubbed, row: unknown, host: string): unknown {
  switch (store) {
    case 'snapshots':
    case 'live':
    case 'watches':
    case 'contentRules':
      return hostOf((row as { key?: string }).key ?? '') === host ? undefined : row;
    case 'outbox':
      return JSON.stringify((row as Outgoing).item).includes(host) ? undefined : row;
    case 'events': {
      const { answer, ...event } = row as { answer?: unknown };
      return answer !== undefined && JSON.stringify(answer).includes(host) ? event : row;
    }
    case 'trash':
      return trashWithout(row as Trash, host);
    case 'log':
      return entryWithout(row as LogEntry, host);
    default:
      return (WITHOUT_HOST[store] as (row: unknown, host: string) => unknown)(row, host);
  }
}

function trashWithout(trash: Trash, host: string): Trash | undefined {
  if ([trash.watch?.key, trash.rule?.key].some((key = '') => hostOf(key) === host)) return undefined;
  const kept: Trash = { ...trash };
  let isSame = true;
  for (const kind of Object.keys(WITHOUT_HOST) as Kind[]) {
    const rows = trash[kind] as unknown[] | undefined;
    if (!rows) continue;
    const scrub = WITHOUT_HOST[kind] as (row: unknown, host: string) => unknown;
    const left = rows.map((row) => scrub(row, host));
    if (left.every((row, index) => row === rows[index])) continue;
    isSame = false;
    Object.assign(kept, { [kind]: left.filter((row) => row !== undefined) });
  }
  if (isSame) return trash;
  return trash.what === 'page' && kept.pages?.length === 0 ? undefined : kept;
}

/** The number stays, so that nobody counts from a gap. */
function entryWithout(entry: LogEntry, host: string): LogEntry {
  const { key, keys, url, ...rest } = entry;
  const isAt = (address: string | undefined) => address !== undefined && hostOf(address) === host;
  if (!isAt(key) && !isAt(url) && !keys?.some(isAt)) return entry;
  const left = keys?.filter((one) => !isAt(one));
  return { ...rest, change: 'round', ...(left && { keys: left }) };
}

function note(found: HostRows, store: Scrubbed, row: unknown, left: unknown): void {
  if (store === 'log' || store === 'events' || store === 'outbox') return;
  if (store === 'trash') found.trash += 1;
  else if (left !== undefined) found.mentions += 1;
  else if (store === 'pages') found[(row as Page).state === 'known' ? 'links' : 'pages'] += 1;
  else found[NAMES[store]] += 1;
}

const NAMES = {
  visits: 'visits',
  variants: 'addresses',
  aliases: 'aliases',
  snapshots: 'texts',
  live: 'texts',
  watches: 'watches',
  contentRules: 'watches',
} as const;

/** Login pages and tokens that were learned of the host. */
async function forgetInRounds(db: Db, host: string): Promise<void> {
  const transaction = db.transaction(['rounds', 'scopes'], 'readwrite');
  for (const round of await transaction.objectStore('rounds').getAll()) {
    if (!round.sinks?.some((place) => hostOf(place) === host)) continue;
    const sinks = round.sinks.filter((place) => hostOf(place) !== host);
    send(transaction.objectStore('rounds').put({ ...round, sinks }));
  }
  for (const scope of await transaction.objectStore('scopes').getAll()) {
    if (!scope.tokens?.some((token) => token.host === host)) continue;
    const tokens = scope.tokens.filter((token) => token.host !== host);
    send(transaction.objectStore('scopes').put({ ...scope, tokens }));
  }
  await transaction.done;
}
