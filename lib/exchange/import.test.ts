import * as fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { compilePolicy, normalizeUrl } from '#lib/url/index.ts';
import { FORMATS, importLinks, safeAddress, writeExport } from './index.ts';
import type { BadLink, ImportedLink, ImportOptions, PageRecord } from './index.ts';
import { nastyAddress, NASTY } from './nasty.fixture.ts';

const policy = compilePolicy({ htmlEntities: true });

async function read(
  content: string | Uint8Array | Uint8Array[],
  options: Partial<ImportOptions> = {},
): Promise<{ links: ImportedLink[]; bad: BadLink[] }> {
  const chunks = Array.isArray(content)
    ? content
    : [typeof content === 'string' ? Buffer.from(content) : content];
  const links: ImportedLink[] = [];
  const bad: BadLink[] = [];
  for await (const item of importLinks(chunks, { policy, ...options }))
    (item.ok ? links : bad).push(item as never);
  return { links, bad };
}

const urls = ({ links }: { links: ImportedLink[] }) => links.map(({ url }) => url);
const places = ({ bad }: { bad: BadLink[] }) => bad.map(({ line, column, reason }) => [line, column, reason]);

async function exportTo(name: string, records: PageRecord[]): Promise<Buffer[]> {
  const format = FORMATS.find((known) => known.name === name);
  if (!format) throw new Error(name);
  const files = new Map<string, Buffer[]>();
  for await (const event of writeExport(format, records, { name: 'x', createdAt: 0, id: 'scope-1' })) {
    if (event.type === 'bytes')
      files.set(event.file, [...(files.get(event.file) ?? []), Buffer.from(event.bytes)]);
  }
  return [...files.values()].map((parts) => Buffer.concat(parts));
}

