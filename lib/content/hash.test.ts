import * as fc from 'fast-check';
import murmurhash from 'murmurhash';
import { expect, test } from 'vitest';
import { hashText } from './hash.ts';
import { SEEDS } from '#lib/sets/hash.ts';

const reference = (text: string) =>
  SEEDS.map((seed) => murmurhash.v3(text, seed).toString(16).padStart(8, '0')).join('');

test('equals npm murmurhash under both seeds, in every script', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.array(fc.nat({ max: 0xffff }), { maxLength: 12 }).map((units) => String.fromCharCode(...units)),
  );
  fc.assert(
    fc.property(text, (text) => {
      expect(hashText(text)).toBe(reference(text));
    }),
    { numRuns: 2_000 },
  );
});

test.each(['', 'a', 'é', '巡检完成', '👩‍🔧', '\ud800', '\udc00\ud800x', 'abc\u{10ffff}'])('%j', (text) => {
  expect(hashText(text)).toBe(reference(text));
});
