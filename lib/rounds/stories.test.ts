import { describe, expect, it } from 'vitest';
import { holds } from './aliases.ts';
import type { CaptureEvent, Shown } from './events.ts';
import { MemoryStore } from './memory.fixture.ts';
import type { Hop } from './types.ts';

const SITE = 'https://a.example.com';
let count = 0;
let at = 0;

/** One navigation, ten minutes after the one before. */
function go(
  store: MemoryStore,
  path: string,
  more: Partial<Shown> & { via?: (string | Hop)[] } = {},
): string {
  at += 600_000;
  const { via = [], ...rest } = more;
  const document = `d${(count += 1)}`;
  const chain = via.map((hop): Hop =>
    typeof hop === 'string' ? { url: full(hop), kind: 'server', status: 302 } : hop,
  );
  const told: CaptureEvent = {
    type: 'shown',
    id: document,
    by: 'browser',
    document,
    moment: 'start',
    url: full(path),
    at,
    chain,
    status: 200,
  };
  store.record({ ...told, ...rest });
  return document;
}

const full = (path: string) => (path.startsWith('/') ? SITE + path : path);
const short = (key: string) => key.replace(SITE, '');

function pagesOf(store: MemoryStore): Record<string, string> {
  const rows = store.rows('pages').filter(({ space }) => space === store.round.space);
  return Object.fromEntries(
    rows.map(({ key, state, reason, visits }) => [short(key), `${state} ${reason ?? visits}`]),
  );
}
function aliasesOf(store: MemoryStore): string[] {
  const held = store.rows('aliases').filter((alias) => holds(alias, store.round, store.scope.tokens));
  return held.map(({ from, to, strength }) => `${short(from)} ${short(to)} ${strength}`).sort();
}

describe('sinks', () => {
  it('never swallow pages that a script shows by number', () => {
    const store = new MemoryStore();
    go(store, '/product.php?id=1', { via: ['/old/1'] });
    go(store, '/product.php?id=2', { via: ['/old/2'] });
    go(store, '/product.php?id=3');
    go(store, '/product.php?id=4');
    expect(pagesOf(store)).toEqual({
      '/old/1': 'retrying sink',
      '/old/2': 'retrying sink',
      '/product.php': 'visited 2',
      '/product.php?id=3': 'visited 1',
      '/product.php?id=4': 'visited 1',
    });
  });

  it('never swallow routes of one document', () => {
    const store = new MemoryStore();
    go(store, '/app#/login?next=/a', { via: ['/a'] });
    go(store, '/app#/login?next=/b', { via: ['/b'] });
    go(store, '/app#/orders');
    expect(pagesOf(store)).toEqual({
      '/a': 'retrying sink',
      '/b': 'retrying sink',
      '/app#/login': 'visited 2',
      '/app#/orders': 'visited 1',
    });
  });

  it('take in addresses with nothing but the way back, before and after', () => {
    const store = new MemoryStore();
    go(store, '/login?next=%2Fwelcome');
    go(store, '/login?next=/r/1', { via: ['/r/1'] });
    go(store, '/login?next=/r/2', { via: ['/r/2'] });
    go(store, '/login?next=/r/2');
    go(store, '/login');
    expect(pagesOf(store)).toEqual({
      '/login': 'visited 5',
      '/r/1': 'retrying sink',
      '/r/2': 'retrying sink',
    });
  });

  it('need different paths on the same host, and five originals of others', () => {
    const store = new MemoryStore();
    for (const id of [1, 2, 3]) go(store, '/landing', { via: [`/go?id=${id}`] });
    expect(aliasesOf(store)).toHaveLength(3);
    const other = new MemoryStore();
    for (const id of [1, 2, 3, 4]) go(other, '/item', { via: [`https://s.example.com/${id}`] });
    expect(aliasesOf(other)).toHaveLength(4);
    go(other, '/item', { via: ['https://s.example.com/5'] });
    expect(aliasesOf(other)).toEqual([]);
    expect(pagesOf(other)['https://s.example.com/1']).toBe('retrying sink');
  });

  it('are not made by permanent redirects, nor by the second address of a chain', () => {
    const store = new MemoryStore();
    const moved = (path: string): Hop => ({ url: full(path), kind: 'server', status: 301 });
    for (const path of ['/1', '/2', '/3']) go(store, '/new', { via: [moved(path)] });
    go(store, '/home', { via: ['/a', '/start'] });
    go(store, '/home', { via: ['/a', '/enter'] });
    expect(store.round.sinks).toBeUndefined();
  });

  it('let a page go on that is no longer redirected', () => {
    const store = new MemoryStore();
    go(store, '/login', { via: ['/r/1'] });
    go(store, '/login', { via: ['/r/2'] });
    go(store, '/r/1');
    expect(pagesOf(store)).toEqual({ '/login': 'visited 2', '/r/1': 'visited 1', '/r/2': 'retrying sink' });
  });

  it('end with their round', () => {
    const store = new MemoryStore();
    go(store, '/login', { via: ['/r/1'] });
    go(store, '/login', { via: ['/r/2'] });
    store.startRound(at + 1, store.endRound(at + 1));
    go(store, '/login?next=/x');
    expect(pagesOf(store)).toEqual({ '/login?next=/x': 'visited 1' });
  });
});

