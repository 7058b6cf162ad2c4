import { expect, test } from 'vitest';
import { apply } from './testing.ts';

test.each([
  ['?a=b+c&d+e', '?a=b%20c&d%20e'],
  ['?a=b%2Bc', '?a=b%2Bc'],
  ['?a=&b', '?a&b'],
  ['?=v', '?=v'],
  ['?a==', '?a=='],
  ['?==', '?=='],
  ['?', ''],
  ['?&&', ''],
  ['?=', ''],
  ['?&a&&=&b&', '?a&b'],
  ['?a;b', '?a;b'],
  ['??a=?', '??a=?'],
  ['?a&a', '?a&a'],
  ['', ''],
])('%j', (before, after) =>
  expect(apply('pairs', `https://example.com/${before}`)).toBe(`https://example.com/${after}`),
);
