import { FRESH, INVALID, SEEN, writeAnswer, ANSWER_BYTES } from '../answers.ts';
import { packAnswers, unpackAnswers } from '../journal.ts';
import { markState, markTime } from '../states.ts';
import {
  JOURNAL_KEPT,
  KeyReusedError,
  WINDOW_GRACE,
  type Applied,
  type Batch,
  type Namespace,
  type RoundInfo,
  type Store,
  type StoreFigures,
  type StoredPage,
} from '../store.ts';
import { answerBatch, leaseKey, type Lease, type Space } from '../verbs.ts';
import { widthOf } from '../forms.ts';
import { Endings } from './endings.ts';
import { FingerprintTable } from './table.ts';

/** Pages handed on at once. */
const PIECE = 10_000;

/** Everything in this process: after a restart it answers as a new store. */
export class MemoryStore implements Store {
  readonly name = 'memory';
  readonly durable = false;
  readonly #namespaces = new Map<string, MemoryNamespace>();
  readonly #journal = new Map<string, { digest: Buffer; answers: Buffer; at: number }>();
  readonly #settings = new Map<string, string>();
  readonly #endings = new Endings(WINDOW_GRACE);
  #token = 0;

  async namespaces(): Promise<Namespace[]> {
    return Array.from(this.#namespaces.values(), ({ bound }) => bound);
  }

  async namespace(ns: string): Promise<Namespace | undefined> {
    return this.#namespaces.get(ns)?.bound;
  }

  async bind(wanted: Namespace): Promise<Namespace> {
    const found = this.#namespaces.get(wanted.ns);
    if (found !== undefined) return found.bound;
    this.#namespaces.set(wanted.ns, { bound: wanted, spaces: new Map(), redirects: new Map() });
    return wanted;
  }

  async keepAddresses(ns: string, on: boolean): Promise<void> {
    const found = this.#namespaces.get(ns);
    if (found === undefined) return;
    found.bound = { ...found.bound, addresses: on };
    if (!on) for (const { addresses } of found.spaces.values()) addresses.clear();
  }

  async apply(batch: Batch): Promise<Applied> {
    const { journal } = batch;
    const key = journal?.key.toString('latin1') ?? '';
    const earlier = this.#journal.get(key);
    if (journal !== undefined && earlier !== undefined) {
      if (!earlier.digest.equals(journal.digest)) throw new KeyReusedError();
      return { answers: unpackAnswers(earlier.answers), replayed: true };
    }
    const answers = answerBatch(this.#space(batch), batch, () => ++this.#token);
    if (journal !== undefined)
      this.#journal.set(key, { digest: journal.digest, answers: packAnswers(answers), at: batch.now });
    return { answers, replayed: false };
  }

  async addRedirects(
    { ns, form }: Namespace,
    from: Buffer,
    to: Buffer,
    refused: Uint8Array,
  ): Promise<Buffer> {
    const width = widthOf(form);
    const redirects = this.#namespaces.get(ns)?.redirects ?? new Map<string, Buffer>();
    const answers = Buffer.alloc(refused.length * ANSWER_BYTES);
    for (const [index, reason] of refused.entries()) {
      if (reason !== 0) {
        writeAnswer(answers, index, INVALID, reason, 0, 0);
        continue;
      }
      const at = index * width;
      const key = leaseKey(from, at, width);
      const target = to.subarray(at, at + width);
      writeAnswer(answers, index, redirects.get(key)?.equals(target) === true ? SEEN : FRESH, 0, 0, 0);
      redirects.set(key, Buffer.from(target));
    }
    return answers;
  }

  async rounds(ns: string): Promise<RoundInfo[]> {
    const spaces = this.#namespaces.get(ns)?.spaces ?? new Map<string, MemorySpace>();
    return Array.from(spaces, ([key, { ends, table }]) => ({ key, ends, count: table.size }));
  }

  async *pages(ns: string, round: string): AsyncGenerator<StoredPage[]> {
    const space = this.#namespaces.get(ns)?.spaces.get(round);
    if (space === undefined) return;
    const all = space.table.sorted();
    for (let from = 0; from < all.length; from += PIECE) {
      yield all.slice(from, from + PIECE).map(({ fingerprint, mark }) => {
        const url = space.addresses.get(fingerprint.toString('latin1'));
        const page = { fingerprint, at: markTime(mark), state: markState(mark) };
        return url === undefined ? page : { ...page, url };
      });
    }
  }

  async maintain(wall: number, steady: number): Promise<void> {
    for (const [key, { at }] of this.#journal) if (at < steady - JOURNAL_KEPT) this.#journal.delete(key);
    for (const { spaces } of this.#namespaces.values()) {
      for (const [key, space] of spaces) {
        space.endLeases(steady);
        if (this.#endings.isOver(space, space.ends, wall)) spaces.delete(key);
      }
    }
  }

  async setting(name: string): Promise<string | undefined> {
    return this.#settings.get(name);
  }

  async setSetting(name: string, value: string): Promise<void> {
    this.#settings.set(name, value);
  }

  async check(): Promise<void> {}

  figures(): StoreFigures {
    let fingerprints = 0;
    let leases = 0;
    for (const { spaces } of this.#namespaces.values()) {
      for (const space of spaces.values()) {
        fingerprints += space.table.size;
        leases += space.leases.size;
      }
    }
    return { fingerprints, leases, queue: 0 };
  }

  async close(): Promise<void> {}

  #space({ namespace, round, width, verb }: Batch): MemorySpace {
    const { spaces, redirects } = this.#namespaces.get(namespace.ns) ?? {
      spaces: new Map<string, MemorySpace>(),
      redirects: new Map<string, Buffer>(),
    };
    let space = spaces.get(round.key);
    if (space === undefined) {
      space = new MemorySpace(width, round.ends, redirects);
      // A question makes no round.
      if (verb !== 'is_seen') spaces.set(round.key, space);
    }
    return space;
  }
}

interface MemoryNamespace {
  bound: Namespace;
  readonly spaces: Map<string, MemorySpace>;
  readonly redirects: Map<string, Buffer>;
}

class MemorySpace implements Space {
  readonly table: FingerprintTable;
  readonly leases = new Map<string, Lease>();
  readonly addresses = new Map<string, string>();
  readonly ends: number | null;
  readonly #width: number;
  readonly #redirects: Map<string, Buffer>;

  constructor(width: number, ends: number | null, redirects: Map<string, Buffer>) {
    this.table = new FingerprintTable(width);
    this.ends = ends;
    this.#width = width;
    this.#redirects = redirects;
  }

  get(fingerprints: Buffer, at: number): number {
    return this.table.get(fingerprints, at);
  }

  put(fingerprints: Buffer, at: number, mark: number): void {
    this.table.set(fingerprints, at, mark);
  }

  redirect(fingerprints: Buffer, at: number): Buffer | undefined {
    if (this.#redirects.size === 0) return undefined;
    return this.#redirects.get(leaseKey(fingerprints, at, this.#width));
  }

  keepAddress(fingerprints: Buffer, at: number, url: string): void {
    const key = leaseKey(fingerprints, at, this.#width);
    if (!this.addresses.has(key)) this.addresses.set(key, url);
  }

  endLeases(now: number): void {
    for (const [key, lease] of this.leases) if (isForgotten(lease, now)) this.leases.delete(key);
  }
}

/** A lease that ended an hour ago, and whose retry is due, says nothing any more. */
export function isForgotten({ until, retryAt }: Lease, now: number): boolean {
  return Math.max(until, retryAt) < now - 3_600_000;
}
