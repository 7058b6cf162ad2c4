import { words } from './hash.ts';

/** Bits of one shard, at most: 4 KB, the unit in which a filter is saved and in which all bits of one key lie. */
const SHARD_BITS = 32_768;
/** A stage is one typed array, and its word numbers stay in the range of fast integers: 4 GiB, 2.4 billion keys at 0.001. */
const MOST_WORDS = 2 ** 30;
/** The share of the promised error rate that is kept for stages beyond the first, and how it falls from one to the next. */
const RESERVE = 0.05;
const DECAY = 0.8;

/** A shard is as it was saved; it was changed; it was read for saving and not changed since. */
export const CLEAN = 0;
export const CHANGED = 1;
export const READ = 2;

export interface Shape {
  readonly capacity: number;
  readonly hashes: number;
  readonly shards: number;
  /** 32-bit words of one shard. */
  readonly shardWords: number;
}

/** One fixed-size filter; a filter that outgrows its capacity has several. */
export interface Stage extends Shape {
  readonly bits: Uint32Array<ArrayBuffer>;
  /** CLEAN, CHANGED or READ for each shard. */
  readonly dirty: Uint8Array<ArrayBuffer>;
  count: number;
  ones: number;
}

/**
 * Size of a classic filter: `bits` = -n ln p / (ln 2)^2 rounded up to 64-bit words, `hashes` = bits/n ln 2 rounded.
 * 100 million keys at 0.001 take 1,437,758,784 bits (179.7 MB) and 10 hashes. Source: Bloom 1970.
 * @throws RangeError when capacity is not a whole number from 1, or errorRate not between 0 and 1.
 */
export function sizeFor(capacity: number, errorRate: number): { bits: number; hashes: number } {
  if (!Number.isSafeInteger(capacity) || capacity < 1) {
    throw new RangeError(`capacity must be a whole number of at least 1, not ${capacity}`);
  }
  if (!(errorRate > 0 && errorRate < 1))
    throw new RangeError(`errorRate must be between 0 and 1, not ${errorRate}`);
  const exact = Math.ceil((-capacity * Math.log(errorRate)) / Math.LN2 ** 2);
  const bits = Math.ceil(exact / 64) * 64;
  return { bits, hashes: Math.max(1, Math.round((exact / capacity) * Math.LN2)) };
}

/**
 * Each later stage doubles the whole capacity; together the stages stay within the promised rate. How many bits the keys of a stage
 * set varies as if it had up to sqrt(capacity) / 2 keys more (two standard deviations), so it has room for these.
 */
export function stageShape(capacity: number, errorRate: number, index: number): Shape {
  const own = index === 0 ? capacity : capacity * 2 ** (index - 1);
  const share = index === 0 ? 1 - RESERVE : RESERVE * (1 - DECAY) * DECAY ** (index - 1);
  const { bits, hashes } = sizeFor(own + Math.ceil(Math.sqrt(own) / 2), errorRate * share);
  const shards = Math.ceil(bits / SHARD_BITS);
  return { capacity: own, hashes, shards, shardWords: Math.ceil(bits / 32 / shards) };
}

/** @throws RangeError when one typed array cannot hold it. */
export function makeStage(shape: Shape): Stage {
  const words = shape.shards * shape.shardWords;
  if (words > MOST_WORDS) {
    throw new RangeError(
      `${shape.capacity} more keys take ${words * 4} bytes, one typed array holds ${MOST_WORDS * 4}`,
    );
  }
  return {
    ...shape,
    bits: new Uint32Array(words),
    dirty: new Uint8Array(shape.shards).fill(CHANGED),
    count: 0,
    ones: 0,
  };
}

/** Whether all bits of the key whose hash is in `words` are set. */
export function holds({ bits, hashes, shards, shardWords }: Stage): boolean {
  const first = words[0]! | 0;
  const second = words[1]! | 0;
  const size = shardWords << 5;
  const base = shardFor(first, shards) * shardWords;
  let at = scaled(second, size);
  let step = scaled(Math.imul(second, 0x9e3779b1) ^ first, size);
  const bend = scaled(Math.imul(first, 0x85ebca6b), size) - size;
  for (let i = 0; i < hashes; i++) {
    if ((bits[base + (at >>> 5)]! & (1 << at)) === 0) return false;
    // (at + step) mod size without a branch, which nothing could predict: the sign bit says whether to take size away.
    at += step - size;
    at += size & (at >> 31);
    step += bend;
    step += size & (step >> 31);
  }
  return true;
}

/** Adds the key whose hash is in `words`; whether any of its bits was new. */
export function addTo(stage: Stage): boolean {
  const { bits, hashes, shards, shardWords } = stage;
  const first = words[0]! | 0;
  const second = words[1]! | 0;
  const size = shardWords << 5;
  const shard = shardFor(first, shards);
  const base = shard * shardWords;
  let at = scaled(second, size);
  let step = scaled(Math.imul(second, 0x9e3779b1) ^ first, size);
  const bend = scaled(Math.imul(first, 0x85ebca6b), size) - size;
  let flipped = 0;
  for (let i = 0; i < hashes; i++) {
    const before = bits[base + (at >>> 5)]!;
    const mask = 1 << at;
    if ((before & mask) === 0) {
      bits[base + (at >>> 5)] = before | mask;
      flipped++;
    }
    at += step - size;
    at += size & (at >> 31);
    step += bend;
    step += size & (step >> 31);
  }
  if (flipped === 0) return false;
  stage.count++;
  stage.ones += flipped;
  stage.dirty[shard] = CHANGED;
  return true;
}

/** A word scaled to 0 … shards - 1: the high half of a product, cheaper than a remainder and as even. */
function shardFor(word: number, shards: number): number {
  return Math.floor((word >>> 0) * (shards / 4294967296));
}

/** The high half of a word scaled to 0 … size - 1, size being at most 2^15. */
function scaled(word: number, size: number): number {
  return Math.imul(word >>> 16, size) >>> 16;
}

export function estimate(stage: Stage): number {
  const bits = stage.bits.length * 32;
  if (stage.ones === bits) return Infinity;
  return (-bits / stage.hashes) * Math.log1p(-stage.ones / bits);
}

export function countOnes(bits: Uint32Array): number {
  let ones = 0;
  for (let w = 0; w < bits.length; w++) {
    let v = bits[w]!;
    v -= (v >>> 1) & 0x55555555;
    v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
    ones += Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return ones;
}

/** Where shard `number` of all stages is. */
export function placeOf(
  stages: readonly Stage[],
  number: number,
): { stage: Stage; index: number } | undefined {
  let first = 0;
  for (const stage of stages) {
    const index = number - first;
    if (index >= 0 && index < stage.shards) return { stage, index };
    first += stage.shards;
  }
  return undefined;
}

export function wordsAt({ stage, index }: { stage: Stage; index: number }): Uint32Array {
  return stage.bits.subarray(index * stage.shardWords, (index + 1) * stage.shardWords);
}

export function bytesOf(words: Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}
