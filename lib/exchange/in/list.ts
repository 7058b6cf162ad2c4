import { readLines } from '../lines.ts';
import type { ImportFormat } from './reader.ts';

/**
 * One address a line. Blank lines and `#` comments are no addresses; metadata behind a tab (Nutch, StormCrawler) and the tags of
 * Heritrix recover files (`F+ `, `Fs `, `Fi `) are cut off.
 */
export const list: ImportFormat = {
  name: 'list',
  extensions: ['.txt', '.list', '.lst', '.seeds', '.include', '.urls'],
  purpose: { en: 'List, one address a line', zh: '每行一个地址的列表' },
  async *read(bytes) {
    for await (const { first, lines } of readLines(bytes)) {
      for (const [index, text] of lines.entries()) {
        const line = first + index;
        if (text === null) yield { line, column: 1, problem: 'The line is longer than 16 MiB.' };
        else {
          const start = /^\s*(?:F[+si] +)?/.exec(text)?.[0].length ?? 0;
          const [url = ''] = text.slice(start).split('\t');
          if (url.trim() !== '' && !url.startsWith('#'))
            yield { line, column: start + 1, url: url.trimEnd() };
        }
      }
    }
  },
};
