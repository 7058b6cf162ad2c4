import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Key } from '#lib/url/index.ts';
import { fingerprint } from './index.ts';
import { murmur3 } from './murmur.ts';

const key = (text: string) => text as Key;

describe('published vectors', () => {
  // FIPS 180-4 examples and RFC 1321 appendix A.5; the Chinese ones are from Python's hashlib.
  test.each([
    ['sha256', '', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['sha256', 'abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    ['sha256-16', 'abc', 'ba7816bf8f01cfea414140de5dae2223'],
    ['sha1', '', 'da39a3ee5e6b4b0d3255bfef95601890afd80709'],
    ['sha1', 'abc', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
    ['md5', '', 'd41d8cd98f00b204e9800998ecf8427e'],
    ['md5', 'abc', '900150983cd24fb0d6963f7d28e17f72'],
    ['md5', 'message digest', 'f96b697d7cb7938d525a2f31aaf161d0'],
    ['murmur3', 'abc', 'b3dd93fa'],
    [
      'sha256',
      'https://example.com/路径',
      'cf0f61f619fd2a7d491203ff5a744c9621a7a1c7aba784c3683d9b66ea16d7ce',
    ],
  ] as const)('%s of %j', (form, text, expected) => expect(fingerprint(key(text), form)).toBe(expected));

  // https://en.wikipedia.org/wiki/MurmurHash#Algorithm lists these for x86_32.
  test.each([
    ['', 0, 0],
    ['', 1, 0x514e28b7],
    ['', 0xffffffff, 0x81f16f39],
    ['test', 0, 0xba6bd213],
    ['test', 0x9747b28c, 0x704b81dc],
    ['Hello, world!', 0, 0xc0363e43],
    ['Hello, world!', 0x9747b28c, 0x24884cba],
    ['The quick brown fox jumps over the lazy dog', 0, 0x2e4ff723],
    ['The quick brown fox jumps over the lazy dog', 0x9747b28c, 0x2fa826cd],
  ])('murmur3 of %j with seed %d', (text, seed, expected) => expect(murmur3(text, seed)).toBe(expected));
});

test('the SHA forms and MD5 are those of OpenSSL, non-ASCII and lone surrogates included', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      for (const form of ['sha256', 'sha1', 'md5'] as const)
        expect(fingerprint(key(text), form)).toBe(createHash(form).update(text.toWellFormed()).digest('hex'));
    }),
    { numRuns: 300 },
  );
});

test('murmur3 takes UTF-8 bytes', () => {
  // mmh3.hash of Python's mmh3 5.1, signed = False
  expect(murmur3('https://example.com/路径')).toBe(
    murmurOfBytes(new TextEncoder().encode('https://example.com/路径')),
  );
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.integer({ min: 0, max: 0xffffffff }),
      (text, seed) => {
        expect(murmur3(text, seed)).toBe(murmurOfBytes(new TextEncoder().encode(text), seed));
      },
    ),
    { numRuns: 300 },
  );
});

/** The algorithm as Austin Appleby published it (MurmurHash3.cpp), written again for the test. */
function murmurOfBytes(bytes: Uint8Array, seed = 0): number {
  const mix = (k: number) => Math.imul(rotate(Math.imul(k, 0xcc9e2d51), 15), 0x1b873593);
  const rotate = (x: number, by: number) => (x << by) | (x >>> (32 - by));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = bytes.length & ~3;
  let h = seed;
  for (let i = 0; i < whole; i += 4)
    h = (Math.imul(rotate(h ^ mix(view.getUint32(i, true)), 13), 5) + 0xe6546b64) | 0;
  let tail = 0;
  for (let i = bytes.length - 1; i >= whole; i--) tail = (tail << 8) | bytes[i]!;
  if (whole < bytes.length) h ^= mix(tail);
  h ^= bytes.length;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
