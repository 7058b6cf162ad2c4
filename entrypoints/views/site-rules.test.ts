import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePolicy, normalizeUrl, type Policy, type PolicyJson } from '#lib/url/index.ts';
import { canKeep, keepOnSite, splitOnSite } from './site-rules.ts';

function keyOf(url: string, policy: Policy): string {
  const normalized = normalizeUrl(url, policy, url);
  if (!normalized.ok) throw new Error(normalized.detail);
  return normalized.key;
}

function steps(url: string, policy: PolicyJson) {
  const normalized = normalizeUrl(url, compilePolicy(policy), url);
  return normalized.ok ? normalized.steps.filter(({ rule }) => canKeep(rule)) : [];
}

describe('keep on this site', () => {
  it.each<[string, PolicyJson, string]>([
    ['https://a.example.com/x?utm_source=m&id=1', {}, 'https://a.example.com/x?id=1&utm_source=m'],
    ['https://a.example.com/x?PHPSESSID=1', {}, 'https://a.example.com/x?PHPSESSID=1'],
    ['https://a.example.com/x?ref=rss', {}, 'https://a.example.com/x?ref=rss'],
    ['https://a.example.com/x#part', {}, 'https://a.example.com/x#part'],
    ['https://a.example.com/x?tk=1', { removeParams: ['tk'] }, 'https://a.example.com/x?tk=1'],
    ['http://[::1]:8080/x?utm_id=1', {}, 'http://[::1]:8080/x?utm_id=1'],
    ['https://a.example.com/x?utm_%5Ba%5D=1', {}, 'https://a.example.com/x?utm_%5Ba%5D=1'],
    // A more specific rule says otherwise, so the site as a whole is not enough.
    [
      'https://a.example.com/x?tk=1',
      { siteRules: [{ host: 'a.example.com', path: '/*', remove: ['tk'] }] },
      'https://a.example.com/x?tk=1',
    ],
    [
      'https://www.a.example.com/x?spm=1',
      { stripWww: true, siteRules: [{ host: 'a.example.com', remove: ['spm'] }] },
      'https://a.example.com/x?spm=1',
    ],
    [
      'https://a.example.com/x?q=1',
      { imported: { all: { urlPattern: '.*', rules: ['q'] } } },
      'https://a.example.com/x?q=1',
    ],
  ])('%s', (url, policy, key) => {
    const [step] = steps(url, policy);
    const kept = keepOnSite(policy, url, step!);
    expect(keyOf(url, compilePolicy(kept!.policy))).toBe(key);
  });

  it('says nothing where a step only cuts what is never kept', () => {
    const url = 'https://a.example.com/x#!/route:~:text=word';
    const [step] = steps(url, {});
    expect(step?.rule).toBe('fragment');
    expect(keepOnSite({}, url, step!)).toBeUndefined();
  });
});

describe('split', () => {
  it('keeps one parameter where one is enough', () => {
    const a = 'https://a.example.com/x?utm_source=1&utm_medium=1&spm=4';
    const b = 'https://a.example.com/x?utm_source=2&utm_medium=1';
    expect(splitOnSite({}, a, b)?.rule).toEqual({ host: 'a.example.com', keep: ['utm_source'] });
  });

  it.each([
    ['https://a.example.com/x?a=1&b=2', 'https://a.example.com/x?b=2&a=1'],
    ['https://a.example.com/x', 'https://A.example.com:443/x?'],
    ['https://a.example.com/x?utm_source=1', 'https://a.example.com/x?utm_source=1&'],
  ])('nothing splits what is one for everybody: %s and %s', (a, b) => {
    expect(splitOnSite({}, a, b)).toBeUndefined();
  });

  const query = fc
    .array(
      fc.tuple(
        fc.constantFrom('utm_source', 'spm', 'id', 'sid', 'ref', 'from', 'tk', 'a%5Bb', 'utm_%E8'),
        fc.constantFrom('', '1', 'rss', '0123456789abcdef0123456789abcdef', '%2F'),
      ),
      { maxLength: 5 },
    )
    .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'));
  const address = fc
    .tuple(fc.constantFrom('', '/', '/p', '/p/*'), query, fc.constantFrom('', '#', '#part', '#/r', '#!'))
    .map(([path, query, fragment]) => `https://a.example.com${path}?${query}${fragment}`);
  const policy = fc.record<PolicyJson>({
    preset: fc.constantFrom('strict', 'standard', 'broad'),
    removeParams: fc.subarray(['tk', 'id']),
    siteRules: fc.subarray([
      { host: 'example.com', remove: ['id'] },
      { host: 'a.example.com', path: '/p', remove: ['tk'], keep: ['spm'] },
      { host: 'a.example.com', path: '/*', fragment: 'drop' as const },
    ]),
  });

  it('does what it says, on that site and nowhere else', () => {
    fc.assert(
      fc.property(address, address, policy, (a, b, policy) => {
        const before = compilePolicy(policy);
        fc.pre(keyOf(a, before) === keyOf(b, before));
        const split = splitOnSite(policy, a, b);
        if (!split) return;
        const after = compilePolicy(split.policy);
        expect(keyOf(a, after)).not.toBe(keyOf(b, after));
        for (const url of [a, b]) {
          const elsewhere = url.replace('a.example.com', 'b.example.com');
          expect(keyOf(elsewhere, after)).toBe(keyOf(elsewhere, before));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('splits whatever a single kept thing can split', () => {
    fc.assert(
      fc.property(query, query, (a, b) => {
        const [one, other] = [`https://a.example.com/p?${a}`, `https://a.example.com/p?${b}`];
        const before = compilePolicy({});
        fc.pre(keyOf(one, before) === keyOf(other, before));
        const all = ['utm_source', 'spm', 'sid', 'ref', 'from', 'utm_%E8'];
        const most = compilePolicy({ siteRules: [{ host: 'a.example.com', keep: all }] });
        if (keyOf(one, most) !== keyOf(other, most)) expect(splitOnSite({}, one, other)).toBeDefined();
      }),
      { numRuns: 200 },
    );
  });
});