/** Formats that write other characters than the address has, because their tool would cut it there. */
const REWRITE: Record<string, RegExp> = {
  'crawlee-list': /[^-A-Za-z0-9@:%_+.~#?&/=()'*]/,
  katana: /,/,
  httrack: /&#?\w+;/,
};

describe('export, then import', () => {
  const records = fc.array(
    fc.record({
      url: fc.oneof(
        nastyAddress,
        fc.constantFrom(...NASTY),
        fc.webUrl({ withQueryParameters: true, withFragments: true }),
      ),
      title: fc.string(),
    }),
    { minLength: 1, maxLength: 8 },
  );
  test.each(FORMATS.map(({ name, fragment }) => [name, fragment] as const))(
    '%s gives the same keys',
    async (name, fragment) => {
      await fc.assert(
        fc.asyncProperty(records, async (records) => {
          const written = records.flatMap(({ url, title }) => {
            const safe = safeAddress(url, fragment);
            if (!safe.ok || REWRITE[name]?.test(safe.url)) return [];
            if (name === 'crawlee-list' && !/^https?:\/\/[^/[]*\.[a-z]+(?::\d+)?\//.test(safe.url)) return [];
            if (name === 'httrack' && safe.url.length > 1023) return [];
            if (name === 'sitemap' && (safe.url.length < 12 || safe.url.length > 2048)) return [];
            return [{ url: safe.url, title }];
          });
          const expected = new Set(written.map(({ url }) => keyOf(url)));
          const found = new Set<string>();
          for (const file of await exportTo(name, written)) {
            const { links, bad } = await read(file, {
              fileName: `x${FORMATS.find((known) => known.name === name)?.extension}`,
            });
            expect(bad).toEqual([]);
            for (const { key } of links) found.add(key);
          }
          expect(found).toEqual(expected);
        }),
        { numRuns: 60 },
      );
    },
  );

  test('the gate keeps the key', () => {
    fc.assert(
      fc.property(nastyAddress, (address) => {
        const safe = safeAddress(address);
        if (!safe.ok) return;
        const parsed = URL.parse(address);
        if (parsed === null) throw new Error('unreachable');
        parsed.username = '';
        parsed.password = '';
        expect(keyOf(safe.url)).toBe(keyOf(parsed.href));
      }),
      { numRuns: 500 },
    );
  });
});

function keyOf(url: string): string {
  const result = normalizeUrl(url, policy);
  return result.ok ? result.key : `${result.reason}: ${url}`;
}

describe('lists', () => {
  const lines =
    'https://a.example.com/1\r\n\r\n# comment\r\n  https://a.example.com/2?x=1&amp;y=2\r\njavascript:alert(1)\r\nnot an address';
  const expected = ['https://a.example.com/1', 'https://a.example.com/2?x=1&amp;y=2'];
  const bad = [
    [5, 1, 'unsupported-scheme'],
    [6, 1, 'invalid'],
  ];

  test.each([
    ['UTF-8', Buffer.from(lines)],
    ['UTF-8 with BOM', Buffer.from(`\uFEFF${lines}`)],
    ['UTF-16 LE with BOM', Buffer.from(`\uFEFF${lines}`, 'utf16le')],
    ['UTF-16 LE', Buffer.from(lines, 'utf16le')],
    ['UTF-16 BE with BOM', Buffer.from(`\uFEFF${lines}`, 'utf16le').swap16()],
    ['CR alone', Buffer.from(lines.replaceAll('\r\n', '\r'))],
    ['LF', Buffer.from(lines.replaceAll('\r\n', '\n'))],
  ])('%s', async (_, content) => {
    const result = await read(content);
    expect(urls(result)).toEqual(expected);
    expect(places(result)).toEqual(bad);
    // Cut anywhere, even inside a character or between CR and LF.
    const bytes = await read(Array.from(content, (byte) => Uint8Array.of(byte)));
    expect(bytes).toEqual(result);
  });

  test('&amp; of HTML, userinfo, encoded addresses, seeds with metadata', async () => {
    const { links } = await read(
      'https://a.example.com/?a=1&amp;b=2\nhttps://user:pw@a.example.com/x\nhttps%3A%2F%2Fa.example.com%2Fy\nhttps://a.example.com/z\tnutch.score=10\nFi https://a.example.com/w\n',
    );
    expect(links.map(({ url, key }) => [url, key])).toEqual([
      ['https://a.example.com/?a=1&amp;b=2', 'https://a.example.com/?a=1&b=2'],
      ['https://a.example.com/x', 'https://a.example.com/x'],
      ['https://a.example.com/y', 'https://a.example.com/y'],
      ['https://a.example.com/z', 'https://a.example.com/z'],
      ['https://a.example.com/w', 'https://a.example.com/w'],
    ]);
  });

  test('bytes that are no UTF-8 stay what they are', async () => {
    const { links } = await read(
      Buffer.from('https://a.example.com/\xCE\xE5\nhttps://a.example.com/\xCE\xE6\n', 'latin1'),
    );
    expect(links.map(({ key }) => key)).toEqual([
      'https://a.example.com/%CE%E5',
      'https://a.example.com/%CE%E6',
    ]);
  });
});

describe('gzip', () => {
  test('is undone, however it is cut; a cut off file says so', async () => {
    const packed = gzipSync('https://a.example.com/1\nhttps://a.example.com/2\n');
    expect(urls(await read(packed, { fileName: 'x.txt.gz' }))).toHaveLength(2);
    expect(urls(await read(Array.from(packed, (byte) => Uint8Array.of(byte))))).toHaveLength(2);
    await expect(read(packed.subarray(0, -9))).rejects.toThrow('cut off');
  });
});

describe('tables', () => {
  test('semicolons, quotes, line breaks in cells, a column by name', async () => {
    const { links, bad } = await read(
      'Titel;Adresse;URL\n"a;b ""c""\nd";x;https://a.example.com/1\n;;\nz;y\ne;f;"https://a.example.com/2;3"\n',
      { fileName: 'x.csv' },
    );
    expect(links).toMatchObject([
      { line: 3, column: 6, url: 'https://a.example.com/1' },
      { line: 6, column: 5, url: 'https://a.example.com/2;3' },
    ]);
    expect(bad).toMatchObject([{ line: 5, column: 1, reason: 'unreadable' }]);
  });

  test('the column is found without a header, or chosen', async () => {
    expect(
      urls(await read('1,https://a.example.com/1\n2,https://a.example.com/2\n', { fileName: 'x.csv' })),
    ).toHaveLength(2);
    const two = 'a,b\nhttps://a.example.com/1,https://b.example.com/1\n';
    expect(urls(await read(two, { fileName: 'x.csv', column: 'b' }))).toEqual(['https://b.example.com/1']);
    expect(urls(await read(two, { fileName: 'x.csv', column: '1' }))).toEqual(['https://a.example.com/1']);
    expect((await read(two, { fileName: 'x.csv', column: 'c' })).bad).toMatchObject([
      { detail: 'There is no column "c". There are: a, b.' },
    ]);
    expect((await read('a,b\nx,y\n', { fileName: 'x.csv' })).bad).toMatchObject([{ reason: 'unreadable' }]);
  });

  test('a quote that is never closed spoils one line', async () => {
    const rows = Array.from({ length: 1000 }, (_, row) => `t${row},https://a.example.com/${row}`);
    rows[5] = '"open,https://a.example.com/5';
    const { links, bad } = await read(`title,url\n${rows.join('\n')}\n`, { fileName: 'x.csv' });
    expect(links).toHaveLength(999);
    expect(bad).toMatchObject([{ line: 7, column: 1 }]);
  });
});

describe('JSON', () => {
  test.each([
    ['texts', '["https://a.example.com/1",\n "https:\\/\\/a.example.com\\/\\u0032"]'],
    [
      'objects',
      '[{"x":{"url":"https://no.example.com/"},"URL":"https://a.example.com/1"},{"title":"t","href":"https://a.example.com/2"}]',
    ],
    ['one level below', '{"count":2,"urls":["https://a.example.com/1","https://a.example.com/2"]}'],
    [
      'a browser’s bookmarks',
      '{"roots":{"bookmark_bar":{"children":[{"name":"f","children":[{"url":"https://a.example.com/1"}]},{"url":"https://a.example.com/2"}]}}}',
    ],
    ['JSON Lines', '{"url":"https://a.example.com/1"}\n{"request":{"url":"https://a.example.com/2"}}\n'],
  ])('%s', async (_, content) => {
    expect(urls(await read(content))).toEqual(['https://a.example.com/1', 'https://a.example.com/2']);
    expect(urls(await read(Array.from(Buffer.from(content), (byte) => Uint8Array.of(byte))))).toHaveLength(2);
  });

  test('good ones before an error are imported, the place is told', async () => {
    const { links, bad } = await read('[{"url":"https://a.example.com/1"},\n {"url":}]');
    expect(links).toHaveLength(1);
    expect(bad).toMatchObject([{ line: 2, column: 9 }]);
    expect((await read('["https://a.example.com/1"')).bad).toMatchObject([
      { detail: 'The file is cut off: the JSON has no end.' },
    ]);
    expect((await read('{"url":"https://a.example.com/1"}\n{"url":\n{"no":1}\n')).bad).toMatchObject([
      { line: 2 },
      { line: 3 },
    ]);
  });

  test('the tokenizer agrees with JSON.parse', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ url: fc.webUrl(), n: fc.jsonValue(), t: fc.string() })),
        fc.nat(4),
        async (values, space) => {
          const { links, bad } = await read(JSON.stringify(values, null, space), { format: 'json' });
          expect(bad).toEqual([]);
          expect(links).toHaveLength(values.length);
        },
      ),
      { numRuns: 60 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom(...'[]{}",:\\ua1-.e '.split(''), 'true', 'null') }),
        async (text) => {
          let isJson = true;
          try {
            JSON.parse(text);
          } catch {
            isJson = false;
          }
          const { bad } = await read(text, { format: 'json' });
          if (isJson) expect(bad.filter(({ reason }) => reason === 'unreadable')).toEqual([]);
        },
      ),
    );
  });

  test('HAR: addresses only', async () => {
    const har = JSON.stringify({
      log: {
        version: '1.2',
        creator: { name: 'x' },
        pages: [{ title: 'https://no.example.com/' }],
        entries: [
          {
            request: {
              url: 'https://a.example.com/1',
              headers: [{ name: 'Cookie', value: 'https://no.example.com/' }],
            },
            response: { content: { text: 'x'.repeat(200_000) } },
          },
          {
            request: { url: 'https://a.example.com/2' },
            response: { redirectURL: 'https://no.example.com/' },
          },
        ],
      },
    });
    expect(urls(await read(har))).toEqual(['https://a.example.com/1', 'https://a.example.com/2']);
  });
});

