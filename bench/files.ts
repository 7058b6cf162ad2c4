import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { listOf, seeded, shuffled, type List } from './lists.ts';

/** The different lines of a file, in no order as links come (`--urls`), which may be gzipped. */
export function readList(path: string): List {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const urls = [...new Set(text.split(/\r?\n/))].filter((line) => line !== '');
  return listOf(basename(path).replace(/\.txt(\.gz)?$/, ''), shuffled(urls, seeded(1)));
}
