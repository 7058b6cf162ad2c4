import type { ExportFormat } from '../format.ts';
import { lines } from './lines.ts';

export const browsertrix: ExportFormat = {
  name: 'browsertrix',
  extension: '.txt',
  mime: 'text/plain',
  purpose: { en: 'Browsertrix Crawler: seed file', zh: 'Browsertrix Crawler：种子文件' },
  proof: 'documentation',
  use: 'crawl --seedFile FILE --scopeType page',
  fragment: 'keep',
  options: [],
  open: lines(({ url }) => url),
};
