import { describe, expect, test } from 'vitest';
import type { PolicyJson } from '../policy.ts';
import type { RuleId } from '../rule-names.ts';
import { HARD_NAMES, HARD_PREFIXES, SESSION_NAMES, SOFT_NAMES, SOFT_VALUES } from '../tracking.ts';
import { apply } from './testing.ts';

function left(rule: RuleId, query: string, policy: PolicyJson = {}, place = 'https://example.com/a'): string {
  return apply(rule, `${place}?${query}`, policy).slice(place.length);
}

describe('tracking-names', () => {
  test.each(HARD_NAMES)('$name: $reason', ({ name }) => {
    for (const spelled of [name, name.toUpperCase()])
      expect(left('tracking-names', `id=1&${spelled}=x&${spelled}`)).toBe('?id=1');
    for (const other of [`x${name}`, `${name}x`, `${name}%20`])
      expect(left('tracking-names', `${other}=1`)).toBe(`?${other}=1`);
  });
  test.each(HARD_PREFIXES)('$name…: $reason', ({ name }) => {
    expect(left('tracking-names', `${name}x=1&${name.toUpperCase()}=2&${name}`)).toBe('');
    expect(left('tracking-names', `x${name}y=1&${name.slice(0, -1)}=2`)).toBe(
      `?x${name}y=1&${name.slice(0, -1)}=2`,
    );
  });
  test('values are not names', () => expect(left('tracking-names', 'q=utm_source')).toBe('?q=utm_source'));
});

describe('session-names', () => {
  const hex = '29496a0b8ec0ea15213165add3ccfde1';
  test.each(SESSION_NAMES)('$name: $reason', ({ name }) => {
    expect(left('session-names', `${name}=${hex}&${name.toUpperCase()}=${hex.toUpperCase()}`)).toBe('');
    expect(left('session-names', `x${name}=${hex}`)).toBe(`?x${name}=${hex}`);
  });
  test.each(['42', hex.slice(1), `${hex}0`, `${hex.slice(1)}g`, ''])('sid=%s stays', (value) =>
    expect(left('session-names', `sid=${value}`)).toBe(`?sid=${value}`),
  );
  test('behind a switch', () =>
    expect(left('session-names', 'PHPSESSID=1', { stripSessionIds: false })).toBe('?PHPSESSID=1'));
});

describe('soft-names', () => {
  const values = Object.entries(SOFT_VALUES).flatMap(([name, words]) =>
    words.map((word) => [name, word] as const),
  );
  test.each(values)('%s=%s', (name, word) => {
    expect(left('soft-names', `id=1&${name}=${word}`)).toBe('?id=1');
    expect(left('soft-names', `id=1&${name}=${word}x`)).toBe(`?id=1&${name}=${word}x`);
    expect(left('soft-names', `id=1&${name}=${word}`, { preset: 'strict' })).toBe(`?id=1&${name}=${word}`);
  });
  test.each(SOFT_NAMES)('$name ($reason) goes with broad alone', ({ name }) => {
    expect(
      left(
        'soft-names',
        `${name}=anything&${name.toUpperCase()}`,
        { preset: 'broad' },
        'https://example.com/',
      ),
    ).toBe('');
    expect(left('soft-names', `id=1&${name}=anything`)).toBe(`?id=1&${name}=anything`);
  });

  const root = 'https://example.com/';
  test.each([
    ['from=timeline', '?from=timeline'],
    ['from=timeline&ref=email', '?from=timeline&ref=email'],
    ['from=timeline&utm_source=x', '?from=timeline&utm_source=x'],
    ['from=timeline&id=1', '?id=1'],
    ['from=timeline&from=2026', '?from=2026'],
    ['from=share&to=1&ref=rss', '?from=share&to=1'],
    ['from=share&UNTIL=1', '?from=share&UNTIL=1'],
    ['from=share&till', '?from=share&till'],
    ['from=share&end=1', '?from=share&end=1'],
    ['from&id=1', '?from&id=1'],
  ])('at the root: %s', (query, after) => expect(left('soft-names', query, {}, root)).toBe(after));

  test('a range end that goes protects nothing', () => {
    expect(left('soft-names', 'from=share&to=1', { removeParams: ['to'] })).toBe('?to=1');
  });
  test("one's own words", () => {
    const policy = { softValues: { from: ['朋友圈', 'a b'], ref: ['x'] } };
    expect(left('soft-names', 'from=%E6%9C%8B%E5%8F%8B%E5%9C%88&from=A%20B&from=qq&ref=x&id=1', policy)).toBe(
      '?id=1',
    );
  });
  test('words ignore case, in any alphabet', () => {
    const policy = { softValues: { from: ['Друзья', 'ÉTÉ'] } };
    for (const word of ['друзья', 'ДРУЗЬЯ', 'été', 'Été'])
      expect(left('soft-names', `from=${encodeURIComponent(word)}`, policy)).toBe('');
    expect(left('soft-names', 'from=%E9t%E9&id=1', policy)).toBe('?from=%E9t%E9&id=1');
  });
});

