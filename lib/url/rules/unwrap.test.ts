import { describe, expect, test } from 'vitest';
import { compilePolicy, DEFAULT_POLICY, normalizeUrl } from '../index.ts';
import { redirectTarget } from './unwrap.ts';

const target = (key: string) => redirectTarget(key, DEFAULT_POLICY);

describe('the target of a known redirector', () => {
  test.each([
    ['https://www.google.com/url?q=https%3A%2F%2Fexample.com%2F%3Fa%3D1%26b', 'https://example.com/?a=1&b'],
    ['http://google.com/url?sa=t&url=http://example.com/', 'http://example.com/'],
    ['https://maps.google.com/url?q=https://example.com/', 'https://example.com/'],
    ['https://www.google.com/url?q&url=https://example.com/', 'https://example.com/'],
    ['https://l.facebook.com/l.php?h=1&u=https%3A%2F%2Fexample.com%2F', 'https://example.com/'],
    ['https://link.zhihu.com/?target=https%3A//example.com/%25E4', 'https://example.com/%E4'],
  ])('%s', (key, expected) => expect(target(key)).toBe(expected));

  test.each([
    'https://google.com/url?q=words',
    'https://google.com/url?q=words&url=https://example.com/',
    'https://google.com/url?q=%2F%2Fexample.com',
    'https://google.com/url?q=javascript:alert(1)',
    'https://google.com/url/?q=https://example.com/',
    'https://google.com/urls?q=https://example.com/',
    'https://notgoogle.com/url?q=https://example.com/',
    'https://google.com.evil.example/url?q=https://example.com/',
    'https://facebook.com/l.php?u=https://example.com/',
    'https://google.com/url?Q=https://example.com/',
    'https://google.com/url',
  ])('none of %s', (key) => expect(target(key)).toBeUndefined());
});

describe('levels', () => {
  const policy = compilePolicy({ unwrapRedirects: true });
  const wrapped = (address: string, levels: number): string =>
    levels === 0 ? address : wrapped(`https://google.com/url?q=${encodeURIComponent(address)}`, levels - 1);

  test('up to five', () => {
    for (let levels = 1; levels <= 5; levels++)
      expect(normalizeUrl(wrapped('https://example.com/a', levels), policy)).toMatchObject({
        key: 'https://example.com/a',
      });
  });

  test('deeper nesting stays whole, so that the key of the key is the same', () => {
    const address = wrapped('https://example.com/a', 6);
    expect(normalizeUrl(address, policy)).toMatchObject({ key: address, steps: [] });
  });

  test('the value is decoded once, and never as a whole', () => {
    const twice = `https://google.com/url?q=${encodeURIComponent(encodeURIComponent('https://example.com/'))}`;
    expect(normalizeUrl(twice, policy)).toMatchObject({ key: twice });
  });

  test('a target without a key stays wrapped', () => {
    const address = 'https://google.com/url?q=https://ex*mple.com/';
    expect(normalizeUrl(address, policy)).toMatchObject({ key: address });
  });
});
