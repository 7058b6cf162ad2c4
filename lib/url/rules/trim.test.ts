import { describe, expect, test } from 'vitest';
import { DEFAULT_POLICY } from '../normalize.ts';
import { trimAndResolve } from './trim.ts';

const resolve = (input: string, base?: string) =>
  trimAndResolve(input, { policy: DEFAULT_POLICY, base, pasted: false });

describe('without a base', () => {
  test.each([
    [' \t https://example.com/a \r\n', 'https://example.com/a'],
    ['\0\u001fhttps://example.com/a\u0001', 'https://example.com/a'],
    ['https://exam\nple.com/\ta', 'https://example.com/a'],
    ['\u00a0https://example.com/', '\u00a0https://example.com/'],
    ['a', 'a'],
  ])('%j', (input, after) => expect(resolve(input)).toBe(after));

  test.each(['', ' ', '\n\t\0'])('%j is empty', (input) =>
    expect(resolve(input)).toMatchObject({ reason: 'empty' }),
  );
});

describe('with a base', () => {
  const base = 'https://user@example.com:8443/dir/page?x=1#f';

  test.each([
    ['', 'https://user@example.com:8443/dir/page?x=1'],
    ['#g', 'https://user@example.com:8443/dir/page?x=1#g'],
    ['?y', 'https://user@example.com:8443/dir/page?y'],
    ['b', 'https://user@example.com:8443/dir/b'],
    ['/b', 'https://user@example.com:8443/b'],
    ['\\b', 'https://user@example.com:8443\\b'],
    ['//other.example/b', 'https://other.example/b'],
    ['/\\other.example/b', 'https:/\\other.example/b'],
    ['https:b', 'https://user@example.com:8443/dir/b'],
    ['https:///other.example', 'https:///other.example'],
    ['http:b', 'http:b'],
    ['mailto:b', 'mailto:b'],
    ['../..;jsessionid=1', 'https://user@example.com:8443/dir/../..;jsessionid=1'],
  ])('%j', (input, after) => expect(resolve(input, base)).toBe(after));

  test('the base loses its session ids before its dot segments are resolved', () => {
    expect(resolve('x', 'https://example.com/a/..;jsessionid=1/b')).toBe('https://example.com/x');
  });

  test.each(['', 'nonsense', 'https://', 'https://ex*mple.com/'])('base %j cannot be used', (base) => {
    expect(resolve('a', base)).toMatchObject({ reason: 'invalid' });
    expect(resolve('https://example.com/', base)).toBe('https://example.com/');
  });

  test.each(['about:blank', 'data:text/html,x', 'file:///a/b', 'javascript:0'])(
    'base %j is no web address',
    (base) => {
      expect(resolve('a', base)).toMatchObject({ reason: 'unsupported-scheme' });
      expect(resolve('https://example.com/', base)).toBe('https://example.com/');
    },
  );
});
