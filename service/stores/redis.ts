import { ErrorReply } from '@redis/client';
import { ANSWER_BYTES, FRESH, INVALID, reasonNumber, SEEN, writeAnswer } from '../answers.ts';
import { widthOf, type Form } from '../forms.ts';
import {
  KeyReusedError,
  StoreDownError,
  StoreOpenError,
  WINDOW_GRACE,
  type Applied,
  type Batch,
  type Namespace,
  type RoundInfo,
  type Store,
  type StoreFigures,
  type StoredPage,
} from '../store.ts';
import { MOST_HOPS } from '../verbs.ts';
import { isForgotten } from './memory.ts';
import { script, type RedisConnection } from './redis-connection.ts';
import type { Layout } from './redis-layout.ts';
import { SCRIPT } from './redis-script.ts';

const BATCH_SCRIPT = script(SCRIPT);
/** Sets read at once. */
const SETS = 512;
/** How long a namespace is remembered; only whether it keeps addresses may change. */
const NAMESPACE_KEPT = 1_000;
/** The alarm comes when a set has this share of the members that it may have. */
const NEARLY_FULL = 0.8;
/** Redis' own default, where it does not tell. */
const DEFAULT_INTSET_LIMIT = 512;

/**
 * Redis sets. One script decides a batch and writes its journal. It is volatile: Redis acknowledges what is in its memory. Sets say who was
 * seen, not when: answers have no time. Marks and windows expire by the clock of Redis, an hour after the window's end.
 */
export class RedisStore implements Store {
  readonly name: string;
  readonly durable = false;
  readonly bits?: number;
  readonly #redis: RedisConnection;
  readonly #layout: Layout;
  readonly #intsetLimit: number | undefined;
  readonly #namespaces = new Map<string, { bound: Namespace; until: number }>();
  /** Figures of each round and group, as last heard. */
  #heard = new Map<string, { count: number; leases: number }>();
  #fullest = 0;
  #waiting = 0;

  constructor(redis: RedisConnection, layout: Layout, intsetLimit: number | undefined) {
    this.#redis = redis;
    this.#layout = layout;
    this.#intsetLimit = intsetLimit;
    this.name = redis.name;
    if (layout.bits !== undefined) this.bits = layout.bits;
  }

