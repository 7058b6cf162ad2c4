import type { ExportFormat } from '../format.ts';
import { escapeEntities, plainText } from '../text.ts';
import { lines } from './lines.ts';

export const markdown: ExportFormat = {
  name: 'markdown',
  extension: '.md',
  mime: 'text/markdown',
  purpose: { en: 'Markdown list for notes and tickets', zh: 'Markdown 列表，用于笔记和工单' },
  proof: 'tool',
  fragment: 'keep',
  options: [],
  open: lines(({ url, title }) => {
    const text = plainText(title ?? '');
    return text === '' ? `- <${escapeEntities(url)}>` : markdownLink(escapeMarkdown(text), url);
  }),
};

/** CommonMark decodes entities in link destinations too. */
export function markdownLink(text: string, url: string): string {
  return `- [${text}](<${escapeEntities(url)}>)`;
}

/** CommonMark: any ASCII punctuation may stand behind a backslash and is then itself. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, '\\$&');
}