describe('markup', () => {
  test('sitemaps: CDATA, entities, prefixes, images left out', async () => {
    const { links } = await read(`<?xml version="1.0"?>
<sm:urlset xmlns:sm="http://www.sitemaps.org/schemas/sitemap/0.9">
<!-- <sm:url><sm:loc>https://no.example.com/</sm:loc></sm:url> -->
<sm:url><sm:loc>
  https://a.example.com/?a=1&amp;b=&#x32;</sm:loc><image:image><image:loc>https://no.example.com/i.png</image:loc></image:image></sm:url>
<sm:url><sm:loc><![CDATA[https://a.example.com/?a=1&b=3]]></sm:loc></sm:url></sm:urlset>`);
    expect(links).toMatchObject([
      { line: 4, column: 9, url: 'https://a.example.com/?a=1&b=2' },
      { line: 6, column: 9, url: 'https://a.example.com/?a=1&b=3' },
    ]);
  });

  test('an index names other sitemaps; entities are never expanded', async () => {
    const index = await read(
      '<sitemapindex><sitemap><loc>https://a.example.com/s1.xml</loc></sitemap></sitemapindex>',
    );
    expect(index).toMatchObject({
      links: [],
      bad: [{ reason: 'sitemap', text: 'https://a.example.com/s1.xml' }],
    });
    const bomb = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "${'z'.repeat(100)}"><!ENTITY b "&a;&a;&a;">]>
<urlset><url><loc>https://a.example.com/&b;</loc></url></urlset>`;
    expect(urls(await read(bomb))).toEqual(['https://a.example.com/&b;']);
  });

  test('bookmarks: folders, dates, bookmarklets', async () => {
    const { links, bad } = await read(`<!DOCTYPE NETSCAPE-Bookmark-file-1>
<DL><p><DT><H3>x</H3><DL><p>
<DT><A HREF="https://a.example.com/?a=1&amp;b=2" ADD_DATE="1700000000">A &lt;b&gt;</A>
<DT><A HREF="javascript:void(0)">no</A></DL>`);
    expect(links).toMatchObject([
      { line: 3, column: 5, url: 'https://a.example.com/?a=1&b=2', title: 'A <b>', at: 1_700_000_000_000 },
    ]);
    expect(bad).toMatchObject([{ line: 4, column: 5, reason: 'unsupported-scheme' }]);
  });

  test('pasted HTML: base, quotes, script passed over', async () => {
    const { links } =
      await read(`<html><base href="https://a.example.com/dir/"><script>"<a href='https://no.example.com/'>"</script>
<a class=x href='one?q="x"'>One</a> <area href=/two> <A data-x="a>b" HREF=three>3</A>`);
    expect(urls({ links })).toEqual([
      'https://a.example.com/dir/one?q=%22x%22',
      'https://a.example.com/two',
      'https://a.example.com/dir/three',
    ]);
  });

  test('pasted text', async () => {
    const { links } = await read(
      '见https://a.example.com/1。还有（https://a.example.com/2）和 <https://a.example.com/3>, (see https://a.example.com/x_(y)). "https://a.example.com/4"! [t](https://a.example.com/5)',
      { format: 'text' },
    );
    expect(urls({ links })).toEqual(
      ['1', '2', '3', 'x_(y)', '4', '5'].map((path) => `https://a.example.com/${path}`),
    );
  });

  test('History Trends', async () => {
    const { links, bad } = await read(
      'https://a.example.com/1\tU1700000000000.123\t0\tTitle\r\nhttps://a.example.com/2\ta.example.com\texample.com\t1700000000001\t2023\t2\tlink\tTwo\r\nchrome://x\tU1700000000000\t1\tx\r\nhttps://a.example.com/3\tno time\r\n',
    );
    expect(links).toMatchObject([
      { url: 'https://a.example.com/1', at: 1_700_000_000_000, title: 'Title' },
      { url: 'https://a.example.com/2', at: 1_700_000_000_001, title: 'Two' },
    ]);
    expect(places({ bad })).toEqual([
      [3, 1, 'unsupported-scheme'],
      [4, 25, 'unreadable'],
    ]);
  });
});

describe('hostile files end soon', () => {
  const size = 300_000;
  test.each([
    ['html', '<'.repeat(size)],
    ['html', `<a href="${'x'.repeat(size)}`],
    ['html', '<a '.repeat(size / 3)],
    ['html', `<!--${'-'.repeat(size)}`],
    ['sitemap', `<urlset>${'<url><loc>'.repeat(size / 10)}`],
    ['sitemap', `<!DOCTYPE x [${'<!ENTITY a "b">'.repeat(size / 15)}`],
    ['json', '['.repeat(size)],
    ['json', `["${'\\u0041'.repeat(size / 6)}`],
    ['csv', `a,url\n${'"'.repeat(size)}`],
    ['csv', `a,url\n${'"x\n'.repeat(size / 3)}`],
    ['text', 'https://'.repeat(size / 8)],
    ['text', `https://a.example.com/${'('.repeat(size)}`],
    ['list', 'x'.repeat(20_000_000)],
    ['jsonl', '{"a":'.repeat(size / 5)],
  ] as const)('%s', { timeout: 10_000 }, async (format, content) => {
    const started = performance.now();
    await read(content, { format });
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
