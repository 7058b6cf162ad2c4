import { describe, expect, test } from 'vitest';
import { apply } from './testing.ts';

describe.each(['index', 'default', 'Index', 'DEFAULT'])('%s', (name) => {
  test.each(['html', 'htm', 'php', 'jsp', 'asp', 'aspx', 'HTML'])('.%s', (ending) => {
    expect(apply('strip-index', `https://example.com/a/${name}.${ending}?b`)).toBe(
      'https://example.com/a/?b',
    );
    expect(apply('strip-index', `https://example.com/${name}.${ending}`)).toBe('https://example.com/');
  });
});

test.each([
  'https://example.com/index',
  'https://example.com/index.html5',
  'https://example.com/index.php/a',
  'https://example.com/index.html/',
  'https://example.com/my-index.html',
  'https://example.com/index.html;v=1',
  'https://example.com/index.xhtml',
  'https://example.com/a?index.html',
])('%s is left alone', (address) => expect(apply('strip-index', address)).toBe(address));

test('one behind the other go at once where slashes go too', () => {
  const address = `https://example.com/a${'/index.html'.repeat(20_000)}`;
  expect(apply('strip-index', address, { stripTrailingSlash: true })).toBe('https://example.com/a/');
  expect(apply('strip-index', 'https://example.com/index.php/index.php')).toBe(
    'https://example.com/index.php/',
  );
});
