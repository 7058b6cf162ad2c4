import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FrozenSet } from './frozen-set.ts';
import { RadixTrie } from './radix-trie.ts';
import { ABSENT, KNOWN, VISITED, type PresentState } from './states.ts';
import { expectRefused, forged, readForged } from './testing/damage.ts';
import { anyKey, anyState, byCodeUnits, randomFrom } from './testing/keys.ts';

test('says what the trie said from which it was made, also after it lay deflated', async () => {
  const entries = fc.uniqueArray(fc.tuple(anyKey, anyState), { selector: ([key]) => key, maxLength: 100 });
  await fc.assert(
    fc.asyncProperty(entries, fc.array(anyKey, { maxLength: 20 }), async (all, others) => {
      const trie = new RadixTrie();
      for (const [key, state] of all) trie.insert(key, state);
      const frozen = FrozenSet.freeze(trie);
      for (const set of [frozen, await FrozenSet.from(await frozen.toBuffer())]) {
        expect(set.size).toBe(all.length);
        expect([...set]).toEqual([...trie]);
        for (const key of [...others, ...all.flatMap(([key]) => [key, key.slice(1), key.slice(0, -1)])]) {
          expect([key, set.stateOf(key)]).toEqual([key, trie.stateOf(key)]);
          expect([...set.entries(key)]).toEqual([...trie.entries(key)]);
          expect(set.countsBelow(key)).toEqual(trie.countsBelow(key));
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('thousands of keys, every one found and its neighbours not', () => {
  const random = randomFrom(9);
  const keys = new Set<string>();
  while (keys.size < 20_000)
    keys.add(`https://h${random() % 30}.example.com/${random() % 200}/${random() % 9000}`);
  const sorted = [...keys].sort(byCodeUnits);
  const set = FrozenSet.freeze(sorted.map((key, i) => [key, ((i % 4) + 1) as PresentState]));
  for (const [i, key] of sorted.entries()) {
    if (set.stateOf(key) !== (i % 4) + 1) expect.fail(`${key} is not found`);
    if (set.stateOf(`${key}0`) !== ABSENT && !keys.has(`${key}0`)) expect.fail(`${key}0 is found`);
  }
});

test('is for entries in order', () => {
  for (const wrong of [
    ['b', 'a'],
    ['a', 'a'],
    ['ab', 'a'],
    ['', ''],
  ]) {
    expect(() => FrozenSet.freeze(wrong.map((key) => [key, KNOWN]))).toThrow(
      'entries are not in ascending order at',
    );
  }
});

test('numbered pages take little memory and hardly any room at rest', async () => {
  const keys = Array.from({ length: 20_000 }, (_, i) => `https://shop.example.com/item/${i + 100_000}`);
  const set = FrozenSet.freeze(keys.map((key) => [key, VISITED]));
  expect(set.byteLength / set.size).toBeLessThan(6.5);
  expect((await set.toBuffer()).length / set.size).toBeLessThan(0.1);
});

describe('damage is refused', () => {
  const set = FrozenSet.freeze(
    Array.from({ length: 90 }, (_, i) => [`https://é.example.com/${i + 10}`, VISITED]),
  );

  test('by accident', async () => {
    await expectRefused(await set.toBuffer(), (buffer) => FrozenSet.from(buffer));
    await expectRefused(await FrozenSet.freeze([]).toBuffer(), (buffer) => FrozenSet.from(buffer));
  });

  test('forged: refused, or a set that agrees with itself', async () => {
    for (const forgery of forged({ name: '', magic: 'OOFZ', version: 1 }, await set.toBuffer(), 400)) {
      const loaded = await readForged(() => FrozenSet.from(forgery));
      if (loaded === undefined) continue;
      const all = [...loaded];
      expect(all.length).toBe(loaded.size);
      for (const [key, state] of all) expect(loaded.stateOf(key)).toBe(state);
      expect(() => FrozenSet.freeze(all)).not.toThrow();
    }
  });
});
