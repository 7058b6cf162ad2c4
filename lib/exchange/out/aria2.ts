import type { ExportFormat } from '../format.ts';
import { lines } from './lines.ts';

export const aria2: ExportFormat = {
  name: 'aria2',
  extension: '.txt',
  mime: 'text/plain',
  purpose: { en: 'aria2: input file', zh: 'aria2：输入文件' },
  proof: 'tool',
  use: 'aria2c --no-conf --follow-torrent=false --follow-metalink=false -i FILE',
  fragment: 'drop',
  options: [],
  open: lines(({ url }) => url),
};
