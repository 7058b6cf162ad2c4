import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareSnapshots } from './compare.ts';
import { ignorable } from './ignored.ts';
import { snapshotOf } from './snapshot.testing.ts';

type Entry = Parameters<typeof snapshotOf>[0][number];

/** What ignoring the first change of a page means. */
function ignoring(before: Entry[], after: Entry[]) {
  const newer = snapshotOf(after);
  const [block] = compareSnapshots(snapshotOf(before), newer).blocks;
  return ignorable(block!, newer.blocks);
}

describe('what it means to ignore a block', () => {
  const row = { row: 'billing', heading: 'Services' };
  const under = { id: 'app', heading: 'Services' };
  test.each<[string, Entry[], Entry[], ReturnType<typeof ignorable>]>([
    [
      'a cell by its names',
      [{ text: 'UP', column: 'State', ...row }],
      [{ text: 'DOWN', column: 'State', ...row }],
      { place: { ...row, column: 'State' }, blocks: 1 },
    ],
    [
      'a line by the words that stay, not by its heading alone',
      [
        { text: 'Last refreshed 14:03 by cron', ...under },
        { text: 'All is well', ...under },
      ],
      [
        { text: 'Last refreshed 15:07 by cron', ...under },
        { text: 'All is well', ...under },
      ],
      { place: { ...under, begins: 'Last refreshed ', ends: ' by cron' }, blocks: 1 },
    ],
    [
      'words end at the first number, which changes next',
      ['1,024 views of 20 pages'],
      ['1,025 views of 20 pages'],
      { place: { ends: ' pages' }, blocks: 1 },
    ],
    [
      'Chinese',
      [{ text: '当前有 12 人在线', ...under }],
      [{ text: '当前有 15 人在线', ...under }],
      { place: { ...under, begins: '当前有 ', ends: ' 人在线' }, blocks: 1 },
    ],
    [
      'says when it means more than one',
      [
        { text: 'aa', ...under },
        { text: 'Nothing new', ...under },
      ],
      [
        { text: 'bb', ...under },
        { text: 'Nothing new', ...under },
      ],
      { place: under, blocks: 2 },
    ],
    ['nothing tells it', ['one'], ['two'], undefined],
  ])('%s', (_, before, after, expected) => {
    expect(ignoring(before, after)).toEqual(expected);
  });

  test('what is ignored is noise from then on', () => {
    const text = fc.stringMatching(/^[a-z0-9 你好]{1,20}$/).filter((words) => words.trim() !== '');
    fc.assert(
      fc.property(text, text, (before, after) => {
        const [older, newer] = [
          snapshotOf([{ text: before, id: 'x' }]),
          snapshotOf([{ text: after, id: 'x' }]),
        ];
        const [block] = compareSnapshots(older, newer).blocks;
        if (!block) return;
        const { place } = ignorable(block, newer.blocks)!;
        expect(compareSnapshots(older, newer, { ignore: [place] }).quiet).toBe(true);
      }),
    );
  });
});
