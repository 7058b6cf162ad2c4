import * as fc from 'fast-check';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { normalizeUrl } from '#lib/url/index.ts';
import { onceover } from './testing.ts';

const BACKUP = join(import.meta.dirname, '..', 'lib', 'exchange', 'samples', 'backup-v1.onceover');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'onceover-cli-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('onceover', () => {
  test('help, version, unknown commands and options', async () => {
    expect(await onceover([])).toMatchObject({ code: 2, stdout: expect.stringContaining('normalize') });
    expect(await onceover(['--help'])).toMatchObject({ code: 0 });
    expect(await onceover(['dedupe', '--help'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('--report'),
    });
    expect(await onceover(['help', 'explain'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('URL URL'),
    });
    expect((await onceover(['--version'])).stdout).toMatch(/^onceover \d+\.\d+\.\d+\n$/);
    expect(await onceover(['nope'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Known are: normalize'),
    });
    expect(await onceover(['dedupe', '--nope'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/--nope.*Usage/),
    });
    expect(await onceover(['dedupe', 'no-such-file'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no file "no-such-file"'),
    });
  });
});

describe('normalize', () => {
  test('line n belongs to line n; bad lines are empty, numbered, and the rest goes on', async () => {
    const result = await onceover(
      ['normalize'],
      'https://a.example.com/?b=2&a=1\r\n\nmailto:x@example.com\nhttps://A.example.com/#x',
    );
    expect(result.stdout).toBe('https://a.example.com/?a=1&b=2\n\n\nhttps://a.example.com/\n');
    expect(result.stderr.split('\n').map((line) => line.slice(0, 26))).toEqual([
      'line 2: empty: There is no',
      'line 3: unsupported-scheme',
      '',
    ]);
    expect(result.code).toBe(1);
    expect((await onceover(['normalize'], 'https://a.example.com/\n')).code).toBe(0);
    expect(await onceover(['normalize'], '')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('one line out for each line in, whatever the lines are', async () => {
    const line = fc.oneof(
      fc.webUrl(),
      fc.string({ unit: 'binary' }).map((text) => text.replace(/[\r\n\0]/g, '')),
      fc.constant(''),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.constantFrom('', '--json'),
        async (lines, end, option) => {
          const words = ['normalize', ...(option === '' ? [] : [option])];
          const { stdout } = await onceover(words, lines.map((text) => text + end).join(''));
          const out = stdout.split('\n');
          expect(out.pop()).toBe('');
          expect(out).toHaveLength(lines.length);
          for (const [index, text] of lines.entries()) {
            const result = normalizeUrl(text.toWellFormed().replace(/^\uFEFF+/, ''));
            if (option === '') expect(out[index]).toBe(result.ok ? result.key : '');
            else
              expect(JSON.parse(out[index] ?? '')).toMatchObject(
                result.ok ? { ok: true, key: result.key } : { ok: false, reason: result.reason },
              );
          }
        },
      ),
    );
  });

  test('--json and --jsonl', async () => {
    const { stdout } = await onceover(['normalize', '--json'], 'https://a.example.com/?utm_source=x\nfoo\n');
    const [good, bad] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(good).toEqual({
      input: 'https://a.example.com/?utm_source=x',
      ok: true,
      key: 'https://a.example.com/',
      url: 'https://a.example.com/?utm_source=x',
      steps: [
        expect.objectContaining({
          rule: expect.any(String),
          before: 'https://a.example.com/?utm_source=x',
          after: 'https://a.example.com/',
        }),
      ],
    });
    expect(bad).toEqual({ input: 'foo', ok: false, reason: 'invalid', detail: expect.any(String) });

    const requests = [
      { input: '../x?ref=nav', base: 'https://a.example.com/d/e', policy: { preset: 'broad' } },
      { input: 'https://a.example.com/?b&a' },
      { input: 5 },
      { input: 'https://a.example.com/', policy: { nope: 1 } },
    ];
    const jsonl = await onceover(
      ['normalize', '--jsonl'],
      `${requests.map((request) => JSON.stringify(request)).join('\n')}\n{not json\n\nnull\n`,
    );
    expect(
      jsonl.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toMatchObject([
      { ok: true, key: 'https://a.example.com/x' },
      { ok: true, key: 'https://a.example.com/?a&b' },
      { ok: false, reason: 'invalid' },
      {
        input: 'https://a.example.com/',
        ok: false,
        reason: 'invalid',
        detail: expect.stringContaining('nope'),
      },
      { ok: false, reason: 'invalid', input: '{not json' },
      { ok: false, reason: 'empty' },
      { ok: false, reason: 'invalid' },
    ]);
    expect(jsonl).toMatchObject({ code: 1, stderr: '' });
  });

  test('--policy, --base, --html, gzip, several files', async () => {
    const policy = file('policy.json', '{"stripWww": true}');
    const list = file('list.txt.gz', gzipSync('https://www.a.example.com/?a=1&amp;b=2\n'));
    expect((await onceover(['normalize', '--policy', policy, '--html', list])).stdout).toBe(
      'https://a.example.com/?a=1&b=2\n',
    );
    expect((await onceover(['normalize', '--base', 'https://a.example.com/d/'], 'x\n')).stdout).toBe(
      'https://a.example.com/d/x\n',
    );
    const wide = file('wide.json', Buffer.from('\ufeff{"stripWww":\r\n true}', 'utf16le'));
    expect((await onceover(['normalize', '-p', wide], 'https://www.a.example.com/')).stdout).toBe(
      'https://a.example.com/\n',
    );
    const bad = file('bad.txt', 'x\n');
    expect((await onceover(['normalize', list, bad])).stderr).toContain(`${bad}:1: invalid`);
    const wrong = file('wrong.json', '{"siteRules":[{"hosts":"x"}]}');
    expect(await onceover(['normalize', '--policy', wrong], 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/wrong\.json.*siteRules\[0\]\.hosts/),
    });
    expect(await onceover(['normalize', '--policy', bad], 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not JSON'),
    });
    const cut = file('cut.gz', gzipSync('https://a.example.com/\n'.repeat(1000)).subarray(0, 40));
    expect(await onceover(['normalize', cut])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cut off'),
    });
  });
});

describe('dedupe', () => {
  test('first originals in order, counts on stderr', async () => {
    const input =
      'https://a.example.com/?utm_source=x&b=1\nhttps://b.example.com/\nfoo\n https://a.example.com/?b=1#top \nhttps://B.example.com\n';
    const result = await onceover(['dedupe', '--report'], input);
    expect(result.stdout).toBe('https://a.example.com/?utm_source=x&b=1\nhttps://b.example.com/\n');
    expect(result.stderr).toContain('line 3: invalid');
    expect(result.stderr).toContain('5 lines, 2 pages, 2 duplicates, 1 bad');
    expect(result.stderr).toMatch(/set: trie, because/);
    expect(result.stderr).toMatch(/Drop fragment: 1/);
    expect(result.code).toBe(1);
  });

  test('agrees with the keys on any list', async () => {
    const urls = fc.array(
      fc
        .tuple(
          fc.constantFrom('', 'www.'),
          fc.constantFrom('x', 'y'),
          fc.constantFrom('', '?a=1&b=2', '?b=2&a=1', '?utm_source=q', '#f'),
        )
        .map(([www, path, rest]) => `https://${www}a.example.com/${path}${rest}`),
    );
    await fc.assert(
      fc.asyncProperty(urls, async (urls) => {
        const seen = new Set<string>();
        const firsts = urls.filter((url) => {
          const result = normalizeUrl(url);
          return result.ok && seen.size < seen.add(result.key).size;
        });
        const { stdout } = await onceover(['dedupe'], urls.join('\n'));
        expect(stdout).toBe(firsts.map((url) => `${url}\n`).join(''));
      }),
    );
  });

  test('--format and --output: files with manifests, all or none', async () => {
    const list = file(
      'list.txt',
      'https://a.example.com/中?x="1"\nhttps://a.example.com/2\nhttps://a.example.com/3\n',
    );
    expect((await onceover(['dedupe', '--format', 'curl', list])).stdout).toContain(
      'url = "https://a.example.com/%E4%B8%AD?x=%221%22"',
    );
    const out = join(folder, 'out', 'seeds.txt');
    expect(await onceover(['dedupe', list, '-o', out, '--split', '2'])).toMatchObject({ code: 0 });
    expect(readdirSync(join(folder, 'out')).sort()).toEqual([
      'seeds-2.txt',
      'seeds-2.txt.manifest.json',
      'seeds.txt',
      'seeds.txt.manifest.json',
    ]);
    const manifest = JSON.parse(readFileSync(`${out}.manifest.json`, 'utf8')) as Record<string, unknown>;
    expect(manifest).toMatchObject({
      file: 'seeds.txt',
      format: 'list',
      count: 2,
      policyVersion: expect.stringMatching(/^\d+-[0-9a-f]{8}$/),
    });
    expect(manifest['sha256']).toBe(createHash('sha256').update(readFileSync(out)).digest('hex'));

    const gone = join(folder, 'none') + '/';
    expect((await onceover(['dedupe', list, join(folder, 'missing'), '-f', 'jsonl', '-o', gone])).code).toBe(
      2,
    );
    expect(readdirSync(gone)).toEqual([]);
  });

  test('--from: links of other files, bad ones with line and column', async () => {
    const csv = file(
      'x.csv',
      'name;url\na;"https://a.example.com/?b=1&amp;a=2"\nb;https://a.example.com/?a=2&b=1\nc;nope\n',
    );
    expect(await onceover(['dedupe', '--from', 'auto', csv])).toMatchObject({
      code: 1,
      stdout: 'https://a.example.com/?b=1&amp;a=2\n',
      stderr: expect.stringMatching(/^line 4, column 3: invalid.*\n3 lines, 1 pages, 1 duplicates, 1 bad\n$/),
    });
    const har = '{"log":{"version":"1.2","entries":[{"request":{"url":"https://a.example.com/1"}}]}}';
    expect((await onceover(['dedupe', '--from', 'har', '-f', 'wget'], har)).stdout).toBe(
      'https://a.example.com/1\n',
    );
    expect(await onceover(['dedupe', '--from', 'nope'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('history-trends'),
    });
  });

  test('a sitemap goes to stdout only when it is one', async () => {
    expect((await onceover(['dedupe', '-f', 'sitemap'], 'https://a.example.com/1\n')).stdout).toContain(
      '<loc>https://a.example.com/1</loc>',
    );
    const two = await onceover(
      ['dedupe', '-f', 'sitemap'],
      'https://a.example.com/1\nhttps://b.example.com/1\n',
    );
    expect(two).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--output') });
  });

  test('scrapy comes with its spider; wrong options are refused', async () => {
    await onceover(
      ['dedupe', '-f', 'scrapy', '-o', join(folder, 'seeds.jsonl')],
      'https://a.example.com/1\n',
    );
    expect(existsSync(join(folder, 'seeds_jsonl_spider.py'))).toBe(true);
    expect(readFileSync(join(folder, 'seeds_jsonl_spider.py'), 'utf8')).toContain('"seeds.jsonl"');
    for (const [words, message] of [
      [['-f', 'nope'], 'Known are: list, jsonl'],
      [['-f', 'list', '--columns', 'url'], 'has no --columns'],
      [['-f', 'csv', '--columns', 'nope'], 'Known are: url,key'],
      [['-f', 'list', '--split', '0'], 'whole number'],
      [['-f', 'list', '--split', '5'], '--output'],
    ] as const) {
      expect(await onceover(['dedupe', ...words], 'https://a.example.com/')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(message),
      });
    }
  });
});

describe('explain', () => {
  test('same, not the same, not an address', async () => {
    const same = await onceover([
      'explain',
      'https://a.example.com/?utm_source=x&b=1&a=2',
      'https://A.example.com/?a=2&b=1#top',
    ]);
    expect(same).toMatchObject({ code: 0, stdout: expect.stringContaining('The same page') });
    expect(same.stdout).toContain('Remove tracking parameter');
    const other = await onceover([
      'explain',
      'https://a.example.com/?a=1&c=3',
      'https://a.example.com/?a=2&c=3',
    ]);
    expect(other).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('only in the first: a=1, only in the second: a=2'),
    });
    expect(
      await onceover(['explain', 'https://a.example.com/?a=1&a=2&b', 'https://a.example.com/?a=2&b&a=1']),
    ).toMatchObject({ code: 1, stdout: expect.stringContaining('query: a=1 a=2 b | a=2 a=1 b\n') });
    expect(
      (await onceover(['explain', 'https://a.example.com/?a', 'https://a.example.com/?a&a'])).stdout,
    ).toContain('query: a | a a\n');
    expect((await onceover(['explain', 'https://a.example.com/', 'foo'])).code).toBe(2);
    expect((await onceover(['explain', 'https://a.example.com/'])).code).toBe(2);
    const json = JSON.parse(
      (await onceover(['explain', '--json', 'https://a.example.com/', 'https://a.example.com'])).stdout,
    ) as unknown;
    expect(json).toMatchObject({ same: true, addresses: [{ ok: true }, { ok: true }] });
  });
});

describe('check', () => {
  test('the samples have the keys that were accepted', async () => {
    expect(await onceover(['check'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/^\d+ addresses, 0 changed, 0 wrong/),
    });
  });

  test('prints what changed and what is wrong; --accept writes', async () => {
    const corpus = file(
      'corpus.json',
      JSON.stringify({
        cases: [
          { id: 'one', input: 'https://a.example.com/?utm_source=x', expected: 'https://a.example.com/' },
          { id: 'two', input: 'mailto:x', reject: 'scheme' },
          {
            id: 'three',
            input: 'https://www.a.example.com/',
            options: { stripWww: true },
            expected: 'https://www.a.example.com/',
          },
        ],
        mustDiffer: [
          { id: 'differ', a: 'https://a.example.com/#a', b: 'https://a.example.com/#b', why: 'test' },
        ],
        mustEqual: [{ id: 'equal', urls: ['https://a.example.com/?a', 'https://a.example.com/?b'] }],
      }),
    );
    const first = await onceover(['check', corpus]);
    expect(first).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('7 addresses, 7 changed, 3 wrong'),
    });
    expect(first.stdout).toContain(
      'three: https://www.a.example.com/\n    must be https://www.a.example.com/\n    and is   https://a.example.com/',
    );
    expect(first.stdout).toContain('differ: two pages under one key (test)');
    expect(first.stdout).toContain('equal: one page under 2 keys');
    expect((await onceover(['check', corpus, '--accept'])).code).toBe(1);
    const keys = join(folder, 'accepted-keys.json');
    expect(await onceover(['check', corpus])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('0 changed, 3 wrong'),
    });
    writeFileSync(
      keys,
      readFileSync(keys, 'utf8').replace(
        '"one": "https://a.example.com/"',
        '"one": "https://a.example.com/old", "gone": "x"',
      ),
    );
    const changed = await onceover(['check', corpus]);
    expect(changed.stdout).toContain(
      'one: https://a.example.com/?utm_source=x\n    was https://a.example.com/old\n    is  https://a.example.com/\n',
    );
    expect(changed.stdout).toContain('gone: \n    was x\n    is  no sample any more\n');
    const list = file('list.txt', 'https://a.example.com/\n\nfoo\n');
    expect((await onceover(['check', list, '--accepted', join(folder, 'none')])).stdout).toContain(
      'line 3: foo\n    was not accepted yet\n    is  !invalid\n',
    );
    expect((await onceover(['check', file('x.json', '{}')])).code).toBe(2);
  });

  test('reads a list in any encoding', async () => {
    const lists = [
      Buffer.from('\ufeffhttps://a.example.com/\r', 'utf16le'),
      gzipSync('https://a.example.com/\n'),
    ];
    for (const list of lists)
      expect((await onceover(['check', file('list.txt', list)])).stdout).toBe(
        'line 1: https://a.example.com/\n    was not accepted yet\n    is  https://a.example.com/\n',
      );
    const gbk = Buffer.from('https://a.example.com/\xce\xe5', 'latin1');
    expect((await onceover(['check', file('list.txt', gbk)])).stdout).toContain(
      'is  https://a.example.com/%CE%E5\n',
    );
  });

  test.each([
    [
      {
        cases: [
          { id: 'a', input: 'b' },
          { id: 'c', input: 5 },
        ],
      },
      'cases[1]',
    ],
    [{ cases: [null] }, 'cases[0]'],
    [{ cases: [{ input: 'b' }] }, 'cases[0]'],
    [{ cases: [{ id: 'a', input: 'b', base: 5 }] }, 'cases[0]'],
    [{ mustDiffer: [{ id: 'a', a: 'b' }] }, 'mustDiffer[0]'],
    [{ mustEqual: [{ id: 'a', urls: 'b' }] }, 'mustEqual[0]'],
  ])('names the sample that cannot be read: %j', async (corpus, place) => {
    expect(await onceover(['check', file('corpus.json', JSON.stringify(corpus))])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(place),
    });
  });

  test('accepted keys that are none', async () => {
    const list = file('list.txt', 'https://a.example.com/\n');
    expect(await onceover(['check', list, '--accepted', file('keys.json', 'null')])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('keys.json" has no accepted keys'),
    });
  });
});

