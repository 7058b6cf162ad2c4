import * as fc from 'fast-check';
import { gunzipSync } from 'node:zlib';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { FORMATS, findFormat, gzip, safeAddress, writeExport } from './index.ts';
import type { ExportFormat, ExportOptions, ExportSummary, Manifest, PageRecord } from './index.ts';
import { nastyAddress, NASTY } from './nasty.fixture.ts';

interface Written {
  files: Map<string, Buffer>;
  manifests: Manifest[];
  summary: ExportSummary;
}

const OPTIONS: ExportOptions = {
  name: 'shop',
  createdAt: Date.UTC(2026, 0, 2, 3, 4, 5),
  policyVersion: '1-abc',
};

function format(name: string): ExportFormat {
  const found = findFormat(name);
  if (!found) throw new Error(`no format ${name}`);
  return found;
}

async function write(
  name: string,
  records: PageRecord[],
  options: Partial<ExportOptions> = {},
): Promise<Written> {
  const chunks = new Map<string, Uint8Array[]>();
  const manifests: Manifest[] = [];
  for await (const event of writeExport(format(name), records, { ...OPTIONS, ...options })) {
    if (event.type === 'end') {
      const files = new Map([...chunks].map(([file, parts]) => [file, Buffer.concat(parts)]));
      return { files, manifests, summary: event.summary };
    }
    if (event.type === 'file') manifests.push(event.manifest);
    else chunks.set(event.file, [...(chunks.get(event.file) ?? []), event.bytes]);
  }
  throw new Error('the export did not end');
}

const pages = (count: number, host = 'a.example.com'): PageRecord[] =>
  Array.from({ length: count }, (_, number) => ({ url: `https://${host}/p?n=${number}` }));

