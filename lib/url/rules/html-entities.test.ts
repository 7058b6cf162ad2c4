import { expect, test } from 'vitest';
import { apply } from './testing.ts';

test.each([
  ['?a&amp;b=1', '?a&b=1'],
  ['?amp;b=1', '?b=1'],
  ['?AMP;amp;Amp;b', '?b'],
  ['?amp;', ''],
  ['?amp;=v', '?=v'],
  ['?a=amp;b', '?a=amp;b'],
  ['?xamp;b', '?xamp;b'],
  ['?amp', '?amp'],
  ['?amp%3Bb', '?amp%3Bb'],
])('%j', (before, after) =>
  expect(apply('html-entities', `https://example.com/${before}`)).toBe(`https://example.com/${after}`),
);
