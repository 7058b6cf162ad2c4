import { expect, test } from 'vitest';
import { apply } from './testing.ts';

const cut = (address: string, ...rawRules: string[]) =>
  apply('imported-raw', address, { imported: { a: { urlPattern: 'example', rawRules } } });

test.each([
  ['every place, in any case', 'https://example.com/xAx?x=ax', ['x'], 'https://example.com/A?=a'],
  ['until nothing changes', 'https://example.com/aabb', ['ab'], 'https://example.com/'],
  ['never host or fragment', 'https://example.com/x#/x', ['x', 'example', '#'], 'https://example.com/#/x'],
  ['the query with its mark', 'https://example.com/a?b', ['\\?.*'], 'https://example.com/a'],
  ['a path keeps its slash', 'https://example.com/a', ['/'], 'https://example.com/a'],
])('%s', (_, before, rules, after) => expect(cut(before, ...rules)).toBe(after));
