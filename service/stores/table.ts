import { randomFillSync } from 'node:crypto';

/** Filled up to this share; then the table doubles. */
const MOST_FULL = 0.75;

/**
 * Fingerprints with a mark each, in typed arrays: open addressing, linear probing, 24 bytes a slot for fingerprints of 16 bytes. The
 * place comes from a multilinear hash with secret odd factors (Lemire and Kaser 2014), since a client chooses its fingerprints.
 */
export class FingerprintTable {
  size = 0;
  readonly #words: number;
  #keys: Int32Array;
  /** 0 = empty. */
  #marks: Float64Array;
  #mask: number;
  #shift: number;

  /** @param width bytes of a fingerprint, a multiple of 4 */
  constructor(width: number, slots = 64) {
    this.#words = width / 4;
    this.#keys = new Int32Array(slots * this.#words);
    this.#marks = new Float64Array(slots);
    this.#mask = slots - 1;
    this.#shift = 32 - Math.log2(slots);
  }

  /** The mark of a fingerprint, or 0. */
  get(bytes: Buffer, at: number): number {
    return this.#marks[this.#slotOf(bytes, at)]!;
  }

  set(bytes: Buffer, at: number, mark: number): void {
    let slot = this.#slotOf(bytes, at);
    if (this.#marks[slot] === 0) {
      if (this.size >= this.#marks.length * MOST_FULL) {
        this.#grow();
        slot = this.#slotOf(bytes, at);
      }
      for (let word = 0; word < this.#words; word++)
        this.#keys[slot * this.#words + word] = bytes.readInt32LE(at + word * 4);
      this.size++;
    }
    this.#marks[slot] = mark;
  }

  /** Every fingerprint with its mark, in the order of the bytes. */
  sorted(): { fingerprint: Buffer; mark: number }[] {
    const all: { fingerprint: Buffer; mark: number }[] = [];
    const width = this.#words * 4;
    const bytes = Buffer.from(this.#keys.buffer);
    for (const [slot, mark] of this.#marks.entries()) {
      if (mark !== 0)
        all.push({ fingerprint: Buffer.from(bytes.subarray(slot * width, (slot + 1) * width)), mark });
    }
    return all.sort((a, b) => Buffer.compare(a.fingerprint, b.fingerprint));
  }

  get bytes(): number {
    return this.#keys.byteLength + this.#marks.byteLength;
  }

  /** Where the fingerprint is, or the empty slot where it belongs. */
  #slotOf(bytes: Buffer, at: number): number {
    const words = this.#words;
    let hash = 0;
    for (let word = 0; word < words; word++)
      hash = (hash + Math.imul(bytes.readInt32LE(at + word * 4), FACTORS[word]!)) | 0;
    let slot = hash >>> this.#shift;
    for (;;) {
      if (this.#marks[slot] === 0) return slot;
      const place = slot * words;
      let word = 0;
      while (word < words && this.#keys[place + word] === bytes.readInt32LE(at + word * 4)) word++;
      if (word === words) return slot;
      slot = (slot + 1) & this.#mask;
    }
  }

  #grow(): void {
    const keys = Buffer.from(this.#keys.buffer);
    const marks = this.#marks;
    const width = this.#words * 4;
    const bigger = new FingerprintTable(width, marks.length * 2);
    for (let slot = 0; slot < marks.length; slot++)
      if (marks[slot] !== 0) bigger.set(keys, slot * width, marks[slot]!);
    this.#keys = bigger.#keys;
    this.#marks = bigger.#marks;
    this.#mask = bigger.#mask;
    this.#shift = bigger.#shift;
  }
}

const FACTORS = randomFillSync(new Int32Array(8)).map((factor) => factor | 1);
