import * as fc from 'fast-check';
import murmurhash from 'murmurhash';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashKey, hashKeyApart, readKeysWith, SEEDS, words } from './hash.ts';
import { anyKey, randomFrom } from './testing/keys.ts';

function hash(key: string): number[] {
  hashKey(key);
  return [...words];
}

function reference(key: string): number[] {
  return SEEDS.map((seed) => murmurhash.v3(key, seed));
}

describe.each([undefined, new TextEncoder()])('reading keys with %s', (encoder) => {
  beforeAll(() => readKeysWith(encoder));
  afterAll(() => readKeysWith(undefined));

  test('equals npm murmurhash bit for bit', () => {
    const text = fc.oneof(
      anyKey,
      fc.string({ maxLength: 40 }),
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.webUrl(),
    );
    fc.assert(
      fc.property(text, (key) => {
        expect(hash(key)).toEqual(reference(key));
      }),
      { numRuns: 3000 },
    );
  });

  test('equals it on every length and every ASCII character, and at the edge of ASCII', () => {
    const random = randomFrom(1);
    for (let length = 0; length < 70; length++) {
      for (let i = 0; i < 20; i++) {
        const units = Array.from({ length }, () => random() % 128);
        expect(hash(String.fromCharCode(...units))).toEqual(reference(String.fromCharCode(...units)));
      }
    }
    for (const edge of ['\x7f', '\x80', 'abc\x80', 'abcd\x80', '\xff', '\u0100', '\u0141BCD', 'abcd\u0161']) {
      expect(hash(edge)).toEqual(reference(edge));
    }
  });

  test('halves of surrogate pairs are one character to murmur, and told apart where the hash alone is the key', () => {
    const apart = (key: string) => {
      hashKeyApart(key);
      return [...words];
    };
    expect(hash('a\ud800')).toEqual(hash('a\udfff'));
    expect(apart('a\ud800')).not.toEqual(apart('a\udfff'));
    expect(apart('a\ud83d\ude00中')).toEqual(hash('a\ud83d\ude00中'));
  });

  test('long keys and short ones after them', () => {
    for (const length of [1, 4095, 4096, 9000, 30_001, 3]) {
      for (const unit of ['x', '中'])
        expect(hash(unit.repeat(length))).toEqual(reference(unit.repeat(length)));
    }
  });
});
