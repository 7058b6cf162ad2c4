import {
  addTo,
  bytesOf,
  CHANGED,
  CLEAN,
  countOnes,
  estimate,
  holds,
  makeStage,
  placeOf,
  READ,
  sizeFor,
  stageShape,
  wordsAt,
  type Shape,
  type Stage,
} from './bloom-stage.ts';
import { hashKey, words } from './hash.ts';
import {
  allocateSealed,
  DamagedSetError,
  payloadOf,
  readCount,
  readHeader,
  seal,
  unseal,
  viewOf,
  type Kind,
  type Stamp,
} from './sealed.ts';

const WHOLE: Kind = { name: 'BloomFilter', magic: 'OOBF', version: 1 };
const HEAD: Kind = { name: 'BloomFilter header', magic: 'OOBH', version: 1 };
const SHARD: Kind = { name: 'BloomFilter shard', magic: 'OOBS', version: 1 };

export interface BloomOptions {
  /** Keys for which the filter is made; it grows beyond. */
  readonly capacity: number;
  /** The promised share of absent keys that `has` may call present, all stages together; between 0 and 1. */
  readonly errorRate: number;
}

/**
 * A set that may say "present" of an absent key (at most `errorRate` of them) and never "absent" of a present one.
 *
 * Positions come from the two murmur words (64 bits, so no ceiling at 2^32 bits): one picks the shard, and within it three numbers
 * give an enhanced double hashing sequence (Dillinger and Manolios 2004). That all bits of a key lie in one shard makes a changed
 * key cost one saved shard, at a price in false positives below 1 % of the rate (shards of 32,768 bits are evenly filled; compare
 * Putze, Sanders, Singler 2007). Growth by stages: Almeida et al. 2007, with tighter rates for later stages.
 */
export class BloomFilter {
  readonly capacity: number;
  readonly errorRate: number;
  readonly #stages: Stage[] = [];
  #falsePositives = 0;
  #negatives = 0;

  constructor(options: BloomOptions) {
    const { capacity, errorRate } = options;
    sizeFor(capacity, errorRate);
    this.capacity = capacity;
    this.errorRate = errorRate;
    this.#grow();
  }

  /**
   * Size of a classic filter: `bits` = -n ln p / (ln 2)^2 rounded up to 64-bit words, `hashes` = bits/n ln 2 rounded.
   * 100 million keys at 0.001 take 1,437,758,784 bits (179.7 MB) and 10 hashes. Source: Bloom 1970.
   * @throws RangeError when capacity is not a whole number from 1, or errorRate not between 0 and 1.
   */
  static sizeFor(capacity: number, errorRate: number): { bits: number; hashes: number } {
    return sizeFor(capacity, errorRate);
  }

  /** False only for a key that was never added. */
  has(key: string): boolean {
    hashKey(key);
    return this.#hasWords();
  }

  /** `has` of a key whose two hash words (`hashKey`) are known. */
  hasHash(first: number, second: number): boolean {
    words[0] = first;
    words[1] = second;
    return this.#hasWords();
  }

  add(key: string): void {
    this.addIfAbsent(key);
  }

  /** Adds the key; true when it certainly was not there, false when it was or seemed to be. */
  addIfAbsent(key: string): boolean {
    hashKey(key);
    return this.#addWords();
  }

  /** `addIfAbsent` of a key whose two hash words (`hashKey`) are known. */
  addHash(first: number, second: number): boolean {
    words[0] = first;
    words[1] = second;
    return this.#addWords();
  }

  /**
   * Takes in every key of `other`, which must have the same capacity and error rate. Beyond capacity the rate rises above the
   * promise (`estimatedErrorRate` tells); the cure is to rebuild.
   * @throws TypeError when the two were made for different sizes.
   */
  union(other: BloomFilter): void {
    if (other.capacity !== this.capacity || other.errorRate !== this.errorRate) {
      throw new TypeError(
        `only filters of one size can be united: ${this.capacity} keys at ${this.errorRate}, ${other.capacity} at ${other.errorRate}`,
      );
    }
    while (this.#stages.length < other.#stages.length) this.#grow();
    for (const [i, from] of other.#stages.entries()) {
      const into = this.#stages[i]!;
      for (let w = 0; w < from.bits.length; w++) {
        const before = into.bits[w]!;
        const after = (before | from.bits[w]!) >>> 0;
        if (after === before) continue;
        into.bits[w] = after;
        into.dirty[Math.floor(w / into.shardWords)] = CHANGED;
      }
      into.ones = countOnes(into.bits);
      into.count = Math.min(
        into.count + from.count,
        Math.max(into.count, from.count, Math.round(estimate(into))),
      );
    }
  }

  /** Keys added, as far as the filter can tell them apart. */
  get size(): number {
    return this.#sum((stage) => stage.count);
  }

  get bits(): number {
    return this.#sum((stage) => stage.bits.length * 32);
  }

  get stages(): number {
    return this.#stages.length;
  }

  /** Share of the bits that are set, 0 to 1. */
  get fillRatio(): number {
    return this.#sum((stage) => stage.ones) / this.bits;
  }

