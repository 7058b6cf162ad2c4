import { describe, expect, test } from 'vitest';
import corpus from '../../../corpus/urls.json' with { type: 'json' };
import { createKeyOf, keyOf } from '../fast/key-of.ts';
import { compilePolicy, normalizeUrl } from '../index.ts';
import { RULES } from '../rules/index.ts';
import { differences, fuzzed, mutated, ordinary } from './differential.ts';
import { seeded } from './inputs.ts';

// The same in little that `npm run fuzz` does in large.
const SEED = 20261130;

describe('fast path and specification path agree', () => {
  test('on the corpus, as its samples say', () => {
    for (const { input, base, options } of corpus.cases) {
      const policy = compilePolicy(options ?? {});
      const expected = normalizeUrl(input, policy, base);
      const found = keyOf(input, policy, base);
      expect(found).toEqual(expected.ok ? { ok: true, key: expected.key } : expected);
    }
  });

  test('on an ordinary list and edits of it, under random policies', () => {
    const random = seeded(SEED);
    expect([...differences(random, mutated(random, ordinary(random, 12_000)), 36_000)]).toEqual([]);
  }, 30_000);

  test('on hostile inputs, under random policies', () => {
    const random = seeded(SEED + 1);
    expect([...differences(random, fuzzed(random), 60_000)]).toEqual([]);
  }, 30_000);
});

describe('the comparison notices', () => {
  test.each(RULES.map(({ id }) => id))('%s switched off', (id) => {
    const random = seeded(SEED + 2);
    const [first] = differences(random, fuzzed(random), 20_000, createKeyOf(id));
    expect(first).toBeDefined();
  });
});
