// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest';
import type { ChangedBlock } from '#lib/content/snapshot.ts';
import type { Watch } from '#lib/content/watch.ts';
import type { Round, Scope } from '#lib/rounds/types.ts';
import { isKept, keepReporting } from './kept-reporting.ts';
import { isListed, WATCH_FILTERS, watchingScope } from './watches.ts';

const watch = (state: Watch['state'], unseen: boolean): Watch => ({
  id: 'w',
  scope: 's',
  key: 'https://a.example.com/',
  url: 'https://a.example.com/',
  label: 'A',
  notify: false,
  createdAt: 0,
  state,
  unseen,
});

describe('the lists of watches', () => {
  const listsOf = (one: Watch) => WATCH_FILTERS.filter((only) => isListed(one, only));

  it.each<[Watch['state'], boolean, string[]]>([
    ['waiting', false, []],
    ['same', false, ['same']],
    ['same', true, ['changed']],
    ['changed', true, ['changed']],
    ['not-found', false, ['not-found']],
    ['not-found', true, ['changed']],
    ['busy', false, ['busy']],
  ])('%s, unseen %s: stands in %j', (state, unseen, lists) => {
    expect(listsOf(watch(state, unseen))).toEqual(lists);
    expect(isListed(watch(state, unseen), undefined)).toBe(true);
  });
});

describe('a declined offer to ignore a block', () => {
  const block = (row: string, order: number): ChangedBlock => ({
    op: 'edited',
    before: '1',
    after: '2',
    place: { row, column: 'Load', order },
  });
  beforeEach(() => localStorage.clear());

  it('stays declined for this block, wherever its row stands, and for no other', () => {
    expect(isKept('s', 'k', block('a', 3))).toBe(false);
    keepReporting('s', 'k', block('a', 3));
    expect(isKept('s', 'k', block('a', 9))).toBe(true);
    expect(isKept('s', 'k', block('b', 3))).toBe(false);
    expect(isKept('s', 'other', block('a', 3))).toBe(false);
    expect(isKept('other', 'k', block('a', 3))).toBe(false);
  });

  it('is not read from what somebody else left there', () => {
    for (const left of ['{', '7', '{"a":1}', '[1,null]']) {
      localStorage.setItem('keptReporting', left);
      expect(isKept('s', 'k', block('a', 3))).toBe(false);
    }
  });
});

const scope = (id: string, origin = 'https://example.com/*') =>
  ({ id, origins: [origin], paths: [] }) as unknown as Scope;
const round = (of: string, state: Round['state']) => ({ scope: of, state }) as Round;
const PAGE = 'https://example.com/board';

it.each<[string, string | undefined, Scope[], Round[]]>([
  [
    'the project that is recorded now',
    'b',
    [scope('a'), scope('b')],
    [round('a', 'ended'), round('b', 'open')],
  ],
  ['one that is paused', 'b', [scope('a'), scope('b')], [round('b', 'paused')]],
  ['the first where none is', 'a', [scope('a'), scope('b')], [round('a', 'ended'), round('b', 'ended')]],
  ['none of another site', undefined, [scope('a', 'https://example.org/*')], [round('a', 'open')]],
])('a page is watched in %s', (_, expected, scopes, rounds) => {
  expect(watchingScope(PAGE, scopes, rounds)?.id).toBe(expected);
});
