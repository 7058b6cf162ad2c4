import type { ProviderJson } from '../imported.ts';
import type { PolicyJson, SiteRuleJson } from '../policy.ts';

/** A source of numbers in [0, 1): passed in, so that a run can be repeated from its seed. */
export type Random = () => number;

/** Mulberry32 by Tommy Ettinger: small, seeded, good enough to pick pieces. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)]!;
}

/** What rules look for, what breaks parsers, and what makes one from the other when something between is removed. */
// prettier-ignore
export const PIECES: readonly string[] = [
  '%', '%%', '%25', '%2', '%41', '%7e', '%7E', '%2e', '%2E', '%2f', '%2F', '%3a', '%3A', '%3b', '%3f',
  '%3D', '%26', '%23', '%20', '%2B', '%5B', '%5c', '%00', '%0a', '%ce%e5', '%CE%E5', '%E4%B8%AD', '%e4',
  '%zz', '%u00fc', '%c3%28', '%27', '%21', '&', '&&', '=', '==', '#', '##', '!', ';', ':', '::', '~', '?',
  '??', '+', '/', '//', '.', '..', '/./', '/../', '\\', '@', ',', '|', '^', '`', '{', '}', '<', '>', '"',
  "'", '[', ']', '*', '$', '(', ')', '-', '_', ' ', '\t', '\n', '\r', '\0', '\u0001', '\u001f', '\u007f',
  '\u0080', '\u00a0', '\u00ad', '\u200d', '\ufeff', '\ud800', '\udc00', '中', '文', 'é', 'e\u0301', '😀', 'ß',
  'İ', '。', '／', 'a', 'b', 'A', 'Z', '0', '1', '9', 'x', ';jsessionid=', ';JSESSIONID=1',
  ';j%73essionid=a', ';jsessionid', 'jsessionid=', '/..;jsessionid=1', '/.;jsessionid=2/', 'amp;', 'AMP;',
  '&amp;', '&amp;amp;', 'a%6Dp;', '#x26;', 'utm_', 'utm_source=', 'UTM_Medium=x', 'u%74m_a', 'mtm_x',
  'hsa_1', 'gclid=', 'GCLID', 'spm', 'hsCtaTracking=1', '_ga', '_gl=', 'from=', 'from=timeline',
  'FROM=Timeline', 'ref=', 'ref=twitter', 'ref=share', 'to=', 'until=1', 'end', 'till=', 'channel=1',
  'campaign', 'source=x', 'src=', 'share=1', 'timeline', 'sid=', 'sid=29496a0b8ec0ea15213165add3ccfde1',
  'PHPSESSID=1', 'jsessionid=2', 'id=1', 'id=', 'page=2', 'q=', 'url=', 'u=', 'target=', 'v', 'x[]=1',
  'x%5B%5D=2', 'k', '=v', '#/', '#!', '#!/', '#/a', '#/a?', '#!a?b=1', ':~:', ':~:text=x', ':%7E:',
  ':%7e%3A', '/#', '#:~:', 'index.html', '/index.html', '/INDEX.PHP', '/default.aspx', 'default.htm',
  '/index.htmlx', 'www.', 'WWW.', 'http://', 'https://', 'https:', 'HTTP:', 'https%3A', 'https%3A%2F%2F',
  'https%253A%252F%252F', 'https:%2F%2F', 'http:%252f%252f', 'javascript:', 'data:',
  'https%3A%2F%2Fexample.com%2Fa%3Fb%3D1%26c', ':80', ':443', ':8080', ':0', ':', ':99999',
];

// prettier-ignore
export const HOSTS: readonly string[] = [
  'example.com', 'www.example.com', 'www.www.example.com', 'shop.example.com', 'a.shop.example.com',
  'EXAMPLE.com', 'example.com.', 'example.com..', 'b%C3%BCcher.example', 'bücher.example',
  'xn--bcher-kva.example', 'xn--a', 'xn--', '127.0.0.1', '0x7f.1', '1.2.3', '3279880203', '1.2.3.256',
  '[::1]', '[2001:DB8::1]', '[::1', '[::ffff:1.2.3.4]', 'localhost', 'my_host.example', 'a..b', '.a',
  'ex*mple.com', 'ex ample.com', 'exam\tple.com', 'ex%61mple.com', 'example%2Ecom', '-a-.com', 'a|b',
  'www.com', 'www.', 'google.com', 'www.google.com', 'maps.google.com', 'l.facebook.com', 'link.zhihu.com',
  'www.link.zhihu.com', 'user@example.com', 'us%65r:p%41ss@example.com', "u'ser:@example.com",
  ':p;=@www.example.com', 'a@b@example.com', 'example。com', 'ｅxample.com', 'a\u00adb.com', '1.com',
  'com.1', 'a~b', 'a!b', 'xn--ls8h.la', '😀.la', 'ẞ.de', '[::1]\u00ad', '%5B::1%5D', '［::1］', '[::１]',
  '[::1%25eth0]', 'u@[::1]:80', '１２７.0.0.1', '127.0.0.1\u200b', '℡.com', 'a℀b.com', 'ⅷ.com', 'a．b',
  'a\u3000b', '\u2060a.com', '%EF%BC%A1.com', 'א.com', 'א.1a', '1.א.com', 'a-.א.com', '_a.א', 'א.a_',
  'www.א.123a.com', '%D7%90.a-', 'ب.com-', 'א.a_b', 'ب١.com', 'אa.com', 'א.bücher-.de', 'א.b.c-d',
  '1א.com', 'a\u0300.com', 'xn--zz', 'xn--a-.com', 'XN--A.com', '0x.com', '1.0x', '08.1', '256',
  '4294967296', 'a.0x1g', 'faß.de', '%00.com', '%2e', 'a%2eb', '%61%2F.com',
];

