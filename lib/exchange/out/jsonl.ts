import { COLUMNS, type ExportFormat } from '../format.ts';
import { jsonLine } from '../text.ts';
import { lines } from './lines.ts';

export const jsonl: ExportFormat = {
  name: 'jsonl',
  extension: '.jsonl',
  mime: 'application/jsonl',
  purpose: {
    en: 'JSON Lines: everything known of a page, for programs',
    zh: 'JSON Lines：页面的全部信息，供程序使用',
  },
  proof: 'tool',
  use: 'jq -r .url FILE',
  fragment: 'keep',
  options: [],
  open: lines((record) => jsonLine(record, [...COLUMNS, 'firstSeenAt', 'otherAddresses'])),
};
