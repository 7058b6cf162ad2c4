import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { doubtOf, regionOf } from './baseline.ts';
import { compareSnapshots } from './compare.ts';
import { groupEdits } from './groups.ts';
import {
  earlierVersion,
  followNumbers,
  isLive,
  liveValues,
  offersToIgnore,
  withoutLive,
  type Tracks,
} from './live.ts';
import { numbersIn } from './numbers.ts';
import { isLoading } from './settled.ts';
import { lines, snapshotOf } from './snapshot.testing.ts';

type Texts = Parameters<typeof snapshotOf>[0];

/** The tracks after looks every `pause` ms, and the time of the last. */
function looks(pages: readonly Texts[], pause = 5_000): [Tracks, number] {
  let tracks: Tracks = {};
  for (const [index, page] of pages.entries())
    tracks = followNumbers(tracks, snapshotOf(page), index * pause);
  return [tracks, (pages.length - 1) * pause];
}

describe('numbers in texts', () => {
  test.each<[string, number[]]>([
    ['42 %', [42]],
    ['Total 1,234.50 EUR', [1234.5]],
    ['Total 1.234,50 EUR', [1234.5]],
    ['1,234', [1234]],
    ['0.412', [0.412]],
    ['1,5 t', [1.5]],
    ['1.234.567', [1234567]],
    ["12'345.6", [12345.6]],
    ['-7 °C', [-7]],
    ['T: −7 °C', [-7]],
    ['A-7', [7]],
    ['3/4 up', [3, 4]],
    ['在庫 １２ 個', [12]],
    ['١٢', [12]],
    ['no', []],
  ])('%s', (text, values) => {
    expect(numbersIn(text)?.values ?? []).toEqual(values);
  });

  test('every value is a number', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from("0123456789.,'-+ a％٣")) }), (text) => {
        expect((numbersIn(text)?.values ?? []).every((value) => Number.isFinite(value))).toBe(true);
      }),
    );
  });
});

describe('live numbers', () => {
  test('five changes in the last ten looks, however far apart', () => {
    const page = (value: number): Texts => [{ text: 'CPU' }, { text: `${value} %`, row: 'CPU' }];
    const [four, then] = looks([1, 2, 3, 4, 5].map(page), 3_600_000);
    expect(liveValues(four, then)).toEqual([]);
    const [five, now] = looks([1, 2, 2, 3, 4, 9, 5].map(page), 3_600_000);
    expect(liveValues(five, now)).toEqual([
      {
        name: Object.keys(five)[0],
        place: { row: 'CPU', order: 1 },
        label: 'CPU',
        unit: ' %',
        last: 5,
        least: 1,
        greatest: 9,
        points: [1, 2, 2, 3, 4, 9, 5],
        since: expect.any(Number),
      },
    ]);
  });

  test('noise is no live value', () => {
    const pages = [1, 2, 3, 4, 5, 6, 7].map((age) => [
      `Updated ${age} minutes ago`,
      { text: `${age}`, row: 'Queue' },
    ]);
    const [tracks, now] = looks(pages);
    expect(liveValues(tracks, now).map(({ label }) => label)).toEqual(['Queue']);
  });

  test('it ends when the number rests', () => {
    const values = [1, 2, 3, 4, 5, 6, ...Array<number>(6).fill(6)];
    const [tracks, now] = looks(
      values.map((value) => [`${value} %`]),
      60_000,
    );
    expect(liveValues(tracks, now)).toEqual([]);
  });

  test('five changes within a minute', () => {
    const [tracks] = looks(
      [0, 1, 2, 3, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5].map((value) => [`${value} %`]),
      1_000,
    );
    const [track] = Object.values(tracks);
    expect(isLive(track!, 14_000)).toBe(true);
    expect(isLive(track!, 80_000)).toBe(false);
  });

  test('it is followed while rows come and go, and forgotten with its row', () => {
    const page = (value: number, before: string[]): Texts => [
      ...before,
      { text: `${value} ms`, row: 'ping' },
    ];
    const [tracks, now] = looks([
      page(1, []),
      page(2, ['x']),
      page(3, []),
      page(4, ['y', 'z']),
      page(5, []),
      page(6, ['x']),
    ]);
    expect(liveValues(tracks, now)).toHaveLength(1);
    expect(Object.keys(followNumbers(tracks, snapshotOf(['gone']), now))).toEqual([]);
  });

  const page = (load: number, state: string, extra = 'note 1'): Texts => [
    { text: `${load} %`, row: 'a', column: 'Load' },
    { text: state, row: 'a', column: 'State' },
    extra,
  ];
  const [tracks, now] = looks([1, 2, 3, 4, 5, 6].map((load) => page(load, 'UP')));
  const seen = (before: Texts, after: Texts, ...thresholds: Parameters<typeof withoutLive>[4][]) => {
    const newer = snapshotOf(after);
    const change = compareSnapshots(snapshotOf(before), newer);
    return lines(withoutLive(change, newer, tracks, now, ...thresholds));
  };

  test('it is no change, but a word in its row is', () => {
    expect(seen(page(6, 'UP'), page(7, 'UP'))).toEqual([]);
    expect(seen(page(6, 'UP'), page(7, 'DOWN'))).toEqual(['edited "UP" -> "DOWN"']);
    expect(seen(page(6, 'UP'), page(6, 'UP', 'note 2'))).toEqual(['edited "note 1" -> "note 2"']);
    expect(
      seen([{ text: '6 %', row: 'a', column: 'Load' }], [{ text: '7 % high', row: 'a', column: 'Load' }]),
    ).toHaveLength(1);
  });

  test('it is a change when it crosses a threshold', () => {
    const value = liveValues(tracks, now)[0]!.name;
    const above = [{ value, above: 90 }];
    expect(seen(page(6, 'UP'), page(91, 'UP'), above)).toEqual(['edited "6 %" -> "91 %"']);
    expect(seen(page(91, 'UP'), page(95, 'UP'), above)).toEqual([]);
    expect(seen(page(6, 'UP'), page(4, 'UP'), [{ value, below: 5 }])).toEqual(['edited "6 %" -> "4 %"']);
    expect(seen(page(6, 'UP'), page(91, 'UP'), [{ value: 'another', above: 90 }])).toEqual([]);
  });
});