const REDIRECTORS: readonly string[] = [
  'https://www.google.com/url?q=',
  'http://google.com/url?sa=t&url=',
  'https://l.facebook.com/l.php?h=1&u=',
  'https://link.zhihu.com/?target=',
];

// prettier-ignore
const SCHEMES: readonly string[] = [
  'https://', 'https://', 'https://', 'http://', 'http://', 'HTTPS://', 'https:\\\\', 'https:/', 'https:',
  'http:///', '//',
];

/** Any text at all, but mostly something like an address. */
export function randomInput(random: Random): string {
  const kind = random();
  if (kind < 0.05) return many(random, PIECES, 6);
  if (kind < 0.12) return encodeURIComponent(randomAddress(random).toWellFormed());
  if (kind < 0.14) return encodeURIComponent(encodeURIComponent(randomAddress(random).toWellFormed()));
  if (kind < 0.22) return redirected(random);
  if (kind < 0.4) return tidyAddress(random);
  return randomAddress(random);
}

function randomAddress(random: Random): string {
  const path = random() < 0.85 ? `/${many(random, PIECES, 5)}` : many(random, PIECES, 3);
  const query = random() < 0.7 ? `?${pairs(random)}` : '';
  const fragment = random() < 0.35 ? `#${many(random, ['/', '!', ...PIECES], 4)}` : '';
  const [before, after] = random() < 0.05 ? [pick(random, PIECES), pick(random, PIECES)] : ['', ''];
  return before + pick(random, SCHEMES) + pick(random, HOSTS) + path + query + fragment + after;
}

/** What most links look like: nothing or little to change. */
function tidyAddress(random: Random): string {
  const host = pick(random, [
    'example.com',
    'www.example.com',
    'shop.example.com',
    'a-b.example.org:8080',
    'example.com:443',
  ]);
  const segments = Array.from({ length: Math.floor(random() * 4) }, () => pick(random, TIDY_SEGMENTS));
  const end = random() < 0.4 ? '/' : '';
  const query = random() < 0.5 ? `?${some(random, TIDY_PAIRS, 5).join('&')}` : '';
  const fragment =
    random() < 0.2 ? pick(random, ['#top', '#', '#/a/b', '#!/x?y=1', '#/?utm_source=1', '#a:~:text=b']) : '';
  return `${pick(random, ['https', 'http'])}://${host}${segments.map((segment) => `/${segment}`).join('')}${end}${query}${fragment}`;
}

// prettier-ignore
const TIDY_SEGMENTS = [
  'item', 'News', '2026', 'a-b_c', 'x.html', 'index.html', 'default.asp', '%E4%B8%AD', 'a%20b', 'b;v=1',
  'c@d', '..', '.', '...',
];
// prettier-ignore
const TIDY_PAIRS = [
  'id=1', 'page=2', 'a', 'a=', 'b=1', 'B=2', 'utm_source=x', 'utm_medium=y', 'gclid=z', 'from=timeline',
  'ref=email', 'to=x', 'q=a+b', 'q=a%20b', 'x%5B%5D=1', 'sid=1', 'name=M%C3%BC', 'z=1%2B1', 'amp;c=1', '',
  '=', '=v', 'spm=1.2', 'share=1', 'k=1', 'v=2',
];

function redirected(random: Random): string {
  let address = random() < 0.7 ? tidyAddress(random) : randomAddress(random);
  const levels = 1 + Math.floor(random() * (random() < 0.1 ? 8 : 3));
  for (let level = 0; level < levels; level++)
    address =
      pick(random, REDIRECTORS) +
      encodeURIComponent(address.toWellFormed()) +
      pick(random, ['', '&sa=D', '&h=1', '&utm_source=x', '#/a']);
  return address;
}

function pairs(random: Random): string {
  const list = Array.from({ length: Math.floor(random() * 6) }, () =>
    random() < 0.5 ? pick(random, TIDY_PAIRS) : many(random, PIECES, 4),
  );
  return list.join('&');
}

function many(random: Random, from: readonly string[], most: number): string {
  return some(random, from, most).join('');
}

function some(random: Random, from: readonly string[], most: number): string[] {
  return Array.from({ length: Math.floor(random() * (most + 1)) }, () => pick(random, from));
}

