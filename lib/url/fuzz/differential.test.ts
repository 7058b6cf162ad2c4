import { describe, expect, test } from 'vitest';
import corpus from '../../../corpus/urls.json' with { type: 'json' };
import { createKeyOf, keyOf } from '../fast/key-of.ts';
import { compilePolicy, normalizeUrl } from '../index.ts';
import { RULES } from '../rules/index.ts';
import { differences, fuzzed, mutated, ordinary } from './differential.ts';
import { pick, seeded } from './inputs.ts';

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

  test('on long queries, where lists grow and sorting changes its way', () => {
    const random = seeded(SEED + 3);
    const pair = () =>
      `${pick(random, ['k', 'from', 'utm_', 'x%20', 'B', 'gclid', ''])}${Math.floor(random() * 40)}=${random()}`;
    const addresses = [19, 20, 21, 22, 40, 63, 64, 65, 129, 999, 1000, 1001, 1002, 5000].flatMap((pairs) =>
      Array.from(
        { length: 6 },
        () => `https://example.com/?${Array.from({ length: pairs }, pair).join('&')}`,
      ),
    );
    expect([
      ...differences(
        random,
        addresses.map((input) => ({ input })),
        Infinity,
      ),
    ]).toEqual([]);
  });

  test('on texts too long for compiled expressions', () => {
    const random = seeded(SEED + 4);
    const parts = [
      'a',
      '/',
      'a/../',
      '%e4',
      '%',
      'www.',
      '/index.html',
      ';jsessionid=1',
      '?a=1&',
      '&amp;',
      '#/',
      '中',
      ' ',
      '\n',
      '=',
      '.',
    ];
    const addresses = parts.flatMap((part) => [
      `https://example.com/${part.repeat(5000)}`,
      `https://example.com/?x=${part.repeat(5000)}`,
      `https://${part.repeat(2000)}example.com/`,
    ]);
    expect([
      ...differences(
        random,
        addresses.map((input) => ({ input })),
        Infinity,
      ),
    ]).toEqual([]);
  });

  test('on an ordinary list and edits of it, under random policies', () => {
    const random = seeded(SEED);
    expect([...differences(random, mutated(random, ordinary(random, 12_000)), 36_000)]).toEqual([]);
  });

  test('on hostile inputs, under random policies', () => {
    const random = seeded(SEED + 1);
    expect([...differences(random, fuzzed(random), 60_000)]).toEqual([]);
  });
});

describe('the comparison notices', () => {
  test.each(RULES.map(({ id }) => id))('%s switched off', (id) => {
    const random = seeded(SEED + 2);
    const [first] = differences(random, fuzzed(random), 20_000, createKeyOf(id));
    expect(first).toBeDefined();
  });
});
