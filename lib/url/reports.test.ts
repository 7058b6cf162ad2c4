import { describe, expect, test } from 'vitest';
import reports from '../../corpus/reports.json' with { type: 'json' };
import { compilePolicy, DEFAULT_POLICY, normalizeUrl } from './index.ts';
import type { PolicyJson } from './index.ts';

const key = (url: string, policy: PolicyJson = {}, base?: string): string => {
  const result = normalizeUrl(url, compilePolicy(policy), base);
  return result.ok ? result.key : result.reason;
};
const areOne = (...urls: string[]) => expect(new Set(urls.map((url) => key(url))).size).toBe(1);
const areDifferent = (...urls: string[]) =>
  expect(new Set(urls.map((url) => key(url))).size).toBe(urls.length);

/** What the bug reports of others ask of keys, by their id in corpus/reports.json. */
const TESTS: Record<string, () => void> = {
  N01: () => {
    const [a, b] = ['4045-USHJ-3810', '8285-YOAZ-6049'].map(
      (ref) => `https://support.example.com/kb_article.php?ref=${ref}`,
    );
    areDifferent(a!, b!);
  },
  N02: () =>
    areDifferent(
      'https://track.example.com/tracking?ref=AB12',
      'https://track.example.com/tracking?ref=CD34',
      'https://svc.example.com/PageSuivi.aspx?Ref=VD238002675401',
      'https://svc.example.com/PageSuivi.aspx?Ref=VD999',
    ),
  N03: () => {
    const url = (bytes: string) => `https://click.example.com/cc_im?prepvid=3&p=${bytes}`;
    areOne(url('%CE%E5%B5%DB%C7%AE'), url('%ce%e5%b5%db%c7%ae'));
    expect(key(url('%CE%E5%B5%DB%C7%AE'))).toContain('p=%CE%E5%B5%DB%C7%AE');
  },
  N05: () => {
    expect(key('https://www.example.com/seek/nearest?u=M%26M+F%u00fcrth')).toBe(
      'https://www.example.com/seek/nearest?u=M%26M%20F%25u00fcrth',
    );
    expect(key('https://www.example.com/seek/nearest?u=M%26M%20F%C3%BCrth')).toContain('F%C3%BCrth');
  },
  N06: () => {
    areDifferent('https://example.com/test%3Ftest', 'https://example.com/test?test');
    expect(key('https://site.example.com/r?url=https://b.example.com%3Fu=c%26code=302&code=200')).toBe(
      'https://site.example.com/r?code=200&url=https://b.example.com%3Fu=c%26code=302',
    );
  },
  N08: () => {
    const wrapped = encodeURIComponent('https://surf.example.com/feed/surf%2Fcustom%2F01');
    expect(key(`https://www.google.com/url?q=${wrapped}`, { unwrapRedirects: true })).toBe(
      'https://surf.example.com/feed/surf%2Fcustom%2F01',
    );
  },
  N09: () => {
    areOne('https://example.com/路径', 'https://example.com/%E8%B7%AF%E5%BE%84');
    areDifferent('https://example.com/路径', 'https://example.com/%25E8%25B7%25AF%25E5%25BE%2584');
  },
  N10: () => {
    expect(key('http://example.com/?2=A&1=b&C=D&2=0')).toBe('http://example.com/?1=b&2=A&2=0&C=D');
    areDifferent('http://example.com/?2=A&1=b&C=D&2=0', 'http://example.com/?2=0&1=b&C=D&2=A');
  },
  N11: () =>
    expect(key('https://wiki.example.com/?WikiWikiWeb')).toBe('https://wiki.example.com/?WikiWikiWeb'),
  N12: () =>
    expect(key('http://e.example.com/?url=http://example.com')).toBe(
      'http://e.example.com/?url=http://example.com',
    ),
  N13: () => {
    areDifferent('https://example.com/#/page1', 'https://example.com/#/page2', 'https://example.com/#!/p3');
    areOne('https://example.com/bar.html#section1', 'https://example.com/bar.html#section2');
  },
  N14: () =>
    areOne(
      'https://m.example.com/artikel.html###wt_ref=http%3A%2F%2Fa.example.com%2F&wt_t=1540811893317',
      'https://m.example.com/artikel.html',
    ),
  N15: () =>
    areOne(
      'https://www.example.com/news/a-33686708#sa-ns_mchannel=rss&ns_source=PublicRSS20-sa',
      'https://www.example.com/news/a-33686708',
    ),
  N16: () => {
    areOne('https://www.example.org/en-US/', 'https://www.example.org/en-US/#');
    areDifferent('https://www.example.org/en-US/', 'https://www.example.org/en-US/#/x');
  },
  N17: () => areDifferent('https://example.com/~user', 'https://example.com/~user/'),
  N19: () => areOne('https://ʞ.cc/irl/term.html', 'https://xn--rpa.cc/irl/term.html'),
  N20: () => {
    areDifferent('http://ebаy.com/', 'http://ebay.com/');
    expect(key('http://ebаy.com/')).toBe('http://xn--eby-7cd.com/');
  },
  N21: () => {
    const url = (end: string) => `https://example.com/homr/api${end}`;
    areOne(url(''), url(';jsessionid=A2DECB66'), url(';jsessionid=77'));
    areOne(url('?y=1'), url(';jsessionid=X?y=1'));
    areDifferent(url(';v=2'), url(''));
  },
  N22: () =>
    areOne(
      'https://f.example.com/././search.php?sid=29496a0b8ec0ea15213165add3ccfde1',
      'https://f.example.com/search.php',
    ),
  N23: () =>
    expect(key('?param=value', {}, 'http://example.com/myself.html')).toBe(
      'http://example.com/myself.html?param=value',
    ),
  M02: () => {
    areOne(
      'https://example.com/a#:~:text=foo',
      'https://example.com/a#sec:~:text=foo',
      'https://example.com/a',
    );
  },
};

/** Reports of the same area whose answer lies in another part: what is opened, captured, proposed or shown. */
const ELSEWHERE = ['N18', 'N24', 'N25', 'N26', 'N27'];

describe('bug reports of others', () => {
  test.each(Object.entries(TESTS))('%s', (_, check) => check());

  test('all of the area are looked at', () => {
    const ids = Object.values(reports).flatMap((report) => (report.area === 'normalize' ? [report.id] : []));
    expect(ids.toSorted()).toEqual([...Object.keys(TESTS), ...ELSEWHERE].toSorted());
  });
});

test('a key is not its original: the address to open is kept as it was seen', () => {
  const result = normalizeUrl('https://e.example.com/x?b=1&a=2', DEFAULT_POLICY);
  expect(result).toMatchObject({
    key: 'https://e.example.com/x?a=2&b=1',
    url: 'https://e.example.com/x?b=1&a=2',
  });
});
