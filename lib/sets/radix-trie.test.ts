import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RadixTrie } from './radix-trie.ts';
import { ABSENT, GONE, KNOWN, VISITED, type PresentState } from './states.ts';
import { expectRefused, forged, readForged } from './testing/damage.ts';
import { anyKey, anyState, byCodeUnits, randomFrom } from './testing/keys.ts';

type Model = Map<string, PresentState>;

/** What the trie must say of everything, by the plainest means. */
function expectEqual(trie: RadixTrie, model: Model, others: Iterable<string> = []): void {
  const sorted = [...model].sort(([a], [b]) => byCodeUnits(a, b));
  expect([...trie]).toEqual(sorted);
  expect(trie.size).toBe(model.size);
  for (const key of others) {
    expect([key, trie.stateOf(key)]).toEqual([key, model.get(key) ?? ABSENT]);
    expect(trie.countsBelow(key)).toEqual(countsBelow(model, key));
    expect([...trie.entries(key)]).toEqual(sorted.filter(([text]) => text.startsWith(key)));
  }
}

function countsBelow(model: Model, prefix: string): { visited: number; known: number } {
  const states = [...model].filter(([key]) => key.startsWith(prefix)).map(([, state]) => state);
  return {
    visited: states.filter((state) => state === VISITED).length,
    known: states.filter((state) => state === KNOWN).length,
  };
}

function trieOf(keys: Iterable<string>, state: PresentState = KNOWN): RadixTrie {
  const trie = new RadixTrie();
  for (const key of keys) trie.insert(key, state);
  return trie;
}

test('the example of the specification', () => {
  const keys = ['/article/123', '/article/124', '/article/1234', '/blog/2024/05/01', '/blog/2024/05/02'];
  const trie = trieOf(keys);
  expect(keys.map((key) => trie.insert(key))).toEqual([false, false, false, false, false]);
  const asked = [
    '/article/123',
    '/article/1234',
    '/article/125',
    '/blog/2024/05/01',
    '/blog/2024/05/03',
    '/article/12',
  ];
  expect(asked.map((key) => trie.has(key))).toEqual([true, true, false, true, false, false]);
});

describe('does what a map does', () => {
  const change = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ what: fc.constant('insert' as const), key: anyKey, state: anyState }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ what: fc.constant('setState' as const), key: anyKey, state: anyState }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ what: fc.constant('delete' as const), key: anyKey, state: anyState }),
    },
  );

  test('through any changes, saves and loads, for every key that was ever there and every prefix of it', () => {
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 80 }),
        fc.array(anyKey, { maxLength: 5 }),
        fc.nat(80),
        (changes, others, saveAt) => {
          let trie = new RadixTrie();
          const model: Model = new Map();
          for (const [i, { what, key, state }] of changes.entries()) {
            const before = model.get(key) ?? ABSENT;
            if (what === 'insert') {
              expect(trie.insert(key, state)).toBe(before === ABSENT);
              if (before === ABSENT) model.set(key, state);
            } else if (what === 'setState') {
              expect(trie.setState(key, state)).toBe(before);
              model.set(key, state);
            } else {
              expect(trie.delete(key)).toBe(model.delete(key));
            }
            if (i === saveAt) trie = RadixTrie.from(trie.toBuffer());
          }
          const asked = new Set([
            ...others,
            ...changes.flatMap(({ key }) => [key, key.slice(0, key.length >> 1), `${key}a`]),
          ]);
          expectEqual(trie, model, asked);
          // The history leaves no trace: neither in the saved form nor in the figures.
          const fresh = new RadixTrie();
          for (const [key, state] of model) fresh.insert(key, state);
          expect(trie.toBuffer()).toEqual(fresh.toBuffer());
          expect([trie.labelBytes, trie.keyBytes]).toEqual([fresh.labelBytes, fresh.keyBytes]);
          expectEqual(RadixTrie.from(trie.toBuffer()), model, asked);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('with many keys that come and go', () => {
    const random = randomFrom(7);
    const trie = new RadixTrie();
    const model: Model = new Map();
    for (let i = 0; i < 60_000; i++) {
      const key = `https://h${random() % 9}.example.com/${random() % 40}/${(random() % 900).toString(36)}`;
      if (random() % 3 === 0) expect(trie.delete(key)).toBe(model.delete(key));
      else {
        const state = (1 + (random() % 4)) as PresentState;
        expect(trie.setState(key, state)).toBe(model.get(key) ?? ABSENT);
        model.set(key, state);
      }
    }
    expectEqual(
      trie,
      model,
      [...Array(40).keys()].map((i) => `https://h3.example.com/${i}`),
    );
    for (const key of model.keys()) trie.delete(key);
    expect([trie.size, trie.labelBytes, [...trie]]).toEqual([0, 0, []]);
    // What was given back is used again.
    const { byteLength } = trie;
    for (const [key, state] of model) trie.insert(key, state);
    expect(trie.byteLength).toBeLessThan(byteLength * 1.2);
  });
});