  /** Keys in the filter, judged by its bits alone (Swamidass and Baldi 2007). */
  get estimatedCount(): number {
    return Math.round(this.#sum(estimate));
  }

  /** Share of absent keys that `has` calls present now, judged by the bits. */
  get estimatedErrorRate(): number {
    let right = 1;
    for (const stage of this.#stages) right *= 1 - (stage.ones / (stage.bits.length * 32)) ** stage.hashes;
    return 1 - right;
  }

  /** To be called when a "present" proved wrong. */
  noteFalsePositive(): void {
    this.#falsePositives++;
  }

  /** What was seen in use: confirmed false positives, "absent" answers, and the rate among absent keys (0 before any). */
  get observed(): { falsePositives: number; negatives: number; errorRate: number } {
    const falsePositives = this.#falsePositives;
    const negatives = this.#negatives;
    return { falsePositives, negatives, errorRate: falsePositives / (falsePositives + negatives) || 0 };
  }

  /** Number of shards; they are numbered through all stages, so growth only adds numbers. */
  get shardCount(): number {
    return this.#sum((stage) => stage.shards);
  }

  /** Numbers of the shards changed since `markSaved`. Save these and the header, in one transaction. */
  dirtyShards(): number[] {
    const numbers: number[] = [];
    let first = 0;
    for (const stage of this.#stages) {
      for (let i = 0; i < stage.shards; i++) if (stage.dirty[i] !== CLEAN) numbers.push(first + i);
      first += stage.shards;
    }
    return numbers;
  }

  /**
   * To be called when what was read (`shard`, `toBuffer`) lies safely in the store. Shards changed since they were read stay dirty, so
   * keys may be added while the store writes; and where it fails, nothing is lost by not calling this.
   */
  markSaved(): void {
    for (const { dirty } of this.#stages) {
      for (let i = 0; i < dirty.length; i++) if (dirty[i] === READ) dirty[i] = CLEAN;
    }
  }

  /** Shard `number` as a sealed buffer. @throws RangeError when there is none. */
  shard(number: number): Uint8Array<ArrayBuffer> {
    const place = placeOf(this.#stages, number);
    if (place === undefined) {
      throw new RangeError(`there is no shard ${number}, only 0 to ${this.shardCount - 1}`);
    }
    const words = wordsAt(place);
    if (place.stage.dirty[place.index] === CHANGED) place.stage.dirty[place.index] = READ;
    const buffer = allocateSealed(8 + words.length * 4);
    viewOf(payloadOf(buffer)).setFloat64(0, number, true);
    payloadOf(buffer).set(bytesOf(words), 8);
    return seal(SHARD, buffer);
  }

  /** All but the bits: sizes and counts, as a sealed buffer. */
  header(stamp?: Stamp): Uint8Array<ArrayBuffer> {
    const buffer = allocateSealed(headLength(this.#stages.length));
    this.#writeHead(payloadOf(buffer));
    return seal(HEAD, buffer, stamp);
  }

  /**
   * The filter of a header and its shards, all of them, in the order of their numbers.
   * @throws DamagedSetError when anything is missing or damaged: a filter that lost bits would call present keys absent.
   */
  static fromShards(
    header: ArrayBuffer | Uint8Array,
    shards: readonly (ArrayBuffer | Uint8Array)[],
  ): BloomFilter {
    const { payload: head } = unseal(HEAD, header);
    const { shapes } = readSizes(HEAD, head);
    const count = shapes.reduce((sum, shape) => sum + shape.shards, 0);
    if (count !== shards.length)
      throw new DamagedSetError(`BloomFilter: it has ${count} shards, but ${shards.length} are here`);
    const filter = BloomFilter.#empty(HEAD, head);
    for (const [number, saved] of shards.entries()) {
      const { payload } = unseal(SHARD, saved);
      const words = wordsAt(placeOf(filter.#stages, number)!);
      if (payload.length !== 8 + words.length * 4) {
        throw new DamagedSetError(
          `BloomFilter: shard ${number} has ${payload.length - 8} bytes instead of ${words.length * 4}`,
        );
      }
      const own = viewOf(payload).getFloat64(0, true);
      if (own !== number)
        throw new DamagedSetError(`BloomFilter: shard ${own} stands in the place of shard ${number}`);
      bytesOf(words).set(payload.subarray(8));
    }
    filter.#loaded();
    return filter;
  }

  /** The whole filter as one sealed buffer. */
  toBuffer(stamp?: Stamp): Uint8Array<ArrayBuffer> {
    const head = headLength(this.#stages.length);
    const buffer = allocateSealed(head + this.bits / 8);
    const payload = payloadOf(buffer);
    this.#writeHead(payload);
    let at = head;
    for (const { bits, dirty } of this.#stages) {
      payload.set(bytesOf(bits), at);
      at += bits.length * 4;
      dirty.fill(READ);
    }
    return seal(WHOLE, buffer, stamp);
  }

  /** @throws DamagedSetError when the buffer is not what `toBuffer` gave. */
  static from(buffer: ArrayBuffer | Uint8Array): BloomFilter {
    const { payload } = unseal(WHOLE, buffer);
    const { shapes } = readSizes(WHOLE, payload);
    const length = shapes.reduce(
      (sum, shape) => sum + shape.shards * shape.shardWords * 4,
      headLength(shapes.length),
    );
    if (length !== payload.length) {
      throw new DamagedSetError(
        `BloomFilter: its sizes take ${length} bytes, but ${payload.length} are here`,
      );
    }
    const filter = BloomFilter.#empty(WHOLE, payload);
    let at = headLength(filter.#stages.length);
    for (const { bits } of filter.#stages) {
      bytesOf(bits).set(payload.subarray(at, at + bits.length * 4));
      at += bits.length * 4;
    }
    filter.#loaded();
    return filter;
  }

  /** What a saved filter (whole, or its header) is up to date with. @throws DamagedSetError */
  static stampOf(buffer: ArrayBuffer | Uint8Array, part: 'whole' | 'header' = 'whole'): Stamp {
    return readHeader(part === 'whole' ? WHOLE : HEAD, buffer);
  }

  #writeHead(payload: Uint8Array): void {
    const numbers = [
      this.capacity,
      this.errorRate,
      this.#falsePositives,
      this.#negatives,
      this.#stages.length,
    ];
    for (const stage of this.#stages) numbers.push(stage.count);
    const view = viewOf(payload);
    for (const [i, number] of numbers.entries()) view.setFloat64(i * 8, number, true);
  }

  /** A filter with the sizes and counts of a head whose sizes were checked, and no bits yet. */
  static #empty(kind: Kind, payload: Uint8Array): BloomFilter {
    const { capacity, errorRate, shapes } = readSizes(kind, payload);
    const view = viewOf(payload);
    const filter = new BloomFilter({ capacity, errorRate });
    while (filter.#stages.length < shapes.length) filter.#grow();
    filter.#falsePositives = readCount(
      kind,
      view,
      16,
      Number.MAX_SAFE_INTEGER,
      'the number of false positives',
    );
    filter.#negatives = readCount(kind, view, 24, Number.MAX_SAFE_INTEGER, 'the number of negatives');
    for (const [i, stage] of filter.#stages.entries()) {
      stage.count = readCount(
        kind,
        view,
        headLength(i),
        Number.MAX_SAFE_INTEGER,
        `the number of keys in stage ${i}`,
      );
    }
    return filter;
  }

  // The hash stays in `words`: handed on as numbers, two words of 32 bits would be two allocations.
  #hasWords(): boolean {
    for (let i = this.#stages.length - 1; i >= 0; i--) {
      if (holds(this.#stages[i]!)) return true;
    }
    this.#negatives++;
    return false;
  }

  #addWords(): boolean {
    const last = this.#stages.length - 1;
    for (let i = 0; i < last; i++) {
      if (holds(this.#stages[i]!)) return false;
    }
    let stage = this.#stages[last]!;
    if (stage.count >= stage.capacity) {
      if (holds(stage)) return false;
      stage = this.#grow();
    }
    return addTo(stage);
  }

  #loaded(): void {
    for (const stage of this.#stages) {
      stage.ones = countOnes(stage.bits);
      stage.dirty.fill(CLEAN);
    }
  }

  #grow(): Stage {
    const stage = makeStage(stageShape(this.capacity, this.errorRate, this.#stages.length));
    this.#stages.push(stage);
    return stage;
  }

  #sum(of: (stage: Stage) => number): number {
    let total = 0;
    for (const stage of this.#stages) total += of(stage);
    return total;
  }
}

/** @throws DamagedSetError for sizes that no filter has. */
function readSizes(
  kind: Kind,
  payload: Uint8Array,
): { capacity: number; errorRate: number; shapes: Shape[] } {
  const fail = (what: string): never => {
    throw new DamagedSetError(`${kind.name}: ${what}`);
  };
  if (payload.length < headLength(0)) fail(`${payload.length} bytes are too few for its sizes`);
  const view = viewOf(payload);
  const capacity = readCount(kind, view, 0, 2 ** 40, 'the capacity');
  const errorRate = view.getFloat64(8, true);
  if (capacity < 1 || !(errorRate >= 1e-100 && errorRate < 1))
    fail(`no filter holds ${capacity} keys at a rate of ${errorRate}`);
  const stages = readCount(kind, view, 32, 40, 'the number of stages');
  if (stages < 1 || payload.length < headLength(stages))
    fail(`${stages} stages do not fit in ${payload.length} bytes`);
  if (capacity * 2 ** stages > 2 ** 41) fail(`no filter for ${capacity} keys has ${stages} stages`);
  if (kind === HEAD && payload.length > headLength(stages))
    fail(`has ${payload.length - headLength(stages)} bytes too many`);
  const shapes = Array.from({ length: stages }, (_, i) => stageShape(capacity, errorRate, i));
  return { capacity, errorRate, shapes };
}

/** Bytes of a head: capacity, error rate, false positives, negatives, number of stages, then a count per stage. */
function headLength(stages: number): number {
  return (5 + stages) * 8;
}
