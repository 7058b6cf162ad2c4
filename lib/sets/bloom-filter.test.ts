import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BloomFilter } from './bloom-filter.ts';
import { allocateSealed, DamagedSetError, payloadOf, seal, viewOf } from './sealed.ts';
import { expectRefused, forged, readForged } from './testing/damage.ts';
import { anyKey } from './testing/keys.ts';

const numbered = (from: number, to: number, of = 'item') =>
  Array.from({ length: to - from }, (_, i) => `https://shop.example.com/${of}/${from + i}`);

function filterOf(keys: readonly string[], capacity = keys.length, errorRate = 0.01): BloomFilter {
  const filter = new BloomFilter({ capacity, errorRate });
  for (const key of keys) filter.add(key);
  return filter;
}

/** Share of `count` absent keys that the filter calls present. */
function errorRateOf(filter: BloomFilter, count: number): number {
  let wrong = 0;
  for (let i = 0; i < count; i++) if (filter.has(`https://other.example.com/${i}`)) wrong++;
  return wrong / count;
}

describe('size', () => {
  test('100 million keys at 0.001 take 179.7 MB, ten times what is often quoted', () => {
    expect(BloomFilter.sizeFor(100_000_000, 0.001)).toEqual({ bits: 1_437_758_784, hashes: 10 });
    // What the quoted 140 million bits would give.
    const rate = (hashes: number) => (1 - Math.exp((-hashes * 100e6) / 140e6)) ** hashes;
    expect(rate(1)).toBeCloseTo(0.51, 2);
    expect(rate(10)).toBeCloseTo(0.99, 2);
    // 17 MB serve 9.5 million.
    expect(BloomFilter.sizeFor(9_500_000, 0.001).bits / 8e6).toBeCloseTo(17.1, 1);
  });

  test.each([
    [1, 0.5, 64, 1],
    [1000, 0.01, 9600, 7],
    [1_000_000, 0.001, 14_377_600, 10],
    [1_000_000_000, 0.001, 14_377_587_584, 10],
  ])('%d keys at %d', (capacity, errorRate, bits, hashes) => {
    expect(BloomFilter.sizeFor(capacity, errorRate)).toEqual({ bits, hashes });
  });

  test.each([
    [0, 0.1],
    [1.5, 0.1],
    [-1, 0.1],
    [NaN, 0.1],
    [Infinity, 0.1],
    [10, 0],
    [10, 1],
    [10, NaN],
  ])('refuses %d keys at %d', (capacity, errorRate) => {
    expect(() => BloomFilter.sizeFor(capacity, errorRate)).toThrow(RangeError);
    expect(() => new BloomFilter({ capacity, errorRate })).toThrow(RangeError);
  });

  test('a filter takes no more than 2 % beyond the classic size, from 2000 keys on', () => {
    for (const capacity of [2000, 54_321, 1_000_000]) {
      const { bits } = new BloomFilter({ capacity, errorRate: 0.001 });
      expect(bits / BloomFilter.sizeFor(capacity, 0.001).bits).toBeLessThan(1.02);
    }
  });
});

