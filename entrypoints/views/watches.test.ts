import { expect, test } from 'vitest';
import type { Round, Scope } from '#lib/rounds/types.ts';
import { watchingScope } from './watches.ts';

const scope = (id: string, origin = 'https://example.com/*') =>
  ({ id, origins: [origin], paths: [] }) as unknown as Scope;
const round = (of: string, state: Round['state']) => ({ scope: of, state }) as Round;
const PAGE = 'https://example.com/board';

test.each<[string, string | undefined, Scope[], Round[]]>([
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
