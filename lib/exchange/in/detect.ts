import { isHistoryLine } from './history-trends.ts';
import { linkOf } from './json-link.ts';
import type { ImportName } from './reader.ts';

/** How much of a file is looked at, in bytes. */
export const HEAD = 8192;

/** What a file is, by its beginning and then by its name. Content says more than a name: people rename. */
export function detectFormat(head: string, fileName = ''): ImportName {
  const text = head.replace(/^\uFEFF/, '').trimStart();
  const extension = /\.[a-z]+(?=(?:\.gz)?$)/i.exec(fileName)?.[0].toLowerCase() ?? '';
  const [first = '', second = ''] = text.split(/\r\n|\r|\n/);
  if (text.startsWith('{"format":"onceover-backup"')) return 'backup';
  if (/^<!DOCTYPE NETSCAPE-Bookmark/i.test(text)) return 'bookmarks';
  if (/<(?:[\w-]+:)?(?:urlset|sitemapindex|rss|feed)[\s>]/i.test(text)) return 'sitemap';
  if (/^<(?:!DOCTYPE html|html|head|body|a|p|div|ul|ol|table|span|meta|li|h\d)[\s>]/i.test(text))
    return 'html';
  if (text.startsWith('<?xml') || (text.startsWith('<') && extension === '.xml')) return 'sitemap';
  if (/^[[{"]/.test(text) && !/^\[[0-9a-f:]+\]/i.test(text)) {
    if (text.startsWith('{') && /"log"\s*:\s*\{/.test(text) && /"(?:entries|creator|version)"/.test(text))
      return 'har';
    const value = parseJson(first);
    if (value !== undefined && (second.trim() !== '' || typeof value === 'string' || linkOf(value) !== null))
      return 'jsonl';
    if (!text.startsWith('"')) return 'json';
  }
  if (/^\S+ \d{1,17} \{/.test(first)) return 'jsonl';
  if (isHistoryLine(first)) return 'history-trends';
  if (['.csv', '.tsv', '.tab'].includes(extension)) return 'csv';
  if (['.md', '.markdown', '.curl', '.log'].includes(extension)) return 'text';
  if (['.html', '.htm', '.xhtml'].includes(extension)) return 'html';
  if (isTableHead(first)) return 'csv';
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  // The last line of the head may be cut.
  const whole = lines.length > 1 && head.length >= HEAD ? lines.slice(0, -1) : lines;
  const addresses = whole.filter(
    (line) => /^\s*(?:F[+si] +)?https?(?::|%)\S/i.test(line) && !/\S\s+https?:/i.test(line),
  );
  if (extension === '.txt' || extension === '' || addresses.length === whole.length) {
    return addresses.length * 2 >= whole.length ? 'list' : 'text';
  }
  return addresses.length > 0 ? 'list' : 'text';
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** A first line of names, one of them for an address, or of quoted cells. */
function isTableHead(line: string): boolean {
  if (/^sep=.$/i.test(line.trim())) return true;
  if (/^"(?:[^"]|"")*"[,;\t|]/.test(line)) return true;
  const names = line.split(/[,;\t|]/);
  return (
    names.length > 1 &&
    names.some((name) =>
      /^\s*"?(?:page ?)?(?:url|uri|address|link|href|loc|网址|链接|地址)s?"?\s*$/i.test(name),
    )
  );
}
