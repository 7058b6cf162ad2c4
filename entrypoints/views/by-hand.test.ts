import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Alias, AliasTarget, Page } from '#lib/rounds/types.ts';
import { decidingMark, markByHand, ruleAlias, sayVerdict } from './by-hand.ts';

const asked: [string, object][] = [];
vi.mock('./worker.ts', () => ({
  ask: async (type: string, fields: object) => {
    asked.push([type, fields]);
    return {};
  },
}));
beforeEach(() => {
  asked.length = 0;
});

const page: Page = {
  space: 'r',
  key: 'https://a.example/',
  scope: 's',
  host: 'a.example',
  path: '/',
  state: 'visited',
  seq: 1,
  url: 'https://a.example/',
  firstSeenAt: 1,
  visits: 1,
  addresses: 1,
  isNew: false,
  inBase: false,
  policyVersion: 'v',
};

describe('what a person says is taken back exactly', () => {
  it('a marking: the one before comes back with its time, or none', async () => {
    const before = { state: 'retrying', reason: 'login', at: 5 } as const;
    const undo = await markByHand([page, { ...page, key: 'b', mark: before }], {
      state: 'retrying',
      reason: 'captcha',
    });
    await undo();
    const place = { space: 'r', key: page.key };
    expect(asked).toEqual([
      ['markPage', { ...place, state: 'retrying', reason: 'captcha' }],
      ['markPage', { space: 'r', key: 'b', state: 'retrying', reason: 'captcha' }],
      ['markPage', { ...place, state: null }],
      ['markPage', { space: 'r', key: 'b', ...before }],
    ]);
  });

  it('a verdict with its note, and one that was none', async () => {
    await (
      await sayVerdict({ ...page, verdict: 'ok', note: 'fine' }, 'problem')
    )();
    expect(asked[1]).toEqual(['setVerdict', { space: 'r', key: page.key, verdict: 'ok', note: 'fine' }]);
    await (
      await sayVerdict(page, 'skip', 'later')
    )();
    expect(asked[3]).toEqual(['setVerdict', { space: 'r', key: page.key, verdict: null, note: '' }]);
  });

  const target = (evidence: AliasTarget['evidence']): AliasTarget => ({
    to: 'b',
    toUrl: 'b',
    strength: 'permanent',
    evidence,
    round: 'r',
    at: 1,
    times: 1,
    firsts: 0,
    place: 'b',
  });
  it.each([
    ['an accepted alias', { targets: [target('accepted')] }, true],
    ['one that was seen', { targets: [target('redirect')] }, null],
    ['one kept apart', { targets: [target('redirect')], undone: true }, false],
    ['one accepted once and kept apart since', { targets: [target('accepted')], undone: true }, false],
  ])('%s', async (_, alias, before) => {
    await (
      await ruleAlias({ scope: 's', from: 'a', ...alias } as unknown as Alias, false)
    )();
    expect(asked[1]).toEqual(['setAlias', { scope: 's', from: 'a', accept: before }]);
  });
});

it('a marking decides until something happens', () => {
  const mark = { state: 'known', at: 10 } as const;
  expect(decidingMark({ ...page, mark, lastVisitAt: 9 })).toBe(mark);
  expect(decidingMark({ ...page, mark, lastVisitAt: 11 })).toBeUndefined();
  expect(decidingMark(page)).toBeUndefined();
});
