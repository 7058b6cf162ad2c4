import { describe, expect, test } from 'vitest';
import { follow, noteClick, settleRoute, type Fact, type Signal } from './follow.ts';
import type { Click, TabState } from './tabs.ts';

const SITE = 'https://shop.example.com';
const EMPTY: TabState = { clicks: [] };

const asked = (path: string, at: number): Signal => ({ type: 'asked', url: SITE + path, at });
const committed = (path: string, at: number, more: Partial<Signal & { type: 'committed' }> = {}): Signal => ({
  type: 'committed',
  url: path.startsWith('http') || path.startsWith('about') ? path : SITE + path,
  at,
  document: `D${at}`,
  transition: 'link',
  qualifiers: [],
  ...more,
});
const route = (path: string, at: number, document = 'D1'): Signal => ({
  type: 'route',
  url: SITE + path,
  at,
  document,
  qualifiers: [],
});
const click = (from: string, href: string, at: number, more: Partial<Click> = {}): Click => ({
  event: `c${at}`,
  document: 'D1',
  url: SITE + from,
  href: SITE + href,
  text: 'There',
  how: 'link',
  newTab: false,
  at,
  ...more,
});

function run(signals: (Signal | Click)[], from = EMPTY): { state: TabState; facts: Fact[] } {
  let state = from;
  const facts: Fact[] = [];
  for (const signal of signals) {
    if ('href' in signal) {
      state = noteClick(state, signal);
      continue;
    }
    const next = follow(state, signal);
    state = next.state;
    facts.push(...next.facts);
  }
  return { state, facts };
}

const brief = (facts: Fact[]) => facts.map((fact) => [fact.type, fact.url.replace(SITE, ''), fact.how]);

describe('documents', () => {
  test.each([
    ['link', [], 'link', 'start'],
    ['typed', [], 'typed', 'start'],
    ['typed', ['from_address_bar'], 'typed', 'start'],
    ['auto_bookmark', [], 'bookmark', 'start'],
    ['form_submit', [], 'form', 'start'],
    ['reload', [], 'reload', 'start'],
    ['typed', ['forward_back'], 'back', 'back'],
    ['link', ['client_redirect'], 'script', 'start'],
    ['start_page', [], 'other', 'start'],
  ])('%s %j is %s', (transition, qualifiers, how, moment) => {
    const { facts } = run([committed('/a', 1, { transition, qualifiers })]);
    expect(facts).toMatchObject([{ type: 'shown', by: 'browser', how, moment, document: 'D1' }]);
  });

  test('a click says how and from where, and is used once', () => {
    const { facts, state } = run([
      committed('/', 1, { transition: 'typed' }),
      click('/', '/a', 10),
      asked('/a', 11),
      committed('/a', 12),
    ]);
    expect(facts[1]).toMatchObject({ how: 'link', source: `${SITE}/`, linkText: 'There' });
    expect(state.clicks).toEqual([]);
  });

  test('without a click the page before is the source, but not of what was typed', () => {
    const { facts } = run([
      committed('/', 1),
      committed('/a', 2),
      committed('/b', 3, { transition: 'typed' }),
      committed('/c', 4, { transition: 'reload' }),
    ]);
    expect(facts.map(({ source }) => source)).toEqual([undefined, `${SITE}/`, undefined, undefined]);
  });

  test('userinfo and text directives are cut before anything else', () => {
    const { facts } = run([
      { type: 'asked', url: 'https://u:pw@shop.example.com/x#:~:text=a', at: 1 },
      committed('https://u:pw@shop.example.com/x#:~:text=a', 2),
    ]);
    expect(facts[0]?.url).toBe(`${SITE}/x`);
    expect(JSON.stringify(facts)).not.toContain('pw');
  });

  test('what is no page of the web is forgotten, and is nobody’s source', () => {
    const { facts } = run([committed('/', 1), committed('about:blank', 2), committed('/a', 3)]);
    expect(facts.map(({ source }) => source)).toEqual([undefined, undefined]);
  });
});

