import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bounded, LONGEST_BLOCK } from './bound.ts';
import { applyDelta, deltaOf, pack, unpack, type Travelling } from './delta.ts';
import { joinFrames } from './page.ts';
import { snapshotOf } from './snapshot.testing.ts';

const entry = fc.record(
  {
    text: fc.constantFrom('a', 'b', 'c', 'd', 'UP', '12 %'),
    row: fc.constantFrom('x', 'y'),
    id: fc.string(),
  },
  { requiredKeys: ['text'] },
);
const snapshot = fc.array(entry, { maxLength: 30 }).map((entries) => snapshotOf(entries));

describe('a snapshot travels', () => {
  test('as what changed, and arrives as it was', () => {
    fc.assert(
      fc.property(snapshot, snapshot, (before, after) => {
        const travelled = JSON.parse(JSON.stringify(pack(after, before))) as Travelling;
        expect(unpack(travelled, before, 1000)).toEqual(after);
        expect(unpack(JSON.parse(JSON.stringify(pack(after))) as Travelling, undefined, 1000)).toEqual(after);
      }),
    );
  });

  test('small where little changed', () => {
    const rows = (changed: number) =>
      snapshotOf(Array.from({ length: 2000 }, (_, n) => ({ text: n === changed ? 'DOWN' : `row ${n}` })));
    expect(JSON.stringify(pack(rows(700), rows(-1))).length).toBeLessThan(600);
    const shifted = snapshotOf(['new', ...rows(-1).blocks.map(({ text }) => ({ text }))]);
    expect(deltaOf(rows(-1).blocks, shifted.blocks)).toHaveLength(2);
  });

  test('to nobody who has another one before it, and not if it is made up', () => {
    const [one, two, three] = [snapshotOf(['1']), snapshotOf(['2', 'x']), snapshotOf(['3', 'x'])];
    expect(unpack(pack(three, two), one, 10)).toBeUndefined();
    expect(unpack(pack(three, two), undefined, 10)).toBeUndefined();
    expect(unpack({ ...pack(three), digest: one.digest }, undefined, 10)).toBeUndefined();
    expect(applyDelta(two.blocks, [[1, 5]], 10)).toBeUndefined();
    expect(
      applyDelta(
        two.blocks,
        Array.from({ length: 9 }, () => [0, 2] as [number, number]),
        10,
      ),
    ).toBeUndefined();
  });
});

test('a page with five million characters is cut, and says so', () => {
  const big = snapshotOf(Array.from({ length: 5000 }, (_, n) => `${n} ${'x'.repeat(1000)}`));
  const cut = bounded(big);
  expect(cut.coverage.cut).toBe(true);
  const size = cut.blocks.reduce((sum, { text }) => sum + text.length, 0);
  expect(size).toBeGreaterThan(3_990_000);
  expect(size).toBeLessThanOrEqual(4_000_000);
  expect(unpack(pack(cut), undefined, 10_000)).toEqual(cut);
  const line = bounded(snapshotOf(['y'.repeat(LONGEST_BLOCK + 1), 'after']));
  expect(line.coverage.cut).toBe(true);
  expect(line.blocks.map(({ text }) => text.length)).toEqual([LONGEST_BLOCK, 5]);
  const small = snapshotOf(['small']);
  expect(bounded(small)).toBe(small);
  const named = bounded(snapshotOf([{ text: 'a', id: 'i'.repeat(9000) }]));
  expect(named.blocks[0]!.place.id).toHaveLength(500);
  expect(named.coverage.cut).toBeUndefined();
});

test('a page is its frames in their order', () => {
  const list = { canvases: 1, frames: 0, lists: [{ shown: 5, of: 9 }] };
  const top = snapshotOf([{ text: 'top', list: 0, item: 1 }], {}, list);
  const inner = snapshotOf([{ text: 'inner', list: 0, item: 2 }], {}, list);
  const page = joinFrames([top, inner]);
  expect(page.blocks.map(({ text, place }) => [text, place.order, place.list])).toEqual([
    ['top', 0, 0],
    ['inner', 1, 1],
  ]);
  expect(page.coverage).toEqual({ canvases: 2, frames: 0, lists: [...list.lists, ...list.lists] });
  expect(joinFrames([top])).toBe(top);
});
