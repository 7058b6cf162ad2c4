import type { ExportFormat } from '../format.ts';
import { lines } from './lines.ts';
import { seedLine } from './seed-line.ts';

export const stormcrawler: ExportFormat = {
  name: 'stormcrawler',
  extension: '.txt',
  mime: 'text/plain',
  purpose: { en: 'StormCrawler: seed lines with metadata', zh: 'StormCrawler：带元数据的种子' },
  proof: 'documentation',
  use: 'storm jar TOPOLOGY.jar … injection . FILE',
  fragment: 'drop',
  options: [],
  open: lines(seedLine),
};
