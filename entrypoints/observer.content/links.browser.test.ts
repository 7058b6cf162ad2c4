import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainAddress } from './links.ts';

/** What the browser makes of it. */
function href(written: string): string {
  const link = document.createElement('a');
  link.setAttribute('href', written);
  return link.href;
}

const letters = fc.constantFrom(...'aZ09_-~/.?=&+%#;:@ !*\\\t'.split(''), '..', '/./', '%2e', 'ä', '//');

test('a plain path is read as the browser reads it', () => {
  const { origin } = new URL(document.baseURI);
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 20 }), (parts) => {
      const written = `/${parts.join('')}`;
      const plain = plainAddress(written, origin);
      if (plain !== undefined) expect(plain).toBe(href(written));
    }),
    { numRuns: 2000 },
  );
});

test.each(['/', '/a', '/a/b.html?x=1&y=a+b', '/a//b', '/~user/', '/a?q=/x'])('%s is plain', (written) => {
  expect(plainAddress(written, new URL(document.baseURI).origin)).toBe(href(written));
});

test.each([
  '//other.example/',
  '/a/../b',
  '/.',
  '/ä',
  '/a b',
  '/a#b',
  '/%2e%2e/',
  'a',
  '',
  '?x',
  'https://a.example/',
])('%j is for the browser', (written) => {
  expect(plainAddress(written, 'https://a.example')).toBeUndefined();
});