test('tells the new bytes of each insert, and their sum is all label bytes', () => {
  const trie = new RadixTrie();
  const novel = [
    'https://a.example.com/1',
    'https://a.example.com/12',
    'https://a.example.com/',
    'https://a.example.com/1',
    'ftp',
  ].map((key) => {
    trie.insert(key);
    return trie.lastNovelBytes;
  });
  expect(novel).toEqual([23, 1, 0, 0, 3]);
  fc.assert(
    fc.property(fc.array(anyKey), (keys) => {
      const each = new RadixTrie();
      let sum = 0;
      for (const key of keys) {
        each.insert(key);
        sum += each.lastNovelBytes;
      }
      expect(each.labelBytes).toBe(sum);
    }),
  );
});

describe('walker', () => {
  test('fed piece by piece it says at every piece what a search through all keys says', () => {
    fc.assert(
      fc.property(
        fc.array(anyKey, { maxLength: 30 }),
        fc.array(fc.tuple(anyKey, fc.nat(6)), { maxLength: 30 }),
        (keys, fed) => {
          const trie = trieOf(keys, GONE);
          const walker = trie.walker();
          for (const [key, size] of fed) {
            walker.reset();
            for (let at = 0; at < key.length; at += size + 1) {
              const piece = key.slice(at, at + size + 1);
              const start = key.slice(0, at + size + 1);
              expect(walker.feed(piece)).toBe(keys.some((stored) => stored.startsWith(start)));
              expect(walker.state).toBe(trie.stateOf(start));
            }
          }
        },
      ),
    );
  });

  test('seek and feed in any mixture agree with the trie, also while it changes', () => {
    const move = fc.record({ what: fc.constantFrom('seek', 'feed', 'insert', 'delete'), key: anyKey });
    fc.assert(
      fc.property(fc.array(anyKey, { maxLength: 20 }), fc.array(move, { maxLength: 40 }), (keys, moves) => {
        const trie = trieOf(keys);
        const walker = trie.walker();
        let at = '';
        for (const { what, key } of moves) {
          if (what === 'insert') trie.insert(key);
          else if (what === 'delete') trie.delete(key);
          else if (what === 'feed') {
            at += key;
            expect(walker.feed(key)).toBe([...trie].some(([stored]) => stored.startsWith(at)) || at === '');
          } else {
            at = key;
            expect(walker.seek(key)).toBe(trie.stateOf(key));
          }
          expect([walker.state, walker.possible]).toEqual([
            trie.stateOf(at),
            at === '' || [...trie].some(([stored]) => stored.startsWith(at)),
          ]);
        }
      }),
    );
  });

  test('gives up at the first character that no key has', () => {
    const walker = trieOf(['https://shop.example.com/item/1']).walker();
    expect(
      'https://shop.example.com/ix'
        .split('')
        .map((unit) => walker.feed(unit))
        .indexOf(false),
    ).toBe(26);
    expect(walker.feed('/anything')).toBe(false);
  });
});

