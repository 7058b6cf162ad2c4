import { expect, test } from 'vitest';
import type { Round } from '#lib/rounds/types.ts';
import { badgeOf } from './badge.ts';

const round = (state: Round['state'], known: number, retrying = 0, startedAt = 1): Round => ({
  id: 'r',
  scope: 's',
  space: 'r',
  number: 1,
  state,
  startedAt,
  baseSize: 0,
  policy: {},
  policyVersion: '1',
  counters: {
    visits: 0,
    duplicates: 0,
    failed: 0,
    known,
    visited: 0,
    retrying,
    gone: 0,
    changed: 0,
    baseVisited: 0,
    baseRetrying: 0,
    baseGone: 0,
  },
});

test.each<[string, Round[], string]>([
  ['no round', [], ''],
  ['what is left', [round('open', 37)], '37'],
  ['nothing left', [round('open', 0)], '0'],
  ['something wants another try', [round('open', 37, 2)], '37!'],
  ['very much left', [round('open', 12_345)], '999+'],
  ['very much left, and a retry: four letters', [round('open', 12_345, 1)], '1k!'],
  ['all paused', [round('paused', 37)], 'II'],
  ['one of two paused: the one that records', [round('paused', 1, 0, 9), round('open', 2)], '2'],
  ['two that record: the latest', [round('open', 1, 0, 1), round('open', 2, 0, 2)], '2'],
])('%s', (_, rounds, text) => {
  expect(badgeOf(rounds).text).toBe(text);
  expect(badgeOf(rounds).text.length).toBeLessThanOrEqual(4);
});

test('watches that changed come first', () => {
  expect(badgeOf([], 3).text).toBe('Δ3');
  expect(badgeOf([], 1000).text.length).toBeLessThanOrEqual(4);
});
