import { describe, expect, it } from 'vitest';
import { policyVersion } from '#lib/url/index.ts';
import { namesIn, replaceSiteRule, siteRule, withField, withSiteRule, withSwitch } from './policy.ts';

describe('a policy that is edited', () => {
  it('is the same policy again when a change is taken back', () => {
    const on = withSwitch({}, 'stripWww', true);
    expect(on).toEqual({ stripWww: true });
    expect(policyVersion(withSwitch(on, 'stripWww', false))).toBe(policyVersion({}));
    expect(withSwitch({}, 'stripSessionIds', false)).toEqual({ stripSessionIds: false });
    expect(withSwitch({ stripSessionIds: false }, 'stripSessionIds', true)).toEqual({});
    expect(withField({ keepParams: ['a'] }, 'keepParams', [])).toEqual({});
    expect(withField({ softValues: { ref: ['a'] } }, 'softValues', {})).toEqual({});
  });

  it('has one rule for a site and path: what is said last counts', () => {
    const first = withSiteRule({}, { host: 'example.com', keep: ['a'], remove: ['b'] });
    const second = withSiteRule(first, { host: 'example.com', keep: ['b', 'a'], fragment: 'keep' });
    expect(second.siteRules).toEqual([{ host: 'example.com', keep: ['a', 'b'], fragment: 'keep' }]);
    const third = withSiteRule(second, { host: 'example.com', path: '/x', remove: ['a'] });
    expect(third.siteRules).toHaveLength(2);
    expect(replaceSiteRule(third, 0).siteRules).toEqual([{ host: 'example.com', path: '/x', remove: ['a'] }]);
    expect(replaceSiteRule(replaceSiteRule(third, 0), 0)).toEqual({});
  });

  it('leaves out what a form left empty', () => {
    expect(siteRule({ host: 'example.com', path: '', keep: [], remove: ['a'] })).toEqual({
      host: 'example.com',
      remove: ['a'],
    });
    expect(namesIn(' a, b，c、d\n a ')).toEqual(['a', 'b', 'c', 'd']);
  });
});
