import { expect, test } from 'vitest';
import { apply } from './testing.ts';

test.each([
  ['https://example.com/a/', 'https://example.com/a'],
  ['https://example.com/a//?b/', 'https://example.com/a?b/'],
  ['https://example.com/', 'https://example.com/'],
  ['https://example.com//', 'https://example.com/'],
  ['https://example.com//a', 'https://example.com//a'],
])('%s', (before, after) => expect(apply('strip-slash', before)).toBe(after));
