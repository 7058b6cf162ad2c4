import { describe, expect, it } from 'vitest';
import { covers, LATE, leftOf, matchesWildcard, roundAt } from './coverage.ts';
import { newRound } from './rounds.ts';
import type { Round, Scope } from './types.ts';

describe('covers', () => {
  it.each<[string, string, string[], boolean]>([
    ['https://shop.example.com/*', 'https://shop.example.com/a?b', [], true],
    ['https://shop.example.com/*', 'http://shop.example.com/a', [], false],
    ['https://shop.example.com/*', 'https://shop.example.com.evil.example.net/', [], false],
    ['https://shop.example.com/*', 'https://user:pw@shop.example.com/', [], true],
    ['https://shop.example.com/*', 'https://evil.example.net/?https://shop.example.com/', [], false],
    ['http://127.0.0.1/*', 'http://127.0.0.1:8080/', [], true],
    ['http://127.0.0.1:8080/*', 'http://127.0.0.1:8081/', [], false],
    ['*://*.example.com/*', 'http://example.com/', [], true],
    ['*://*.example.com/*', 'https://a.b.example.com/', [], true],
    ['*://*.example.com/*', 'https://badexample.com/', [], false],
    ['*://*/*', 'ftp://example.com/', [], false],
    ['*://*/*', 'not an address', [], false],
    ['https://example.com/*', 'https://example.com/docs/a', ['/docs/*'], true],
    ['https://example.com/*', 'https://example.com/docs', ['/docs/*'], false],
    ['https://example.com/*', 'https://example.com/a?x=/docs/', ['/docs/*'], false],
    ['https://example.com/*', 'https://example.com/b', ['/a', '/b'], true],
    ['nonsense', 'https://example.com/', [], false],
  ])('%s has %s (paths %j): %s', (origin, url, paths, expected) => {
    expect(covers({ origins: [origin], paths }, url)).toBe(expected);
  });

  it.each([
    ['*', 'anything', true],
    ['', '', true],
    ['a*c', 'abc', true],
    ['a*c', 'ac', true],
    ['a*b*c', 'a-b-b-c', true],
    ['aa*aa', 'aaa', false],
    ['a*', 'ba', false],
    ['a.c', 'abc', false],
  ])('%s matches %s: %s', (pattern, text, expected) => {
    expect(matchesWildcard(pattern, text)).toBe(expected);
  });

  it('takes no longer for a nasty pattern', () => {
    expect(matchesWildcard(`${'*a'.repeat(2000)}b`, 'a'.repeat(100_000))).toBe(false);
  });
});

describe('roundAt', () => {
  const scope = { id: 's', mode: 'inspecting', policy: {} } as Scope;
  const round = (more: Partial<Round>): Round => ({ ...newRound(scope, [], { id: 'r', at: 100 }), ...more });
  const old = round({ id: 'old', state: 'ended', startedAt: 100, endedAt: 200 });
  const open = round({ id: 'open', startedAt: 200 });

  it.each<[string, number, number, string | undefined]>([
    ['the open one', 250, 250, 'open'],
    ['by the time of the event, not of its telling', 199, 250, 'old'],
    ['the edge is the next one', 200, 250, 'open'],
    ['before all', 50, 250, undefined],
    ['frozen after a while', 199, 200 + LATE, undefined],
    ['the clock was set back', 150, 150, 'open'],
  ])('%s', (_, at, now, expected) => {
    expect(roundAt([open, old], at, now)?.id).toBe(expected);
  });

  it('takes nothing of a pause', () => {
    const paused = round({ pauses: [{ from: 120, to: 130 }, { from: 150 }], state: 'paused' });
    const takes = [110, 120, 129, 130, 149, 150, 200].filter((at) => roundAt([paused], at, 300));
    expect(takes).toEqual([110, 130, 149]);
  });

  it('counts what is left', () => {
    const counters = { ...open.counters, known: 7, baseVisited: 2, baseRetrying: 1, baseGone: 1 };
    expect(leftOf({ ...open, counters })).toBe(7);
    expect(leftOf({ ...open, counters, base: 'old', baseSize: 10 })).toBe(6);
  });
});
