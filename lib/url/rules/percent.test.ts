import { describe, expect, test } from 'vitest';
import { canonicalEscapes, FRAGMENT, PATH, QUERY, USERINFO } from '../escapes.ts';
import { apply } from './testing.ts';

test.each([
  ['https://example.com/%7e%41%2D%2e', 'https://example.com/~A-.'],
  ['https://example.com/%2f%3a?%26', 'https://example.com/%2F%3A?%26'],
  ['https://example.com/%ce%E5', 'https://example.com/%CE%E5'],
  ['https://example.com/%', 'https://example.com/%25'],
  ['https://example.com/%4?%zz#/%', 'https://example.com/%254?%25zz#/%25'],
  ['https://example.com/%%34%31', 'https://example.com/%2541'],
  ['https://example.com/%u00fc', 'https://example.com/%25u00fc'],
  ['https://example.com/[x]|^?[x]|^`{}', 'https://example.com/%5Bx%5D%7C%5E?%5Bx%5D%7C%5E%60%7B%7D'],
  ['https://example.com/a//B/', 'https://example.com/a//B/'],
  ["https://u'x:p%41%3a@example.com/it's", "https://u%27x:pA%3A@example.com/it's"],
  ['https://example.com/#/a#b[c]%7e', 'https://example.com/#/a%23b%5Bc%5D~'],
])('%s', (before, after) => expect(apply('percent', before)).toBe(after));

test('a fragment that rule 8 drops is left as it is', () => {
  expect(apply('percent', 'https://example.com/#a[b]')).toBe('https://example.com/#a[b]');
  const keeps = { siteRules: [{ host: 'example.com', fragment: 'keep' as const }] };
  expect(apply('percent', 'https://example.com/#a[b]', keeps)).toBe('https://example.com/#a%5Bb%5D');
});

describe('every ASCII character', () => {
  // RFC 3986, sections 3.2.1, 3.3, 3.4 and 3.5; `'` is escaped where WHATWG or an engine escapes it.
  const unreserved = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~';
  test.each([
    ['userinfo', USERINFO, '!$&()*+,;=:'],
    ['path', PATH, "!$&'()*+,;=:@/"],
    ['query', QUERY, '!$&()*+,;=:@/?'],
    ['fragment', FRAGMENT, "!$&'()*+,;=:@/?"],
  ])('in the %s', (_, allowed, raw) => {
    for (let code = 0; code < 128; code++) {
      const character = String.fromCharCode(code);
      const escape = `%${code.toString(16).toUpperCase().padStart(2, '0')}`;
      const isUnreserved = unreserved.includes(character);
      const expected = isUnreserved || raw.includes(character) ? character : escape;
      expect(canonicalEscapes(character, allowed)).toBe(expected);
      expect(canonicalEscapes(escape.toLowerCase(), allowed)).toBe(isUnreserved ? character : escape);
    }
  });
});

test('beyond ASCII: UTF-8, a lone surrogate is U+FFFD', () => {
  expect(canonicalEscapes('中é😀\ud800x\udc00', QUERY)).toBe(
    '%E4%B8%AD%C3%A9%F0%9F%98%80%EF%BF%BDx%EF%BF%BD',
  );
});
