import { expect, test } from 'vitest';
import { apply } from './testing.ts';

const sorted = (query: string) =>
  apply('sort', `https://example.com/?${query}`).slice('https://example.com/?'.length);

test.each([
  ['c=1&b=2&a=3', 'a=3&b=2&c=1'],
  ['b=1&B=2&a=3', 'B=2&a=3&b=1'],
  ['a10&a9&a', 'a&a10&a9'],
  ['z&%E4%B8%AD&=v', '=v&%E4%B8%AD&z'],
  // By name alone: the values of one name keep their order, and what follows `=` decides nothing.
  ['x=Z&a=2&x=A&a=1&x', 'a=2&a=1&x=Z&x=A&x'],
  ['a-b=1&a=2', 'a=2&a-b=1'],
])('%s', (query, after) => expect(sorted(query)).toBe(after));

test('up to 1,000 pairs', () => {
  const query = (count: number) => Array.from({ length: count }, (_, index) => `k${5000 - index}`).join('&');
  expect(sorted(query(1000))).toBe(query(1000).split('&').reverse().join('&'));
  expect(sorted(query(1001))).toBe(query(1001));
});