describe('formats', () => {
  test('lists them in both languages and as JSON', async () => {
    expect((await onceover(['formats'])).stdout).toMatch(/^crawlee-list +\.txt /m);
    expect((await onceover(['formats', '--lang', 'zh'])).stdout).toContain('站点地图');
    const list = JSON.parse((await onceover(['formats', '--json'])).stdout) as {
      name: string;
      proof: string;
    }[];
    expect(list.map(({ name }) => name).join(' ')).toBe(
      'list jsonl csv csv-excel scrapy crawlee crawlee-list scrapy-redis wget curl aria2 httrack sitemap bookmarks markdown heritrix nutch stormcrawler urlfrontier browsertrix katana lychee cdxj backup',
    );
  });
});

describe('convert', () => {
  const paths = (stdout: string) => stdout.replaceAll('https://shop.example.com', '').trim().split('\n');
  test.each([
    [[], ['/a', '/new', '/c?x=1', '/later']],
    [
      ['--pages', 'left'],
      ['/b?utm_source=mail', '/gone'],
    ],
    [['--pages', 'new'], ['/new']],
    [['--pages', 'changed'], ['/a']],
    [['--pages', 'retrying'], ['/c?x=1']],
    [['--pages', 'known'], ['/later']],
    [
      ['--round', '1'],
      ['/b?utm_source=mail', '/a', '/gone', '/c?x=1'],
    ],
    [
      ['--round', '1', '--order', 'az', '--address', 'usable'],
      ['/a', '/b', '/c?x=1', '/gone'],
    ],
    [
      ['--round', '1', '--address', 'final'],
      ['/b', '/a', '/gone', '/c?x=1'],
    ],
    [
      ['--round', '1', '--all-visits'],
      ['/b?utm_source=mail', '/b', '/a'],
    ],
    [['--prefix', 'https://shop.example.com/c'], ['/c?x=1']],
  ])('%j', async (options, expected) => {
    const { stdout, code } = await onceover(['convert', BACKUP, '--to', 'list', ...options]);
    expect([paths(stdout), code]).toEqual([expected, 0]);
  });

  test('a damaged backup exports nothing', async () => {
    const damaged = file('damaged', readFileSync(BACKUP, 'utf8').replace('B 页面', 'C 页面'));
    expect(await onceover(['convert', damaged, '--to', 'list'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('damaged'),
    });
    const cut = file('cut', readFileSync(BACKUP).subarray(0, 2000));
    expect(await onceover(['convert', cut, '--to', 'list'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('Use another copy'),
    });
    expect(await onceover(['convert', file('x', 'https://a.example.com/'), '--to', 'list'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no backup'),
    });
  });

  test('wrong choices are named', async () => {
    for (const [words, message] of [
      [['--scope', 'X'], 'It has: "Shop"'],
      [['--round', '9'], 'It has: 1, 2'],
      [['--pages', 'x'], 'one of all, left'],
    ] as const) {
      expect(await onceover(['convert', BACKUP, '--to', 'list', ...words])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(message),
      });
    }
  });

  test('a list made into a backup comes out again', async () => {
    const backup = join(folder, 'seeds.onceover');
    await onceover(
      ['dedupe', '-f', 'backup', '-o', backup],
      'https://a.example.com/?utm_source=x\nhttps://a.example.com/2\n',
    );
    expect((await onceover(['convert', backup, '--to', 'list'])).stdout).toBe(
      'https://a.example.com/?utm_source=x\nhttps://a.example.com/2\n',
    );
  });
});
