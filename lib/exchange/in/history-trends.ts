import { readLines } from '../lines.ts';
import type { Found, ImportFormat } from './reader.ts';

/** `U` and milliseconds, as History Trends Unlimited writes times. */
const TIME = /^U?(\d{12,16})(?:\.\d+)?$/;

/** True for a line of a History Trends Unlimited export: address, then somewhere a time. */
export function isHistoryLine(line: string): boolean {
  const cells = line.split('\t');
  return (
    cells.length >= 3 &&
    /^[a-z][a-z0-9+.-]*:/i.test(cells[0] ?? '') &&
    cells.slice(1).some((cell) => TIME.test(cell))
  );
}

/**
 * The TSV of History Trends Unlimited: address, time, transition and title (archive: 3 or 4 columns; analysis: 8, with the time in the
 * fourth). There is no header and no quoting; the title is last.
 */
export const historyTrends: ImportFormat = {
  name: 'history-trends',
  extensions: [],
  purpose: { en: 'History Trends Unlimited (TSV)', zh: 'History Trends Unlimited（TSV）' },
  async *read(bytes) {
    for await (const { first, lines } of readLines(bytes)) {
      for (const [index, text] of lines.entries()) {
        const line = first + index;
        if (text === null) yield { line, column: 1, problem: 'The line is longer than 16 MiB.' };
        else if (text.trim() !== '') {
          const [url = '', ...cells] = text.split('\t');
          const at = cells.map((cell) => TIME.exec(cell)?.[1]).find((time) => time !== undefined);
          if (cells.length < 2 || at === undefined) {
            yield { line, column: url.length + 2, problem: 'The line has no time of visit.' };
            continue;
          }
          const found: Found = { line, column: 1, url, at: Number(at) };
          const title = cells.length >= 3 ? cells.at(-1) : undefined;
          if (title) found.title = title;
          yield found;
        }
      }
    }
  },
};
