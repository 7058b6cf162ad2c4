import type { Addressed } from '#lib/rounds/address.ts';
import { resolveLink } from '#lib/rounds/rounds.ts';
import type { Alias, PageState, Round, Scope } from '#lib/rounds/types.ts';
import {
  ABSENT,
  BloomFilter,
  GONE,
  KNOWN,
  RETRYING,
  RoundSet,
  type RadixTrie,
  VISITED,
  type PresentState,
} from '#lib/sets/index.ts';
import { seenInRows } from './answers.ts';
import { below } from './ranges.ts';
import type { Db, LogEntry, SavedSet, WriteTransaction } from './schema.ts';
import { send } from './transaction.ts';
import { pageBatches } from './walk.ts';
import { countUp } from './writes.ts';

const CODES: Record<PageState, PresentState> = {
  known: KNOWN,
  visited: VISITED,
  retrying: RETRYING,
  gone: GONE,
};
const WORDS: Record<number, PageState> = {
  [KNOWN]: 'known',
  [VISITED]: 'visited',
  [RETRYING]: 'retrying',
  [GONE]: 'gone',
};

/** A filter begins with room for this many keys and grows by stages. */
const CAPACITY = 100_000;
const ERROR_RATE = 0.001;
/** The filter is built again when deleted keys pass this share. */
const MOST_DELETED = 0.1;

interface OfScope {
  /** Last entry of the log that is in it. */
  log: number;
  policyVersion: string;
  scope: Scope;
  filter: BloomFilter;
  deleted: number;
  aliases: Map<string, Alias>;
  savedAt: number;
}

interface OfSpace {
  log: number;
  policyVersion: string;
  set: RoundSet;
  changed: Set<string>;
  savedAt: number;
}

export interface LinkState {
  state: PageState;
  changed: boolean;
}

/**
 * What is kept in memory beside the store: of each scope a filter of everything visited and the alias table, of each duplicate space the
 * set of its keys. Loaded when first asked for, brought up to date from the log at every question, built again from the rows where it
 * cannot be. They only make answers quick: every decision is the store's.
 */
export class Sets {
  readonly #scopes = new Map<string, OfScope>();
  readonly #spaces = new Map<string, OfSpace>();
  #loading: Promise<unknown> = Promise.resolve();
  #counts = { filterNo: 0, filterMaybe: 0, filterWrong: 0, setsRebuilt: 0 };

  /**
   * Whether a key was visited in another round of the scope. Where the filter is loaded and knows everything up to log entry `number`, its
   * "never" is final; its "maybe" is confirmed by the rows, and counted where it was wrong.
   */
  async seen(
    transaction: WriteTransaction,
    asked: { scope: string; key: string; space: string },
    number: number,
  ): Promise<boolean> {
    const loaded = this.#scopes.get(asked.scope);
    if (loaded?.log !== number) return seenInRows(transaction, asked);
    if (!loaded.filter.has(asked.key)) {
      this.#counts.filterNo += 1;
      return false;
    }
    this.#counts.filterMaybe += 1;
    const isSeen = await seenInRows(transaction, asked);
    // Visited in this very space, or deleted since: the filter said the truth then.
    const own = isSeen ? undefined : await transaction.objectStore('pages').get([asked.space, asked.key]);
    if (!isSeen && own?.state !== 'visited' && loaded.deleted === 0) {
      this.#counts.filterWrong += 1;
      loaded.filter.noteFalsePositive();
    }
    return isSeen;
  }

  /** Takes in what was just written, where nothing was missed before; otherwise the log tells it at the next question. */
  note(before: number, entries: LogEntry[]): void {
    const last = entries.at(-1);
    if (!last || entries.some(({ change }) => change === 'alias' || change === 'scope' || change === 'space'))
      return;
    for (const [id, scope] of this.#scopes) {
      if (scope.log !== before) continue;
      for (const entry of entries) if (entry.scope === id) noteInScope(scope, entry);
      scope.log = last.seq;
    }
    for (const [id, space] of this.#spaces) {
      if (space.log !== before) continue;
      for (const entry of entries) if (entry.space === id) noteInSpace(space, entry);
      space.log = last.seq;
    }
  }

