import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  compilePolicy,
  DEFAULT_POLICY,
  normalizeUrl,
  PolicyError,
  policyVersion,
  RULES_VERSION,
} from './index.ts';

describe('a policy that cannot be used is refused with the place', () => {
  test.each<[unknown, string]>([
    [null, ''],
    [[], ''],
    ['strict', ''],
    [{ presets: 'strict' }, 'presets'],
    [JSON.parse('{"__proto__":1}'), '__proto__'],
    [{ toString: 1 }, 'toString'],
    [{ preset: 'Strict' }, 'preset'],
    [{ preset: null }, 'preset'],
    [{ stripWww: 'true' }, 'stripWww'],
    [{ stripWww: 0 }, 'stripWww'],
    [{ removeParams: 'from' }, 'removeParams'],
    [{ removeParams: { 0: 'from' } }, 'removeParams'],
    [{ keepParams: ['a', 1] }, 'keepParams[1]'],
    [{ siteRules: {} }, 'siteRules'],
    [{ siteRules: ['example.com'] }, 'siteRules[0]'],
    [{ siteRules: [{ host: 'a.example' }, { remove: [] }] }, 'siteRules[1].host'],
    [{ siteRules: [{ host: 'a.example', drop: [] }] }, 'siteRules[0].drop'],
    [{ siteRules: [{ host: 'a.example', keep: 'x' }] }, 'siteRules[0].keep'],
    [{ siteRules: [{ host: 'a.example', fragment: true }] }, 'siteRules[0].fragment'],
    [{ siteRules: [{ host: 'a.example', path: 'item/*' }] }, 'siteRules[0].path'],
    [{ softValues: { source: ['x'] } }, 'softValues.source'],
    [{ softValues: { from: [['x']] } }, 'softValues.from[0]'],
    [{ softValues: [] }, 'softValues'],
    [{ imported: [] }, 'imported'],
    [{ imported: { a: {} } }, 'imported.a.urlPattern'],
    [{ imported: { a: { urlPattern: '(' } } }, 'imported.a.urlPattern'],
    [{ imported: { a: { urlPattern: 'a', rules: ['b', '['] } } }, 'imported.a.rules[1]'],
    [{ imported: { a: { urlPattern: 'a', rule: [] } } }, 'imported.a.rule'],
    [{ imported: { a: { urlPattern: 'a', completeProvider: 1 } } }, 'imported.a.completeProvider'],
    [{ version: 1 }, 'version'],
  ])('%j: %s', (json, place) => {
    const refused = () => compilePolicy(json);
    expect(refused).toThrow(PolicyError);
    expect(refused).toThrow(expect.objectContaining({ place, message: expect.stringContaining(place) }));
  });

  test.each([
    '',
    'https://example.com',
    'example.com/a',
    'example.com:8080',
    '*.example.com',
    '.example.com',
    'a b',
    'u@example.com',
    'a..b',
  ])('host %j', (host) =>
    expect(() => compilePolicy({ siteRules: [{ host }] })).toThrow(
      /siteRules\[0\]\.host.* such as example\.com/,
    ),
  );
});

test('nothing given is the default, undefined is absent', () => {
  expect(compilePolicy({})).toEqual(DEFAULT_POLICY);
  expect(compilePolicy({ preset: undefined, siteRules: undefined, version: '1-00000000' })).toEqual(
    DEFAULT_POLICY,
  );
});

test.each([
  ['Bücher.Example', 'https://xn--bcher-kva.example/?k=1'],
  ['EXAMPLE.com.', 'https://example.com/?k=1'],
  ['[0:0:0:0:0:0:0:1]', 'http://[::1]/?k=1'],
  ['0x7f.1', 'http://127.0.0.1/?k=1'],
])('a host is brought to the form of keys: %s', (host, url) => {
  const policy = compilePolicy({ siteRules: [{ host, remove: ['k'] }] });
  expect(normalizeUrl(url, policy)).toMatchObject({ key: url.replace('?k=1', '') });
});

test('a path pattern is brought to the escapes of keys', () => {
  const policy = compilePolicy({ siteRules: [{ host: 'example.com', path: '/商品/%7e*', remove: ['k'] }] });
  expect(normalizeUrl('https://example.com/商品/~a?k=1', policy)).toMatchObject({
    key: 'https://example.com/%E5%95%86%E5%93%81/~a',
  });
});

describe('version', () => {
  test('rules and hash of the canonical JSON', () => {
    const hash = createHash('sha256')
      .update('{"keepParams":["b","a"],"preset":"strict"}')
      .digest('hex')
      .slice(0, 8);
    expect(policyVersion({ preset: 'strict', keepParams: ['b', 'a'] })).toBe(`${RULES_VERSION}-${hash}`);
  });
  test('order of fields, absent fields and the version itself do not count', () => {
    const version = policyVersion({ preset: 'strict', softValues: { ref: ['a'], from: ['b'] } });
    expect(policyVersion({ softValues: { from: ['b'], ref: ['a'] }, preset: 'strict', version })).toBe(
      version,
    );
    expect(policyVersion({ preset: 'broad' })).not.toBe(policyVersion({ preset: 'strict' }));
  });
});
