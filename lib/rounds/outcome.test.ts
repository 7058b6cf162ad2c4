import { describe, expect, it } from 'vitest';
import { nextTry, outcomeOf } from './outcome.ts';

describe('outcomeOf', () => {
  it.each([
    [undefined, 'visited', undefined],
    [0, 'visited', undefined],
    [200, 'visited', undefined],
    [304, 'visited', undefined],
    [400, 'visited', undefined],
    [401, 'retrying', 'no-access'],
    [403, 'retrying', 'no-access'],
    [404, 'gone', undefined],
    [405, 'visited', undefined],
    [408, 'retrying', undefined],
    [410, 'gone', undefined],
    [418, 'visited', undefined],
    [425, 'retrying', undefined],
    [429, 'retrying', undefined],
    [451, 'visited', undefined],
    [500, 'retrying', undefined],
    [502, 'retrying', undefined],
    [503, 'retrying', undefined],
    [504, 'retrying', undefined],
    [599, 'retrying', undefined],
  ])('status %s is %s (%s)', (status, state, reason) => {
    expect(outcomeOf(status === undefined ? {} : { status })).toEqual(reason ? { state, reason } : { state });
  });

  it('tells an endless redirect from other errors', () => {
    expect(outcomeOf({ error: 'net::ERR_TOO_MANY_REDIRECTS' }).reason).toBe('too-many-redirects');
    expect(outcomeOf({ error: 'net::ERR_NAME_NOT_RESOLVED' })).toEqual({ state: 'retrying' });
  });
});

describe('nextTry', () => {
  it('waits twice as long each time, six hours at most', () => {
    const waits = [1, 2, 3, 4, 10, 1000].map((count) => nextTry({ count, lastAt: 0 }) / 60_000);
    expect(waits).toEqual([1, 2, 4, 8, 360, 360]);
    expect(nextTry({ count: 1, lastAt: 0, status: 429 })).toBe(5 * 60_000);
    expect(nextTry({ count: 5, lastAt: 0 }, 'captcha')).toBe(60 * 60_000);
  });
});
