import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FormatName } from '#lib/exchange/index.ts';
import type { AskedSite } from './server.ts';

/** Runs a program in a folder and answers its output. @throws with the output when it fails */
export type Run = (program: string, ...words: string[]) => Promise<string>;

export interface Trial {
  /** The tool, as people call it. */
  tool: string;
  format: FormatName;
  /** Command that must exist and the Debian package that brings it. */
  needs: Record<string, string>;
  /** Python modules and the Debian package that brings each; `null`: pip does, or the trial is left out and that is said. */
  modules?: Record<string, string | null>;
  /** Lets the tool read `file` in `folder` and ask the site for everything in it. */
  ask(run: Run, file: string, folder: string, site: AskedSite): Promise<unknown>;
  /** Longest address that the format may hold for this tool. */
  longest?: number;
  /** The addresses have a host of their own and the site is used as a proxy. */
  proxied?: true;
  /** Request targets that are alike for this tool have the same text here; without it each must arrive byte for byte. */
  alike?: (target: string) => string;
}

const python = { python3: 'python3' };
const wget = { wget: 'wget' };

/** Reads addresses with a program of three lines and asks for each, byte for byte. */
function readAndAsk(reader: string): Trial['ask'] {
  const program = (port: number) => `
import sys, json, csv, http.client
${reader}
for url in urls:
    connection = http.client.HTTPConnection("127.0.0.1", ${port})
    connection.putrequest("GET", url.split("127.0.0.1:${port}", 1)[1].split("#")[0])
    connection.endheaders()
    connection.getresponse().read()
`;
  return (run, file, _folder, site) => run('python3', '-c', program(site.port), file);
}

/** Parsers of Python and of Crawlee drop a `?` with nothing behind it. */
function withoutEmptyQuery(target: string): string {
  return target.replace(/\?$/, '');
}