describe('redirects', () => {
  test('the server was first asked for another address', () => {
    const { facts } = run([asked('/s', 1), committed('/final', 2, { qualifiers: ['server_redirect'] })]);
    expect(facts).toMatchObject([{ url: `${SITE}/final`, chain: [{ url: `${SITE}/s`, kind: 'server' }] }]);
  });

  test('a click on the first address explains the visit of the last', () => {
    const { facts } = run([
      committed('/', 1),
      click('/', '/s', 5),
      asked('/s', 6),
      committed('/final', 7, { qualifiers: ['server_redirect'] }),
    ]);
    expect(facts[1]).toMatchObject({ url: `${SITE}/final`, how: 'link', linkText: 'There' });
  });

  const hop = (from: string, to: string, status: number, at: number): Signal => ({
    type: 'redirected',
    url: SITE + from,
    to: SITE + to,
    status,
    at,
  });

  test('every step is known where the browser may tell it', () => {
    const { facts } = run([
      asked('/s', 1),
      hop('/s', '/m', 302, 2),
      hop('/m', '/final', 301, 3),
      committed('/final', 4, { qualifiers: ['server_redirect'] }),
    ]);
    expect(facts).toMatchObject([
      {
        chain: [
          { url: `${SITE}/s`, kind: 'server', status: 302 },
          { url: `${SITE}/m`, kind: 'server', status: 301 },
        ],
      },
    ]);
  });

  test('steps that do not fit are not believed', () => {
    const { facts } = run([
      asked('/s', 1),
      hop('/m', '/elsewhere', 301, 3),
      committed('/final', 4, { qualifiers: ['server_redirect'] }),
    ]);
    expect(facts).toMatchObject([{ chain: [{ url: `${SITE}/s`, kind: 'server' }] }]);
  });

  test('a stub leads on: its address, document and time, after what led to it', () => {
    const { facts } = run([
      asked('/s', 1),
      committed('/stub', 2, { qualifiers: ['server_redirect'] }),
      asked('/final', 3),
      committed('/final', 4, { qualifiers: ['client_redirect'] }),
    ]);
    expect(facts[1]).toMatchObject({
      url: `${SITE}/final`,
      chain: [
        { url: `${SITE}/s`, kind: 'server' },
        { url: `${SITE}/stub`, kind: 'client', document: 'D2', at: 2, input: false },
      ],
    });
  });

  test('a page that leads on after a while starts a chain of its own', () => {
    const { facts } = run([
      committed('/a', 1),
      committed('/b', 2, { qualifiers: ['client_redirect'] }),
      committed('/c', 60_000, { qualifiers: ['client_redirect'] }),
    ]);
    expect(facts[2]).toMatchObject({ chain: [{ url: `${SITE}/b`, kind: 'client', at: 2 }] });
  });

  test('a page that reloads itself for ever makes no endless chain', () => {
    const signals = Array.from({ length: 200 }, (_, n) =>
      committed(`/${n}`, 1 + n, { qualifiers: ['client_redirect'] }),
    );
    const last = run(signals).facts.at(-1);
    expect(last?.type === 'shown' && last.chain?.length).toBe(20);
  });
});

describe('failures', () => {
  test('a network error belongs to the address first asked for', () => {
    const { facts } = run([
      asked('/s', 1),
      { type: 'error', url: `${SITE}/final`, at: 2, error: 'net::ERR_CONNECTION_REFUSED' },
    ]);
    expect(facts).toMatchObject([{ type: 'failed', url: `${SITE}/s`, error: 'net::ERR_CONNECTION_REFUSED' }]);
  });

  test('a download or an empty answer is no visit, and keeps the page as source', () => {
    const { facts } = run([
      committed('/', 1),
      click('/', '/file', 2),
      asked('/file', 3),
      { type: 'error', url: `${SITE}/file`, at: 4, error: 'net::ERR_ABORTED' },
      committed('/a', 5),
    ]);
    expect(brief(facts)).toEqual([
      ['shown', '/', 'link'],
      ['unshown', '/file', 'link'],
      ['shown', '/a', 'link'],
    ]);
    expect(facts[2]?.source).toBe(`${SITE}/`);
  });
});

