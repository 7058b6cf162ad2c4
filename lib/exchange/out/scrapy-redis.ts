import type { ExportFormat } from '../format.ts';
import { jsonLine } from '../text.ts';
import { lines } from './lines.ts';

export const scrapyRedis: ExportFormat = {
  name: 'scrapy-redis',
  extension: '.jsonl',
  mime: 'application/jsonl',
  purpose: {
    en: 'scrapy-redis: JSON messages for its start list',
    zh: 'scrapy-redis：推入起始列表的 JSON 消息',
  },
  proof: 'tool',
  use: "xargs -d '\\n' -n 500 redis-cli lpush NAME:start_urls < FILE",
  fragment: 'drop',
  options: [],
  // Any key besides url, method and meta turns a GET into a form.
  open: lines(({ url }) => jsonLine({ url })),
};
