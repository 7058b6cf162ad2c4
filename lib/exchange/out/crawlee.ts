import type { ExportFormat } from '../format.ts';
import { jsonLine } from '../text.ts';

export const crawlee: ExportFormat = {
  name: 'crawlee',
  extension: '.json',
  mime: 'application/json',
  purpose: { en: 'Crawlee: sources for a RequestList', zh: 'Crawlee：RequestList 的 sources' },
  proof: 'tool',
  use: "RequestList.open(null, JSON.parse(readFileSync('FILE', 'utf8')))",
  fragment: 'keep',
  options: [],
  limitation: { en: 'Crawlee keeps one visit of a page', zh: 'Crawlee 对每个页面只保留一次访问' },
  open() {
    let separator = '[\n';
    return {
      entry({ url, key }) {
        // Without a uniqueKey Crawlee makes its own, which drops fragments and so merges routes.
        const line = separator + jsonLine({ url, uniqueKey: key ?? url });
        separator = ',\n';
        return line;
      },
      tail: () => (separator === '[\n' ? '[]\n' : '\n]\n'),
    };
  },
};
