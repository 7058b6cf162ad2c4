import { describe, expect, test } from 'vitest';
import { importClearUrls } from './clearurls.ts';
import { compilePolicy, normalizeUrl } from './index.ts';
import type { PolicyJson } from './index.ts';
import type { ProviderJson } from './imported.ts';

const SHOP = '^https?:\\/\\/(?:[a-z0-9-]+\\.)*?shop\\.example';

function read(providers: Record<string, unknown>) {
  return importClearUrls(JSON.stringify({ providers }), () => performance.now());
}

function keyWith(provider: ProviderJson, url: string, policy: PolicyJson = {}): string {
  const { providers, problems } = read({ shop: provider });
  expect(problems).toEqual([]);
  const result = normalizeUrl(url, compilePolicy({ ...policy, imported: providers }));
  return result.ok ? result.key : result.reason;
}

describe('imported rules', () => {
  const names = { urlPattern: SHOP, rules: ['sk(?:u|u2)', '(?:%3F)?trk(?:_[a-z]*)*'] };

  test.each([
    [
      'a name, as a whole',
      'https://shop.example/a?sku=1&sku2=2&sku3=3&id=1',
      'https://shop.example/a?id=1&sku3=3',
    ],
    ['a name in any case', 'https://shop.example/a?SKU=1', 'https://shop.example/a'],
    ['an escaped name', 'https://shop.example/a?%3ftrk_a=1&b', 'https://shop.example/a?b'],
    ['a subdomain', 'https://m.shop.example/a?sku=1', 'https://m.shop.example/a'],
    ['another site', 'https://other.example/a?sku=1', 'https://other.example/a?sku=1'],
    ['userinfo is not seen', 'https://u:p@shop.example/a?sku=1', 'https://u:p@shop.example/a'],
  ])('%s', (_, url, key) => expect(keyWith(names, url)).toBe(key));

  test('precedence: keepParams, then site rules, then removeParams, then these, then the preset', () => {
    const provider = { urlPattern: SHOP, rules: ['a', 'b', 'from'] };
    const url = 'https://shop.example/x?a=1&b=2&from=1&c=3';
    expect(
      keyWith(provider, url, { keepParams: ['a'], siteRules: [{ host: 'shop.example', keep: ['b'] }] }),
    ).toBe('https://shop.example/x?a=1&b=2&c=3');
  });

  test('referral marketing only with broad', () => {
    const provider = { urlPattern: SHOP, referralMarketing: ['tag'] };
    expect(keyWith(provider, 'https://shop.example/a?tag=1')).toBe('https://shop.example/a?tag=1');
    expect(keyWith(provider, 'https://shop.example/a?tag=1', { preset: 'broad' })).toBe(
      'https://shop.example/a',
    );
  });

  test('an exception switches the provider off for its address', () => {
    const provider = { urlPattern: SHOP, rules: ['sku'], rawRules: ['/ref=[^/?]*'], exceptions: ['/keep/'] };
    expect(keyWith(provider, 'https://shop.example/keep/ref=1?sku=1')).toBe(
      'https://shop.example/keep/ref=1?sku=1',
    );
  });

  test('what a name removed counts as gone for soft names', () => {
    const provider = { urlPattern: SHOP, rules: ['x', 'to'] };
    expect(keyWith(provider, 'https://shop.example/?from=timeline&x=1')).toBe(
      'https://shop.example/?from=timeline',
    );
    expect(keyWith(provider, 'https://shop.example/a?from=timeline&to=1')).toBe('https://shop.example/a');
  });

  test('raw rules cut path and query until nothing changes, and what comes of it is a key', () => {
    const raw = (...rawRules: string[]) => ({ urlPattern: SHOP, rawRules });
    expect(keyWith(raw('\\/ref=[^/?]*'), 'https://shop.example/a/ref=1/ref=2?x=1')).toBe(
      'https://shop.example/a?x=1',
    );
    expect(keyWith(raw('ab'), 'https://shop.example/aabbaabb')).toBe('https://shop.example/');
    // Cutting makes a dot segment, an escape and a tracking name.
    expect(keyWith(raw('X'), 'https://shop.example/a/.X./b')).toBe('https://shop.example/b');
    expect(keyWith(raw('25'), 'https://shop.example/%2541')).toBe('https://shop.example/A');
    expect(keyWith(raw('X'), 'https://shop.example/?utXm_source=1')).toBe('https://shop.example/');
    // The path keeps its slash, and with it the host its end.
    expect(keyWith(raw('^\\/'), 'https://shop.example/.evil.example/')).toBe(
      'https://shop.example/.evil.example/',
    );
  });

  test('a provider that does not come to an end is skipped and named', () => {
    const deep = `https://shop.example/${'a'.repeat(9)}${'b'.repeat(9)}?id=1`;
    const policy = compilePolicy({ imported: { endless: { urlPattern: SHOP, rawRules: ['ab'] } } });
    expect(normalizeUrl(deep, policy)).toMatchObject({ key: deep, skipped: ['endless'] });
    // What it cuts comes back as the escape of a `%` that stands alone.
    const torn = 'https://shop.example/%E25';
    const against = compilePolicy({ imported: { against: { urlPattern: SHOP, rawRules: ['25'] } } });
    expect(normalizeUrl(torn, against)).toMatchObject({ key: torn, steps: [], skipped: ['against'] });
  });

  test('an address too long for the expressions is left alone, and the providers are named', () => {
    const long = `https://shop.example/${'a'.repeat(5000)}?sku=1`;
    const policy = compilePolicy({ imported: { shop: { urlPattern: SHOP, rules: ['sku'] } } });
    expect(normalizeUrl(long, policy)).toMatchObject({ key: long, skipped: ['shop'] });
  });

  test('redirections join the known redirectors, behind the same switch', () => {
    const provider = {
      urlPattern: SHOP,
      redirections: ['^https?:\\/\\/shop\\.example\\/out\\?.*?to=(https?[^&]+)'],
    };
    const url = 'https://shop.example/out?to=https%3A%2F%2Fexample.com%2F%3Fa%3D1%26utm_source%3Dx&z=1';
    expect(keyWith(provider, url, { unwrapRedirects: true })).toBe('https://example.com/?a=1');
    expect(keyWith(provider, url)).toBe(url);
  });
});

