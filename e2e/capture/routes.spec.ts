// Pages that change their address without loading: pushState, replaceState, fragments, the Navigation API.
import { expect, test } from './round.ts';

test('pushState, and back in the same document', async ({ tab, round, demo }) => {
  await tab.goto(`${demo.url}/app/hosts`);
  await tab.getByText('db-1').click();
  await tab.waitForTimeout(1000);
  await tab.goBack();
  await round.expectVisits([
    'first /app/hosts typed',
    'first /app/hosts/db-1 link < /app/hosts',
    'return /app/hosts back',
  ]);
  for (const { told } of await round.visitRows()) expect(told).toEqual(['browser', 'observer']);
});

test('search as you type is one page', async ({ tab, round, demo }) => {
  await tab.goto(`${demo.url}/app/search`);
  await tab.waitForTimeout(900);
  await tab.locator('#q').pressSequentially('cache', { delay: 120 });
  await round.expectVisits(['first /app/search typed', 'first /app/search?q=cache script < /app/search']);
});

test('a storm of replaceState with the same address is one visit, and does not keep a route from settling', async ({
  tab,
  round,
  demo,
}) => {
  await tab.goto(`${demo.url}/app/hosts`);
  await tab.evaluate(() => {
    history.pushState(null, '', '/app/alerts');
    let scroll = 0;
    const storm = setInterval(() => history.replaceState({ scroll }, '', location.href), 100);
    setTimeout(() => clearInterval(storm), 3000);
    scroll += 1;
  });
  await tab.waitForTimeout(1800);
  expect(await round.visits()).toEqual(['first /app/hosts typed', 'first /app/alerts script < /app/hosts']);
  await round.expectVisits(['first /app/hosts typed', 'first /app/alerts script < /app/hosts'], 2000);
});

test('pushState of the same address is no visit', async ({ tab, round, demo }) => {
  await tab.goto(`${demo.url}/app/hosts`);
  await tab.evaluate(() => history.pushState(null, '', location.href));
  await round.expectVisits(['first /app/hosts typed'], 1500);
});

test('replaceState and pushState in one go, as routers do, are one page', async ({ tab, round, demo }) => {
  await tab.goto(`${demo.url}/app/hosts`);
  await tab.evaluate(() => {
    history.replaceState({ s: 1 }, '', location.href);
    history.pushState({}, '', '/app/alerts');
  });
  await round.expectVisits(['first /app/hosts typed', 'first /app/alerts script < /app/hosts'], 900);
});

test('an intercepted navigation is one page', async ({ tab, round, demo }) => {
  await tab.goto(`${demo.url}/app/hosts`);
  await tab.evaluate(() => {
    const { navigation } = globalThis as unknown as {
      navigation: EventTarget & { navigate(url: string): void };
    };
    navigation.addEventListener('navigate', (event) => (event as Event & { intercept(): void }).intercept());
    navigation.navigate('/app/alerts');
  });
  await round.expectVisits(['first /app/hosts typed', 'first /app/alerts script < /app/hosts'], 900);
});

test('routes in the fragment are pages, other fragments are not', async ({ tab, round, demo }) => {
  await tab.goto(`${demo.url}/board#/overview`);
  await tab.getByText('Hosts').first().click();
  await tab.waitForTimeout(1000);
  await tab.evaluate(() => {
    location.hash = '#section-2';
  });
  await tab.waitForTimeout(1000);
  await round.expectVisits(
    [
      'first /board#/overview typed',
      'first /board#/hosts link < /board#/overview',
      'first /board#section-2 script < /board#/hosts',
    ],
    900,
  );
  expect(await round.pages()).toEqual([
    'visited /board#/hosts',
    'visited /board#/overview',
    'visited /board#section-2',
  ]);
});

test('/a → /b → /a in one document are two visits of /a', async ({ tab, round, demo }) => {
  await tab.goto(`${demo.url}/app/hosts`);
  for (const path of ['/app/alerts', '/app/hosts']) {
    await tab.waitForTimeout(950);
    await tab.evaluate((path) => history.pushState(null, '', path), path);
  }
  await round.expectVisits(
    [
      'first /app/hosts typed',
      'first /app/alerts script < /app/hosts',
      'return /app/hosts script < /app/alerts',
    ],
    900,
  );
});