  /** Checks that what is there is of this layout. @throws {StoreOpenError} */
  async load(): Promise<this> {
    const { evicts } = this.#redis;
    if (evicts !== undefined)
      throw new StoreOpenError(
        `The Redis at ${this.name} drops keys when it is full (maxmemory-policy ${evicts}): pages would be fresh twice. Set it to noeviction, or put PostgreSQL behind it (redis://…+postgres://…).`,
      );
    for (const ns of await this.#names()) await this.#read(ns);
    await this.#refresh();
    return this;
  }

  async namespaces(): Promise<Namespace[]> {
    const all = await Promise.all((await this.#names()).map((ns) => this.namespace(ns)));
    return all.filter((namespace) => namespace !== undefined);
  }

  async namespace(ns: string): Promise<Namespace | undefined> {
    const known = this.#namespaces.get(ns);
    if (known !== undefined && known.until > performance.now()) return known.bound;
    return this.#read(ns);
  }

  async bind(wanted: Namespace): Promise<Namespace> {
    const { ns, addresses } = wanted;
    const key = this.#key(ns, 'bound');
    if ((await this.#redis.ask<number>(key, 'HSETNX', key, 'as', this.#boundAs(wanted))) === 1)
      await this.#redis.ask(key, 'HSETNX', key, 'addresses', addresses ? '1' : '0');
    const all = `${this.#layout.common}:!namespaces`;
    await this.#redis.ask(all, 'SADD', all, ns);
    return (await this.#read(ns)) ?? wanted;
  }

  async keepAddresses(ns: string, on: boolean): Promise<void> {
    if ((await this.#read(ns)) === undefined) return;
    const rounds = on ? [] : await this.rounds(ns);
    for (let group = 0; group < this.#layout.groups; group++) {
      const key = this.#key(ns, 'bound', group);
      if ((await this.#redis.ask<number>(key, 'EXISTS', key)) === 0) continue;
      await this.#redis.ask(key, 'HSET', key, 'addresses', on ? '1' : '0');
      for (const round of rounds) {
        const addresses = this.#key(ns, 'addresses', group, round.key);
        await this.#redis.ask(addresses, 'UNLINK', addresses);
      }
    }
    this.#namespaces.delete(ns);
  }

  async apply(batch: Batch): Promise<Applied> {
    const answers = Buffer.alloc(batch.count * ANSWER_BYTES);
    this.#waiting++;
    try {
      const given = await this.#givenAnswers(batch);
      const [home, ...others] = this.#parts(batch);
      // The first part knows whether the key was used for another request; then nothing of the others is done.
      const replayed = await this.#applyPart(batch, home!, given, answers);
      await Promise.all(others.map((part) => this.#applyPart(batch, part, given, answers)));
      return { answers, replayed };
    } finally {
      this.#waiting--;
    }
  }

  async addRedirects(
    { ns, form }: Namespace,
    from: Buffer,
    to: Buffer,
    refused: Uint8Array,
  ): Promise<Buffer> {
    const width = widthOf(form);
    const key = this.#key(ns, 'redirects');
    const answers = Buffer.alloc(refused.length * ANSWER_BYTES);
    const cut = (bytes: Buffer, index: number) => bytes.subarray(index * width, (index + 1) * width);
    const before = await this.#targets(
      key,
      Array.from(refused, (_, index) => cut(from, index)),
    );
    const words: Buffer[] = [];
    const inBatch = new Map<string, Buffer>();
    for (const [index, reason] of refused.entries()) {
      if (reason !== 0) {
        writeAnswer(answers, index, INVALID, reason, 0, 0);
        continue;
      }
      const [fp, target] = [cut(from, index), cut(to, index)];
      const known = inBatch.get(fp.toString('latin1')) ?? before[index];
      writeAnswer(answers, index, known?.equals(target) === true ? SEEN : FRESH, 0, 0, 0);
      inBatch.set(fp.toString('latin1'), target);
      words.push(fp, target);
    }
    if (words.length > 0) await this.#redis.ask(key, 'HSET', key, ...words);
    return answers;
  }

  async rounds(ns: string): Promise<RoundInfo[]> {
    const found = new Map<string, RoundInfo>();
    for (let group = 0; group < this.#layout.groups; group++) {
      for (const round of await this.#roundsOf(ns, group)) {
        const count = (found.get(round.key)?.count ?? 0) + round.count;
        found.set(round.key, { ...round, count });
      }
    }
    if (this.#layout.isShared)
      for (const [key, round] of found)
        found.set(key, { ...round, count: await this.#countMembers(ns, key) });
    return [...found.values()];
  }

  async *pages(ns: string, round: string): AsyncGenerator<StoredPage[]> {
    const bound = await this.namespace(ns);
    if (bound === undefined) return;
    const layout = this.#layout;
    const { suffixes } = layout;
    for (let from = 0; from < suffixes.length; from += SETS) {
      const sets = suffixes
        .slice(from, from + SETS)
        .map((suffix, n) => this.#pagesOf(bound, round, suffix, layout.groupOf(from + n)));
      const pages = (await Promise.all(sets)).flat();
      if (pages.length > 0) yield pages;
    }
  }

  async maintain(_wall: number, steady: number): Promise<void> {
    for (const ns of await this.#names()) {
      for (const { key: round } of await this.rounds(ns))
        for (let group = 0; group < this.#layout.groups; group++)
          await this.#forgetLeases(this.#key(ns, 'leases', group, round), steady);
    }
    await this.#refresh();
  }

  async setting(name: string): Promise<string | undefined> {
    const key = `${this.#layout.common}:!settings`;
    return (await this.#redis.ask<string | null>(key, 'HGET', key, name)) ?? undefined;
  }

  async setSetting(name: string, value: string): Promise<void> {
    const key = `${this.#layout.common}:!settings`;
    await this.#redis.ask(key, 'HSET', key, name, value);
  }

  async check(): Promise<void> {
    await this.setSetting('checked', String(Date.now()));
  }

  notes(): string[] {
    const limit = this.#limit();
    if (limit === undefined || this.#fullest < NEARLY_FULL * limit) return [];
    return [
      `A set has ${this.#fullest} members, and from ${limit} on Redis takes seven times the memory for it: raise set-max-intset-entries, or begin a new store with more sets (?bits=).`,
    ];
  }

  figures(): StoreFigures {
    let fingerprints = 0;
    let leases = 0;
    let collisions = 0;
    for (const round of this.#heard.values()) {
      fingerprints += round.count;
      leases += round.leases;
      if (this.bits !== undefined) collisions += (round.count / 2 ** this.bits) * (round.count / 2);
    }
    const limit = this.#limit();
    return {
      fingerprints,
      leases,
      queue: this.#waiting,
      ...(this.bits === undefined ? {} : { expectedCollisions: collisions }),
      ...(limit === undefined ? {} : { fullestSet: this.#fullest, setLimit: limit }),
    };
  }

  async close(): Promise<void> {
    this.#redis.close();
  }

  // ---- Batches ----

  /** The places of a batch by the group that decides them. The first is the home of the journal, perhaps without any. */
  #parts({ count, width, fingerprints, refused, journal }: Batch): Part[] {
    const { groups } = this.#layout;
    if (groups === 1) return [{ group: 0, places: undefined }];
    const home = (journal?.key[0] ?? 0) % groups;
    const parts = new Map<number, number[]>([[home, []]]);
    for (let index = 0; index < count; index++) {
      const group = refused[index] === 0 ? this.#layout.group(fingerprints, index * width) : home;
      const places = parts.get(group);
      if (places === undefined) parts.set(group, [index]);
      else places.push(index);
    }
    return Array.from(parts, ([group, places]) => ({ group, places }));
  }

  /** Asks the script for the places of one group, and puts their answers where they belong. */
  async #applyPart(batch: Batch, { group, places }: Part, given: Given, answers: Buffer): Promise<boolean> {
    const { namespace, round, width, fingerprints, refused, journal } = batch;
    const layout = this.#layout;
    const base = layout.base(namespace.ns, group);
    const count = places?.length ?? batch.count;
    const placeOf = (n: number) => places?.[n] ?? n;
    const pick = <T>(list: ArrayLike<T> | undefined, none: T): T[] | undefined =>
      list === undefined ? undefined : Array.from({ length: count }, (_, n) => list[placeOf(n)] ?? none);
    const head = {
      base,
      round: round.key,
      verb: batch.verb,
      now: batch.now,
      until: batch.until,
      ends: round.ends === null ? '' : String(round.ends),
      ttl: round.ends === null ? 0 : Math.max(0, round.ends - batch.at) + WINDOW_GRACE,
      bound: this.#boundAs(namespace),
      addresses: namespace.addresses ? '1' : '0',
      width: layout.suffixes[0]!.length,
      tokens: pick(batch.tokens, 0),
      times: batch.verb === 'release' ? pick(batch.times, 0) : undefined,
      reasons: [reasonNumber('not_leased'), reasonNumber('fenced')],
      journal: journal?.key.toString('hex'),
      digest: journal?.digest.toString('hex'),
    };
    let suffixes = '';
    const members: string[] = [];
    const told: Buffer[] = [];
    for (let n = 0; n < count; n++) {
      const place = placeOf(n);
      const at = place * width;
      suffixes += layout.suffix(fingerprints, at);
      members.push(refused[place] === 0 ? layout.member(fingerprints, at, width) : '');
      const answer = given.get(place);
      if (answer !== undefined) {
        const number = Buffer.alloc(4);
        number.writeUInt32BE(n);
        told.push(number, answer);
      }
    }
    const words = [
      JSON.stringify(head),
      suffixes,
      told.length === 0 ? '' : Buffer.concat(told),
      batch.states === undefined ? '' : Buffer.from(pick(batch.states, 0)!),
      batch.addresses === undefined
        ? ''
        : JSON.stringify(Array.from({ length: count }, (_, n) => batch.addresses![placeOf(n)] ?? '')),
      ...members,
    ];
    const reply = await this.#redis
      .run<[number, Buffer, number, number, number]>(BATCH_SCRIPT, [`${base}:!bound`], words)
      .catch((error: unknown) => this.#refusal(error, namespace.ns));
    const [isReplay, packed, total, leases, grown] = reply;
    // The same key and request, but other parts: keys are made by another policy now.
    if (!expandAnswers(packed, count, answers, placeOf)) throw new KeyReusedError();
    if (total >= 0 && batch.verb !== 'is_seen') {
      this.#heard.set(`${base}:${round.key}`, { count: total, leases });
      if (grown > this.#fullest) this.#fullest = grown;
    }
    return isReplay === 1;
  }

  #refusal(error: unknown, ns: string): never {
    if (error instanceof ErrorReply && error.message.startsWith('REUSED')) throw new KeyReusedError();
    if (error instanceof ErrorReply && error.message.startsWith('BOUND')) {
      // Redis was emptied, and somebody else bound the namespace anew.
      this.#namespaces.delete(ns);
      throw new StoreDownError(`Redis: the namespace is bound to ${error.message.slice(6)} meanwhile`);
    }
    throw error;
  }

  /** Answers of what is refused, and of pages that lead to a seen one: these stand unless the page itself is seen. */
  async #givenAnswers(batch: Batch): Promise<Given> {
    const given: Given = new Map();
    for (const [index, reason] of batch.refused.entries()) {
      if (reason === 0) continue;
      const answer = Buffer.alloc(ANSWER_BYTES);
      writeAnswer(answer, 0, INVALID, reason, 0, 0);
      given.set(index, answer);
    }
    if (batch.verb !== 'is_seen' && batch.verb !== 'lease') return given;
    const { ns } = batch.namespace;
    const key = this.#key(ns, 'redirects');
    if ((await this.#redis.ask<number>(key, 'EXISTS', key)) === 0) return given;
    let open = Array.from({ length: batch.count }, (_, index) => ({
      index,
      fp: batch.fingerprints.subarray(index * batch.width, (index + 1) * batch.width),
    })).filter(({ index }) => batch.refused[index] === 0);
    for (let hops = 0; hops < MOST_HOPS && open.length > 0; hops++) {
      const targets = await this.#targets(
        key,
        open.map(({ fp }) => fp),
      );
      open = open.flatMap(({ index }, n) => {
        const fp = targets[n];
        return fp === undefined || fp.length !== batch.width ? [] : [{ index, fp }];
      });
      const seen = await Promise.all(open.map(({ fp }) => this.#seenAnswer(ns, batch.round.key, fp)));
      for (const [n, answer] of seen.entries()) if (answer !== undefined) given.set(open[n]!.index, answer);
      open = open.filter((_, n) => seen[n] === undefined);
    }
    return given;
  }

  async #targets(key: string, fps: readonly Buffer[]): Promise<(Buffer | undefined)[]> {
    if (fps.length === 0) return [];
    const found = await this.#redis.askBytes<(Buffer | null)[]>(key, 'HMGET', key, ...fps);
    return found.map((target) => target ?? undefined);
  }

  async #seenAnswer(ns: string, round: string, fp: Buffer): Promise<Buffer | undefined> {
    const group = this.#layout.group(fp, 0);
    const suffix = this.#layout.suffix(fp, 0);
    const member = this.#layout.member(fp, 0, fp.length);
    const set = `${this.#layout.base(ns, group)}:${round}:${suffix}`;
    if ((await this.#redis.ask<number>(set, 'SISMEMBER', set, member)) === 0) return undefined;
    const states = this.#key(ns, 'states', group, round);
    const state = await this.#redis.ask<string | null>(states, 'HGET', states, suffix + member);
    const answer = Buffer.alloc(ANSWER_BYTES);
    writeAnswer(answer, 0, SEEN, Number(state ?? 0), 0, 0);
    return answer;
  }

  // ---- What is there ----

  async #names(): Promise<string[]> {
    const key = `${this.#layout.common}:!namespaces`;
    return (await this.#redis.ask<string[]>(key, 'SMEMBERS', key)).toSorted();
  }

  #key(ns: string, kind: string, group = 0, round?: string): string {
    return `${this.#layout.base(ns, group)}:!${kind}${round === undefined ? '' : `:${round}`}`;
  }

  #boundAs({ policy, form }: Namespace): string {
    return `${policy} ${form} ${this.#layout.name}`;
  }

  async #read(ns: string): Promise<Namespace | undefined> {
    const key = this.#key(ns, 'bound');
    const [as, addresses] = await this.#redis.ask<(string | null)[]>(key, 'HMGET', key, 'as', 'addresses');
    if (as === null || as === undefined) {
      this.#namespaces.delete(ns);
      return undefined;
    }
    const [policy, form, layout] = as.split(' ') as [string, Form, string];
    if (layout !== this.#layout.name)
      throw new StoreOpenError(
        `The namespace ${ns} in the Redis at ${this.name} has the layout ${layout}, and this service writes ${this.#layout.name}. Name the same bits and groups in --store (${layoutQuery(layout)}), or another database.`,
      );
    const bound = { ns, policy, form, addresses: addresses === '1' };
    this.#namespaces.set(ns, { bound, until: performance.now() + NAMESPACE_KEPT });
    return bound;
  }

  async #pagesOf(bound: Namespace, round: string, suffix: string, group: number): Promise<StoredPage[]> {
    const { ns, form } = bound;
    const width = widthOf(form);
    const found: { id: string; fingerprint: Buffer }[] = [];
    for (const member of await this.#members(`${this.#layout.base(ns, group)}:${round}:${suffix}`)) {
      const fingerprint = this.#layout.fingerprint(suffix, member, width);
      if (fingerprint !== undefined) found.push({ id: suffix + member, fingerprint });
    }
    if (found.length === 0) return [];
    const ids = found.map(({ id }) => id);
    const fields = async (kind: string) => {
      const key = this.#key(ns, kind, group, round);
      return this.#redis.ask<(string | null)[]>(key, 'HMGET', key, ...ids);
    };
    const states = await fields('states');
    const urls = bound.addresses ? await fields('addresses') : [];
    return found
      .map(({ fingerprint }, n) => {
        const page = { fingerprint, at: 0, state: Number(states[n] ?? 0) };
        const url = urls[n] ?? undefined;
        return url === undefined ? page : { ...page, url };
      })
      .sort((a, b) => Buffer.compare(a.fingerprint, b.fingerprint));
  }

  /** Large sets are read in pieces, so that nobody else waits. */
  async #members(set: string): Promise<Set<string>> {
    const members = new Set<string>();
    let cursor = '0';
    do {
      const [next, found] = await this.#redis.ask<[string, string[]]>(
        set,
        'SSCAN',
        set,
        cursor,
        'COUNT',
        '5000',
      );
      for (const member of found) members.add(member);
      cursor = next;
    } while (cursor !== '0');
    return members;
  }

  async #countMembers(ns: string, round: string): Promise<number> {
    const counts = this.#layout.suffixes.map((suffix, n) => {
      const set = `${this.#layout.base(ns, this.#layout.groupOf(n))}:${round}:${suffix}`;
      return this.#redis.ask<number>(set, 'SCARD', set);
    });
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }

  /** Drops leases that say nothing any more, unless they changed meanwhile. */
  async #forgetLeases(key: string, steady: number): Promise<void> {
    let cursor = '0';
    do {
      const [next, found] = await this.#redis.ask<[string, string[]]>(
        key,
        'HSCAN',
        key,
        cursor,
        'COUNT',
        '1000',
      );
      for (let n = 0; n < found.length; n += 2) {
        const [token = 0, until = 0, retryAt = 0] = found[n + 1]!.split(' ').map(Number);
        if (isForgotten({ token, until, retryAt }, steady))
          await this.#redis.run(FORGET_SCRIPT, [key], [found[n]!, found[n + 1]!]);
      }
      cursor = next;
    } while (cursor !== '0');
  }

  /** Reads the figures of all rounds, which other services change too. */
  async #refresh(): Promise<void> {
    const heard = new Map<string, { count: number; leases: number }>();
    for (const ns of await this.#names()) {
      for (let group = 0; group < this.#layout.groups; group++) {
        for (const { key: round, count } of await this.#roundsOf(ns, group)) {
          const key = this.#key(ns, 'leases', group, round);
          const leases = await this.#redis.ask<number>(key, 'HLEN', key);
          heard.set(`${this.#layout.base(ns, group)}:${round}`, { count, leases });
        }
      }
    }
    this.#heard = heard;
  }

  async #roundsOf(ns: string, group: number): Promise<RoundInfo[]> {
    const key = this.#key(ns, 'rounds', group);
    const found: RoundInfo[] = [];
    for (const round of await this.#redis.ask<string[]>(key, 'SMEMBERS', key)) {
      const about = this.#key(ns, 'round', group, round);
      const [ends, count] = await this.#redis.ask<(string | null)[]>(about, 'HMGET', about, 'ends', 'count');
      // A window that is over expired as a whole.
      if (typeof ends !== 'string') await this.#redis.ask(key, 'SREM', key, round);
      else found.push({ key: round, ends: ends === '' ? null : Number(ends), count: Number(count) });
    }
    return found;
  }

  #limit(): number | undefined {
    return this.#layout.isIntset ? (this.#intsetLimit ?? DEFAULT_INTSET_LIMIT) : undefined;
  }
}

/** Places of a batch; undefined: all. */
interface Part {
  readonly group: number;
  readonly places: readonly number[] | undefined;
}

type Given = Map<number, Buffer>;

const FORGET_SCRIPT = script(`
if redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[2] then return redis.call('HDEL', KEYS[1], ARGV[1]) end
return 0
`);

/** What the script answers, as the answers of a batch (see redis-script.ts). @returns whether it has that many */
function expandAnswers(
  packed: Buffer,
  count: number,
  answers: Buffer,
  placeOf: (n: number) => number,
): boolean {
  let detail = Math.ceil(count / 4);
  for (let n = 0; n < count; n++) {
    const code = (packed[n >> 2]! >> ((n & 3) * 2)) & 3;
    const at = placeOf(n) * ANSWER_BYTES;
    if (code === 1) answers[at] = SEEN;
    else if (code === 2) {
      packed.copy(answers, at, detail, detail + ANSWER_BYTES);
      detail += ANSWER_BYTES;
    }
  }
  return detail === packed.length;
}

function layoutQuery(layout: string): string {
  const [, bits, groups] = layout.split('-');
  return bits === undefined ? '--redis-prefix' : `?bits=${bits}&groups=${groups}`;
}
