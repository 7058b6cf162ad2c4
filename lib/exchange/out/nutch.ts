import type { ExportFormat } from '../format.ts';
import { seedLine } from './seed-line.ts';
import { lines } from './lines.ts';

export const nutch: ExportFormat = {
  name: 'nutch',
  extension: '.txt',
  mime: 'text/plain',
  purpose: { en: 'Nutch: seed lines with metadata', zh: 'Nutch：带元数据的种子' },
  proof: 'documentation',
  use: 'mkdir urls && cp FILE urls/ && nutch inject crawl/crawldb urls',
  fragment: 'drop',
  options: [],
  open: lines(seedLine),
};