describe('client redirects', () => {
  const stubbed = (shownAgo: number, more: Partial<Hop> = {}) => {
    const store = new MemoryStore();
    const document = go(store, '/stub');
    const shownAt = at;
    const hop: Hop = { url: full('/stub'), kind: 'client', document, at: shownAt, ...more };
    go(store, '/target', { via: [hop], at: shownAt + shownAgo });
    return store;
  };

  it('take back the visit of what they replaced within five seconds', () => {
    const store = stubbed(5000);
    expect(pagesOf(store)).toEqual({ '/target': 'visited 1' });
    expect(aliasesOf(store)).toEqual(['/stub /target tentative']);
  });
  it.each<[string, number, Partial<Hop>]>([
    ['later', 5001, {}],
    ['after somebody clicked or typed', 1000, { input: true }],
  ])('leave it %s', (_, ago, more) => {
    const store = stubbed(ago, more);
    expect(pagesOf(store)).toEqual({ '/stub': 'visited 1', '/target': 'visited 1' });
    expect(aliasesOf(store)).toEqual([]);
  });
  it('leave an error page what it is, also when its status comes last', () => {
    const store = stubbed(1000);
    store.record({ type: 'status', id: 's', url: full('/stub'), at, document: `d${count - 1}`, status: 403 });
    expect(pagesOf(store)).toEqual({ '/stub': 'retrying no-access', '/target': 'visited 1' });
    expect(aliasesOf(store)).toEqual([]);
  });
  it('are a return where they lead to the same page', () => {
    const store = new MemoryStore();
    const document = go(store, '/p');
    const shownAt = at;
    const hop: Hop = { url: full('/p'), kind: 'client', document, at: shownAt };
    go(store, '/p?utm_source=x', { via: [hop], at: shownAt + 100 });
    expect(pagesOf(store)).toEqual({ '/p': 'visited 2' });
  });
  it('are permanent where they only spell the address better', () => {
    const store = new MemoryStore();
    go(store, '/p/', { via: [{ url: 'http://a.example.com/p', kind: 'client', status: 200 }] });
    expect(aliasesOf(store)).toEqual(['http://a.example.com/p /p/ permanent']);
    const worse = new MemoryStore();
    go(worse, 'http://a.example.com/p', { via: ['/p'] });
    expect(aliasesOf(worse)).toEqual(['/p http://a.example.com/p tentative']);
  });
});

describe('tokens', () => {
  const cdn = (token: string) => `https://cdn.example.com/f?sig=${token}`;

  it('count across rounds, and for every original once known', () => {
    const store = new MemoryStore();
    go(store, cdn('9f2c5e7a11d0'), { via: ['/f/7'] });
    store.startRound(at + 1, store.endRound(at + 1));
    go(store, cdn('03be77d1c4aa'), { via: ['/f/7'] });
    go(store, cdn('77aa77d1c4aa'), { via: ['/f/8'] });
    go(store, cdn('aaaabbbb1111'));
    expect(pagesOf(store)).toEqual({
      '/f/7': 'visited 1',
      '/f/8': 'visited 1',
      [cdn('aaaabbbb1111')]: 'visited 1',
    });
    expect(store.rows('pages').find(({ key }) => key === full('/f/8'))).toMatchObject({
      url: full('/f/8'),
      usable: cdn('77aa77d1c4aa'),
    });
  });

  it('are none where two things differ, or the value is a number or a word', () => {
    for (const [one, other] of [
      ['?id=1000000001', '?id=1000000002'],
      ['?name=constantinople', '?name=constantinopel'],
      ['?a=1&sig=9f2c5e7a11d0', '?a=2&sig=03be77d1c4aa'],
    ]) {
      const store = new MemoryStore();
      go(store, `https://cdn.example.com/f${one}`, { via: ['/f/7'] });
      go(store, `https://cdn.example.com/f${other}`, { via: ['/f/7'] });
      expect(store.scope.tokens).toBeUndefined();
      expect(Object.keys(pagesOf(store))).toHaveLength(2);
    }
  });
});