describe('children', () => {
  const trie = new RadixTrie();
  for (const [key, state] of [
    ['https://shop.example.com/', VISITED],
    ['https://shop.example.com/orders', VISITED],
    ['https://shop.example.com/orders/1', VISITED],
    ['https://shop.example.com/orders/2', KNOWN],
    ['https://shop.example.com/orders/2/items', KNOWN],
    ['https://shop.example.com/orders-old', GONE],
    ['https://shop.example.com/find?q=a', VISITED],
    ['https://shop.example.com/find?q=b', KNOWN],
    ['https://wiki.example.com/Main', KNOWN],
  ] as const) {
    trie.insert(key, state);
  }

  test('hosts', () => {
    expect([...trie.children('https://')]).toEqual([
      { segment: 'shop.example.com/', state: ABSENT + VISITED, more: true, visited: 4, known: 3 },
      { segment: 'wiki.example.com/', state: ABSENT, more: true, visited: 0, known: 1 },
    ]);
  });

  test('pages, folders and queries', () => {
    expect([...trie.children('https://shop.example.com/')]).toEqual([
      { segment: '', state: VISITED, more: false, visited: 1, known: 0 },
      { segment: 'find?', state: ABSENT, more: true, visited: 1, known: 1 },
      { segment: 'orders', state: VISITED, more: false, visited: 1, known: 0 },
      { segment: 'orders-old', state: GONE, more: false, visited: 0, known: 0 },
      { segment: 'orders/', state: ABSENT, more: true, visited: 1, known: 2 },
    ]);
    expect([...trie.children('https://nowhere')]).toEqual([]);
  });

  test('agree with grouping all keys by hand', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyKey, anyState)), anyKey, (entries, prefix) => {
        const any = new RadixTrie();
        const model: Model = new Map();
        for (const [key, state] of entries) {
          any.setState(key, state);
          model.set(key, state);
        }
        const segments = new Set<string>();
        for (const key of model.keys()) {
          if (key.startsWith(prefix)) segments.add(/^[^/]*\/?/.exec(key.slice(prefix.length))![0]);
        }
        const expected = [...segments].sort(byCodeUnits).map((segment) => {
          const below = [...model].filter(([key]) =>
            segment.endsWith('/') ? key.startsWith(prefix + segment) : key === prefix + segment,
          );
          return {
            segment,
            state: model.get(prefix + segment) ?? ABSENT,
            more: below.some(([key]) => key !== prefix + segment),
            ...countsBelow(new Map(below), ''),
          };
        });
        expect([...any.children(prefix, '/')]).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});

test('a listing ends with an error when the trie changes meanwhile', () => {
  const trie = trieOf(['a', 'b', 'c']);
  const list = () => {
    for (const [key] of trie) trie.insert(`${key}!`);
  };
  expect(list).toThrow('the trie was changed while it was being listed');
});

test('takes at most v + 16 bytes a key on keys with shared prefixes, and v + 14 when loaded', () => {
  const random = randomFrom(3);
  const keys = new Set<string>();
  while (keys.size < 30_000) {
    keys.add(
      `https://shop.example.com/${['item', 'list', 'user/orders'][random() % 3]}/${random() % 300_000}?page=${random() % 9}`,
    );
  }
  const trie = trieOf(keys);
  const v = trie.labelBytes / trie.size;
  expect(trie.byteLength / trie.size).toBeLessThan(v + 19);
  expect(RadixTrie.from(trie.toBuffer()).byteLength / trie.size).toBeLessThan(v + 16);
});

describe('damage is refused', () => {
  const random = randomFrom(11);
  const trie = trieOf(
    Array.from({ length: 60 }, () => `https://é.example.com/${random() % 50}/${random() % 50}`),
  );
  trie.insert('y'.repeat(600));

  test('by accident', async () => {
    await expectRefused(trie.toBuffer(), (buffer) => RadixTrie.from(buffer));
    await expectRefused(new RadixTrie().toBuffer(), (buffer) => RadixTrie.from(buffer));
  });

  test('forged: refused, or a trie that agrees with itself', async () => {
    let accepted = 0;
    for (const forgery of forged({ name: '', magic: 'OORT', version: 1 }, trie.toBuffer(), 1500)) {
      const loaded = await readForged(() => RadixTrie.from(forgery));
      if (loaded === undefined) continue;
      accepted++;
      const model: Model = new Map(loaded);
      expectEqual(loaded, model, [...model.keys()].slice(0, 5));
      const fresh = new RadixTrie();
      for (const [key, state] of model) fresh.insert(key, state);
      expect([...fresh]).toEqual([...loaded]);
    }
    expect(accepted).toBeGreaterThan(50);
  });

  test('says what is wrong', () => {
    const buffer = trie.toBuffer();
    const load = (wrong: Uint8Array) => () => RadixTrie.from(wrong);
    expect(load(buffer.slice(0, 200))).toThrow(
      `RadixTrie: says it has ${buffer.length} bytes, but 200 are here`,
    );
    expect(load(buffer.with(0, 0x41))).toThrow('RadixTrie: starts with "AORT" instead of "OORT"');
    expect(load(buffer.with(4, 9))).toThrow('RadixTrie: has version 9, this program reads version 1');
    expect(load(buffer.with(300, buffer[300]! ^ 1))).toThrow(
      'RadixTrie: the checksum does not match, the data was changed after it was saved',
    );
  });
});

test('a saved trie tells what it is up to date with', () => {
  const stamp = { log: 42, policy: '1-abcdef01' };
  expect(RadixTrie.stampOf(trieOf(['a']).toBuffer(stamp))).toEqual(stamp);
});
