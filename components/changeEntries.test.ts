import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareSnapshots } from '#lib/content/compare.ts';
import { snapshotOf } from '#lib/content/snapshot.testing.ts';
import { briefTexts, groupChange, placeName, textsOf } from './changeEntries.ts';

type Entries = Parameters<typeof snapshotOf>[0];

const shown = (before: Entries, after: Entries) => {
  const { groups, noise, count } = groupChange(compareSnapshots(snapshotOf(before), snapshotOf(after)));
  return {
    count,
    groups: groups.map(({ heading, entries }) => [
      heading,
      ...entries.map((entry) => {
        const sides = [textsOf(entry, 'before'), textsOf(entry, 'after')].filter(Boolean).join(' → ');
        return `${entry.op} [${placeName(entry)}] ${sides}`;
      }),
    ]),
    noise: noise.map(({ rule, blocks }) => `${blocks.length} ${rule}`),
  };
};
const row = (name: string, state: string, region: string): Entries => [
  { text: name, row: name, column: 'Host', heading: 'Services' },
  { text: state, row: name, column: 'State', heading: 'Services' },
  { text: region, row: name, column: 'Region', heading: 'Services' },
];

describe('a change as it is read', () => {
  it('stands under its headings; a row that came is one entry; noise is apart', () => {
    const before = [
      'Operations',
      ...row('alpha', 'UP', 'eu'),
      { text: 'Posted 1 hour ago', heading: 'Notices' },
      { text: 'Window on Saturday', heading: 'Notices' },
    ];
    const after = [
      'Operations',
      ...row('alpha', 'DOWN', 'eu'),
      ...row('mail', 'UP', 'us'),
      { text: 'Posted 2 hours ago', heading: 'Notices' },
    ];
    expect(shown(before, after)).toEqual({
      count: 3,
      groups: [
        ['Services', 'edited [alpha, State] UP → DOWN', 'added [mail] mail, UP, us'],
        ['Notices', 'removed [] Window on Saturday'],
      ],
      noise: ['1 mask-relative-time'],
    });
  });

  it('is cut for a line to where it differs', () => {
    const long = 'word '.repeat(40);
    const [entry] = groupChange(compareSnapshots(snapshotOf([`${long}UP`]), snapshotOf([`${long}DOWN`])))
      .groups[0]!.entries;
    const [before, after] = briefTexts(entry!);
    expect(before).toMatch(/^….{40,}UP$/);
    expect(after).toMatch(/^….{40,}DOWN$/);
  });

  it('loses no block and makes up none, whatever changes', () => {
    const block = fc.record({
      text: fc.constantFrom('UP', 'DOWN', 'a', 'b', '1 hour ago', '2 hours ago', '刚刚'),
      row: fc.constantFrom('r1', 'r2'),
      column: fc.constantFrom('c1', 'c2'),
      heading: fc.constantFrom('h1', 'h2'),
    });
    const page = fc.array(block, { maxLength: 12 });
    fc.assert(
      fc.property(page, page, (before, after) => {
        const change = compareSnapshots(snapshotOf(before), snapshotOf(after));
        const { groups, noise, count } = groupChange(change);
        const entries = groups.flatMap((group) => group.entries);
        const all = [...entries, ...noise].flatMap(({ blocks }) => blocks);
        expect(new Set(all)).toEqual(new Set(change.blocks));
        expect(all).toHaveLength(change.blocks.length);
        expect(new Set(entries.map(({ id }) => id)).size).toBe(count);
        expect(count === 0).toBe(change.quiet || !change.changed);
      }),
      { numRuns: 200 },
    );
  });
});