describe('words of the browser', () => {
  it('takes an aborted navigation, a forbidden one and a download for no visit', () => {
    const store = new MemoryStore();
    for (const error of ['net::ERR_ABORTED', 'net::ERR_BLOCKED_BY_CLIENT']) {
      store.record({ type: 'failed', id: error, url: full('/a'), at, error });
    }
    store.record({ type: 'unshown', id: 'u', url: full('/file.zip'), at });
    expect(pagesOf(store)).toEqual({});
  });

  it('keeps a visited page visited when it fails later, and shows the failure', () => {
    const store = new MemoryStore();
    go(store, '/a');
    at += 1000;
    store.record({ type: 'failed', id: 'f', url: full('/a'), at, error: 'net::ERR_TIMED_OUT' });
    const page = store.rows('pages')[0];
    expect(page).toMatchObject({
      state: 'visited',
      visits: 1,
      tries: { count: 1, error: 'net::ERR_TIMED_OUT' },
    });
    expect(store.round.counters).toMatchObject({ visited: 1, retrying: 0, failed: 1 });
  });

  it('counts tries since the last success, and waits longer each time', () => {
    const store = new MemoryStore();
    for (const status of [502, 502]) go(store, '/a', { status });
    expect(store.rows('pages')[0]?.tries).toMatchObject({ count: 2, nextAt: at + 120_000 });
    go(store, '/a');
    expect(store.rows('pages')[0]).toMatchObject({
      state: 'visited',
      tries: { count: 2, status: 502 },
      status: 200,
    });
    go(store, '/a', { status: 502 });
    expect(store.rows('pages')[0]?.tries?.count).toBe(1);
  });

  it('forgets userinfo and text directives', () => {
    const store = new MemoryStore();
    go(store, 'https://user:secret@a.example.com/a#:~:text=found');
    go(store, 'https://a.example.com/a#:~:text=other');
    expect(pagesOf(store)).toEqual({ '/a': 'visited 2' });
    expect(
      JSON.stringify([...store.rows('visits'), ...store.rows('pages'), ...store.rows('variants')]),
    ).not.toMatch(/secret|text=/);
  });

  it('lets a click that comes later complete its visit', () => {
    const store = new MemoryStore();
    go(store, '/target', { via: ['/short'] });
    const click = {
      type: 'click',
      id: 'c',
      url: full('/list'),
      href: full('/short'),
      text: 'Read on',
      how: 'link',
      at: at - 50,
    } as const;
    expect(store.record(click)?.recorded).toBe(true);
    expect(store.rows('visits')[0]).toMatchObject({
      how: 'link',
      source: full('/list'),
      linkText: 'Read on',
    });
    expect(store.record({ ...click, id: 'c2' })?.recorded).toBe(false);
    expect(store.record({ ...click, id: 'c3', at: at - 60_000 })?.recorded).toBe(false);
  });
});

describe('content', () => {
  const read = (store: MemoryStore, path: string, digest: string, more: { canonical?: string } = {}) =>
    store.record({
      type: 'content',
      id: `c${(count += 1)}`,
      url: full(path),
      at: (at += 1),
      digest,
      maskedDigest: digest,
      blocks: 20,
      ...more,
    });

  it('is compared with the base round, else with the look before', () => {
    const store = new MemoryStore();
    go(store, '/dash');
    expect(read(store, '/dash', 'one')?.changed).toBe(false);
    expect(read(store, '/dash', 'one')?.changed).toBe(false);
    expect(read(store, '/dash', 'two')?.changed).toBe(true);
    expect(store.round.counters.changed).toBe(1);
    store.startRound(at + 1, store.endRound(at + 1));
    go(store, '/dash');
    expect(read(store, '/dash', 'two')?.changed).toBe(false);
    expect(read(store, '/dash', 'three')?.changed).toBe(true);
    expect(read(store, '/dash', 'two')?.changed).toBe(false);
    expect(store.round.counters.changed).toBe(0);
  });

  it('makes proposals of two equal pages of a host, and of nothing else', () => {
    const store = new MemoryStore();
    for (const path of ['/a', '/b', 'https://other.example.com/a']) {
      go(store, path);
      read(store, path, 'same');
    }
    const proposed = () =>
      store.rows('aliases').map(({ from, to, evidence }) => [short(from), short(to), evidence]);
    expect(proposed()).toEqual([['/b', '/a', 'same-content']]);
    expect(aliasesOf(store)).toEqual([]);
    go(store, '/c');
    read(store, '/c', 'same');
    expect(proposed()).toHaveLength(1);
  });
});
