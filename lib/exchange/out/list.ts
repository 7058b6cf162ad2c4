import type { ExportFormat } from '../format.ts';
import { lines } from './lines.ts';

export const list: ExportFormat = {
  name: 'list',
  extension: '.txt',
  mime: 'text/plain',
  purpose: { en: 'Plain list, one address a line', zh: '纯文本列表，每行一个地址' },
  proof: 'tool',
  fragment: 'keep',
  options: [],
  open: lines(({ url }) => url),
};
