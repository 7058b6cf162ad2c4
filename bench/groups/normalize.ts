import normalizeUrl from 'normalize-url';
import { TidyURL } from 'tidy-url';
import { keyOf } from '../../lib/url/index.ts';
import { timedRow, type Group } from '../context.ts';
import { makeList, seeded, urlsOf } from '../lists.ts';
import { over } from '../measure.ts';

const SIZE = 3000;

export const normalize: Group = {
  name: 'normalize',
  engines: ['node', 'chromium'],
  async *run(context) {
    // It writes to the console unless it is told that it may.
    TidyURL.config.set('silent', false);
    const clean = urlsOf(makeList('shop', SIZE)).filter((url) => keyed(url) === url);
    const sets = [
      { name: 'canonical', urls: clean, target: { node: 1, chromium: 0.25 } },
      { name: 'tracked, unsorted query', urls: clean.map(tracked), target: { node: 3, chromium: 1 } },
      { name: 'dirty mix', urls: dirty(clean), target: { node: 2.3, chromium: 1.9 } },
      ...context.given.map((list) => ({ name: list.name, urls: urlsOf(list), target: undefined })),
    ];
    for (const { name, urls, target } of sets) {
      yield await timedRow(
        context,
        {
          name: 'normalize',
          set: name,
          ratioOf: 'ours ÷ new URL(u).href',
          ...(target && { target: { most: target[context.engine] } }),
        },
        {
          ours: over('ours', urls, (url) => keyed(url).length),
          peers: [
            over('normalize-url', urls, (url) => attempt(() => normalizeUrl(url))),
            over('tidy-url', urls, (url) => attempt(() => TidyURL.clean(url).url)),
          ],
          floor: over('scan', urls, scan),
          base: over('new URL', urls, (url) => URL.parse(url)?.href.length ?? 0),
        },
      );
    }
  },
};

function keyed(url: string): string {
  const result = keyOf(url);
  return result.ok ? result.key : '';
}

function attempt(normalized: () => string): number {
  try {
    return normalized().length;
  } catch {
    return 0;
  }
}

/** Looks at each character once. */
function scan(url: string): number {
  let sum = 0;
  for (let i = 0; i < url.length; i++) sum += url.charCodeAt(i);
  return sum;
}

function tracked(url: string, i: number): string {
  const separator = url.includes('?') ? '&' : '?';
  return `${url}${separator}utm_source=news&z=${i % 7}&fbclid=IwAR0${i}&a=${i % 11}&utm_campaign=fall`;
}

/** What is found in lists: each third address has something that must be put right. */
function dirty(urls: readonly string[]): string[] {
  const random = seeded(5);
  const spoil: ((url: string) => string)[] = [
    (url) => url.toUpperCase().replace('HTTPS://SHOP.EXAMPLE.COM', 'HTTPS://Shop.Example.COM:443'),
    (url) => url.replace('.com/', '.com/./old/../'),
    (url) => `${url}#section-2`,
    (url) => `  ${url}?q=a+b&%7Ename=%e4%b8%ad`,
    (url) => `${url}?b=2&a=1&a=0&sessionid=8f3a2c1b9d`,
    (url) => url.replace('https:', 'http:').replace('.com/', '.com:80/'),
    (url) => url.replace(/[aeiou]/, '%61'),
    (url) => `${url}/路径?键=值`,
  ];
  return urls.map((url) => (random() < 0.33 ? spoil[Math.floor(random() * spoil.length)]!(url) : url));
}