  /** Those links of a page that the space does not know yet, through the alias table. */
  async unknown(db: Db, round: Round, addresses: Addressed[]): Promise<Addressed[]> {
    const { scope, space } = await this.#ready(db, round);
    const keys = addresses.map(({ key }) => resolve(key, scope, round));
    const states = space.set.statesOf(keys);
    // What an alias leads elsewhere has no row of its own, wherever it leads.
    return addresses.filter(({ key }, index) => states[index] === ABSENT && keys[index] === key);
  }

  /** States of links in a round, `null` where nothing is known. */
  async statesOf(db: Db, round: Round, links: string[]): Promise<(LinkState | null)[]> {
    const { scope, space } = await this.#ready(db, round);
    const keys = links.map((key) => resolve(key, scope, round));
    return space.set.statesOf(keys).map((code, index) => {
      const state = WORDS[code];
      return state === undefined ? null : { state, changed: space.changed.has(keys[index] ?? '') };
    });
  }

  /** Figures for Data > Diagnostics. */
  async report(
    db: Db,
    round: Round,
  ): Promise<{
    filter: { bits: number; keys: number; rate: number; deleted: number };
    set: ReturnType<RoundSet['report']>;
  }> {
    const { scope, space } = await this.#ready(db, round);
    const { bits, size, estimatedErrorRate } = scope.filter;
    return {
      filter: { bits, keys: size, rate: estimatedErrorRate, deleted: scope.deleted },
      set: space.set.report(),
    };
  }

  /**
   * Whether what is saved of a round and its scope can be read and says what the rows say; where nothing is saved, nothing can be wrong.
   * `onRows` hears how many rows were compared.
   */
  async agree(db: Db, round: Round, onRows: (rows: number) => void): Promise<boolean> {
    const scope = await db.get('scopes', round.scope);
    if (!scope) return true;
    const log = await logNumber(db);
    // Those of another policy are out of date, not damaged.
    const isKept = async (owner: string, policy: string) =>
      (await db.getAll('sets', below([owner]), 1))[0]?.policyVersion === policy;
    const isDamaged =
      ((await isKept(`set:${round.space}`, round.policyVersion)) && !(await savedSet(db, round, log))) ||
      ((await isKept(`filter:${scope.id}`, scope.policyVersion)) && !(await savedFilter(db, scope, log)));
    if (isDamaged) return false;
    const loaded = await this.#ready(db, round);
    let size = 0;
    for await (const pages of pageBatches(db, round.space)) {
      const states = loaded.space.set.statesOf(pages.map(({ key }) => key));
      for (const [index, { key, state, changed = false }] of pages.entries()) {
        if (states[index] !== CODES[state] || loaded.space.changed.has(key) !== changed) return false;
        if (state === 'visited' && !loaded.scope.filter.has(key)) return false;
      }
      size += pages.length;
      onRows(pages.length);
    }
    return loaded.space.set.size === size;
  }

  /** Drops what is in memory, e.g. after a restore; it is loaded or built again at the next question. */
  forget(): void {
    this.#scopes.clear();
    this.#spaces.clear();
  }

  /** Saves what changed since it was saved. Of a filter only the shards that changed. */
  async save(db: Db): Promise<void> {
    const rows: SavedSet[] = [];
    const after: (() => void)[] = [];
    for (const [id, loaded] of this.#scopes) {
      const { filter, log, policyVersion, deleted, savedAt } = loaded;
      if (savedAt === log) continue;
      const about = { owner: `filter:${id}`, log, policyVersion, deleted };
      rows.push({ ...about, shard: -1, bytes: filter.header({ log, policy: policyVersion }) });
      for (const shard of filter.dirtyShards()) rows.push({ ...about, shard, bytes: filter.shard(shard) });
      after.push(() => {
        filter.markSaved();
        loaded.savedAt = log;
      });
    }
    for (const [id, loaded] of this.#spaces) {
      const { set, log, policyVersion, changed, savedAt } = loaded;
      if (savedAt === log) continue;
      const about = { owner: `set:${id}`, log, policyVersion };
      rows.push({ ...about, shard: 0, bytes: set.toBuffer({ log, policy: policyVersion }) });
      rows.push({ ...about, shard: 1, bytes: new TextEncoder().encode(JSON.stringify([...changed])) });
      after.push(() => (loaded.savedAt = log));
    }
    const counts = this.#counts;
    if (rows.length === 0 && Object.values(counts).every((count) => count === 0)) return;
    const transaction = db.transaction(['sets', 'meta'], 'readwrite', { durability: 'relaxed' });
    for (const row of rows) send(transaction.objectStore('sets').put(row));
    await countUp(transaction.objectStore('meta'), (all) => {
      for (const name of Object.keys(counts) as (keyof typeof counts)[]) all[name] += counts[name];
    });
    await transaction.done;
    this.#counts = { filterNo: 0, filterMaybe: 0, filterWrong: 0, setsRebuilt: 0 };
    for (const done of after) done();
  }

