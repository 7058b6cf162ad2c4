// Walks a site and shares the round with whatever else asks the same service:
//
//   onceover serve                                   (prints the token)
//   npm install crawlee onceover
//   ONCEOVER_TOKEN=… node example.mjs https://shop.example.com/
import { CheerioCrawler, RequestQueue } from 'crawlee';
import { shareRound } from 'onceover/crawlee';

const starts = process.argv.slice(2);
const shared = shareRound(
  await RequestQueue.open(),
  async ({ request, $, enqueueLinks, pushData }) => {
    await pushData({ url: request.loadedUrl, title: $('title').text() });
    // Each address as it stands: what is the same page the service decides.
    await enqueueLinks({
      strategy: 'same-hostname',
      transformRequestFunction: (link) => ({ ...link, uniqueKey: link.url }),
    });
  },
  {
    service: process.env.ONCEOVER_SERVICE,
    namespace: process.env.ONCEOVER_NAMESPACE,
    round: process.env.ONCEOVER_ROUND,
  },
);
const crawler = new CheerioCrawler({ ...shared.options, minConcurrency: 4, maxConcurrency: 10 });
try {
  // Start addresses are fetched by every crawler: without their links it could not begin.
  await crawler.run(starts.map((url) => ({ url, uniqueKey: url, userData: { onceover: false } })));
} finally {
  await shared.close();
}
console.log(JSON.stringify(shared.counts));
