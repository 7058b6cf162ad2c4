import type { KeyFigures } from './choice.ts';
import { FingerprintSet } from './fingerprint-set.ts';
import { hashKeyApart, words } from './hash.ts';
import {
  allocateSealed,
  DamagedSetError,
  payloadOf,
  readCount,
  seal,
  unseal,
  viewOf,
  type Kind,
  type Stamp,
} from './sealed.ts';
import { ABSENT, GONE, KNOWN, RETRYING, VISITED, type PresentState, type State } from './states.ts';

/** The order in which a key is looked for. */
const ORDER = [VISITED, KNOWN, RETRYING, GONE] as const;

/** Bytes of the payload's head: the figures of the keys, then the length of each set. */
const HEAD = (3 + ORDER.length) * 8;

export const STATE_FINGERPRINTS: Kind = { name: 'StateFingerprints', magic: 'OOSF', version: 1 };

/** Keys with their states, by 64-bit fingerprints: one set per state, so a state costs no memory. */
export class StateFingerprints {
  readonly #sets: Record<PresentState, FingerprintSet>;

  constructor() {
    this.#sets = {
      [KNOWN]: new FingerprintSet(),
      [VISITED]: new FingerprintSet(),
      [RETRYING]: new FingerprintSet(),
      [GONE]: new FingerprintSet(),
    };
  }

  get size(): number {
    return ORDER.reduce((sum, state) => sum + this.#sets[state].size, 0);
  }

  get byteLength(): number {
    return ORDER.reduce((sum, state) => sum + this.#sets[state].byteLength, 0);
  }

  /** Keys in this state. */
  count(state: PresentState): number {
    return this.#sets[state].size;
  }

  stateOf(key: string): State {
    hashKeyApart(key);
    return this.#find();
  }

  /** True when the key was new; a key that was there keeps its state. */
  insert(key: string, state: PresentState): boolean {
    hashKeyApart(key);
    if (this.#find() !== ABSENT) return false;
    return this.#sets[state].addHash(words[0]!, words[1]!);
  }

  /** The state the key had. */
  setState(key: string, state: PresentState): State {
    hashKeyApart(key);
    const before = this.#find();
    if (before === state) return before;
    if (before !== ABSENT) this.#sets[before].deleteHash(words[0]!, words[1]!);
    this.#sets[state].addHash(words[0]!, words[1]!);
    return before;
  }

  delete(key: string): boolean {
    hashKeyApart(key);
    const before = this.#find();
    return before !== ABSENT && this.#sets[before].deleteHash(words[0]!, words[1]!);
  }

  /** The set as one sealed buffer, with the figures that led to its form. */
  toBuffer(figures: KeyFigures, stamp?: Stamp): Uint8Array<ArrayBuffer> {
    const parts = ORDER.map((state) => this.#sets[state].toBuffer());
    const buffer = allocateSealed(parts.reduce((sum, part) => sum + part.length, HEAD));
    const payload = payloadOf(buffer);
    let at = HEAD;
    const lengths = parts.map((part) => part.length);
    for (const [i, number] of [figures.keys, figures.labelBytes, figures.keyBytes, ...lengths].entries()) {
      viewOf(payload).setFloat64(i * 8, number, true);
    }
    for (const part of parts) {
      payload.set(part, at);
      at += part.length;
    }
    return seal(STATE_FINGERPRINTS, buffer, stamp);
  }

  /** @throws DamagedSetError when the buffer is not what `toBuffer` gave. */
  static from(buffer: ArrayBuffer | Uint8Array): { set: StateFingerprints; figures: KeyFigures } {
    const { payload } = unseal(STATE_FINGERPRINTS, buffer);
    const all = new StateFingerprints();
    let at = HEAD;
    if (payload.length < at)
      throw new DamagedSetError(`${STATE_FINGERPRINTS.name}: ${payload.length} bytes are too few`);
    const view = viewOf(payload);
    const read = (i: number, what: string): number =>
      readCount(STATE_FINGERPRINTS, view, i * 8, Number.MAX_SAFE_INTEGER, what);
    const figures = {
      keys: read(0, 'the number of keys'),
      labelBytes: read(1, 'label bytes'),
      keyBytes: read(2, 'key bytes'),
    };
    for (const [i, state] of ORDER.entries()) {
      const length = readCount(
        STATE_FINGERPRINTS,
        view,
        24 + i * 8,
        payload.length - at,
        `the length of part ${i}`,
      );
      const set = FingerprintSet.from(payload.subarray(at, at + length));
      for (const fingerprint of set) {
        if (all.#find(Number(fingerprint >> 32n), Number(fingerprint & 0xffffffffn)) !== ABSENT) {
          throw new DamagedSetError(`${STATE_FINGERPRINTS.name}: fingerprint ${fingerprint} has two states`);
        }
      }
      all.#sets[state] = set;
      at += length;
    }
    if (at !== payload.length)
      throw new DamagedSetError(`${STATE_FINGERPRINTS.name}: has ${payload.length - at} bytes too many`);
    return { set: all, figures };
  }

  #find(high = words[0]!, low = words[1]!): State {
    for (const state of ORDER) if (this.#sets[state].hasHash(high, low)) return state;
    return ABSENT;
  }
}
