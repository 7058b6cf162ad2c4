import type { ExportFormat } from '../format.ts';
import { lines } from './lines.ts';

export const wget: ExportFormat = {
  name: 'wget',
  extension: '.txt',
  mime: 'text/plain',
  purpose: { en: 'wget: input file', zh: 'wget：输入文件' },
  proof: 'tool',
  use: 'wget --no-iri -x -i FILE',
  fragment: 'drop',
  options: [],
  open: lines(({ url }) => url),
};
