import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY, normalizeUrl } from '#lib/url/index.ts';
import { compareAddresses } from './same-page.ts';

const compare = (a: string, b: string) => compareAddresses(a, b, DEFAULT_POLICY);

describe('two addresses', () => {
  it('are one page, with the steps of both', () => {
    const { same, a, b } = compare(
      'https://x.example.com/p?id=1&utm_source=m',
      'https://X.example.com/p?id=1#a',
    );
    expect(same).toBe(true);
    expect(a.ok && a.steps.map(({ rule }) => rule)).toEqual(['tracking-names']);
    expect(b.ok && b.steps.map(({ rule }) => rule)).toEqual(['parse', 'fragment']);
  });

  it.each([
    ['http://x.example.com/', 'https://x.example.com/', { part: 'scheme', a: 'http', b: 'https' }],
    [
      'http://x.example.com/',
      'http://y.example.com/',
      { part: 'host', a: 'x.example.com', b: 'y.example.com' },
    ],
    ['http://x.example.com/', 'http://x.example.com:8080/', { part: 'port', a: '', b: '8080' }],
    ['http://x.example.com/a', 'http://x.example.com/A', { part: 'path', a: '/a', b: '/A' }],
    ['http://x.example.com/?a=1&b=2', 'http://x.example.com/?a=1&b=3', { part: 'query', a: 'b=2', b: 'b=3' }],
    ['http://x.example.com/?a=1', 'http://x.example.com/?a=1&b=3', { part: 'query', a: '', b: 'b=3' }],
    ['http://x.example.com/?a=1', 'http://x.example.com/', { part: 'query', a: 'a=1', b: '' }],
    ['http://x.example.com/#/a', 'http://x.example.com/#/b', { part: 'fragment', a: '/a', b: '/b' }],
  ])('%s and %s part where a person sees it', (a, b, difference) => {
    expect(compare(a, b)).toMatchObject({ same: false, difference });
  });

  it('get no verdict where one has no key, but its reason', () => {
    const { same, a, b, difference } = compare('mailto:a@example.com', 'https://x.example.com/');
    expect([same, difference]).toEqual([undefined, undefined]);
    expect(a).toMatchObject({ ok: false, reason: 'unsupported-scheme' });
    expect(b.ok).toBe(true);
  });

  it('that differ are always told where, and the parts do differ', () => {
    const text = fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string());
    fc.assert(
      fc.property(text, text, (a, b) => {
        const compared = compare(a, b);
        const [one, other] = [normalizeUrl(a), normalizeUrl(b)];
        expect(compared.same).toBe(one.ok && other.ok ? one.key === other.key : undefined);
        if (compared.same !== false) return;
        expect(compared.difference!.a).not.toBe(compared.difference!.b);
      }),
      { numRuns: 300 },
    );
  });
});
