import type { ExportFormat } from '../format.ts';
import { lines } from './lines.ts';
import { markdownLink } from './markdown.ts';

export const lychee: ExportFormat = {
  name: 'lychee',
  extension: '.md',
  mime: 'text/markdown',
  purpose: { en: 'lychee: Markdown whose links it checks', zh: 'lychee：供其检查链接的 Markdown' },
  proof: 'documentation',
  use: 'lychee --include-fragments FILE',
  fragment: 'keep',
  options: [],
  // In plain text lychee loses a full stop or bracket at the end of an address; in angle brackets it does not.
  open: lines(({ url }) => markdownLink('link', url)),
};