describe('no false negatives', () => {
  test('any strings, any order, any size, beyond capacity, through save and load, whole and in shards', () => {
    const sizes = fc.record({
      capacity: fc.constantFrom(1, 2, 7, 100, 5000),
      errorRate: fc.constantFrom(0.5, 0.1, 0.001, 1e-9),
    });
    fc.assert(
      fc.property(
        sizes,
        fc.array(anyKey, { maxLength: 60 }),
        fc.array(anyKey, { maxLength: 20 }),
        (size, first, later) => {
          const filter = new BloomFilter(size);
          for (const key of first) filter.add(key);
          let loaded = BloomFilter.from(filter.toBuffer());
          expect(first.every((key) => loaded.has(key))).toBe(true);
          for (const key of later) loaded.add(key);
          const shards = Array.from({ length: loaded.shardCount }, (_, i) => loaded.shard(i));
          loaded = BloomFilter.fromShards(loaded.header(), shards);
          expect([...first, ...later].filter((key) => !loaded.has(key))).toEqual([]);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('after a union', () => {
    fc.assert(
      fc.property(fc.array(anyKey), fc.array(anyKey), (left, right) => {
        const filter = filterOf(left, 10);
        filter.union(filterOf(right, 10));
        const loaded = BloomFilter.from(filter.toBuffer());
        expect([...left, ...right].filter((key) => !loaded.has(key))).toEqual([]);
      }),
    );
  });

  test('by the saved shards of each change alone', () => {
    const filter = new BloomFilter({ capacity: 20_000, errorRate: 0.001 });
    const saved: Uint8Array<ArrayBuffer>[] = [];
    const all: string[] = [];
    for (let batch = 0; batch < 40; batch++) {
      const keys = numbered(batch * 1000, batch * 1000 + (batch % 3 === 0 ? 1 : 999));
      all.push(...keys);
      for (const key of keys) filter.add(key);
      for (const number of filter.dirtyShards()) saved[number] = filter.shard(number);
      filter.markSaved();
    }
    expect(filter.stages).toBeGreaterThan(1);
    const loaded = BloomFilter.fromShards(filter.header(), saved);
    expect(all.filter((key) => !loaded.has(key))).toEqual([]);
    expect(loaded.toBuffer()).toEqual(filter.toBuffer());
  });
});

describe('false positives', () => {
  // 400,000 questions at 0.001: the standard deviation is 5 % of the rate.
  test.each([1000, 20_000, 150_000])('stay at the promised rate when full: %d keys', (capacity) => {
    const filter = filterOf(numbered(0, capacity), capacity, 0.001);
    const rate = errorRateOf(filter, 400_000);
    expect(rate).toBeGreaterThan(0.0007);
    expect(rate).toBeLessThan(0.0011);
    expect(filter.estimatedErrorRate).toBeLessThan(0.001);
  });

  test('stay below it when the filter has grown thirty times', () => {
    const filter = filterOf(numbered(0, 60_000), 2000, 0.01);
    expect(filter.stages).toBe(6);
    expect(errorRateOf(filter, 200_000)).toBeLessThan(0.0105);
    expect(filter.estimatedErrorRate).toBeLessThan(0.01);
  });

  test('stay below a small rate, where the sequence of positions matters', () => {
    const filter = filterOf(numbered(0, 5000), 5000, 1e-5);
    expect(errorRateOf(filter, 1_000_000)).toBeLessThan(3e-5);
  });

  test('are counted when they are told', () => {
    const filter = filterOf(['a'], 100);
    expect(filter.observed).toEqual({ falsePositives: 0, negatives: 0, errorRate: 0 });
    for (let i = 0; i < 3; i++) filter.has(`absent ${i}`);
    filter.noteFalsePositive();
    const { observed } = BloomFilter.from(filter.toBuffer());
    expect(observed).toEqual({ falsePositives: 1, negatives: 3, errorRate: 0.25 });
  });
});

test('addIfAbsent says what was certainly new', () => {
  const filter = new BloomFilter({ capacity: 4, errorRate: 1e-6 });
  const keys = numbered(0, 50);
  expect(keys.map((key) => filter.addIfAbsent(key))).toEqual(keys.map(() => true));
  expect(keys.map((key) => filter.addIfAbsent(key))).toEqual(keys.map(() => false));
  expect(filter.size).toBe(50);
});

test('estimates how many keys it holds, and how full it is', () => {
  const filter = filterOf(numbered(0, 10_000), 20_000, 0.001);
  expect(Math.abs(filter.estimatedCount - 10_000)).toBeLessThan(150);
  expect(filter.fillRatio).toBeGreaterThan(0.28);
  expect(filter.fillRatio).toBeLessThan(0.31);
  expect(new BloomFilter({ capacity: 10, errorRate: 0.1 }).estimatedCount).toBe(0);
});

test('a union holds both, knows its count, and refuses another size', () => {
  const filter = filterOf(numbered(0, 600), 1000);
  filter.toBuffer();
  filter.markSaved();
  filter.union(filterOf(numbered(400, 900), 1000));
  expect(Math.abs(filter.size - 900)).toBeLessThan(40);
  expect(filter.dirtyShards()).toEqual([0]);
  expect(() => filter.union(new BloomFilter({ capacity: 999, errorRate: 0.01 }))).toThrow(
    'only filters of one size can be united: 1000 keys at 0.01, 999 at 0.01',
  );
});

describe('saved in shards', () => {
  test('one new key in a filter for a million changes one shard of 4 KB', () => {
    const filter = new BloomFilter({ capacity: 1_000_000, errorRate: 0.001 });
    filter.toBuffer();
    filter.markSaved();
    filter.add('https://shop.example.com/');
    const dirty = filter.dirtyShards();
    expect(dirty).toHaveLength(1);
    expect(filter.shard(dirty[0]!).length).toBeLessThan(4300);
    filter.add('https://shop.example.com/');
    filter.markSaved();
    filter.add('https://shop.example.com/');
    expect(filter.dirtyShards()).toEqual([]);
  });

  test('a key added while the store writes is saved the next time', () => {
    const filter = new BloomFilter({ capacity: 10, errorRate: 0.001 });
    filter.add('a');
    expect(filter.dirtyShards().map((number) => filter.shard(number))).toHaveLength(1);
    filter.add('b');
    filter.markSaved();
    expect(filter.dirtyShards()).toEqual([0]);
    filter.shard(0);
    // The write failed: markSaved is not called.
    expect(filter.dirtyShards()).toEqual([0]);
    filter.shard(0);
    filter.markSaved();
    expect(filter.dirtyShards()).toEqual([]);
  });

  test('all shards of a new filter and of a new stage are to be saved', () => {
    const filter = new BloomFilter({ capacity: 10_000, errorRate: 0.001 });
    expect(filter.dirtyShards()).toHaveLength(filter.shardCount);
    filter.toBuffer();
    filter.markSaved();
    const before = filter.shardCount;
    for (const key of numbered(0, 10_050)) filter.add(key);
    expect(filter.dirtyShards()).toHaveLength(filter.shardCount);
    expect(filter.shardCount).toBeGreaterThan(before);
  });

  test('missing, surplus, mixed-up and foreign shards are refused', () => {
    const filter = filterOf(numbered(0, 20_000), 20_000, 0.001);
    const header = filter.header();
    const shards = Array.from({ length: filter.shardCount }, (_, i) => filter.shard(i));
    const load = (some: Uint8Array[]) => () => BloomFilter.fromShards(header, some);
    expect(load(shards.slice(1))).toThrow(
      `BloomFilter: it has ${shards.length} shards, but ${shards.length - 1} are here`,
    );
    expect(load([...shards, shards[0]!])).toThrow(`but ${shards.length + 1} are here`);
    expect(load(shards.toReversed())).toThrow(`stands in the place of shard 0`);
    expect(load([filterOf(numbered(0, 9), 300).shard(0), ...shards.slice(1)])).toThrow(
      /shard 0 has \d+ bytes instead of \d+/,
    );
    expect(() => filter.shard(shards.length)).toThrow(RangeError);
  });
});

describe('damage is refused', () => {
  const filter = filterOf(numbered(0, 80), 30);

  test('whole, header and shard', async () => {
    await expectRefused(filter.toBuffer(), (buffer) => BloomFilter.from(buffer));
    const shards = Array.from({ length: filter.shardCount }, (_, i) => filter.shard(i));
    await expectRefused(filter.header(), (buffer) => BloomFilter.fromShards(buffer, shards));
    await expectRefused(shards[1]!, (buffer) =>
      BloomFilter.fromShards(filter.header(), shards.with(1, buffer)),
    );
  });

  test('forged: refused, or a filter of sound sizes', async () => {
    for (const forgery of forged({ name: '', magic: 'OOBF', version: 1 }, filter.toBuffer(), 500)) {
      const loaded = await readForged(() => BloomFilter.from(forgery));
      if (loaded !== undefined) expect(loaded.bits).toBeLessThan(forgery.length * 8);
    }
  });

  test.each([
    [[1e9, 0.001, 0, 0, 1, 0], /it has 44\d{4} shards, but 1 are here/],
    [[1e15, 0.001, 0, 0, 1, 0], 'the capacity is 1000000000000000, which is not between 0 and 1099511627776'],
    [[NaN, 0.001, 0, 0, 1, 0], 'the capacity is NaN'],
    [[10, 2, 0, 0, 1, 0], 'no filter holds 10 keys at a rate of 2'],
    [[10, 0.1, 0, 0, 2, 0], '2 stages do not fit in 48 bytes'],
    [[10, 0.1, 0, 0, 1e6, 0], 'the number of stages is 1000000'],
    [[10, 0.1, -1, 0, 1, 0], 'the number of false positives is -1'],
  ])('a header that says %j', (numbers, message) => {
    const buffer = allocateSealed(numbers.length * 8);
    for (const [i, number] of numbers.entries()) viewOf(payloadOf(buffer)).setFloat64(i * 8, number, true);
    seal({ name: '', magic: 'OOBH', version: 1 }, buffer);
    const shards = [filter.shard(0)];
    const load = () => BloomFilter.fromShards(buffer, shards);
    expect(load).toThrow(DamagedSetError);
    expect(load).toThrow(message);
  });

  test('things that are no buffer', () => {
    for (const wrong of [undefined, null, 5_000_000_000, 'OOBF', {}, []]) {
      expect(() => BloomFilter.from(wrong as never)).toThrow(
        'BloomFilter: 0 bytes are too few, the header alone takes 96',
      );
    }
  });
});

test('a saved filter tells what it is up to date with', () => {
  const filter = filterOf(['a']);
  const stamp = { log: 123_456, policy: '1-0a1b2c3d' };
  expect(BloomFilter.stampOf(filter.toBuffer(stamp))).toEqual(stamp);
  expect(BloomFilter.stampOf(filter.header(stamp), 'header')).toEqual(stamp);
  expect(() => filter.toBuffer({ log: 1.5, policy: '' })).toThrow(RangeError);
  expect(() => filter.toBuffer({ log: 1, policy: 'é' })).toThrow(RangeError);
});
