import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { choose, estimateBytes } from './choice.ts';
import { RoundSet } from './round-set.ts';
import { ABSENT, GONE, KNOWN, VISITED, type PresentState, type State } from './states.ts';
import { expectRefused, forged, readForged } from './testing/damage.ts';
import { anyKey, anyState, randomFrom } from './testing/keys.ts';

describe('the choice', () => {
  const figures = (novelBytes: number, keyLength = 60, keys = 100_000) => ({
    keys,
    labelBytes: novelBytes * keys,
    keyBytes: keyLength * keys,
  });

  test.each([
    ['a numbered list', figures(1.1, 37), {}, 'trie', 'shared'],
    ['file addresses (v = 10.5)', figures(10.5, 59), {}, 'trie', 'shared'],
    ['addresses of the whole web (v = 20.3)', figures(20.3, 46), {}, 'trie', 'shared'],
    ['just below four times the fingerprints', figures(23.3), {}, 'trie', 'shared'],
    ['just above', figures(23.5), {}, 'fingerprints', 'unshared'],
    ['random tokens of 40 characters', figures(37), {}, 'fingerprints', 'unshared'],
    ['the same where the scope forces the trie', figures(37), { forceTrie: true }, 'trie', 'forced'],
    ['the same where keys must be listed', figures(37), { listing: true }, 'trie', 'listing'],
    ['the same where nobody confirms', figures(37), { exact: true }, 'trie', 'exact'],
    ['a few of the same', figures(37, 60, 500), {}, 'trie', 'few'],
    ['nothing', figures(0, 0, 0), {}, 'trie', 'few'],
  ] as const)('%s', (_, keys, needs, form, reason) => {
    expect(choose(keys, needs)).toMatchObject({ form, reason });
  });

  test('the estimates cross where the measured structures do', () => {
    // Front coding beats fingerprints below v = 5 (by number of bytes, keys of 40), the live trie never does.
    expect(estimateBytes(3.9, 40).frozen).toBeLessThan(estimateBytes(3.9, 40).fingerprints);
    expect(estimateBytes(5.1, 40).frozen).toBeGreaterThan(estimateBytes(5.1, 40).fingerprints);
    expect(estimateBytes(0, 40).trie).toBeGreaterThan(estimateBytes(0, 40).fingerprints);
  });
});

/** Keys whose prefixes are not shared. */
function* tokens(count: number): Generator<string> {
  const random = randomFrom(21);
  for (let i = 0; i < count; i++)
    yield `https://example.com/s/${Array.from({ length: 6 }, () => random().toString(36)).join('')}`;
}

/** A set that has become fingerprints. */
function fingerprintsOf(count = 9000, state: PresentState = VISITED): RoundSet {
  const set = new RoundSet();
  for (const key of tokens(count)) set.setState(key, state);
  return set;
}

test('stays a trie on shared prefixes, becomes fingerprints on tokens, says why, and loses no key on the way', () => {
  const shared = new RoundSet();
  for (let i = 0; i < 20_000; i++) shared.insert(`https://shop.example.com/item/${i}`);
  expect(shared.trie?.size).toBe(20_000);
  expect(shared.report()).toMatchObject({ form: 'trie', reason: 'shared', keys: 20_000 });

  const set = fingerprintsOf();
  expect(set.trie).toBeUndefined();
  const report = set.report();
  expect(report).toMatchObject({ form: 'fingerprints', reason: 'unshared', keys: 9000 });
  expect(report.novelBytes).toBeGreaterThan(30);
  expect(report.byteLength / report.keys).toBeLessThan(11);
  for (const key of tokens(9000)) expect(set.stateOf(key)).toBe(VISITED);
  expect(set.counts).toEqual({ visited: 9000, known: 0 });

  const forced = new RoundSet({ forceTrie: true });
  for (const key of tokens(9000)) forced.insert(key);
  expect(forced.report()).toMatchObject({ form: 'trie', reason: 'forced' });
  expect(() => RoundSet.from(set.toBuffer(), { forceTrie: true })).toThrow(
    'fingerprints were saved, but a trie is needed now',
  );
});

test('both forms do what a map does', () => {
  const change = fc.record({
    what: fc.constantFrom('insert', 'setState', 'delete', 'save'),
    key: anyKey,
    state: anyState,
  });
  const made = fingerprintsOf().toBuffer();
  fc.assert(
    fc.property(fc.boolean(), fc.array(change, { maxLength: 60 }), (trie, changes) => {
      let set = trie ? new RoundSet() : RoundSet.from(made);
      const before = set.size;
      const model = new Map<string, PresentState>();
      for (const { what, key, state } of changes) {
        if (what === 'insert') {
          expect(set.insert(key, state)).toBe(!model.has(key));
          if (!model.has(key)) model.set(key, state);
        } else if (what === 'setState') {
          expect(set.setState(key, state)).toBe(model.get(key) ?? ABSENT);
          model.set(key, state);
        } else if (what === 'delete') {
          expect(set.delete(key)).toBe(model.delete(key));
        } else set = RoundSet.from(set.toBuffer());
      }
      const keys = changes.map(({ key }) => key);
      const states: State[] = keys.map((key) => model.get(key) ?? ABSENT);
      expect(set.statesOf(keys)).toEqual(states);
      expect(keys.map((key) => set.stateOf(key))).toEqual(states);
      expect(set.size).toBe(before + model.size);
      expect(set.counts.visited + set.counts.known).toBe(
        before + [...model.values()].filter((state) => state === VISITED || state === KNOWN).length,
      );
    }),
    { numRuns: 60 },
  );
});

describe('damage is refused', () => {
  const set = fingerprintsOf();
  for (let i = 0; i < 50; i++) set.setState(`https://example.com/${i}`, i % 2 === 0 ? KNOWN : GONE);

  test('of a trie and of fingerprints', async () => {
    const small = new RoundSet();
    small.insert('a');
    await expectRefused(small.toBuffer(), (buffer) => RoundSet.from(buffer));
    await expectRefused(set.toBuffer(), (buffer) => RoundSet.from(buffer));
  });

  test('forged', async () => {
    for (const forgery of forged({ name: '', magic: 'OOSF', version: 1 }, set.toBuffer(), 100)) {
      const loaded = await readForged(() => RoundSet.from(forgery));
      if (loaded !== undefined) expect(loaded.size).toBeLessThan(forgery.length / 8);
    }
  });
});

test('a saved set tells what it is up to date with', () => {
  const stamp = { log: 7, policy: 'p' };
  expect(RoundSet.stampOf(new RoundSet().toBuffer(stamp))).toEqual(stamp);
  expect(RoundSet.stampOf(fingerprintsOf().toBuffer(stamp))).toEqual(stamp);
});