describe('safeAddress', () => {
  test('only printable, harmless ASCII comes out, and it is a fixed point', () => {
    fc.assert(
      fc.property(nastyAddress, fc.constantFrom('keep' as const, 'drop' as const), (address, fragment) => {
        const safe = safeAddress(address, fragment);
        if (!safe.ok) return;
        expect(safe.url).toMatch(/^https?:\/\/[^\s"<>\\^`{|}@]+[^\s"<>\\^`{|}]*$/);
        expect(safe.url).toMatch(/^[\x21-\x7E]+$/);
        expect(safe.url.replace(/%[0-9A-Fa-f]{2}/g, '')).not.toContain('%');
        expect(URL.parse(safe.url)?.username).toBe('');
        expect(URL.parse(safe.url)?.password).toBe('');
        expect(safeAddress(safe.url, fragment)).toEqual(safe);
      }),
    );
  });

  test.each([
    ['javascript:alert(1)', 'unsupported-scheme'],
    ['data:text/html,x', 'unsupported-scheme'],
    ['file:///etc/passwd', 'unsupported-scheme'],
    ['ftp://example.com/', 'unsupported-scheme'],
    ['=HYPERLINK("x")', 'invalid'],
    ['-o /tmp/x', 'invalid'],
    ['', 'invalid'],
    ['http://', 'invalid'],
    ['http://a..example.com/', 'invalid'],
    ['http://exa%mple.com/', 'invalid'],
  ])('%s is refused: %s', (address, reason) => expect(safeAddress(address)).toEqual({ ok: false, reason }));

  test('userinfo is cut, spelling and order stay', () => {
    expect(safeAddress('HTTPS://user:pw@Example.COM:443/a%7eb?z=1&a=%c3%a9')).toMatchObject({
      url: 'https://example.com/a%7eb?z=1&a=%c3%a9',
    });
    expect(safeAddress('http://example.com/?q="x y"|[1]%zz#a"b')).toMatchObject({
      url: 'http://example.com/?q=%22x%20y%22%7C%5B1%5D%25zz#a%22b',
    });
  });
});

describe('every format', () => {
  test('is named once and explained in both languages', () => {
    expect(new Set(FORMATS.map(({ name }) => name)).size).toBe(FORMATS.length);
    for (const { purpose, limitation, extension, use } of FORMATS) {
      for (const words of limitation ? [purpose, limitation] : [purpose]) {
        expect(words.en).toMatch(/\S/);
        expect(words.zh).toMatch(/\p{Script=Han}|Onceover/u);
      }
      expect(extension).toMatch(/^\.[a-z]+$/);
      if (use !== undefined) expect(use).toContain('FILE');
    }
  });

  test.each(FORMATS.map(({ name }) => name))('%s lets nothing nasty out', async (name) => {
    const records = NASTY.map((url, index) => ({
      url,
      title:
        ['=cmd|" /C calc"!A0', 'a\r\nb\tc\u2028d', '<script>&"\'', '巡检 \u202Etxt.exe', '-1+1'][index % 5] ??
        '',
      note: 'line 1\nline 2',
    }));
    const { files, manifests, summary } = await write(name, records);
    expect(summary.written + summary.repeats + sum(summary.refused)).toBe(records.length);
    expect(manifests.reduce((total, { count }) => total + count, 0)).toBe(summary.written);
    for (const [file, bytes] of files) {
      const text = bytes.toString('utf8');
      expect(text).not.toMatch(/[\0-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F\u2028\u2029\u202A-\u202E]/);
      expect(text.includes('\r')).toBe(name === 'csv-excel');
      expect(text.includes('\t')).toBe(false);
      expect(text.startsWith('\uFEFF')).toBe(name === 'csv-excel');
      expect(text).not.toMatch(/user|secret|javascript/);
      if (/\.(?:html|xml)$/.test(file)) expect(text).not.toContain('<script');
      expect(file).toMatch(/^[A-Za-z0-9._~-]+$/);
    }
  });

  test.each(FORMATS.map(({ name }) => name))(
    '%s: manifest, gzip and count agree with the file',
    async (name) => {
      const plain = await write(name, pages(7));
      const packed = await write(name, pages(7), { gzip });
      for (const { files, manifests } of [plain, packed]) {
        expect(manifests.map(({ file }) => file)).toEqual([...files.keys()]);
        for (const { file, bytes, sha256 } of manifests) {
          const content = files.get(file) ?? Buffer.of();
          expect(bytes).toBe(content.length);
          expect(sha256).toBe(createHash('sha256').update(content).digest('hex'));
        }
      }
      expect([...packed.files].map(([file, content]) => [file, gunzipSync(content).toString()])).toEqual(
        [...plain.files].map(([file, content]) => [`${file}.gz`, content.toString()]),
      );
    },
  );
});

describe('writeExport', () => {
  test('splits, and every part is a file of its own', async () => {
    const { files, manifests } = await write('crawlee', pages(5), { split: 2 });
    expect([...files.keys()]).toEqual(['shop.json', 'shop-2.json', 'shop-3.json']);
    expect(manifests.map(({ count }) => count)).toEqual([2, 2, 1]);
    expect(
      [...files.values()].map((content) => (JSON.parse(content.toString()) as unknown[]).length),
    ).toEqual([2, 2, 1]);
  });

  test('writes each address once, or all visits', async () => {
    const visits = [
      { url: 'https://example.com/b' },
      { url: 'https://example.com/a' },
      { url: 'https://example.com/b' },
    ];
    expect((await write('list', visits)).files.get('shop.txt')?.toString()).toBe(
      'https://example.com/b\nhttps://example.com/a\n',
    );
    expect((await write('list', visits, { repeats: true })).files.get('shop.txt')?.toString()).toBe(
      'https://example.com/b\nhttps://example.com/a\nhttps://example.com/b\n',
    );
  });

  test('a sitemap for each site, an index where it needs more files', async () => {
    const records = [...pages(3), ...pages(2, 'b.example.com'), { url: 'http://a.example.com:8080/x' }];
    const { files } = await write('sitemap', records, { split: 2 });
    expect([...files.keys()].sort()).toEqual([
      'shop-a.example.com-2.xml',
      'shop-a.example.com-8080.xml',
      'shop-a.example.com-index.xml',
      'shop-a.example.com.xml',
      'shop-b.example.com.xml',
    ]);
    expect(files.get('shop-a.example.com-index.xml')?.toString()).toContain(
      '<loc>https://a.example.com/shop-a.example.com-2.xml</loc>',
    );
  });

  test('a sitemap stays below 50 MB', async () => {
    const records = Array.from({ length: 30_000 }, (_, number) => ({
      url: `https://a.example.com/${String(number).padEnd(2000, 'x')}`,
    }));
    const { files, manifests } = await write('sitemap', records);
    for (const content of files.values()) expect(content.length).toBeLessThanOrEqual(52_428_800);
    expect(manifests.map(({ file }) => file)).toHaveLength(3);
  });

  test('nothing to write: an empty file, but no empty sitemap', async () => {
    expect((await write('crawlee', [])).files.get('shop.json')?.toString()).toBe('[]\n');
    expect((await write('list', [])).manifests).toMatchObject([{ count: 0, bytes: 0 }]);
    expect((await write('sitemap', [])).files.size).toBe(0);
  });
});

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
