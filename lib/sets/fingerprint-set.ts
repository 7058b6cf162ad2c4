import { hashKeyApart, words } from './hash.ts';
import {
  allocateSealed,
  DamagedSetError,
  payloadOf,
  readHeader,
  seal,
  unseal,
  viewOf,
  type Kind,
  type Stamp,
} from './sealed.ts';

const KIND: Kind = { name: 'FingerprintSet', magic: 'OOFS', version: 1 };
const GROWTH = 1.2;
/** Full slots at most; after growth 0.767 are, so a key takes 8.7 to 10.43 bytes. */
const MOST_LOAD = 0.92;
const LEAST_SLOTS = 16;
/** Slots beyond the last home, for entries that were pushed off the end. */
const TAIL = 64;

/**
 * A set of keys by their 64-bit fingerprints (the two murmur words): two keys are one with a chance of n^2 / 2^65 in a set of n, so
 * whoever must not be wrong confirms a "present" elsewhere. It cannot list its keys.
 *
 * Open addressing with linear probing, the entries in ascending order of fingerprint (Amble and Knuth 1974): a search ends at the
 * first larger entry, and growth is one pass from one table into the next.
 */
export class FingerprintSet {
  /** Two words a slot, the high one first; 0, 0 is an empty slot. */
  #slots = new Uint32Array((LEAST_SLOTS + TAIL) * 2);
  #homes = LEAST_SLOTS;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get byteLength(): number {
    return this.#slots.byteLength;
  }

  has(key: string): boolean {
    hashKeyApart(key);
    return this.#hasWords();
  }

  /** True when the key was new. */
  add(key: string): boolean {
    hashKeyApart(key);
    return this.#addWords();
  }

  /** True when the key was there. */
  delete(key: string): boolean {
    hashKeyApart(key);
    return this.#deleteWords();
  }

  /** `has` of a fingerprint, given as two unsigned 32-bit words. */
  hasHash(high: number, low: number): boolean {
    words[0] = high;
    words[1] = low;
    return this.#hasWords();
  }

  addHash(high: number, low: number): boolean {
    words[0] = high;
    words[1] = low;
    return this.#addWords();
  }

  deleteHash(high: number, low: number): boolean {
    words[0] = high;
    words[1] = low;
    return this.#deleteWords();
  }

  /** The fingerprints in ascending order. */
  *[Symbol.iterator](): Generator<bigint> {
    const slots = this.#slots;
    for (let i = 0; i < slots.length; i += 2) {
      if ((slots[i]! | slots[i + 1]!) !== 0) yield (BigInt(slots[i]!) << 32n) | BigInt(slots[i + 1]!);
    }
  }

  /** The set as one sealed buffer: its fingerprints in ascending order. */
  toBuffer(stamp?: Stamp): Uint8Array<ArrayBuffer> {
    const buffer = allocateSealed(this.#size * 8);
    const view = viewOf(payloadOf(buffer));
    const slots = this.#slots;
    let at = 0;
    for (let i = 0; i < slots.length; i += 2) {
      if ((slots[i]! | slots[i + 1]!) === 0) continue;
      view.setUint32(at, slots[i]!);
      view.setUint32(at + 4, slots[i + 1]!);
      at += 8;
    }
    return seal(KIND, buffer, stamp);
  }

  /** @throws DamagedSetError when the buffer is not what `toBuffer` gave. */
  static from(buffer: ArrayBuffer | Uint8Array): FingerprintSet {
    const { payload } = unseal(KIND, buffer);
    if (payload.length % 8 !== 0)
      throw new DamagedSetError(`${KIND.name}: ${payload.length} bytes are no row of fingerprints`);
    const size = payload.length / 8;
    const set = new FingerprintSet();
    set.#reset(Math.max(LEAST_SLOTS, Math.ceil(size / MOST_LOAD)), TAIL);
    const view = viewOf(payload);
    let highBefore = 0;
    let lowBefore = 0;
    let next = 0;
    for (let i = 0; i < payload.length; i += 8) {
      const high = view.getUint32(i);
      const low = view.getUint32(i + 4);
      if (high < highBefore || (high === highBefore && low <= lowBefore)) {
        throw new DamagedSetError(`${KIND.name}: fingerprint ${i / 8} is out of order`);
      }
      next = set.#place(high, low, next);
      highBefore = high;
      lowBefore = low;
    }
    set.#size = size;
    return set;
  }

  /** What a saved set is up to date with. @throws DamagedSetError */
  static stampOf(buffer: ArrayBuffer | Uint8Array): Stamp {
    return readHeader(KIND, buffer);
  }

  // The hash stays in `words`: handed on as numbers, two words of 32 bits would be two allocations.
  #hasWords(): boolean {
    const at = this.#search();
    return this.#slots[at] === words[0] && this.#slots[at + 1] === lowWord();
  }

  #addWords(): boolean {
    if (this.#size + 1 > this.#homes * MOST_LOAD) this.#grow(Math.ceil(this.#homes * GROWTH), TAIL);
    let at = this.#search();
    if (this.#slots[at] === words[0] && this.#slots[at + 1] === lowWord()) return false;
    let end = at;
    while (end < this.#slots.length && (this.#slots[end]! | this.#slots[end + 1]!) !== 0) end += 2;
    if (end === this.#slots.length) {
      this.#grow(this.#homes, this.#slots.length / 2 - this.#homes + TAIL);
      at = this.#search();
    }
    this.#slots.copyWithin(at + 2, at, end);
    this.#slots[at] = words[0]!;
    this.#slots[at + 1] = lowWord();
    this.#size++;
    return true;
  }

  #deleteWords(): boolean {
    const slots = this.#slots;
    const at = this.#search();
    if (slots[at] !== words[0] || slots[at + 1] !== lowWord()) return false;
    let end = at + 2;
    while (end < slots.length && (slots[end]! | slots[end + 1]!) !== 0 && this.#home(slots[end]!) < end)
      end += 2;
    slots.copyWithin(at, at + 2, end);
    slots[end - 2] = 0;
    slots[end - 1] = 0;
    this.#size--;
    return true;
  }

  /** Where the first entry at or above the fingerprint in `words` stands or would stand; an index into `#slots`. */
  #search(): number {
    const slots = this.#slots;
    const high = words[0]!;
    const low = lowWord();
    let at = this.#home(high);
    for (;;) {
      const there = slots[at]!;
      const below = slots[at + 1]!;
      if (there > high || (there === high && below >= low) || (there | below) === 0) return at;
      at += 2;
    }
  }

  #home(high: number): number {
    return Math.floor(high * (this.#homes / 4294967296)) * 2;
  }

  #reset(homes: number, tail: number): void {
    this.#homes = homes;
    this.#slots = new Uint32Array((homes + tail) * 2);
  }

  #grow(homes: number, tail: number): void {
    const old = this.#slots;
    this.#reset(homes, tail);
    let next = 0;
    for (let i = 0; i < old.length; i += 2) {
      if ((old[i]! | old[i + 1]!) !== 0) next = this.#place(old[i]!, old[i + 1]!, next);
    }
  }

  /** Puts an entry that is above all others at its home, or at `next` where that is further; the slot after it. */
  #place(high: number, low: number, next: number): number {
    const at = Math.max(next, this.#home(high));
    if (at === this.#slots.length) {
      const longer = new Uint32Array(this.#slots.length + TAIL * 2);
      longer.set(this.#slots);
      this.#slots = longer;
    }
    this.#slots[at] = high;
    this.#slots[at + 1] = low;
    return at + 2;
  }
}

/** The low word of the hash in `words`. 0, 0 means an empty slot: the one key in 2^64 with that hash takes its neighbour's. */
function lowWord(): number {
  const low = words[1]!;
  return (words[0]! | low) === 0 ? 1 : low;
}
