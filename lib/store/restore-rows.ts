import { BackupError, type BackupRow, type BackupStore, type Row } from '#lib/exchange/backup.ts';
import { addressOf } from '#lib/rounds/address.ts';
import { decideReturn } from '#lib/rounds/decide.ts';
import { knownPage } from '#lib/rounds/links.ts';
import { indexed } from '#lib/rounds/rows.ts';
import { end, newRound } from '#lib/rounds/rounds.ts';
import type { Alias, Page, Round, Scope, Variant, Visit } from '#lib/rounds/types.ts';
import { compilePolicy, type Policy } from '#lib/url/index.ts';
import { hashesOf } from './packing.ts';
import { below } from './ranges.ts';
import type { Db, StoreName, WriteTransaction } from './schema.ts';
import { countRound } from './recount.ts';
import { send, write } from './transaction.ts';
import { asLink, keyedPage, saysMore, unite, wholeCounters } from './united.ts';
import { decideIn, roundOf } from './writes.ts';

/** Where pages of one duplicate space go, and by which policy their keys are made. */
interface Space {
  round: Round;
  policy: Policy;
  policyVersion: string;
  /** It was there before: rows meet rows. */
  isOld: boolean;
}

/** What holds everything but what is built from the rows, and the log that tells how. */
export const ROW_STORES: StoreName[] = [
  'scopes',
  'rounds',
  'pages',
  'visits',
  'variants',
  'aliases',
  'events',
  'policies',
  'texts',
  'snapshots',
  'watches',
  'contentRules',
  'trash',
  'meta',
];

export interface Counts {
  /** Rows that were added or united with one that was there. */
  added: number;
  /** Rows that were there already, and visits whose event was. */
  skipped: number;
  /** Pages whose address has no key by the policy of their round. */
  refused: number;
}

/**
 * Puts rows into a database that nobody else uses yet. Where a row is there already the two are united; keys of another policy version than
 * that of their space are made again; counters follow from the rows in the end.
 */
export class RowKeeper {
  readonly counts: Counts = { added: 0, skipped: 0, refused: 0 };
  readonly #db: Db;
  /** In a merge foreign rounds end then, and rows get numbers of their own. */
  readonly #endedAt: number | undefined;
  /** Rounds that were there before. */
  readonly #own = new Set<string>();
  readonly #scopes = new Map<string, Scope>();
  readonly #rounds = new Map<string, Round>();
  readonly #spaces = new Map<string, Space>();
  /** Pages whose row must be made again from their visits. */
  readonly #unsettled = new Map<string, [space: string, key: string]>();
  /** Spaces and scopes whose rows were keyed by another policy than here. */
  readonly #rekeyed = new Set<string>();
  /** Rounds whose rows changed in a space that was there before. */
  readonly #touched = new Set<string>();
  /** Pages that came into a space that was there before: rounds based on it have them in their base now. */
  readonly #joined: [space: string, key: string][] = [];
  #number: number;

  private constructor(db: Db, number: number, endedAt: number | undefined) {
    this.#db = db;
    this.#number = number;
    this.#endedAt = endedAt;
  }

  /** `endedAt`: rounds of the rows that are open end then; without it they stay open. */
  static async open(db: Db, endedAt?: number): Promise<RowKeeper> {
    const log = await db.get('meta', 'log');
    const keeper = new RowKeeper(db, log?.id === 'log' ? log.number : 0, endedAt);
    for (const scope of await db.getAll('scopes')) keeper.#scopes.set(scope.id, scope);
    for (const round of (await db.getAll('rounds')).sort((a, b) => a.number - b.number)) {
      keeper.#rounds.set(round.id, round);
      keeper.#own.add(round.id);
      keeper.#spaces.set(round.space, spaceOf(round, true));
    }
    return keeper;
  }