describe('policy-names', () => {
  test('match as they are written, in the form of the key', () => {
    const policy = { removeParams: ['x[]', 'a b', 'c+d', '%41', 'e&f', '中'] };
    expect(left('policy-names', 'x%5B%5D=1&a%20b=1&c%20d=1&A=1&e%26f=1&%E4%B8%AD=1', policy)).toBe('');
    expect(left('policy-names', 'X%5B%5D=1&a=1', policy)).toBe('?X%5B%5D=1&a=1');
  });

  test.each<[string, PolicyJson, string]>([
    [
      'keepParams beat all',
      { keepParams: ['k'], removeParams: ['k'], siteRules: [{ host: 'example.com', remove: ['k'] }] },
      '?k=1',
    ],
    [
      'a site rule beats removeParams',
      { removeParams: ['k'], siteRules: [{ host: 'example.com', keep: ['k'] }] },
      '?k=1',
    ],
    [
      'within one rule keep beats remove',
      { siteRules: [{ host: 'example.com', keep: ['k'], remove: ['k'] }] },
      '?k=1',
    ],
    [
      'the longer host decides',
      {
        siteRules: [
          { host: 'com', remove: ['k'] },
          { host: 'example.com', keep: ['k'] },
        ],
      },
      '?k=1',
    ],
    [
      'then the longer path',
      {
        siteRules: [
          { host: 'example.com', path: '/a', remove: ['k'] },
          { host: 'example.com', keep: ['k'] },
        ],
      },
      '',
    ],
    [
      'between equals keep',
      {
        siteRules: [
          { host: 'example.com', remove: ['k'] },
          { host: 'example.com', keep: ['k'] },
        ],
      },
      '?k=1',
    ],
    [
      'a rule that does not name it decides nothing',
      {
        siteRules: [
          { host: 'com', remove: ['k'] },
          { host: 'example.com', keep: ['x'] },
        ],
      },
      '',
    ],
    ['not at a dot boundary', { siteRules: [{ host: 'ample.com', remove: ['k'] }] }, '?k=1'],
    ['path pattern', { siteRules: [{ host: 'example.com', path: '*', remove: ['k'] }] }, ''],
    ['over the whole path', { siteRules: [{ host: 'example.com', path: '/', remove: ['k'] }] }, '?k=1'],
  ])('%s', (_, policy, after) => expect(left('policy-names', 'k=1', policy)).toBe(after));

  test('a kept tracking name stays', () => {
    expect(left('tracking-names', 'utm_source=1&gclid=2', { keepParams: ['utm_source'] })).toBe(
      '?utm_source=1',
    );
    expect(left('tracking-names', 'UTM_SOURCE=1', { keepParams: ['utm_source'] })).toBe('');
  });
});

test('imported-names', () => {
  const imported = { shop: { urlPattern: 'example\\.com', rules: ['k[0-9]'] } };
  expect(left('imported-names', 'K1=1&k12=2', { imported })).toBe('?k12=2');
});
