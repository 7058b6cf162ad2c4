import { expect, test } from 'vitest';
import { apply } from './testing.ts';

test.each([
  ['http://example.com/', 'https://example.com/'],
  ['https://example.com/', 'https://example.com/'],
  ['http://example.com:8080/', 'http://example.com:8080/'],
  ['http://example.com:443/', 'http://example.com:443/'],
  ['https://example.com:80/', 'https://example.com:80/'],
])('%s', (before, after) => expect(apply('merge-schemes', before)).toBe(after));
