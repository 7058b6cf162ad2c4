import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isInDomain, matchesPattern } from './sites.ts';

test('a pattern matches as the regular expression that it stands for', () => {
  const text = fc
    .array(fc.constantFrom('/', 'a', 'b', 'ab', '.'), { maxLength: 8 })
    .map((parts) => parts.join(''));
  const pattern = fc
    .array(fc.constantFrom('*', '*', '/', 'a', 'b', 'ab', '.'), { maxLength: 6 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, pattern, (text, pattern) => {
      const expression = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
      expect(matchesPattern(text, pattern)).toBe(expression.test(text));
    }),
    { numRuns: 3000 },
  );
});

test('no pattern is slow', () => {
  expect(matchesPattern('a'.repeat(200_000), `${'*a'.repeat(1000)}*b`)).toBe(false);
});

test.each([
  ['example.com', 'example.com', true],
  ['a.b.example.com', 'example.com', true],
  ['badexample.com', 'example.com', false],
  ['example.com', 'a.example.com', false],
  ['[::1]', '[::1]', true],
])('%s in %s: %s', (host, domain, expected) => expect(isInDomain(host, domain)).toBe(expected));
