import { readLines } from '../lines.ts';
import { findAddresses } from './find-addresses.ts';
import type { ImportFormat } from './reader.ts';

/** Any text: mail, chat, Markdown, configuration. */
export const text: ImportFormat = {
  name: 'text',
  extensions: ['.md', '.markdown', '.curl', '.log'],
  purpose: { en: 'Text with addresses in it', zh: '含有地址的文本' },
  async *read(bytes) {
    for await (const { first, lines } of readLines(bytes)) {
      for (const [index, text] of lines.entries()) {
        const line = first + index;
        if (text === null) yield { line, column: 1, problem: 'The line is longer than 16 MiB.' };
        else for (const { url, column } of findAddresses(text)) yield { line, column, url };
      }
    }
  },
};