describe('the offer to ignore a block', () => {
  const changes = (pages: Texts[]) =>
    pages.slice(1).map((page, index) => compareSnapshots(snapshotOf(pages[index]!), snapshotOf(page)));

  test('after three looks with a change in it', () => {
    const pages = [1, 2, 3, 4].map((views): Texts => ['News', `Views: ${1000 + views}`]);
    expect(offersToIgnore(changes(pages.slice(0, 3)))).toEqual([]);
    expect(offersToIgnore(changes(pages)).map(({ after }) => after)).toEqual(['Views: 1004']);
  });

  test('also of a headline with other words each time', () => {
    const pages = ['Fire', 'Flood', 'Storm 7', 'Calm'].map((headline): Texts => ['News', headline, 'End']);
    expect(offersToIgnore(changes(pages)).map(({ after }) => after)).toEqual(['Calm']);
  });

  test('not for noise, nor for what rested once', () => {
    expect(offersToIgnore(changes([1, 2, 3, 4].map((ago): Texts => [`${ago} minutes ago`])))).toEqual([]);
    expect(offersToIgnore(changes([1, 2, 2, 3].map((views): Texts => ['a', `Views: ${views}`])))).toEqual([]);
  });
});

test('an earlier version, noise aside', () => {
  const versions = ['Start free trial', 'Try it free'].map((text) => snapshotOf([text, '3 minutes ago']));
  expect(earlierVersion(versions, snapshotOf(['Start free trial', '5 minutes ago']))).toBe(0);
  expect(earlierVersion(versions, snapshotOf(['Buy now', '5 minutes ago']))).toBe(-1);
});

