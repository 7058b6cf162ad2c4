import { describe, expect, test } from 'vitest';
import { parse } from './parse.ts';

test.each([
  ['HTTPS://Example.COM:443/A', 'https://example.com/A'],
  ['http://example.com:443', 'http://example.com:443/'],
  ['https://example.com:80/', 'https://example.com:80/'],
  ['https://example.com:00080/', 'https://example.com:80/'],
  ['https://example.com.:8443/a', 'https://example.com:8443/a'],
  ['https://user:pw@example.com./', 'https://user:pw@example.com/'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ['https://example.com/a/./b/%2E%2e/c', 'https://example.com/a/c'],
  ['http://0x7f.1/', 'http://127.0.0.1/'],
  ['http://[2001:DB8:0:0:0:0:0:1]:80/', 'http://[2001:db8::1]/'],
  ['https:\\\\example.com\\a', 'https://example.com/a'],
  ['https://my_host/', 'https://my_host/'],
])('%s', (text, href) => expect(parse(text)).toBe(href));

describe('refused', () => {
  test.each([
    'javascript:alert(1)',
    'MAILTO:a@b',
    'ftp://a/',
    'file:///a',
    'ws://a/',
    'view-source:https://a/',
    'localhost:3000',
  ])('%s: no web address', (text) => expect(parse(text)).toMatchObject({ reason: 'unsupported-scheme' }));

  // The last ones are read by some engines and not by others.
  test.each([
    'example.com',
    '/a',
    '//example.com/',
    'https://',
    'https://?',
    'https://:80/',
    'https://example.com:65536/',
    'https://a b/',
    'https://a%20b/',
    'https://a%2Fb/',
    'https://a..b/',
    'https://.a/',
    'https://a../',
    'https://./',
    'https://1.2.3.256/',
    'https://[::1/',
    'https://a*b/',
    'https://a~b/',
    'https://a!b/',
    "https://a'b/",
    'https://[::1]\u00ad/',
    'https://%5B::1%5D/',
    'https://א.com-/',
    'https://א.bücher-.de/',
    'https://\u0ece.com/',
  ])('%j', (text) => expect(parse(text)).toMatchObject({ reason: 'invalid' }));

  test('with what to do about it', () => {
    expect(parse('example.com')).toMatchObject({ detail: expect.stringContaining('https://example.com/') });
  });
});

test.each([
  ['https://עברית.com/', 'https://xn--5dbqzzl.com/'],
  ['https://عربي.شبكة/', 'https://xn--ngbrx4e.xn--ngbc5azd/'],
  ['https://%D7%A2%D7%91%D7%A8%D7%99%D7%AA.com/', 'https://xn--5dbqzzl.com/'],
  ['https://نامه‌ای.com/', 'https://xn--mgba3gch31f060k.com/'],
  // Composed in the order of normal form C in every engine.
  ['https://u\u0309\u0328.com/', 'https://xn--7ga62f.com/'],
])('beyond ASCII: %s', (text, href) => expect(parse(text)).toBe(href));
