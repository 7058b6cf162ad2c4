import type { ExportFormat } from '../format.ts';
import { jsonLine } from '../text.ts';
import { lines } from './lines.ts';

export const scrapy: ExportFormat = {
  name: 'scrapy',
  extension: '.jsonl',
  mime: 'application/jsonl',
  purpose: {
    en: 'Scrapy: JSON Lines and a spider that reads them',
    zh: 'Scrapy：JSON Lines 以及读取它的爬虫',
  },
  proof: 'tool',
  use: 'scrapy runspider …_spider.py (written beside FILE)',
  fragment: 'drop',
  options: [],
  open: lines(({ url }) => jsonLine({ url })),
  // Scrapy imports the program by its name, so that must be a word.
  companions: (fileName) => [{ name: `${fileName.replace(/\W+/g, '_')}_spider.py`, text: spider(fileName) }],
};

/**
 * `start` is what Scrapy 2.13 calls, `start_requests` what older ones call. Scrapy would else leave out addresses above 2,083
 * characters and those its own fingerprint takes for repeats (it ignores the order of parameters).
 */
function spider(fileName: string): string {
  return `import json, pathlib, scrapy

class OnceoverSpider(scrapy.Spider):
    name = "onceover"
    custom_settings = {"URLLENGTH_LIMIT": 0}

    def start_requests(self):
        with (pathlib.Path(__file__).parent / "${fileName}").open(encoding="utf-8") as lines:
            for line in lines:
                yield scrapy.Request(json.loads(line)["url"], self.parse, dont_filter=True)

    async def start(self):
        for request in self.start_requests():
            yield request

    def parse(self, response):
        yield {"url": response.request.url, "status": response.status}
`;
}
