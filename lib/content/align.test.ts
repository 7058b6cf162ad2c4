import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { align, longestRun } from './align.ts';
import { cpuTime } from './snapshot.testing.ts';
import { wordDiff } from './words.ts';

const lists = fc.array(fc.nat({ max: 4 }), { maxLength: 40 }).map((list) => Int32Array.from(list));

/** Length of the longest common subsequence, by the book. */
function commonLength(a: Int32Array, b: Int32Array): number {
  let row = new Int32Array(b.length + 1);
  for (const x of a) {
    const next = new Int32Array(b.length + 1);
    for (const [j, y] of b.entries()) next[j + 1] = x === y ? row[j]! + 1 : Math.max(row[j + 1]!, next[j]!);
    row = next;
  }
  return row[b.length]!;
}

describe('align', () => {
  test('matches equal elements in order', () => {
    fc.assert(
      fc.property(lists, lists, fc.constantFrom(undefined, 0, 20), (before, after, budget) => {
        const { partners } = align(before, after, undefined, budget);
        let last = -1;
        for (const [i, j] of partners.entries()) {
          if (j < 0) continue;
          expect(j).toBeGreaterThan(last);
          expect(after[j]).toBe(before[i]);
          last = j;
        }
      }),
    );
  });

  test('finds the most matches where every element repeats', () => {
    fc.assert(
      fc.property(lists, lists, (left, right) => {
        // Every kind twice at the front of one and the end of the other side: nothing is unique, nothing is trimmed.
        const before = Int32Array.from([5, 5, ...left, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4]);
        const after = Int32Array.from([6, 6, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, ...right, 6]);
        const { partners, coarse } = align(before, after);
        expect(coarse).toBe(false);
        expect(partners.filter((j) => j >= 0)).toHaveLength(commonLength(before, after));
      }),
    );
  });

  test('keeps to its ranges', () => {
    const list = Int32Array.from([1, 2, 3, 4]);
    const { partners } = align(list, list, [{ a: 0, aEnd: 2, b: 2, bEnd: 4 }]);
    expect([...partners]).toEqual([-1, -1, -1, -1]);
  });

  test.each<[string, (i: number) => number, (i: number) => number]>([
    ['two kinds at random', (i) => ((i * 7919) % 13) & 1, (i) => ((i * 104_729) % 17) & 1],
    ['all equal', () => 0, () => 0],
    ['nothing equal', () => 0, () => 1],
    ['reversed', (i) => i, (i) => 99_999 - i],
    ['rotated', (i) => i, (i) => (i + 50_000) % 100_000],
    ['shuffled', (i) => i, (i) => (i * 61_001) % 100_000],
    ['pairs swapped', (i) => i, (i) => i ^ 1],
    ['every text twice', (i) => i >> 1, (i) => (99_999 - i) >> 1],
    ['a period of two against one of three', (i) => i % 2, (i) => i % 3],
    ['nested', (i) => Math.min(i, 99_999 - i), (i) => Math.min(i, 99_999 - i) ^ 1],
  ])('100,000 elements stay within the bound: %s', (_, older, newer) => {
    const size = Array.from({ length: 100_000 }, (_, i) => i);
    const [before, after] = [Int32Array.from(size, older), Int32Array.from(size, newer)];
    expect(cpuTime(() => align(before, after))).toBeLessThan(2_000);
  });
});

test('the longest run is increasing, and as long as any', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat({ max: 60 }), { maxLength: 12 }), (order) => {
      const run = longestRun(order.map((j, i): [number, number] => [i, j]));
      const lengths = order.map(() => 1);
      for (const [i, j] of order.entries()) {
        for (let k = 0; k < i; k++) if (order[k]! < j) lengths[i] = Math.max(lengths[i]!, lengths[k]! + 1);
      }
      expect(run).toHaveLength(Math.max(0, ...lengths));
      for (const [at, pair] of run.entries()) if (at > 0) expect(pair[1]).toBeGreaterThan(run[at - 1]![1]);
    }),
  );
});

describe('wordDiff', () => {
  const text = fc.oneof(
    fc.string(),
    fc
      .array(fc.constantFrom('a', 'b', 'load', '3', '。', '巡检', '完成', ' ', '👩‍🔧', 'é'), { maxLength: 30 })
      .map((words) => words.join('')),
  );
  const join = (pieces: ReturnType<typeof wordDiff>, left: 'added' | 'removed') =>
    pieces.flatMap(({ op, text }) => (op === left ? [] : text)).join('');

  test('the pieces make both texts', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const pieces = wordDiff(before, after);
        expect(join(pieces, 'added')).toBe(before);
        expect(join(pieces, 'removed')).toBe(after);
      }),
    );
  });

  test('cuts words, also Chinese ones', () => {
    expect(wordDiff('Boiler 61 °C', 'Boiler 88 °C')).toEqual([
      { op: 'same', text: 'Boiler ' },
      { op: 'removed', text: '61' },
      { op: 'added', text: '88' },
      { op: 'same', text: ' °C' },
    ]);
    expect(wordDiff('今天巡检完成', '今天巡检失败')).toEqual([
      { op: 'same', text: '今天巡检' },
      { op: 'removed', text: '完成' },
      { op: 'added', text: '失败' },
    ]);
  });

  test('a text of 36 kB takes less than 200 ms, however it repeats', () => {
    const words = Array.from({ length: 8_000 }, (_, i) => `w${(i * 943) % 997}`);
    const edited = words.with(4_000, 'CHANGED');
    const cases: [string, string][] = [
      [words.join(' '), edited.join(' ')],
      [words.join(' '), [...words].reverse().join(' ')],
      ['巡检'.repeat(9_000), '完成巡'.repeat(6_000)],
      ['a '.repeat(18_000), 'b a a '.repeat(6_000)],
    ];
    for (const [before, after] of cases) {
      expect(cpuTime(() => wordDiff(before, after))).toBeLessThan(200);
    }
  });
});