describe('routes', () => {
  const start = committed('/app', 1);

  test('settle after 800 ms of quiet, at the next signal or when asked', () => {
    const { facts, state } = run([start, route('/app/a', 1000)]);
    expect(brief(facts)).toEqual([['shown', '/app', 'link']]);
    expect(settleRoute(state, 1799).facts).toEqual([]);
    expect(settleRoute(state, 1800).facts).toMatchObject([
      { type: 'shown', moment: 'route', url: `${SITE}/app/a`, at: 1000, document: 'D1' },
    ]);
    expect(brief(run([committed('/b', 5000)], state).facts)).toEqual([
      ['shown', '/app/a', 'script'],
      ['shown', '/b', 'link'],
    ]);
  });

  test('search as you type is one route', () => {
    const letters = Array.from({ length: 8 }, (_, n) => route(`/app?q=${'x'.repeat(n)}`, 1000 + n * 150));
    const { state, facts } = run([start, ...letters]);
    expect(facts).toHaveLength(1);
    expect(settleRoute(state, 9000).facts).toMatchObject([{ url: `${SITE}/app?q=xxxxxxx`, at: 2050 }]);
  });

  test('the same address said again and again is quiet all the same', () => {
    const storm = Array.from({ length: 20 }, (_, n) => route('/app/a', 1000 + n * 100));
    const { facts } = run([start, ...storm]);
    expect(brief(facts)).toEqual([
      ['shown', '/app', 'link'],
      ['shown', '/app/a', 'script'],
    ]);
  });

  test('one that something else replaces too soon never counted', () => {
    const { facts } = run([start, route('/app/a', 1000), committed('/b', 1500), committed('/c', 9000)]);
    expect(brief(facts).map(([, path]) => path)).toEqual(['/app', '/b', '/c']);
  });

  test('a click that led to a route explains it; going back is no click', () => {
    const { state } = run([start, click('/app', '/app/a', 990), route('/app/a', 1000)]);
    expect(settleRoute(state, 2000).facts).toMatchObject([{ how: 'link', source: `${SITE}/app` }]);
    const back = run([start, { ...route('/app/a', 1000), qualifiers: ['forward_back'] } as Signal]);
    expect(settleRoute(back.state, 2000).facts).toMatchObject([{ how: 'back' }]);
  });

  test('the page is the source of what follows', () => {
    const { facts } = run([start, route('/app/a', 1000), committed('/b', 9000)]);
    expect(facts.at(-1)?.source).toBe(`${SITE}/app/a`);
  });
});

describe('clicks', () => {
  test('a form leads to its action with any query', () => {
    const { facts } = run([
      committed('/', 1),
      click('/', '/find', 5, { how: 'form', text: '' }),
      committed('/find?q=x+y%26z', 6, { transition: 'form_submit' }),
    ]);
    expect(facts[1]).toMatchObject({ how: 'form', source: `${SITE}/` });
  });

  test('an address changed on the way is still that click’s, if it was just now', () => {
    const soon = run([committed('/', 1), click('/', '/out?to=a', 5000), committed('/a', 5500)]);
    expect(soon.facts[1]).toMatchObject({ linkText: 'There' });
    const late = run([committed('/', 1), click('/', '/out?to=a', 5000), committed('/a', 9500)]);
    expect(late.facts[1]).not.toHaveProperty('linkText');
  });

  test('one that was used and is sent again explains nothing else', () => {
    const used = click('/', '/a', 5000);
    const again = run([committed('/', 1), used, committed('/a', 5100), used, committed('/b', 5400)]);
    expect(again.facts[1]).toMatchObject({ linkText: 'There' });
    expect(again.facts[2]).not.toHaveProperty('linkText');
    expect(again.state.clicks).toEqual([]);
  });

  test('what a page resends long after is still known as used', () => {
    const clicks = Array.from({ length: 40 }, (_, n) => click('/', `/${n}`, 1000 * n + 500));
    const walk = clicks.flatMap((each, n) => [each, committed(`/${n}`, 1000 * n + 600)]);
    const { state } = run([committed('/', 1), ...walk, clicks[0]!]);
    expect(state.clicks).toEqual([]);
    expect(
      run(Array.from({ length: 90 }, (_, n) => [click('/', `/${n}`, n), committed(`/${n}`, n)]).flat()).state
        .used,
    ).toHaveLength(50);
  });

  test('one for a new tab is not taken for this one', () => {
    const { facts } = run([committed('/', 1), click('/', '/a', 5, { newTab: true }), committed('/b', 6)]);
    expect(facts[1]).not.toHaveProperty('linkText');
  });

  test('a page that makes up clicks costs nothing', () => {
    const many = Array.from({ length: 500 }, (_, n) => click('/', `/${n}`, n));
    expect(run(many).state.clicks).toHaveLength(20);
  });
});