describe('baselines', () => {
  const menu = ['Home', 'Stock', 'About', 'Help', 'Log out', 'Contact', 'Imprint', 'Jobs'];
  const inventory = snapshotOf([
    ...menu,
    'Inventory',
    ...Array.from({ length: 12 }, (_, i) => `pallet ${i}`),
  ]);

  test.each<[string, Texts, object, string | undefined]>([
    [
      'the page as it is',
      [...menu, 'Inventory', ...Array.from({ length: 12 }, (_, i) => `pallet ${i + 1}`)],
      {},
      undefined,
    ],
    ['a shell', [...menu, 'Loading…'], {}, 'loading'],
    ['a bare shell', ['Loading'], {}, 'loading'],
    ['nothing', [], {}, 'empty'],
    ['a refusal', ['Access denied', 'Your IP was blocked.'], {}, 'error'],
    ['a proxy error', ['502 Bad Gateway', 'nginx'], {}, 'error'],
    ['a robot test', ['Checking your browser before accessing example.com'], {}, 'error'],
    ['an error by status', [...menu, 'Inventory'], { status: 503 }, 'error'],
    ['another page', ['Something else'], {}, 'vanished'],
    [
      'a page without rest',
      [...menu, 'Inventory', ...Array.from({ length: 12 }, (_, i) => `pallet ${i}`)],
      { busy: true },
      'busy',
    ],
    [
      'a part that loads',
      [...menu, 'Inventory', ...Array.from({ length: 11 }, (_, i) => `pallet ${i}`), 'Loading…'],
      {},
      undefined,
    ],
  ])('%s', (_, texts, circumstances, doubt) => {
    expect(doubtOf(inventory, snapshotOf(texts), circumstances)).toBe(doubt);
  });

  test('the first one', () => {
    expect(doubtOf(null, snapshotOf(['Inventory', '12 pallets']))).toBeUndefined();
    expect(doubtOf(null, snapshotOf(['Inventory', '加载中…']))).toBe('loading');
    expect(doubtOf(null, snapshotOf([]))).toBe('empty');
    expect(doubtOf(null, snapshotOf(['404', 'Page not found']))).toBe('error');
  });

  test('a blocked look in between raises no alarm later', () => {
    const looks = [inventory, snapshotOf(['Too many requests']), inventory];
    let baseline = looks[0]!;
    const alarms = looks.slice(1).map((look) => {
      const doubt = doubtOf(baseline, look);
      const change = compareSnapshots(baseline, look);
      if (doubt === undefined) baseline = look;
      return doubt === undefined && change.changed;
    });
    expect(alarms).toEqual([false, false]);
  });

  test('a monitor of errors is no error page', () => {
    const monitor = snapshotOf(['shop', '502 Bad Gateway', 'mail', 'OK']);
    expect(doubtOf(monitor, snapshotOf(['shop', '502 Bad Gateway', 'mail', 'DOWN']))).toBeUndefined();
  });
});

test.each([
  ['Loading…', true],
  ['Loading your data...', true],
  ['Please wait', true],
  ['加载中', true],
  ['正在加载数据，请稍候…', true],
  ['読み込み中', true],
  ['Loading dock 4', false],
  ['Waiting room', false],
  ['Connecting rods', false],
  ['装载完成', false],
])('loading: %s %s', (text, expected) => {
  expect(isLoading(text)).toBe(expected);
});

test('a region, or not found', () => {
  const snapshot = snapshotOf([
    { text: 'a', id: 'x' },
    { text: 'b', id: 'y', heading: 'H' },
    { text: 'c', heading: 'H' },
  ]);
  expect(regionOf(snapshot, { heading: 'H' })?.blocks.map(({ text }) => text)).toEqual(['b', 'c']);
  expect(regionOf(snapshot, { heading: 'H', id: 'y' })?.blocks.map(({ text }) => text)).toEqual(['b']);
  expect(regionOf(snapshot, { id: 'z' })).toBeNull();
});

test('the same edit on many pages is one group', () => {
  const change = (text: string) =>
    compareSnapshots(snapshotOf([text, '© 2025 Works', 'old']), snapshotOf([text, '© 2026 Works', text]));
  const groups = groupEdits(['/a', '/b', '/c'].map((key) => [key, change(key)] as const));
  expect(groups[0]).toEqual({
    op: 'edited',
    before: '© 2025 Works',
    after: '© 2026 Works',
    noise: 'mask-copyright-year',
    pages: ['/a', '/b', '/c'],
  });
  expect(groups).toHaveLength(4);
});