describe('a file that cannot be used as it is', () => {
  const clock = () => performance.now();

  test.each([
    ['', 'not-a-rule-file'],
    ['<html>', 'not-a-rule-file'],
    ['[]', 'not-a-rule-file'],
    ['{"providers":[]}', 'not-a-rule-file'],
    [`{"providers":{},"x":"${'a'.repeat(2_000_000)}"}`, 'too-large'],
  ])('a file of another kind %#', (text, problem) => {
    expect(importClearUrls(text, clock)).toMatchObject({ providers: {}, problems: [{ problem }] });
  });

  test('names what is wrong and keeps the rest', () => {
    const { providers, problems } = read({
      a: { urlPattern: SHOP, rules: ['good', '(', 7], rawRules: 'x', colour: 'red', completeProvider: false },
      b: { rules: ['x'] },
      c: null,
      d: { urlPattern: '[' },
      e: { urlPattern: SHOP, rules: ['x'], exceptions: ['('] },
    });
    expect(providers).toEqual({ a: { urlPattern: SHOP, rules: ['good'] } });
    expect(problems.map(({ provider, field, problem }) => `${provider} ${field} ${problem}`)).toEqual([
      'a colour unknown-field',
      'a rules not-an-expression',
      'a rules wrong-type',
      'a rawRules wrong-type',
      'b urlPattern wrong-type',
      'c  wrong-type',
      'd urlPattern not-an-expression',
      'e exceptions not-an-expression',
    ]);
  });

  test.each([
    '(a+)+$',
    '^(?:[a-z]+)*\\d$',
    '(?:a|a)*b',
    '(?:\\w|\\d)+=$',
    '^https?:\\/\\/shop\\.example\\/(?:[^/]+\\/?)*x$',
    '(?:.*,){12}P',
    '(\\d+)+z',
    '([^&]+)*=1$',
    '(?:[a-f0-9]{2}|[0-9a-z]+)+\\.html$',
    '^(?:[ab]|[bc])*d$',
    '^(?:[k-n]|[n-q])+!$',
    '^(?:ж|[а-я])*!$',
  ])('%s is too slow, switched off and named', (pattern) => {
    const { providers, problems } = read({ shop: { urlPattern: SHOP, rawRules: [pattern, 'ok'] } });
    expect(providers).toEqual({ shop: { urlPattern: SHOP, rawRules: ['ok'] } });
    expect(problems).toMatchObject([{ provider: 'shop', field: 'rawRules', pattern, problem: 'too-slow' }]);
  });

  test('a slow exception or address pattern takes its provider along', () => {
    const { providers } = read({
      a: { urlPattern: '(a+)+$', rules: ['x'] },
      b: { urlPattern: SHOP, rules: ['x'], exceptions: ['(a+)+$'] },
    });
    expect(providers).toEqual({});
  });

  // Shapes that the real file uses again and again.
  test.each([
    '.*',
    '^https?:\\/\\/(?:[a-z0-9-]+\\.)*?amazon(?:\\.[a-z]{2,}){1,}',
    '^https?:\\/\\/(?:[a-z0-9-]+\\.)*?google(?:\\.[a-z]{2,}){1,}\\/url\\?.*?(?:url|q)=(https?[^&]+)',
    '\\/ref=[^/?]*',
    '(?:%3F)?utm(?:_[a-z_]*)?',
    '[?&]ved=[^&]*',
    '(?:&amp;|[/?#&])(?:tag|ascsubtag)=[^&#]*',
    '^https?:\\/\\/(?:[a-z0-9-]+\\.)*?(?:facebook\\.com|messenger\\.com)\\/l\\.php\\?.*?u=(https?%3A%2F%2F[^&]*)',
  ])('%s is fast', (pattern) => {
    expect(read({ shop: { urlPattern: SHOP, rawRules: [pattern] } }).problems).toEqual([]);
  });

  test('stops checking when all of it takes too long', () => {
    let time = 0;
    const { providers, problems } = importClearUrls(
      JSON.stringify({ providers: { a: { urlPattern: 'a', rules: ['x', 'y'] } } }),
      () => (time += 12_000),
    );
    expect(providers).toEqual({ a: { urlPattern: 'a', rules: ['x'] } });
    expect(problems).toMatchObject([{ pattern: 'y', problem: 'not-checked' }]);
  });
});
