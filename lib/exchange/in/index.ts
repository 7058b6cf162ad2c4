import { backup } from './backup.ts';
import { bookmarks, html } from './bookmarks.ts';
import { csv } from './csv.ts';
import { har } from './har.ts';
import { historyTrends } from './history-trends.ts';
import { json } from './json.ts';
import { jsonl } from './jsonl.ts';
import { list } from './list.ts';
import type { ImportFormat, ImportName } from './reader.ts';
import { sitemap } from './sitemap.ts';
import { text } from './text.ts';

/** Every import format, in the order in which lists show them. */
export const IMPORTS: readonly ImportFormat[] = [
  list,
  csv,
  json,
  jsonl,
  sitemap,
  bookmarks,
  har,
  historyTrends,
  html,
  text,
  backup,
];

export function findImport(name: string): ImportFormat | undefined {
  return IMPORTS.find((format) => format.name === (name as ImportName));
}
