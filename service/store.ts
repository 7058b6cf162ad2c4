import type { Form } from './forms.ts';
import type { RoundKey } from './windows.ts';

export const VERBS = ['mark', 'is_seen', 'lease', 'commit', 'release', 'extend', 'import'] as const;
export type Verb = (typeof VERBS)[number];

/** What a namespace was bound to at its first write, and whether it keeps addresses. */
export interface Namespace {
  readonly ns: string;
  readonly policy: string;
  readonly form: Form;
  readonly addresses: boolean;
}

/** Items of one request that belong to one namespace, round and verb. All arrays have `count` entries. */
export interface Batch {
  readonly namespace: Namespace;
  readonly round: RoundKey;
  readonly verb: Verb;
  readonly count: number;
  /** Bytes of one fingerprint. */
  readonly width: number;
  readonly fingerprints: Buffer;
  /** Number of the reason (`REASONS`) for which an item is refused before the store; 0 = it is asked. */
  readonly refused: Uint8Array;
  /** Fencing tokens, for `commit`, `release` and `extend`. */
  readonly tokens?: Float64Array;
  /** Numbers of `FINGERPRINT_STATES`, for `mark`, `commit` and `import`. */
  readonly states?: Uint8Array;
  /** When a released page may be tried again; when an imported one was first seen. */
  readonly times?: Float64Array;
  /** Original addresses, where the namespace keeps them. */
  readonly addresses?: readonly (string | undefined)[];
  /** First sighting of what is marked now. */
  readonly at: number;
  /** Steady time. */
  readonly now: number;
  /** End of what is leased now. */
  readonly until: number;
  readonly journal?: JournalKey;
}

export interface JournalKey {
  /** Hash of namespace and `Idempotency-Key`, 16 bytes. */
  readonly key: Buffer;
  /** Hash of the request, 16 bytes: a key may not be used for another one. */
  readonly digest: Buffer;
}

export interface Applied {
  /** See `ANSWER_BYTES`. */
  readonly answers: Buffer;
  /** They are the answers of an earlier request with the same `Idempotency-Key`. */
  readonly replayed: boolean;
}

export interface RoundInfo extends RoundKey {
  readonly count: number;
}

/** One page of an export. */
export interface StoredPage {
  readonly fingerprint: Buffer;
  /** First sighting; 0 where the store does not keep it. */
  readonly at: number;
  readonly state: number;
  readonly url?: string;
}

/** What a store tells the metrics. Counts run from the start of the process. */
export interface StoreFigures {
  readonly fingerprints: number;
  readonly leases: number;
  readonly queue: number;
  /** Pairs of pages that share the bits which are stored, as many as are to be expected; absent where all bits are stored. */
  readonly expectedCollisions?: number;
  /** Members of the fullest set met so far, and how many a set may have before it takes much more memory. */
  readonly fullestSet?: number;
  readonly setLimit?: number;
  /** Look-ups by the layer that decided, where there are several. */
  readonly layers?: Readonly<Record<string, number>>;
  readonly filter?: {
    readonly negatives: number;
    readonly positives: number;
    readonly falsePositives: number;
    readonly estimatedErrorRate: number;
    readonly bytes: number;
    readonly ready: boolean;
  };
}

/**
 * Where the fingerprints are. One conformance suite (stores/conformance.ts) says what must hold of each. Every method may reject
 * with `StoreDownError`; then nothing of the call was done, or (where the connection broke) it is safe to ask again with the same
 * journal key.
 */
export interface Store {
  /** As named on the command line, without passwords. */
  readonly name: string;
  /** Whether what was acknowledged survives the end of the process. */
  readonly durable: boolean;
  /** Bits of a fingerprint that are stored and decide, where these are not all. */
  readonly bits?: number;
  namespaces(): Promise<Namespace[]>;
  namespace(ns: string): Promise<Namespace | undefined>;
  /** Binds a namespace; the first one wins. @returns what it is bound to */
  bind(wanted: Namespace): Promise<Namespace>;
  /** Turns the address table of a namespace on or off; off deletes what it holds. */
  keepAddresses(ns: string, on: boolean): Promise<void>;
  /**
   * Answers every item, in order; a fingerprint that comes twice in a batch meets what its first place did. Marks, leases, addresses
   * and the journal are written in one transaction, and it resolves after that. @throws {KeyReusedError}
   */
  apply(batch: Batch): Promise<Applied>;
  /** Remembers that pages permanently lead to others. @returns for each whether it is new, as answers `fresh` or `seen` */
  addRedirects(namespace: Namespace, from: Buffer, to: Buffer, refused: Uint8Array): Promise<Buffer>;
  rounds(ns: string): Promise<RoundInfo[]>;
  /** The pages of a round in the order of their fingerprints, as they are when each piece is read. */
  pages(ns: string, round: string): AsyncIterable<StoredPage[]>;
  /** Drops windows and journal entries that are over; called every minute. */
  maintain(wall: number, steady: number): Promise<void>;
  setting(name: string): Promise<string | undefined>;
  setSetting(name: string, value: string): Promise<void>;
  /** Rejects where the store cannot write now. */
  check(): Promise<void>;
  figures(): StoreFigures;
  /** What whoever runs it should see to, each as a sentence. */
  notes?(): readonly string[];
  close(): Promise<void>;
}

/** The store cannot answer now; asking again later may help. */
export class StoreDownError extends Error {
  override readonly name = 'StoreDownError';
}

/** An `Idempotency-Key` was used for another request before. */
export class KeyReusedError extends Error {
  override readonly name = 'KeyReusedError';
}

/** The store cannot be opened as asked; the message says what to do. */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError';
}

/** How long answers are kept for a replay. */
export const JOURNAL_KEPT = 24 * 3_600_000;
/** The longest lease. */
export const LONGEST_LEASE = 24 * 3_600_000;
/** A window is dropped this long after its end was first noticed, on a clock that nobody sets: so a jump of the wall clock drops nothing. */
export const WINDOW_GRACE = 3_600_000;
