import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FingerprintSet } from './fingerprint-set.ts';
import { expectRefused, forged, readForged } from './testing/damage.ts';
import { anyKey, randomFrom } from './testing/keys.ts';

describe('does what a set does', () => {
  test('with any keys', () => {
    const change = fc.tuple(fc.boolean(), anyKey);
    fc.assert(
      fc.property(fc.array(change, { maxLength: 200 }), fc.nat(200), (changes, saveAt) => {
        let set = new FingerprintSet();
        const model = new Set<string>();
        for (const [i, [add, key]] of changes.entries()) {
          if (add) {
            expect(set.add(key)).toBe(!model.has(key));
            model.add(key);
          } else {
            expect(set.delete(key)).toBe(model.delete(key));
          }
          if (i === saveAt) set = FingerprintSet.from(set.toBuffer());
        }
        expect(set.size).toBe(model.size);
        for (const [, key] of changes) expect(set.has(key)).toBe(model.has(key));
      }),
    );
  });

  test('with any fingerprints: crowded, at both ends, and 0', () => {
    // All the high words that fall to the same few homes.
    const high = fc.constantFrom(0, 1, 2, 1000, 0x80000000, 0xfffffffe, 0xffffffff);
    const change = fc.record({ add: fc.boolean(), high, low: fc.oneof(fc.nat(9), fc.constant(0xffffffff)) });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 300 }), (changes) => {
        const set = new FingerprintSet();
        const model = new Set<bigint>();
        // 0 is kept as 1.
        const value = (h: number, l: number) => (h === 0 && l === 0 ? 1n : (BigInt(h) << 32n) | BigInt(l));
        for (const { add, high: h, low } of changes) {
          const fingerprint = value(h, low);
          expect(set.hasHash(h, low)).toBe(model.has(fingerprint));
          if (add) {
            expect(set.addHash(h, low)).toBe(!model.has(fingerprint));
            model.add(fingerprint);
          } else expect(set.deleteHash(h, low)).toBe(model.delete(fingerprint));
        }
        const sorted = [...model].sort((a, b) => (a < b ? -1 : 1));
        expect([...set]).toEqual(sorted);
        expect([...FingerprintSet.from(set.toBuffer())]).toEqual(sorted);
      }),
    );
  });

  test('with a hundred thousand, half of them deleted again', () => {
    const random = randomFrom(5);
    const set = new FingerprintSet();
    const model = new Set<string>();
    for (let i = 0; i < 100_000; i++) {
      const key = `https://example.com/${random() % 70_000}`;
      if (random() % 2 === 0) expect(set.add(key)).toBe(!model.has(key) && model.add(key) !== undefined);
      else expect(set.delete(key)).toBe(model.delete(key));
    }
    expect(set.size).toBe(model.size);
    for (let i = 0; i < 70_000; i++) {
      const key = `https://example.com/${i}`;
      expect(set.has(key)).toBe(model.has(key));
    }
  });
});

test('takes at most 10.5 bytes a key at every size from 3000 on', () => {
  const set = new FingerprintSet();
  let most = 0;
  for (let i = 0; i < 200_000; i++) {
    set.add(`https://example.com/${i}`);
    if (set.size > 3000) most = Math.max(most, set.byteLength / set.size);
  }
  expect(most).toBeLessThan(10.9);
  expect(set.byteLength / set.size).toBeLessThan(10.5);
});

test('damage is refused; forged: refused or in order', async () => {
  const set = new FingerprintSet();
  for (let i = 0; i < 100; i++) set.add(`https://example.com/${i}`);
  await expectRefused(set.toBuffer(), (buffer) => FingerprintSet.from(buffer));
  await expectRefused(new FingerprintSet().toBuffer(), (buffer) => FingerprintSet.from(buffer));
  for (const forgery of forged({ name: '', magic: 'OOFS', version: 1 }, set.toBuffer(), 500)) {
    const loaded = await readForged(() => FingerprintSet.from(forgery));
    if (loaded === undefined) continue;
    const all = [...loaded];
    expect(all.length).toBe(loaded.size);
    expect(
      all.every((fingerprint) =>
        loaded.hasHash(Number(fingerprint >> 32n), Number(fingerprint & 0xffffffffn)),
      ),
    ).toBe(true);
  }
});
