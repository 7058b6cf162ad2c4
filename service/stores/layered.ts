import type { Applied, Batch, Namespace, RoundInfo, Store, StoreFigures, StoredPage } from '../store.ts';
import { answerBatch } from '../verbs.ts';
import { BatchSpace, namesOf, type Learned } from './postgres-space.ts';
import type { PostgresStore, SpaceId } from './postgres.ts';
import type { RedisCache } from './redis-cache.ts';

/** Pages put into an empty Redis at most. */
const MOST_FILLED = 5_000_000;

/**
 * PostgreSQL decides, and Redis in front of it knows pages that are seen: most of what a crawler asks is. Only marks that were committed get into
 * Redis, whole (128 bits), so what it says is so, and what it does not know is asked of PostgreSQL. It may lose anything, be emptied or be
 * down: then PostgreSQL answers everything, and Redis is filled again.
 */
export class LayeredStore implements Store {
  readonly name: string;
  readonly #truth: PostgresStore;
  readonly #cache: RedisCache;
  #hits = 0;
  #misses = 0;
  #isCacheDown = false;
  #filling: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(cache: RedisCache, truth: PostgresStore) {
    this.#truth = truth;
    this.#cache = cache;
    this.name = `${cache.name}+${truth.name}`;
  }

  get durable(): boolean {
    return this.#truth.durable;
  }

  async apply(batch: Batch): Promise<Applied> {
    const { namespace, round, verb, addresses, journal } = batch;
    const space = await this.#truth.findSpace(namespace.ns, round.key);
    // Addresses are kept of seen pages too, and an import may know an earlier time.
    const isWritten = verb === 'import' || (addresses !== undefined && verb !== 'is_seen');
    const names = space === undefined || isWritten ? [] : namesOf(batch);
    const place = space === undefined ? '' : await this.#place(space);
    const known = names.length === 0 ? new Map<string, number>() : await this.#cache.look(place, names);
    this.#hits += known.size;
    this.#misses += batch.count - known.size;
    if (journal === undefined && names.length > 0 && known.size === names.length) {
      const changes = new BatchSpace({ marks: known, leases: new Map(), redirects: new Map() }, batch.width);
      const answers = answerBatch(changes, batch, noToken);
      if (changes.updates.size === 0) return { answers, replayed: false };
    }
    const learned: Learned = { marks: new Map(), changed: new Map() };
    const applied = await this.#truth.applyKnowing(batch, known, learned);
    await this.#learn(batch, place, learned);
    return applied;
  }

  /** What PostgreSQL said is kept beside the answer; a state that changed is told before it. */
  async #learn({ namespace, round }: Batch, place: string, { marks, changed }: Learned): Promise<void> {
    if (marks.size === 0 && changed.size === 0) return;
    let where = place;
    if (where === '') {
      const space = await this.#truth.findSpace(namespace.ns, round.key);
      if (space === undefined) return;
      where = await this.#place(space);
    }
    if (marks.size > 0) void this.#cache.keep(where, marks, false);
    if (changed.size > 0) await this.#cache.keep(where, changed, true);
  }

  /** The round in this state of the database: after a failover or a restore what Redis knew before is not asked. */
  async #place({ id }: SpaceId): Promise<string> {
    return `${await this.#truth.incarnation()}:${id}`;
  }

  async maintain(wall: number, steady: number): Promise<void> {
    await this.#truth.maintain(wall, steady);
    await this.#watch();
  }

  async check(): Promise<void> {
    await this.#truth.check();
    await this.#watch();
  }

  /** Resolves when an empty Redis has been filled. */
  filled(): Promise<void> {
    return this.#filling;
  }

  async #watch(): Promise<void> {
    this.#isCacheDown = await this.#cache.check().then(
      () => false,
      () => true,
    );
    if (!this.#isCacheDown && (await this.#cache.isEmpty(await this.#truth.incarnation())))
      this.#filling = this.#fill().catch(() => {});
  }

  /** Puts what PostgreSQL holds into Redis, while both answer. */
  async #fill(): Promise<void> {
    let count = 0;
    for (const { ns } of await this.#truth.namespaces()) {
      for (const { key: round } of await this.#truth.rounds(ns)) {
        const space = await this.#truth.findSpace(ns, round);
        if (space === undefined) continue;
        for await (const marks of this.#truth.marks(space)) {
          if (this.#isClosed || count > MOST_FILLED) return;
          count += marks.size;
          await this.#cache.keep(await this.#place(space), marks, false);
        }
      }
    }
  }

  notes(): string[] {
    const down = `The Redis at ${this.#cache.name} does not answer: PostgreSQL answers everything, slower.`;
    return [...this.#truth.notes(), ...(this.#isCacheDown ? [down] : [])];
  }

  figures(): StoreFigures {
    return { ...this.#truth.figures(), layers: { redis: this.#hits, postgres: this.#misses } };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#filling;
    this.#cache.close();
    await this.#truth.close();
  }

  // ---- All else is PostgreSQL's ----

  namespaces(): Promise<Namespace[]> {
    return this.#truth.namespaces();
  }

  namespace(ns: string): Promise<Namespace | undefined> {
    return this.#truth.namespace(ns);
  }

  bind(wanted: Namespace): Promise<Namespace> {
    return this.#truth.bind(wanted);
  }

  keepAddresses(ns: string, on: boolean): Promise<void> {
    return this.#truth.keepAddresses(ns, on);
  }

  addRedirects(namespace: Namespace, from: Buffer, to: Buffer, refused: Uint8Array): Promise<Buffer> {
    return this.#truth.addRedirects(namespace, from, to, refused);
  }

  rounds(ns: string): Promise<RoundInfo[]> {
    return this.#truth.rounds(ns);
  }

  pages(ns: string, round: string): AsyncIterable<StoredPage[]> {
    return this.#truth.pages(ns, round);
  }

  setting(name: string): Promise<string | undefined> {
    return this.#truth.setting(name);
  }

  setSetting(name: string, value: string): Promise<void> {
    return this.#truth.setSetting(name, value);
  }
}

const noToken = (): never => {
  throw new Error('Pages that are all seen take no token.');
};
