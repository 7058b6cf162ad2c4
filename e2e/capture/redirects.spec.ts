// With the optional permission to see requests, every step of a redirect is known, with its status.
import { expect, test } from '../harness/test.ts';
import { Round } from './round.ts';

test.use({ launch: { grant: 'start', apis: ['webNavigation', 'webRequest'] } });

test('the middle steps of a chain, and their statuses', async ({ onceover: browser, demo }) => {
  const round = await Round.start(browser, demo.url);
  const tab = await browser.context.newPage();
  await tab.goto(`${demo.url}/go/chain/111`);
  await round.expectVisits(['first /shop/item/111 typed via /go/chain/111 via /old/item/111']);
  const [visit] = await round.visitRows();
  expect(visit?.chain?.map(({ status }) => status)).toEqual([302, 301]);
  expect(
    demo.log.filter(({ dest }) => dest === 'document').map(({ path, status }) => `${path} ${status}`),
  ).toEqual(['/go/chain/111 302', '/old/item/111 301', '/shop/item/111 200']);
});
