import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { same } from './same.ts';

const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).toReversed();
  return { ...Object.fromEntries(fields.map(([name, field]) => [name, shuffled(field)])), absent: undefined };
};

test('the order of fields and absent ones do not matter, everything else does', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      expect(same(a, shuffled(a))).toBe(true);
      let isEqual = true;
      try {
        expect(a).toEqual(b);
      } catch {
        isEqual = false;
      }
      expect(same(a, b)).toBe(isEqual);
    }),
    { numRuns: 300 },
  );
});

test.each([
  [[], {}],
  [
    [1, 2],
    [2, 1],
  ],
  [{ a: 1 }, { a: 1, b: null }],
  [{ a: 1 }, { b: 1 }],
  [{ length: 0 }, []],
  [null, {}],
  ['1', 1],
])('%j is not %j', (a, b) => {
  expect(same(a, b)).toBe(false);
  expect(same(b, a)).toBe(false);
});