/** The same address spelled or decorated another way, or another address altogether: one small edit somewhere. */
export function mutate(random: Random, address: string): string {
  const at = Math.floor(random() * (address.length + 1));
  const kind = random();
  if (kind < 0.5) return address.slice(0, at) + pick(random, PIECES) + address.slice(at);
  if (kind < 0.65) return address.slice(0, at) + address.slice(at + 1 + Math.floor(random() * 3));
  if (kind < 0.8) {
    const escaped = `%${(address.charCodeAt(at) & 0xff).toString(16).padStart(2, '0')}`;
    return at < address.length ? address.slice(0, at) + escaped + address.slice(at + 1) : address;
  }
  if (kind < 0.9) return `${address}${address.includes('?') ? '&' : '?'}${pairs(random)}`;
  return address.slice(0, at) + address.slice(at).toUpperCase();
}

// prettier-ignore
const BASES: readonly string[] = [
  'https://example.com/dir/page?x=1#f', 'http://www.example.com/a;jsessionid=1/../b/c',
  'https://user:pw@shop.example.com:8443/a/b/', 'https://example.com',
  'https://example.com/a/..;jsessionid=9/x', 'https://example.com./a b/中?q', 'about:blank',
  'data:text/html,x', 'https://ex*mple.com/', 'nonsense', '', 'file:///etc/', 'HTTP:\\\\EXAMPLE.com\\x\\y',
];

/** A base for one input in four. */
export function randomBase(random: Random): string | undefined {
  return random() < 0.25 ? pick(random, BASES) : undefined;
}

/** A reference to resolve: an input, or the relative part of one. */
export function randomReference(random: Random): string {
  return random() < 0.5 ? randomInput(random) : many(random, ['/', '//', '..', '?', '#', ...PIECES], 5);
}

// prettier-ignore
const NAMES = [
  'id', 'k', 'v', 'from', 'ref', 'to', 'utm_source', 'gclid', 'x[]', 'x%5B%5D', 'q', 'a b', 'amp;c', 'c',
  'sid', '中', 'source', 'page', 'b', 'B',
];
// prettier-ignore
const SWITCHES = [
  'routeQueryTracking', 'stripSessionIds', 'unwrapRedirects', 'mergeSchemes', 'stripWww',
  'stripTrailingSlash', 'stripIndexFiles', 'htmlEntities',
] as const;

/** Imported providers: sober ones, one that makes new work for itself and for other rules, one that never comes to an end. */
const PROVIDERS: Readonly<Record<string, ProviderJson>> = {
  shop: {
    urlPattern: '^https?:\\/\\/(?:[a-z0-9-]+\\.)*?example\\.com',
    rules: ['k', 'v', 'x%5B%5D', 'b'],
    rawRules: ['\\/ref=[^/?]*', 'a%20b', '(?:a|index\\.html)$'],
    referralMarketing: ['share', 'z'],
    exceptions: ['[?&]page=2', '^https?:\\/\\/shop'],
    redirections: ['^https?:\\/\\/[^?]*\\?(?:.*&)?q=(https?[^&]+)'],
  },
  sharp: { urlPattern: '.*', rawRules: ['25', '\\?', 'utm', '%'], rules: ['from', 'id'] },
  endless: { urlPattern: 'News', rawRules: ['1|2', 'ab', '=?&'] },
};

/** Any combination of switches and preset, now and then with names, site rules and imported providers. */
export function randomPolicy(random: Random): PolicyJson {
  const policy: PolicyJson = {};
  for (const name of SWITCHES) if (random() < 0.5) policy[name] = random() < 0.7;
  if (random() < 0.6) policy.preset = pick(random, ['strict', 'standard', 'broad'] as const);
  if (random() < 0.25) policy.removeParams = some(random, NAMES, 3);
  if (random() < 0.25) policy.keepParams = some(random, NAMES, 2);
  if (random() < 0.25) policy.softValues = { from: ['x1', 'Läden', ''], ref: ['42', ''] };
  if (random() < 0.35)
    policy.siteRules = Array.from({ length: 1 + Math.floor(random() * 3) }, () => randomSiteRule(random));
  if (random() < 0.12) {
    const name = pick(random, Object.keys(PROVIDERS));
    policy.imported = { [name]: PROVIDERS[name]! };
  }
  return policy;
}

function randomSiteRule(random: Random): SiteRuleJson {
  const rule: SiteRuleJson = {
    host: pick(random, [
      'example.com',
      'www.example.com',
      'shop.example.com',
      'com',
      'bücher.example',
      'google.com',
      '[::1]',
    ]),
  };
  if (random() < 0.4)
    rule.path = pick(random, ['/', '/*', '*', '/a*', '*index*', '/*/', '*.html', '/中*', '/item/*', '/a/b']);
  if (random() < 0.5) rule.remove = some(random, NAMES, 3);
  if (random() < 0.5) rule.keep = some(random, NAMES, 2);
  if (random() < 0.4) rule.fragment = pick(random, ['keep', 'drop'] as const);
  return rule;
}
