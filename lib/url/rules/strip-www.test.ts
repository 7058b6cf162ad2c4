import { expect, test } from 'vitest';
import { apply } from './testing.ts';

test.each([
  ['https://www.example.com/www.x', 'https://example.com/www.x'],
  ['https://www.www.example.com/', 'https://example.com/'],
  ['https://www2.example.com/', 'https://www2.example.com/'],
  ['https://shop.www.example.com/', 'https://shop.www.example.com/'],
  ['https://www/', 'https://www/'],
  ['https://www.@www.example.com:8443/', 'https://www.@example.com:8443/'],
])('%s', (before, after) => expect(apply('strip-www', before)).toBe(after));
