import { readLines } from '../lines.ts';
import { linkOf } from './json-link.ts';
import type { ImportFormat } from './reader.ts';

/** One JSON value a line: a text, or an object with an address in it. Lines that are no JSON but an address count too. */
export const jsonl: ImportFormat = {
  name: 'jsonl',
  extensions: ['.jsonl', '.ndjson', '.jl', '.cdxj'],
  purpose: { en: 'JSON Lines, also the result of a crawler', zh: 'JSON Lines，也可以是爬虫的结果' },
  async *read(bytes) {
    for await (const { first, lines } of readLines(bytes)) {
      for (const [index, text] of lines.entries()) {
        const line = first + index;
        if (text === null) {
          yield { line, column: 1, problem: 'The line is longer than 16 MiB.' };
          continue;
        }
        if (text.trim() === '') continue;
        // CDXJ puts a key and a time before the object.
        const start = Math.max(0, /^[^\s{]\S* \d{1,17} (?=\{)/.exec(text)?.[0].length ?? 0);
        if (start === 0 && /^\s*https?:/i.test(text)) {
          yield { line, column: 1, url: text.trim() };
          continue;
        }
        let value: unknown;
        try {
          value = JSON.parse(text.slice(start));
        } catch (error) {
          yield { line, column: start + columnOf(error), problem: 'The line is not JSON.' };
          continue;
        }
        const link = typeof value === 'string' ? { url: value } : linkOf(value);
        if (link === null)
          yield {
            line,
            column: start + 1,
            problem: 'There is no address in the line (a field url, uri, href, link or loc).',
          };
        else yield { line, column: Math.max(start, text.indexOf(JSON.stringify(link.url)) + 1) + 1, ...link };
      }
    }
  },
};

/** V8 says where it stopped; others do not. */
function columnOf(error: unknown): number {
  const position = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
  return position === undefined ? 1 : Number(position) + 1;
}
