import type { ExportFormat } from '../format.ts';
import { jsonLine } from '../text.ts';
import { lines } from './lines.ts';

export const urlfrontier: ExportFormat = {
  name: 'urlfrontier',
  extension: '.jsonl',
  mime: 'application/jsonl',
  purpose: { en: 'URLFrontier: discovered URLs for PutURLs', zh: 'URLFrontier：PutURLs 读取的新发现地址' },
  proof: 'documentation',
  use: 'java -jar urlfrontier-client.jar PutURLs -f FILE',
  fragment: 'drop',
  options: [],
  open: lines(({ url, host }) => jsonLine({ discovered: { info: { url, key: host } } })),
};
