import { createHash, randomBytes } from 'node:crypto';
import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { StoreDownError, type Batch, type Namespace, type Store } from './store.ts';

const SETTING = 'local-journal';
/** A store that is away for longer than fits here is a fault that somebody has to see. */
const MOST_BYTES = 1 << 30;

/** What a line of the file holds of a batch of marks. */
interface Line {
  ns: string;
  round: Batch['round'];
  width: number;
  /** Base64, as are `refused`, `states` and the two hashes of the answers' journal. */
  fingerprints: string;
  refused: string;
  states?: string;
  addresses?: (string | null)[];
  at: number;
  key: string;
  digest: string;
}

/** Marks were kept in the local journal: they are safe, and their answers are not known yet. */
export class KeptError extends Error {
  override readonly name = 'KeptError';
  readonly count: number;
  constructor(count: number) {
    super('The store is away; the marks are kept.');
    this.count = count;
  }
}

/**
 * Marks of namespaces that chose it, kept in a file of this machine while their store is away, a JSON object a line with a sync before
 * the answer. They are no answers: whoever sent them is told that they are kept, and learns what came of them by sending the request
 * again with its `Idempotency-Key`, under which the store journals it. What is written to the store twice (the process died in between)
 * is a replay there.
 */
export class LocalJournal {
  readonly #store: Store;
  readonly #file: number;
  /** The namespaces that chose it, as they are bound: the store cannot be asked when it matters. */
  readonly #chosen: Map<string, Namespace>;
  /** Bytes at the beginning that are in the store. */
  #done = 0;
  #draining: Promise<void> | undefined;

  private constructor(store: Store, file: number, chosen: Map<string, Namespace>) {
    this.#store = store;
    this.#file = file;
    this.#chosen = chosen;
  }

  /** @param file where it is; readable by its owner only, since it may hold addresses */
  static async open(store: Store, file: string): Promise<LocalJournal> {
    const chosen = JSON.parse((await store.setting(SETTING)) ?? '[]') as Namespace[];
    const opened = openSync(file, 'a+', 0o600);
    // Half a line at the end was never acknowledged; the next one must not be joined to it.
    if (fstatSync(opened).size > 0) writeSync(opened, '\n');
    return new LocalJournal(store, opened, new Map(chosen.map((one) => [one.ns, one])));
  }

  /** A namespace that chose the journal, as it is bound. */
  bound(ns: string): Namespace | undefined {
    return this.#chosen.get(ns);
  }

  async choose(namespace: Namespace, on: boolean): Promise<void> {
    const wanted = new Map(this.#chosen);
    if (on) wanted.set(namespace.ns, namespace);
    else wanted.delete(namespace.ns);
    await this.#store.setSetting(SETTING, JSON.stringify([...wanted.values()]));
    if (on) this.#chosen.set(namespace.ns, namespace);
    else this.#chosen.delete(namespace.ns);
  }

  /** Bytes that wait for the store. */
  get size(): number {
    return fstatSync(this.#file).size - this.#done;
  }

  /** Keeps a batch of marks; it is on the disk when this returns. @throws {StoreDownError} where there is no room */
  keep(batch: Batch): void {
    const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
    const { namespace, round, width, at, states, addresses } = batch;
    const journal = batch.journal ?? { key: randomBytes(16), digest: digestOf(batch.fingerprints) };
    const line: Line = {
      ns: namespace.ns,
      round,
      width,
      fingerprints: base64(batch.fingerprints.subarray(0, batch.count * width)),
      refused: base64(batch.refused),
      ...(states && { states: base64(states) }),
      ...(addresses && {
        addresses: Array.from({ length: batch.count }, (_, index) => addresses[index] ?? null),
      }),
      at,
      key: base64(journal.key),
      digest: base64(journal.digest),
    };
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    const { size } = fstatSync(this.#file);
    if (size + bytes.length > MOST_BYTES) throw new StoreDownError('The local journal is full.');
    try {
      writeSync(this.#file, bytes);
      fdatasyncSync(this.#file);
    } catch (error) {
      ftruncateSync(this.#file, size);
      throw new StoreDownError('The local journal cannot be written.', { cause: error });
    }
  }

  /** Brings what is kept to the store, oldest first, until it is all there or the store is away. `now`: steady time. */
  drain(now: number): Promise<void> {
    this.#draining ??= this.#drain(now).finally(() => {
      this.#draining = undefined;
    });
    return this.#draining;
  }

  async #drain(now: number): Promise<void> {
    let text = this.#read();
    while (text.length > 0) {
      const end = text.indexOf(10);
      if (end < 0) {
        // The line is longer than what was read, or half a line that never was acknowledged.
        const longer = this.#read(text.length * 2);
        if (longer.length === text.length) break;
        text = longer;
        continue;
      }
      const batch = this.#batchOf(text.toString('utf8', 0, end), now);
      if (batch) await this.#store.apply(batch).catch(orForget);
      this.#done += end + 1;
      text = text.subarray(end + 1);
      if (text.length === 0) text = this.#read();
    }
    if (this.#done > 0 && this.size === 0) {
      ftruncateSync(this.#file, 0);
      this.#done = 0;
    }
  }

  #read(length = 1 << 20): Buffer {
    const bytes = Buffer.alloc(Math.min(length, Math.max(0, this.size)));
    return bytes.subarray(0, readSync(this.#file, bytes, 0, bytes.length, this.#done));
  }

  #batchOf(text: string, now: number): Batch | undefined {
    let line: Line;
    try {
      line = JSON.parse(text) as Line;
    } catch {
      return undefined;
    }
    const namespace = this.#chosen.get(line.ns);
    if (!namespace) return undefined;
    const bytes = (base64: string) => Buffer.from(base64, 'base64');
    const refused = Uint8Array.from(bytes(line.refused));
    return {
      namespace,
      round: line.round,
      verb: 'mark',
      count: refused.length,
      width: line.width,
      fingerprints: bytes(line.fingerprints),
      refused,
      ...(line.states !== undefined && { states: Uint8Array.from(bytes(line.states)) }),
      ...(line.addresses && { addresses: line.addresses.map((url) => url ?? undefined) }),
      at: line.at,
      now,
      until: now,
      journal: { key: bytes(line.key), digest: bytes(line.digest) },
    };
  }

  async close(): Promise<void> {
    await this.#draining?.catch(() => undefined);
    closeSync(this.#file);
  }
}

const digestOf = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest().subarray(0, 16);

/** Only a store that is away is asked again; what it refuses for good must not stop the rest. */
function orForget(error: unknown): void {
  if (error instanceof StoreDownError) throw error;
}
