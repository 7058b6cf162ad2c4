import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mutate, randomInput, seeded } from './fuzz/inputs.ts';
import { compilePolicy, DEFAULT_POLICY, normalizeUrl } from './index.ts';

// What must be one and what must be two, for addresses that nobody chose.

const key = (url: string, policy = DEFAULT_POLICY): string => {
  const result = normalizeUrl(url, policy);
  return result.ok ? result.key : result.reason;
};
const runs = { numRuns: 2000 };

const segment = fc.constantFrom(
  'item',
  'News',
  '7',
  'a.b',
  'x;v=1',
  '中',
  '%2F',
  '%ce%e5',
  '~',
  'c++',
  '@me',
  "it's",
  'a b',
  '[x]',
);
const name: fc.Arbitrary<string> = fc.constantFrom(
  'id',
  'page',
  'q',
  'Sort',
  'x[]',
  '中',
  'a%26b',
  'k.k',
  '%e4',
  'from',
  'ref',
  'a b',
);
const value: fc.Arbitrary<string> = fc.constantFrom(
  '',
  '1',
  '2',
  'a b',
  'c%2B%2B',
  '%ce%e5',
  '中',
  'x=y',
  '?',
  '/',
  ';',
  'now-6h',
  'PR-1',
);
const pair = fc.tuple(name, fc.option(value, { nil: undefined }));
const address = fc.record({
  path: fc.array(segment, { maxLength: 4 }).map((segments) => `/${segments.join('/')}`),
  pairs: fc.array(pair, { maxLength: 5 }),
  route: fc.constantFrom('', '', '#/a/b', '#!x?y=1'),
});
type Parts = { path: string; pairs: readonly (readonly [string, string | undefined])[]; route: string };

function write({ path, pairs, route }: Parts): string {
  const query = pairs.map(([name, value]) => (value === undefined ? name : `${name}=${value}`)).join('&');
  return `https://example.com${path}${query === '' ? '' : `?${query}`}${route}`;
}

describe('one page', () => {
  test('with tracking parameters anywhere', () => {
    const tracking = fc.constantFrom(
      'utm_source=a',
      'UTM_X',
      'gclid=1',
      'spm=a.b',
      '_ga=2',
      'u%74m_id=3',
      'PHPSESSID=9',
      '',
      '=',
    );
    fc.assert(
      fc.property(address, tracking, fc.nat(), (parts, extra, at) => {
        const [name = '', value] = extra.split('=');
        const place = at % (parts.pairs.length + 1);
        const pairs = parts.pairs.toSpliced(place, 0, [
          name,
          extra.includes('=') ? (value ?? '') : undefined,
        ]);
        expect(key(write({ ...parts, pairs }))).toBe(key(write(parts)));
      }),
      runs,
    );
  });

  test('with its parameters in any order that keeps the values of a name in theirs', () => {
    fc.assert(
      fc.property(address, fc.nat(), (parts, seed) => {
        const random = seeded(seed);
        const shuffled = parts.pairs
          .map((pair) => ({ pair, at: random() }))
          .toSorted((a, b) => (a.pair[0] === b.pair[0] ? 0 : a.at - b.at))
          .map(({ pair }) => pair);
        const names = [...new Set(parts.pairs.map(([name]) => name))];
        const isKept = names.every((name) => {
          const of = (pairs: Parts['pairs']) => JSON.stringify(pairs.filter((pair) => pair[0] === name));
          return of(shuffled) === of(parts.pairs);
        });
        fc.pre(isKept);
        expect(key(write({ ...parts, pairs: shuffled }))).toBe(key(write(parts)));
      }),
      runs,
    );
  });

  test('with unreserved characters escaped, hex in any case, and plus for space', () => {
    fc.assert(
      fc.property(address, fc.nat(), (parts, seed) => {
        const random = seeded(seed);
        const plain = write({ ...parts, route: '' });
        const [front, query] = [
          plain.split('?')[0]!.slice('https://example.com'.length),
          plain.slice(plain.indexOf('?') + 1),
        ];
        const respell = (text: string, space: string) =>
          text.replace(/%[0-9a-f]{2}|[A-Za-z0-9\-._~]| /gi, (part) => {
            if (part === ' ') return random() < 0.5 ? space : part;
            if (part.length === 3) return random() < 0.5 ? part.toUpperCase() : part.toLowerCase();
            return random() < 0.3 ? `%${part.charCodeAt(0).toString(16)}` : part;
          });
        const other = `https://example.com${respell(front, '%20')}${plain.includes('?') ? `?${respell(query, '+')}` : ''}`;
        expect(key(other)).toBe(key(plain));
      }),
      runs,
    );
  });

  test('with any fragment that is no route, and any spelling of scheme, host and port', () => {
    fc.assert(
      fc.property(address, fc.constantFrom('#', '#top', '#:~:text=x', '#a/b?c', '#?/'), (parts, fragment) => {
        const plain = write({ ...parts, route: '' });
        expect(key(`${plain}${fragment}`.replace('https://example.com', 'HTTPS://Example.COM.:443'))).toBe(
          key(plain),
        );
      }),
      runs,
    );
  });

  test('encoded as a whole, any number of times', () => {
    fc.assert(
      fc.property(address, fc.integer({ min: 1, max: 6 }), (parts, layers) => {
        const plain = write(parts);
        let encoded = plain;
        for (let layer = 0; layer < layers; layer++) encoded = encodeURIComponent(encoded);
        expect(key(encoded)).toBe(key(plain));
      }),
      runs,
    );
  });
});