  /** One question at a time loads; the others then find it loaded. */
  #ready(db: Db, round: Round): Promise<{ scope: OfScope; space: OfSpace }> {
    const ready = this.#loading.then(() => this.#load(db, round));
    this.#loading = ready.catch(() => undefined);
    return ready;
  }

  async #load(db: Db, round: Round, fromRows = false): Promise<{ scope: OfScope; space: OfSpace }> {
    const current = await db.get('scopes', round.scope);
    if (!current) throw new Error(`scope ${round.scope} does not exist`);
    let scope = fromRows ? undefined : this.#scopes.get(round.scope);
    if (!scope || scope.policyVersion !== current.policyVersion || isWornOut(scope)) {
      scope = await loadScope(db, current, !fromRows && !scope);
      this.#scopes.set(round.scope, scope);
    }
    let space = fromRows ? undefined : this.#spaces.get(round.space);
    if (!space || space.policyVersion !== round.policyVersion) {
      space = await loadSpace(db, round, !fromRows);
      this.#spaces.set(round.space, space);
    }
    if (await this.#catchUp(db, scope, space, round.space)) return { scope, space };
    this.#counts.setsRebuilt += 1;
    return this.#load(db, round, true);
  }

  /** Brings both up to date; `false` where the log does not tell, and they must be built again from the rows. */
  async #catchUp(db: Db, scope: OfScope, space: OfSpace, spaceId: string): Promise<boolean> {
    const transaction = db.transaction(['log', 'meta', 'aliases', 'scopes']);
    const meta = await transaction.objectStore('meta').get('log');
    const number = meta?.id === 'log' ? meta.number : 0;
    const first = meta?.id === 'log' ? meta.first : 1;
    const from = Math.min(scope.log, space.log);
    if (from > number || from + 1 < first) return false;
    if (from === number) return true;
    const scopeId = scope.scope.id;
    const all = await transaction.objectStore('log').getAll(IDBKeyRange.bound(from, number, true));
    const entries = all.filter((entry) => entry.scope === scopeId);
    if (entries.some((entry) => entry.change === 'space' && (entry.space ?? spaceId) === spaceId))
      return false;
    for (const entry of entries) {
      if (entry.seq > scope.log) noteInScope(scope, entry);
      if (entry.seq > space.log && entry.space === spaceId) noteInSpace(space, entry);
    }
    for (const from of new Set(
      entries.filter(({ change }) => change === 'alias').map(({ key = '' }) => key),
    )) {
      const alias = await transaction.objectStore('aliases').get([scopeId, from]);
      if (alias) scope.aliases.set(from, alias);
      else scope.aliases.delete(from);
    }
    scope.scope = (await transaction.objectStore('scopes').get(scopeId)) ?? scope.scope;
    scope.log = number;
    space.log = number;
    return true;
  }
}

/** The filter keeps the bits of deleted keys; when there are too many it is built again. */
function isWornOut({ deleted, filter }: OfScope): boolean {
  return deleted > 100 && deleted > filter.size * MOST_DELETED;
}

function resolve(key: string, { aliases, scope }: OfScope, round: Round): string {
  return resolveLink(key, (from) => aliases.get(from), round, scope.tokens);
}

function noteInScope(scope: OfScope, { change, key, state }: LogEntry): void {
  if (key === undefined) return;
  if (change === 'page' && state === 'visited') scope.filter.add(key);
  if (change === 'deleted' && scope.filter.has(key)) scope.deleted += 1;
}

function noteInSpace({ set, changed }: OfSpace, entry: LogEntry): void {
  const { change, key, state } = entry;
  if (change === 'known') for (const each of entry.keys ?? []) set.insert(each, KNOWN);
  if (key === undefined) return;
  if (change === 'page' && state) {
    set.setState(key, CODES[state]);
    if (entry.changed) changed.add(key);
    else changed.delete(key);
  }
  if (change === 'deleted') {
    set.delete(key);
    changed.delete(key);
  }
}

