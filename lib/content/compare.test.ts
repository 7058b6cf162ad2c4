import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareSnapshots } from './compare.ts';
import type { Rules } from './rules.ts';
import type { Change, Snapshot } from './snapshot.ts';
import { lines, cpuTime, rebuild, snapshotOf } from './snapshot.testing.ts';

const difference = (
  before: Parameters<typeof snapshotOf>[0],
  after: Parameters<typeof snapshotOf>[0],
  rules?: Rules,
) => lines(compareSnapshots(snapshotOf(before, rules), snapshotOf(after, rules), rules));

/** Few words, so that texts repeat; some rows with names. */
const texts = fc.array(
  fc.constantFrom('UP', 'DOWN', 'a', 'b', 'c', '3 min ago', '4 min ago', 'x 1', 'x 2', 'y y z'),
  { maxLength: 30 },
);
const cells = fc.array(
  fc.record({
    text: fc.constantFrom('UP', 'DOWN', '1', '2', 'a'),
    row: fc.constantFrom('r1', 'r2', 'r3'),
    column: fc.constantFrom('State', 'Load'),
  }),
  { maxLength: 12 },
);
const snapshots = fc.oneof(texts, cells).map((entries) => snapshotOf(entries));

describe('for any two snapshots', () => {
  test('a snapshot equals itself', () => {
    fc.assert(
      fc.property(snapshots, (snapshot) => {
        expect(compareSnapshots(snapshot, snapshot)).toMatchObject({
          changed: false,
          quiet: true,
          blocks: [],
          coarse: false,
        });
      }),
    );
  });

  test('the operations make the newer texts out of the older ones', () => {
    fc.assert(
      fc.property(snapshots, snapshots, (before, after) => {
        const change = compareSnapshots(before, after);
        expect(rebuild(before, change)).toEqual(after.blocks.map(({ text }) => text));
        expect(change.changed).toBe(before.digest !== after.digest);
      }),
      { numRuns: 500 },
    );
  });

  test('equal masked digests are quiet, and a moved or edited block says what it was', () => {
    fc.assert(
      fc.property(snapshots, snapshots, (before, after) => {
        const change = compareSnapshots(before, after);
        if (before.maskedDigest === after.maskedDigest) expect(change.quiet).toBe(true);
        for (const { op, before: old, after: now } of change.blocks) {
          expect([old === undefined, now === undefined]).toEqual([op === 'added', op === 'removed']);
          if (op === 'moved') expect(now).toBe(old);
          if (op === 'edited') expect(now).not.toBe(old);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('it survives JSON', () => {
    fc.assert(
      fc.property(snapshots, snapshots, (before, after) => {
        const copy = JSON.parse(JSON.stringify([before, after])) as [Snapshot, Snapshot];
        expect(compareSnapshots(...copy)).toEqual(compareSnapshots(before, after));
      }),
      { numRuns: 50 },
    );
  });
});

describe('operations', () => {
  const UP = (row: string) => [
    { text: row, column: 'Host' },
    { text: 'UP', row, column: 'State' },
  ];
  const DOWN = (row: string) => [
    { text: row, column: 'Host' },
    { text: 'DOWN', row, column: 'State' },
  ];

  test('a row that comes or goes is just that', () => {
    expect(difference([...UP('a'), ...UP('b')], [...UP('z'), ...UP('a'), ...UP('b')])).toEqual([
      'added "z"',
      'added "UP"',
    ]);
    expect(difference([...UP('a'), ...DOWN('c'), ...UP('b')], [...UP('a'), ...UP('b')])).toEqual([
      'removed "c"',
      'removed "DOWN"',
    ]);
  });

  test('two states that swap are two edits, not moves', () => {
    expect(
      difference([...UP('a'), ...DOWN('b'), ...UP('c')], [...DOWN('a'), ...UP('b'), ...UP('c')]),
    ).toEqual(['edited "UP" -> "DOWN"', 'edited "DOWN" -> "UP"']);
  });

  test('a sorted table moves its rows with all their cells', () => {
    const change = difference([...UP('a'), ...UP('b'), ...DOWN('c')], [...DOWN('c'), ...UP('a'), ...UP('b')]);
    expect(change).toEqual(['moved "c"', 'moved "DOWN"']);
    const reversed = difference([...UP('a'), ...UP('b'), ...UP('c')], [...UP('c'), ...UP('b'), ...UP('a')]);
    expect(reversed.every((line) => line.startsWith('moved'))).toBe(true);
  });

  test('a row that moves and changes is moved and edited', () => {
    expect(difference([...UP('a'), ...UP('b'), ...UP('c')], [...DOWN('c'), ...UP('a'), ...UP('b')])).toEqual([
      'moved "c"',
      'edited "UP" -> "DOWN"',
    ]);
  });

  test('repeated texts invent no moves', () => {
    expect(difference(['UP', 'UP', 'UP', 'DOWN'], ['UP', 'UP', 'DOWN'])).toEqual(['removed "UP"']);
    expect(difference(['ok', 'a', 'ok', 'b'], ['ok', 'ok', 'a', 'ok', 'b'])).toEqual(['added "ok"']);
  });

  test('repeated texts move with the block beside them', () => {
    const card = (name: string) => [name, 'Read more'];
    expect(
      difference([...card('A'), ...card('B'), ...card('C')], [...card('C'), ...card('A'), ...card('B')]),
    ).toEqual(['moved "C"', 'moved "Read more"']);
  });

  test('a reversed list keeps its middle', () => {
    expect(difference(['1st', '2nd', '3rd'], ['3rd', '2nd', '1st'])).toEqual(['moved "3rd"', 'moved "1st"']);
  });

  test('within a gap like is paired with like', () => {
    expect(difference(['Pump 1 runs', 'Old notice'], ['New words', 'Pump 1 stands still', 'x'])).toEqual([
      'added "New words"',
      'edited "Pump 1 runs" -> "Pump 1 stands still"',
      'edited "Old notice" -> "x"',
    ]);
    expect(difference(['Pump 1 runs'], ['New words', 'Pump 1 stands still'])).toEqual([
      'added "New words"',
      'edited "Pump 1 runs" -> "Pump 1 stands still"',
    ]);
    expect(difference(['12 pallets', 'Inventory'], ['Nothing here'])).toEqual([
      'removed "12 pallets"',
      'removed "Inventory"',
      'added "Nothing here"',
    ]);
    expect(difference(['Buy red boots'], ['Fly to the sea'])).toEqual([
      'edited "Buy red boots" -> "Fly to the sea"',
    ]);
  });

  test('counts are seen, not only kinds', () => {
    expect(difference(['ok', 'ok'], ['ok', 'ok', 'ok'])).toEqual(['added "ok"']);
  });
});

describe('noise', () => {
  test('an ad that changes, comes or goes', () => {
    const noise = 'exclude-selector .advert,[id^=ad-]';
    expect(difference(['a', { text: 'Buy boots', noise }], ['a', { text: 'Fly away', noise }])).toEqual([
      `edited "Buy boots" -> "Fly away" (${noise})`,
    ]);
    expect(difference(['a', { text: 'Buy boots', noise }], ['a'])).toEqual([
      `removed "Buy boots" (${noise})`,
    ]);
    expect(difference(['News today'], [{ text: 'News today: fire', noise }])).toEqual([
      'edited "News today" -> "News today: fire"',
    ]);
  });

  test('a page that is still loading', () => {
    expect(difference(['Menu', 'Inventory', '12 pallets'], ['Menu', 'Loading…'])).toEqual([
      'removed "Inventory" (wait-until-quiet)',
      'removed "12 pallets" (wait-until-quiet)',
      'added "Loading…" (wait-until-quiet)',
    ]);
    expect(difference(['Menu', '加载中...', 'End'], ['Menu', 'Inventory', 'End!'])).toEqual([
      'edited "加载中..." -> "Inventory" (wait-until-quiet)',
      'edited "End" -> "End!"',
    ]);
  });

  test('rows outside the window of a list', () => {
    const window = (first: number, count: number, changed?: number) =>
      snapshotOf(
        Array.from({ length: count }, (_, i) => ({
          text: first + i === changed ? 'changed' : `record ${first + i}`,
          list: 0,
          item: first + i,
        })),
        {},
        { canvases: 0, frames: 0, lists: [{ shown: count, of: 100 }] },
      );
    const compare = (before: Snapshot, after: Snapshot) => compareSnapshots(before, after);
    expect(lines(compare(window(1, 3), window(2, 3)))).toEqual([
      'removed "record 1" (virtual-list-aware)',
      'added "record 4" (virtual-list-aware)',
    ]);
    expect(
      compare(window(1, 3), window(50, 3)).blocks.every(({ op }) => op === 'removed' || op === 'added'),
    ).toBe(true);
    expect(compare(window(1, 3), window(50, 3)).quiet).toBe(true);
    expect(lines(compare(window(1, 3), window(2, 3, 3)))).toContain('edited "record 3" -> "changed"');
    expect(compare(window(1, 3), window(2, 3, 3)).quiet).toBe(false);
  });

  test('rules that are off by default', () => {
    expect(difference(['a', 'b'], ['b', 'a'], { masks: ['ignore-moves'] })).toEqual([
      'moved "b" (ignore-moves)',
    ]);
    expect(difference(['ok', 'ok'], ['ok', 'ok', 'ok'], { masks: ['unique-blocks'] })).toEqual([
      'added "ok" (unique-blocks)',
    ]);
    expect(difference(['Active'], ['ACTIVE'], { masks: ['ignore-case'] })).toEqual([
      'edited "Active" -> "ACTIVE" (ignore-case)',
    ]);
    expect(difference(['Active'], ['ACTIVE'])).toEqual(['edited "Active" -> "ACTIVE"']);
    expect(difference(['6 viewers'], ['9 viewers'], { masks: ['mask-numbers'] })).toEqual([
      'edited "6 viewers" -> "9 viewers" (mask-numbers)',
    ]);
  });

  test('an ignored place, whole or its numbers only', () => {
    const before = [{ text: '6 viewers', id: 'views' }, '7 orders'];
    const after = [{ text: '9 viewers', id: 'views' }, '8 orders'];
    expect(difference(before, after, { ignore: [{ id: 'views' }] })).toEqual([
      'edited "6 viewers" -> "9 viewers" (ignore-place)',
      'edited "7 orders" -> "8 orders"',
    ]);
    expect(difference(before, after, { ignore: [{ id: 'views', numbersOnly: true }] })[0]).toBe(
      'edited "6 viewers" -> "9 viewers" (mask-numbers)',
    );
  });

  test('a row that moved keeps its cells, though another row that says the same came in its place', () => {
    const row = (name: string) => [
      { text: name, row: name, column: 'Host' },
      { text: 'UP', row: name, column: 'State' },
    ];
    const before = ['A', 'B', 'C'].flatMap(row);
    const after = ['C', 'A', 'B', 'D'].flatMap(row);
    expect(difference(before, after)).toEqual(['moved "C"', 'moved "UP"', 'added "D"', 'added "UP"']);
  });

  test('other rules re-evaluate what is stored', () => {
    const before = snapshotOf(['Posted 1 hour ago']);
    const after = snapshotOf(['Posted 2 hours ago']);
    expect(compareSnapshots(before, after).quiet).toBe(true);
    expect(compareSnapshots(before, after, { masks: [] }).quiet).toBe(false);
    expect(compareSnapshots(snapshotOf(['Posted 1 hour ago'], { masks: [] }), after).quiet).toBe(true);
  });
});

test.each<[string, (i: number) => string, (i: number) => string]>([
  [
    'two words at random',
    (i) => (((i * 7919) % 13) & 1 ? 'UP' : 'DOWN'),
    (i) => (((i * 104_729) % 17) & 1 ? 'UP' : 'DOWN'),
  ],
  ['all numbers changed', (i) => `load ${i}`, (i) => `load ${i + 200_000}`],
  ['reversed', (i) => `item ${i}`, (i) => `item ${99_999 - i}`],
  ['ages', (i) => `${i % 50} minutes ago`, (i) => `${(i + 1) % 50} minutes ago`],
])('100,000 blocks stay within the bound: %s', (_, older, newer) => {
  const size = Array.from({ length: 100_000 }, (_, i) => i);
  const before = snapshotOf(size.map(older));
  const after = snapshotOf(size.map(newer));
  let change: Change | undefined;
  const took = cpuTime(() => {
    change = compareSnapshots(before, after);
  });
  expect(took).toBeLessThan(3_000);
  expect(change!.changed).toBe(true);
});

test('unknown rules are refused', () => {
  const empty = snapshotOf([]);
  const wrong = (rules: object) => () => compareSnapshots(empty, empty, rules);
  expect(wrong({ mask: [] })).toThrow('Unknown content rule "mask"');
  expect(wrong({ masks: ['mask-everything'] })).toThrow('Unknown mask "mask-everything"');
  expect(wrong({ formState: 'yes' })).toThrow('must be true or false');
  expect(wrong({ ignore: [{ class: 'x' }] })).toThrow('"class" of an ignored place');
  expect(wrong({ ignore: [{ begins: '' }] })).toThrow('"begins" of an ignored place');
  expect(wrong({ ignore: [{ numbersOnly: true }] })).toThrow('needs one of');
  expect(wrong([])).toThrow('must be an object');
});
