import { BloomFilter } from '#lib/sets/index.ts';

const CAPACITY = 1 << 20;
const ERROR_RATE = 0.001;

/**
 * A Bloom filter in front of a store that this process owns alone: its "no" is final, its "maybe" is confirmed by the store. One for
 * all rounds; the number of the space is part of what is hashed. Until it is built from the truth (`ready`) it says "maybe" to
 * everything.
 */
export class Filter {
  #bloom = new BloomFilter({ capacity: CAPACITY, errorRate: ERROR_RATE });
  ready = false;
  #positives = 0;

  /** False only where the fingerprint is certainly not in the space. */
  mayHave(space: number, fingerprints: Buffer, at: number): boolean {
    if (!this.ready) return true;
    const has = this.#bloom.hasHash(first(space, fingerprints, at), second(space, fingerprints, at));
    if (has) this.#positives++;
    return has;
  }

  add(space: number, fingerprints: Buffer, at: number): void {
    this.#bloom.addHash(first(space, fingerprints, at), second(space, fingerprints, at));
  }

  /** The store did not have what the filter said it may. */
  noteFalsePositive(): void {
    if (this.ready) this.#bloom.noteFalsePositive();
  }

  /** Starts anew for about so many fingerprints; all of them must be added before `ready` is set. */
  reset(count: number): void {
    this.ready = false;
    this.#bloom = new BloomFilter({ capacity: Math.max(CAPACITY, count * 2), errorRate: ERROR_RATE });
  }

  /** Fingerprints that were added, those of dropped rounds included. */
  get size(): number {
    return this.#bloom.size;
  }

  get figures() {
    const { falsePositives, negatives } = this.#bloom.observed;
    const { estimatedErrorRate, bits } = this.#bloom;
    return {
      negatives,
      positives: this.#positives,
      falsePositives,
      estimatedErrorRate,
      bytes: bits / 8,
      ready: this.ready,
    };
  }
}

// A fingerprint is a hash already. Whoever chooses fingerprints by hand can only make "maybe" more frequent.
function first(space: number, bytes: Buffer, at: number): number {
  return (bytes.readInt32LE(at) ^ Math.imul(bytes.readInt32LE(at + 8) + space, 0x9e3779b1)) >>> 0;
}

function second(space: number, bytes: Buffer, at: number): number {
  return (bytes.readInt32LE(at + 4) ^ Math.imul(bytes.readInt32LE(at + 12) - space, 0x85ebca6b)) >>> 0;
}