async function logNumber(db: Db): Promise<number> {
  const meta = await db.get('meta', 'log');
  return meta?.id === 'log' ? meta.number : 0;
}

async function loadScope(db: Db, scope: Scope, maySaved: boolean): Promise<OfScope> {
  // Before anything is read: what is written meanwhile comes again from the log, where it does no harm.
  const log = await logNumber(db);
  const aliases = await db.getAll('aliases', below([scope.id]));
  const table = new Map(aliases.map((alias) => [alias.from, alias]));
  const about = { policyVersion: scope.policyVersion, scope, aliases: table };
  const saved = maySaved ? await savedFilter(db, scope, log) : undefined;
  if (saved) return { ...about, ...saved };
  const filter = new BloomFilter({ capacity: CAPACITY, errorRate: ERROR_RATE });
  for (const round of await spacesOf(db, scope.id)) {
    for await (const pages of pageBatches(db, round, { state: 'visited' }))
      for (const { key } of pages) filter.add(key);
  }
  return { ...about, filter, log, deleted: 0, savedAt: -1 };
}

/** The saved filter; nothing where it is damaged, of another policy, or missing. */
async function savedFilter(
  db: Db,
  scope: Scope,
  log: number,
): Promise<Pick<OfScope, 'filter' | 'log' | 'deleted' | 'savedAt'> | undefined> {
  const [header, ...shards] = await db.getAll('sets', below([`filter:${scope.id}`]));
  if (!header || header.policyVersion !== scope.policyVersion || header.log > log) return undefined;
  try {
    const filter = BloomFilter.fromShards(
      header.bytes,
      shards.map(({ bytes }) => bytes),
    );
    const stamp = BloomFilter.stampOf(header.bytes, 'header');
    if (stamp.log !== header.log || stamp.policy !== header.policyVersion) return undefined;
    return { filter, log: header.log, deleted: header.deleted ?? 0, savedAt: header.log };
  } catch {
    return undefined;
  }
}

async function spacesOf(db: Db, scope: string): Promise<Set<string>> {
  const rounds = await db.getAllFromIndex('rounds', 'scope', below([scope]));
  return new Set(rounds.map(({ space }) => space));
}

async function loadSpace(db: Db, round: Round, maySaved: boolean): Promise<OfSpace> {
  const log = await logNumber(db);
  const saved = maySaved ? await savedSet(db, round, log) : undefined;
  if (saved) return saved;
  const set = new RoundSet();
  const changed = new Set<string>();
  for await (const pages of pageBatches(db, round.space)) {
    for (const page of pages) {
      set.setState(page.key, CODES[page.state]);
      if (page.changed) changed.add(page.key);
    }
  }
  return { log, policyVersion: round.policyVersion, set, changed, savedAt: -1 };
}

async function savedSet(db: Db, { space, policyVersion }: Round, log: number): Promise<OfSpace | undefined> {
  const [row, flags] = await db.getAll('sets', below([`set:${space}`]));
  if (!row || !flags || row.policyVersion !== policyVersion || row.log > log) return undefined;
  try {
    const stamp = RoundSet.stampOf(row.bytes);
    if (stamp.log !== row.log || stamp.policy !== policyVersion) return undefined;
    const changed = new Set(JSON.parse(new TextDecoder().decode(flags.bytes)) as string[]);
    return { log: row.log, policyVersion, set: RoundSet.from(row.bytes), changed, savedAt: row.log };
  } catch {
    return undefined;
  }
}

/**
 * The saved set of a round's space as of now, where it can be listed and the log tells what came since; a view that needs no filter reads
 * it without building anything.
 */
export async function savedTrie(db: Db, round: Round): Promise<RadixTrie | undefined> {
  const meta = await db.get('meta', 'log');
  const number = meta?.id === 'log' ? meta.number : 0;
  const saved = await savedSet(db, round, number);
  if (!saved?.set.trie || (meta?.id === 'log' && saved.log + 1 < meta.first)) return undefined;
  const entries = await db.getAll('log', IDBKeyRange.bound(saved.log, number, true));
  const ours = entries.filter(
    ({ scope, space }) => scope === round.scope && (space ?? round.space) === round.space,
  );
  if (ours.some(({ change }) => change === 'space')) return undefined;
  for (const entry of ours) if (entry.space !== undefined) noteInSpace(saved, entry);
  return saved.set.trie;
}