export const TRIALS: readonly Trial[] = [
  {
    tool: 'wget -i',
    format: 'wget',
    needs: wget,
    ask: (run, file) => run('wget', '--no-config', '--no-iri', '-nv', '-x', '-P', 'pages', '-i', file),
  },
  {
    tool: 'wget -i (plain list)',
    format: 'list',
    needs: wget,
    ask: (run, file) => run('wget', '--no-config', '--no-iri', '-nv', '-O', 'all', '-i', file),
  },
  {
    tool: 'curl -K',
    format: 'curl',
    needs: { curl: 'curl' },
    ask: (run, file) => run('curl', '-q', '-sS', '-K', file),
  },
  {
    tool: 'aria2c -i',
    format: 'aria2',
    needs: { aria2c: 'aria2' },
    ask: (run, file) =>
      run(
        'aria2c',
        '--no-conf',
        '--quiet',
        '--follow-torrent=false',
        '--follow-metalink=false',
        '-d',
        'pages',
        '-i',
        file,
      ),
  },
  {
    tool: 'httrack --list',
    format: 'httrack',
    needs: { httrack: 'httrack' },
    longest: 1023,
    // HTTrack writes the escapes of UTF-8 with small letters.
    alike: (target) => target.replace(/%[0-9A-Fa-f]{2}/g, (escape) => escape.toUpperCase()),
    ask: (run, file) =>
      run(
        'httrack',
        '--list',
        file,
        '--depth=1',
        '-O',
        'mirror',
        '--robots=0',
        '--quiet',
        '--disable-security-limits',
        '--max-rate=0',
        '--sockets=8',
        '--timeout=10',
        '--retries=0',
      ),
  },
  {
    tool: 'scrapy runspider',
    alike: withoutEmptyQuery,
    format: 'scrapy',
    needs: { scrapy: 'python3-scrapy' },
    ask: (run) => run('scrapy', 'runspider', '-L', 'ERROR', 'list_jsonl_spider.py'),
  },
  {
    tool: 'scrapy-redis',
    alike: withoutEmptyQuery,
    format: 'scrapy-redis',
    needs: { scrapy: 'python3-scrapy', 'redis-server': 'redis-server', 'redis-cli': 'redis-tools' },
    modules: { redis: 'python3-redis', scrapy_redis: null },
    ask: (run, file) => run('sh', 'SCRAPY_REDIS', file),
  },
  {
    tool: 'Crawlee RequestList sources',
    alike: withoutEmptyQuery,
    format: 'crawlee',
    needs: {},
    ask: (run, file) => run(process.execPath, 'CRAWLEE', 'sources', file),
  },
  {
    tool: 'Crawlee requestsFromUrl',
    format: 'crawlee-list',
    needs: {},
    proxied: true,
    // The format escapes these, because Crawlee would end the address there.
    alike: (target) =>
      withoutEmptyQuery(target).replace(
        /[!$,;]/g,
        (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    ask: async (run, file, folder, site) => {
      const { readFileSync } = await import('node:fs');
      const list = site.serve('/list.txt', readFileSync(join(folder, file), 'utf8'));
      await run(process.execPath, 'CRAWLEE', 'requests-from-url', list, `http://127.0.0.1:${site.port}`);
    },
  },
  {
    tool: 'wget --force-html (bookmarks)',
    format: 'bookmarks',
    needs: wget,
    ask: (run, file) =>
      run('wget', '--no-config', '--no-iri', '-nv', '-O', 'all', '--force-html', '-i', file),
  },
  {
    tool: 'cmark, then wget',
    format: 'markdown',
    needs: { ...wget, cmark: 'cmark' },
    ask: async (run, file, folder) => {
      writeFileSync(join(folder, 'list.html'), await run('cmark', file));
      await run('wget', '--no-config', '--no-iri', '-nv', '-O', 'all', '--force-html', '-i', 'list.html');
    },
  },
  {
    tool: 'Python json',
    format: 'jsonl',
    needs: python,
    ask: readAndAsk('urls = [json.loads(line)["url"] for line in open(sys.argv[1], encoding="utf-8")]'),
  },
  {
    tool: 'Python csv',
    format: 'csv',
    needs: python,
    ask: readAndAsk(
      'urls = [row["url"] for row in csv.DictReader(open(sys.argv[1], encoding="utf-8", newline=""))]',
    ),
  },
  {
    tool: 'Gnumeric (a spreadsheet)',
    format: 'csv-excel',
    needs: { ssconvert: 'gnumeric', ...python },
    ask: async (run, file, folder, site) => {
      await run('ssconvert', '-T', 'Gnumeric_stf:stf_csv', file, 'again.csv');
      // A page whose title is =1+1: the spreadsheet must show that text and not 2.
      await run(
        process.execPath,
        'ONCEOVER',
        'convert',
        'SAMPLE',
        '--to',
        'csv-excel',
        '--round',
        '1',
        '--columns',
        'title',
        '-o',
        'title.csv',
      );
      await run('ssconvert', '-T', 'Gnumeric_stf:stf_csv', 'title.csv', 'shown.csv');
      await run('grep', '=1+1', 'shown.csv');
      const read = readAndAsk(
        'urls = [row["url"] for row in csv.DictReader(open("again.csv", encoding="utf-8", newline=""))]',
      );
      await read(run, file, folder, site);
    },
  },
  {
    tool: 'xmllint and Crawlee Sitemap.load',
    format: 'sitemap',
    needs: { xmllint: 'libxml2-utils' },
    ask: async (run, _file, folder, site) => {
      const { readFileSync } = await import('node:fs');
      for (const name of readdirSync(folder).filter((name) => name.endsWith('.xml'))) {
        await run('xmllint', '--noout', '--schema', 'SCHEMA', name);
        const url = site.serve('/sitemap.xml', readFileSync(join(folder, name), 'utf8'));
        const urls = (await run(process.execPath, 'CRAWLEE', 'sitemap', url)).trim().split('\n');
        writeFileSync(join(folder, 'urls.json'), JSON.stringify(urls));
        await readAndAsk('urls = json.load(open("urls.json"))')(run, name, folder, site);
      }
    },
  },
];