  /** Puts some rows, in one transaction. @throws {BackupError} for a row that nothing can be made of */
  async put(rows: BackupRow[]): Promise<void> {
    const transaction = this.#db.transaction([...ROW_STORES, 'log'], 'readwrite', {
      durability: 'relaxed',
    }) as WriteTransaction;
    // An error below says more than the abort it leads to.
    const done = transaction.done.then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    try {
      for (const row of rows) await this.#putRow(transaction, row);
    } catch (error) {
      transaction.abort();
      await done;
      throw error;
    }
    const failed = await done;
    if (failed) throw failed.error;
  }

  async #putRow(transaction: WriteTransaction, { store, row, line }: BackupRow): Promise<void> {
    switch (store) {
      case 'meta':
        // The counts of Diagnostics are of this browser; only the number goes on.
        if (row['id'] === 'log' && Number.isSafeInteger(row['number']))
          this.#number = Math.max(this.#number, row['number'] as number);
        return;
      case 'scopes':
        return this.#putScope(transaction, row as unknown as Scope, line);
      case 'rounds':
        return this.#putRound(transaction, row as unknown as Round, line);
      case 'pages':
        return this.#putPage(transaction, row as unknown as Page, line);
      case 'visits':
        return this.#putVisit(transaction, row as unknown as Visit, line);
      case 'variants':
        return this.#putVariant(transaction, row as unknown as Variant);
      case 'aliases':
        return this.#putAlias(transaction, row as unknown as Alias);
      default:
        return this.#putNew(transaction, store, row, line);
    }
  }

  #putScope(transaction: WriteTransaction, row: Scope, line: number): void {
    if (this.#scopes.has(row.id)) return this.#skip();
    if (!row.origins.every((origin) => typeof origin === 'string'))
      throw new BackupError(line, 'scopes: field "origins" is not what it must be.');
    compiled(row.policy, line);
    this.#scopes.set(row.id, row);
    this.#add(transaction, 'scopes', row);
  }

  #putRound(transaction: WriteTransaction, row: Round, line: number): void {
    if (this.#rounds.has(row.id)) return this.#skip();
    if (!this.#scopes.has(row.scope)) throw new BackupError(line, 'the project of this round is missing.');
    const isForeign = this.#endedAt !== undefined && row.state !== 'ended';
    const whole: Round = {
      ...row,
      baseSize: Number.isSafeInteger(row.baseSize) ? row.baseSize : 0,
      counters: wholeCounters(row.counters),
    };
    const round = isForeign ? end(whole, this.#endedAt ?? 0) : whole;
    const policy = compiled(round.policy, line);
    this.#rounds.set(round.id, round);
    // Rounds of a collecting scope share a space, and the policy of the first.
    if (!this.#spaces.has(round.space))
      this.#spaces.set(round.space, { round, policy, policyVersion: round.policyVersion, isOld: false });
    this.#add(transaction, 'rounds', round);
  }

  /** A collecting scope without rounds (a list made into a backup) gets one that has ended. */
  #spaceOf(transaction: WriteTransaction, id: string, line: number): Space {
    const found = this.#spaces.get(id);
    if (found) return found;
    const scope = this.#scopes.get(id);
    if (!scope) throw new BackupError(line, 'the round of this row is missing.');
    const at = scope.createdAt;
    const round = end(newRound({ ...scope, mode: 'collecting' }, [], { id: `${scope.id}-1`, at }), at);
    this.#putRound(transaction, round, line);
    this.#touched.add(round.id);
    return this.#spaceOf(transaction, id, line);
  }

  async #putPage(transaction: WriteTransaction, row: Page, line: number): Promise<void> {
    const space = this.#spaceOf(transaction, row.space, line);
    const page = keyedPage(row, space);
    if (!page) {
      this.counts.refused += 1;
      return;
    }
    const isRekeyed = row.policyVersion !== space.policyVersion;
    if (isRekeyed) this.#rekeyed.add(row.space).add(row.scope);
    const pages = transaction.objectStore('pages');
    const there = space.isOld || isRekeyed ? await pages.get([page.space, page.key]) : undefined;
    if (there && !saysMore(page, there)) return this.#skip();
    if (space.isOld || isRekeyed) {
      this.#touched.add(space.round.id);
      // Its visits may be divided otherwise by this policy.
      this.#unsettle(page.space, page.key);
    }
    if (there) return this.#add(transaction, 'pages', unite(page, there));
    const seq = this.#numberOf(page);
    if (space.isOld) this.#joined.push([page.space, page.key]);
    this.#add(transaction, 'pages', { ...page, seq });
  }

  async #putVisit(transaction: WriteTransaction, row: Visit, line: number): Promise<void> {
    const space = this.#spaceOf(transaction, row.space, line);
    // One event may be a visit in several scopes.
    const told = await transaction.objectStore('visits').index('event').getAll(row.event);
    if (told.some((visit) => visit.space === row.space)) return this.#skip();
    const address = this.#rekeyed.has(row.space) ? addressOf(row.url, space.policy) : undefined;
    const key = address && row.shown === undefined ? address.key : row.key;
    const visit: Visit = { ...row, seq: this.#numberOf(row), key, how: row.how ?? 'other' };
    visit.signals = row.signals ?? [];
    visit.told = row.told ?? [];
    if (space.isOld || key !== row.key) {
      this.#touched.add(space.round.id);
      this.#touched.add(row.round);
      this.#unsettle(row.space, key);
      const pages = transaction.objectStore('pages');
      if ((await pages.getKey([row.space, key])) === undefined && address) {
        // It was one with another page by the other policy.
        const about = { seq: ++this.#number, at: row.at, isNew: true, inBase: false };
        const { linkedAt: _, ...page } = knownPage(address, space.round, about);
        send(pages.put(indexed(page)));
      }
    }
    this.#add(transaction, 'visits', visit);
  }

  async #putVariant(transaction: WriteTransaction, given: Variant): Promise<void> {
    const row = this.#keyedVariant(given);
    const there = await transaction.objectStore('variants').get([row.scope, row.key, row.url]);
    if (!there) return this.#add(transaction, 'variants', row);
    const both: Variant = {
      ...there,
      firstSeenAt: Math.min(there.firstSeenAt, row.firstSeenAt),
      lastSeenAt: Math.max(there.lastSeenAt, row.lastSeenAt),
      visits: Math.max(there.visits, row.visits),
    };
    if (JSON.stringify(both) === JSON.stringify(there)) return this.#skip();
    this.#add(transaction, 'variants', both);
  }

  #keyedVariant(row: Variant): Variant {
    const space = this.#rekeyed.has(row.scope) ? this.#spaces.get(row.scope) : undefined;
    const address = space && addressOf(row.fullUrl ?? row.url, space.policy);
    return address ? { ...row, key: address.key, policyVersion: space.policyVersion } : row;
  }

  /** The newer knowledge of where an address leads stands. Of keys of another policy it would be wrong, and is learned again. */
  async #putAlias(transaction: WriteTransaction, row: Alias): Promise<void> {
    if (this.#rekeyed.has(row.scope)) return this.#skip();
    const there = await transaction.objectStore('aliases').get([row.scope, row.from]);
    if (there && there.at >= row.at) return this.#skip();
    this.#add(transaction, 'aliases', { ...row, leads: row.leads ?? [] });
  }

  async #putNew(
    transaction: WriteTransaction,
    store: 'policies' | 'texts' | 'snapshots' | 'watches' | 'contentRules',
    row: Row,
    line: number,
  ): Promise<void> {
    const path = transaction.objectStore(store).keyPath;
    const parts = [path].flat().map((field) => row[field ?? '']);
    if (!parts.every((part) => typeof part === 'string' || Number.isFinite(part)))
      throw new BackupError(line, `${store}: the row has no key.`);
    const key = (Array.isArray(path) ? parts : parts[0]) as never;
    if ((await transaction.objectStore(store).getKey(key)) !== undefined) return this.#skip();
    this.#add(transaction, store, row);
  }

  #add(transaction: WriteTransaction, store: BackupStore, row: object): void {
    this.counts.added += 1;
    const kept = store === 'pages' ? indexed(row as Page) : row;
    send(transaction.objectStore(store).put(kept as never));
  }

  /** The number a row has, or a new one where there are others already. */
  #numberOf({ seq }: { seq: number }): number {
    const isFree = this.#endedAt === undefined && Number.isSafeInteger(seq);
    const number = isFree ? seq : this.#number + 1;
    this.#number = Math.max(this.#number, number);
    return number;
  }

  #skip(): void {
    this.counts.skipped += 1;
  }

  #unsettle(space: string, key: string): void {
    this.#unsettled.set(`${space}\n${key}`, [space, key]);
  }

  /** Makes everything agree that follows from the rows. May be called again after more rows. */
  async finish(): Promise<void> {
    await this.#writeLogNumber();
    await this.#tellRoundsBasedOnThese();
    await this.#settle();
    await this.#setRoundsRight();
    await this.#writeLogNumber();
  }

  /** The log begins anew: whatever is kept in memory or saved beside the rows is built again from them. */
  async #writeLogNumber(): Promise<void> {
    const transaction = this.#db.transaction(['meta', 'log'], 'readwrite');
    const log = await transaction.objectStore('meta').get('log');
    this.#number = Math.max(this.#number, log?.id === 'log' ? log.number : 0);
    send(transaction.objectStore('meta').put({ id: 'log', number: this.#number, first: this.#number + 1 }));
    send(transaction.objectStore('log').clear());
    await transaction.done;
  }

  async #tellRoundsBasedOnThese(): Promise<void> {
    for (const round of await this.#db.getAll('rounds')) {
      const keys = this.#joined.filter(([space]) => space === round.baseSpace);
      if (keys.length === 0 || round.baseSpace === round.space) continue;
      for (let from = 0; from < keys.length; from += STEP) {
        const transaction = this.#db.transaction('pages', 'readwrite', { durability: 'relaxed' });
        for (const [, key] of keys.slice(from, from + STEP)) {
          const page = await transaction.store.get([round.space, key]);
          if (page && !page.inBase) send(transaction.store.put(indexed({ ...page, inBase: true })));
        }
        await transaction.done;
      }
      await this.#db.put('rounds', { ...round, baseSize: round.baseSize + keys.length });
      this.#touched.add(round.id);
    }
    this.#joined.length = 0;
  }

  /** Page rows follow from the visits, as they do when something deleted comes back. */
  async #settle(): Promise<void> {
    const all = [...this.#unsettled.values()];
    this.#unsettled.clear();
    for (let from = 0; from < all.length; from += STEP) {
      await write(this.#db, async (transaction) => {
        for (const [space, key] of all.slice(from, from + STEP)) {
          const page = await transaction.objectStore('pages').get([space, key]);
          const round = await roundOf(transaction, space);
          if (!page || !round) continue;
          const back = { page: asLink(page), visits: [], aliases: [] };
          await decideIn(transaction, round, page.lastVisitAt ?? 0, (state) => decideReturn(state, back));
        }
      });
    }
  }

  /**
   * Numbers follow time and the open round is the last one of its scope, since that is how the recorder finds the round of an event;
   * counters follow from rows.
   */
  async #setRoundsRight(): Promise<void> {
    const byScope = Map.groupBy(await this.#db.getAll('rounds'), ({ scope }) => scope);
    for (const rounds of byScope.values()) {
      const isOpen = ({ state }: Round) => (state === 'ended' ? 0 : 1);
      const inOrder = rounds.toSorted(
        (a, b) => isOpen(a) - isOpen(b) || a.startedAt - b.startedAt || a.number - b.number,
      );
      let last = 0;
      for (const [index, round] of inOrder.entries()) {
        const isLast = index === inOrder.length - 1;
        const next = inOrder[index + 1];
        const ended = isLast || !isOpen(round) ? round : end(round, next?.startedAt ?? round.startedAt);
        const number = Math.max(last + 1, round.number);
        last = number;
        // Earlier rounds of one space keep what was counted when they ended.
        const isCounted = this.#touched.has(round.id) && (isLast || round.space === round.id);
        const counters = isCounted ? await countRound(this.#db, ended) : ended.counters;
        const right = { ...ended, number, counters };
        if (JSON.stringify(right) !== JSON.stringify(round)) await this.#db.put('rounds', right);
      }
    }
    this.#touched.clear();
  }

  /**
   * Takes over what another database got after log entry `since`: the restore went on beside the recorder, and this is its last step.
   * @throws {Error} where the log does not tell it
   */
  async carry(old: Db, since: number): Promise<void> {
    const log = await old.get('meta', 'log');
    const number = log?.id === 'log' ? log.number : 0;
    // Whoever remembers something of the other database sees by the number that this is not it.
    this.#number = Math.max(this.#number, number) + 1;
    if (number === since) return;
    if (log?.id === 'log' && log.first > since + 1) throw new Error(MOVED_ON);
    const entries = await old.getAll('log', IDBKeyRange.lowerBound(since, true));
    if (entries.some(({ change }) => change === 'space')) throw new Error(MOVED_ON);
    const spaces = new Set(entries.map(({ space }) => space));
    const changedScopes = new Set(
      entries.filter(({ change }) => change === 'scope').map(({ scope }) => scope),
    );
    for (const scope of await old.getAll('scopes')) {
      const isNeeded = entries.some((entry) => entry.scope === scope.id);
      if (!isNeeded || (this.#scopes.has(scope.id) && !changedScopes.has(scope.id))) continue;
      this.#scopes.set(scope.id, scope);
      await this.#db.put('scopes', scope);
    }
    for (const round of await old.getAll('rounds')) {
      if (!spaces.has(round.space)) continue;
      const here = await this.#db.get('rounds', round.id);
      const { number: rank, baseSize } = here ?? round;
      const merged = { ...round, number: rank, baseSize };
      this.#rounds.set(round.id, merged);
      this.#spaces.set(round.space, spaceOf(merged, true));
      this.#touched.add(round.id);
      await this.#db.put('rounds', merged);
    }
    const ids = new Set(await old.getAllKeys('rounds'));
    for (const id of this.#own) if (!ids.has(id)) await this.#db.delete('rounds', id);
    for (const { change, scope, space, key, keys } of entries) {
      if (change === 'alias' && key !== undefined) {
        const alias = await old.get('aliases', [scope, key]);
        if (alias) await this.#db.put('aliases', alias);
      }
      if (space === undefined) continue;
      for (const each of keys ?? (key === undefined ? [] : [key]))
        await this.#carryPage(old, space, each, scope);
    }
    for (const store of ['events', 'trash', 'watches', 'contentRules'] as const) {
      const have = new Set<unknown>(await this.#db.getAllKeys(store));
      const missing = (await old.getAll(store)).filter(({ id }) => !have.has(id));
      const transaction = this.#db.transaction(store, 'readwrite');
      for (const row of missing) send(transaction.store.put(row));
      await transaction.done;
    }
  }

  async #carryPage(old: Db, space: string, key: string, scope: string): Promise<void> {
    const [page, visits, variants] = await Promise.all([
      old.get('pages', [space, key]),
      old.getAllFromIndex('visits', 'page', below([space, key])),
      old.getAll('variants', below([scope, key])),
    ]);
    const here = await this.#db.getAllFromIndex('visits', 'page', below([space, key]));
    const transaction = this.#db.transaction(['pages', 'visits', 'variants'], 'readwrite');
    if (!page) {
      send(transaction.objectStore('pages').delete([space, key]));
      for (const { seq } of here) send(transaction.objectStore('visits').delete(seq));
    }
    for (const visit of visits) {
      const same = here.find(({ event }) => event === visit.event);
      send(transaction.objectStore('visits').put({ ...visit, seq: same?.seq ?? ++this.#number }));
    }
    for (const variant of variants) send(transaction.objectStore('variants').put(variant));
    const there = await transaction.objectStore('pages').get([space, key]);
    if (page) {
      const seq = there?.seq ?? ++this.#number;
      send(transaction.objectStore('pages').put(indexed({ ...(there ? unite(there, page) : page), seq })));
      this.#unsettle(space, key);
    }
    await transaction.done;
    await carryVersions(old, this.#db, space, key);
  }
}

/** What a page said meanwhile, with its texts. */
async function carryVersions(old: Db, fresh: Db, space: string, key: string): Promise<void> {
  const [rows, there] = await Promise.all([
    old.getAll('snapshots', below([space, key])),
    fresh.getAllKeys('snapshots', below([space, key])),
  ]);
  const known = new Set(there.map((path) => JSON.stringify(path)));
  const missing = rows.filter((row) => !known.has(JSON.stringify([row.space, row.key, row.frame, row.seq])));
  const hashes = new Set(missing.flatMap(hashesOf));
  const texts = await Promise.all([...hashes].map((hash) => old.get('texts', hash)));
  const transaction = fresh.transaction(['snapshots', 'texts'], 'readwrite');
  for (const row of missing) send(transaction.objectStore('snapshots').put(row));
  for (const text of texts) if (text) send(transaction.objectStore('texts').put(text));
  await transaction.done;
}

/** Pages of one transaction. */
const STEP = 200;

const MOVED_ON =
  'A round was deleted or brought back meanwhile. Nothing was changed; start the restore again.';

function spaceOf(round: Round, isOld: boolean): Space {
  return { round, policy: compilePolicy(round.policy), policyVersion: round.policyVersion, isOld };
}

/** @throws {BackupError} */
function compiled(policy: Record<string, unknown>, line: number): Policy {
  try {
    return compilePolicy(policy);
  } catch (error) {
    throw new BackupError(line, `the policy cannot be used: ${error instanceof Error ? error.message : ''}`);
  }
}
