// Crawls what an export says, as a user of Crawlee would: `node crawlee.mjs sources FILE`, `requests-from-url LIST_URL PROXY` or
// `sitemap SITEMAP_URL` (which only prints the addresses).
import { readFileSync } from 'node:fs';
import { Configuration, HttpCrawler, LogLevel, log, ProxyConfiguration, RequestList, Sitemap } from 'crawlee';

log.setLevel(LogLevel.ERROR);
const [how, where, proxy] = process.argv.slice(2);

if (how === 'sitemap') {
  const { urls } = await Sitemap.load(where);
  console.log(urls.join('\n'));
} else {
  const sources = how === 'sources' ? JSON.parse(readFileSync(where, 'utf8')) : [{ requestsFromUrl: where }];
  const requestList = await RequestList.open(null, sources);
  const crawler = new HttpCrawler(
    {
      requestList,
      requestHandler: () => {},
      maxRequestRetries: 0,
      useSessionPool: false,
      ...(proxy ? { proxyConfiguration: new ProxyConfiguration({ proxyUrls: [proxy] }) } : {}),
    },
    new Configuration({ persistStorage: false }),
  );
  const { requestsFailed } = await crawler.run();
  process.exitCode = requestsFailed > 0 ? 1 : 0;
}
