import type { ExportFormat, FormatName } from './format.ts';
import { aria2 } from './out/aria2.ts';
import { backup } from './out/backup.ts';
import { bookmarks } from './out/bookmarks.ts';
import { browsertrix } from './out/browsertrix.ts';
import { cdxj } from './out/cdxj.ts';
import { crawleeList } from './out/crawlee-list.ts';
import { crawlee } from './out/crawlee.ts';
import { csvExcel } from './out/csv-excel.ts';
import { csv } from './out/csv.ts';
import { curl } from './out/curl.ts';
import { heritrix } from './out/heritrix.ts';
import { httrack } from './out/httrack.ts';
import { jsonl } from './out/jsonl.ts';
import { katana } from './out/katana.ts';
import { list } from './out/list.ts';
import { lychee } from './out/lychee.ts';
import { markdown } from './out/markdown.ts';
import { nutch } from './out/nutch.ts';
import { scrapyRedis } from './out/scrapy-redis.ts';
import { scrapy } from './out/scrapy.ts';
import { sitemap } from './out/sitemap.ts';
import { stormcrawler } from './out/stormcrawler.ts';
import { urlfrontier } from './out/urlfrontier.ts';
import { wget } from './out/wget.ts';

/** Every export format, in the order in which lists show them. */
export const FORMATS: readonly ExportFormat[] = [
  list,
  jsonl,
  csv,
  csvExcel,
  scrapy,
  crawlee,
  crawleeList,
  scrapyRedis,
  wget,
  curl,
  aria2,
  httrack,
  sitemap,
  bookmarks,
  markdown,
  heritrix,
  nutch,
  stormcrawler,
  urlfrontier,
  browsertrix,
  katana,
  lychee,
  cdxj,
  backup,
];

export function findFormat(name: string): ExportFormat | undefined {
  return FORMATS.find((format) => format.name === (name as FormatName));
}