describe('two pages', () => {
  test('with one value changed', () => {
    fc.assert(
      fc.property(address, fc.nat(), value, (parts, at, other) => {
        fc.pre(parts.pairs.length > 0);
        const place = at % parts.pairs.length;
        const [name, old] = parts.pairs[place]!;
        fc.pre((old ?? '') !== other);
        const pairs = parts.pairs.with(place, [name, other]);
        expect(key(write({ ...parts, pairs }))).not.toBe(key(write(parts)));
      }),
      runs,
    );
  });

  test('with the path in another case, with a slash more, or on another host, port or scheme', () => {
    fc.assert(
      fc.property(address, (parts) => {
        const plain = write({ ...parts, route: '' });
        const others = [
          plain.replace('https:', 'http:'),
          plain.replace('example', 'www.example'),
          plain.replace('.com', '.com:444'),
          plain.replace('https://', 'https://user@'),
          write({ ...parts, route: '', path: `${parts.path}/` }),
          write({ ...parts, route: '', path: `${parts.path}Z` }),
          write({ ...parts, route: '', path: `${parts.path}z` }),
          write({ ...parts, route: '#/z' }),
          write({ ...parts, route: '#!/z' }),
        ];
        expect(new Set([plain, ...others].map((url) => key(url))).size).toBe(others.length + 1);
      }),
      { numRuns: 500 },
    );
  });

  // The characters that mean something to somebody: escaped and raw they are two, each in its place.
  const reserved = [...new Set("!$&'()*+,;=:@/?#")];
  const escaped = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  test.each(reserved)('with %s raw or escaped in the path', (character) => {
    expect(key(`https://example.com/a${character}b`)).not.toBe(
      key(`https://example.com/a${escaped(character)}b`),
    );
  });
  // A quote in a query is always escaped: by WHATWG.
  test.each(reserved.filter((character) => character !== "'"))(
    'with %s raw or escaped in the query',
    (character) => {
      for (const query of ['ab#c', 'n=ab#c'])
        expect(key(`https://example.com/?${query.replace('#', character)}`)).not.toBe(
          key(`https://example.com/?${query.replace('#', escaped(character))}`),
        );
    },
  );
  test.each(reserved.filter((character) => character !== '#'))(
    'with %s raw or escaped in a route',
    (character) => {
      expect(key(`https://example.com/#/a${character}b`)).not.toBe(
        key(`https://example.com/#/a${escaped(character)}b`),
      );
    },
  );
  test('with a percent sign escaped once or twice', () => {
    for (const place of ['a', '?a', '?a=', '#/a'])
      expect(
        new Set(['%41', '%2541', '%252541'].map((text) => key(`https://example.com/${place}${text}`))).size,
      ).toBe(3);
  });
});

test('nothing of the query is lost: the bytes of what stays are those that came', () => {
  const strict = compilePolicy({ preset: 'strict', stripSessionIds: false });
  const bytes = (text: string) =>
    text
      .replaceAll('+', ' ')
      .replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const pairsOf = (href: string) => {
    const query = /^[^?#]*\?([^#]*)/.exec(href)?.[1] ?? '';
    const pairs = query.split('&').map((pair) => {
      const at = pair.indexOf('=');
      return at < 0 ? [bytes(pair), ''] : [bytes(pair.slice(0, at)), bytes(pair.slice(at + 1))];
    });
    return pairs.filter(([name, value]) => name !== '' || value !== '').map((pair) => JSON.stringify(pair));
  };
  const isTracking = (pair: string) =>
    /^\["(?:utm_|mtm_|hsa_|(?:gclid|spm|hsctatracking|_ga|_gl)")/i.test(pair);
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const random = seeded(seed);
      const input = mutate(random, randomInput(random));
      const result = normalizeUrl(input, strict);
      fc.pre(result.ok);
      if (!result.ok) return;
      const before = pairsOf(result.url).filter((pair) => !isTracking(pair));
      expect(pairsOf(result.key).toSorted()).toEqual(before.toSorted());
    }),
    runs,
  );
});
