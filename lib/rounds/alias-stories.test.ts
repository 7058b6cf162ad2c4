import { describe, expect, it } from 'vitest';
import { holds } from './aliases.ts';
import { decideAlias } from './decide.ts';
import type { Shown } from './events.ts';
import { MemoryStore } from './memory.fixture.ts';
import { resolveLink } from './rounds.ts';
import type { Hop } from './types.ts';

/** `302 /a` is a hop of a redirect, `meta /a` a document that led on at once, `used /a` one that somebody had clicked in. */
type Step =
  { go: string; via?: string[]; status?: number } | { link: string } | { undo: string } | { round: 'next' };

interface Story {
  name: string;
  steps: Step[];
  /** State of each page, with its reason or the number of its visits. */
  pages: Record<string, string>;
  aliases?: string[];
  /** Where links lead in this round. */
  leads?: Record<string, string>;
}

const A = 'https://a.example.com';
const full = (path: string) => (path.startsWith('/') ? A + path : path);
const short = (key: string) => (key.startsWith(`${A}/`) ? key.slice(A.length) : key);
const go = (path: string, via: string[] = [], status = 200): Step => ({ go: path, via, status });
const link = (path: string): Step => ({ link: path });
const undo = (path: string): Step => ({ undo: path });
const next: Step = { round: 'next' };
const cdn = (token: string) => `https://cdn.example.com/f?sig=${token}`;

const STORIES: Story[] = [
  {
    name: 'five short links make a sink of an item of another host, and each may be tried again',
    steps: [1, 2, 3, 4, 5].map((n) => go('/item', [`302 https://s.example.com/${n}`])),
    pages: {
      '/item': 'visited 5',
      ...Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`https://s.example.com/${n}`, 'retrying sink'])),
    },
  },
  {
    name: 'the same short link opened five times is one original',
    steps: [1, 2, 3, 4, 5].map(() => go('/item', ['302 https://s.example.com/1'])),
    pages: { '/item': 'visited 5' },
    aliases: ['https://s.example.com/1 /item tentative'],
  },
  {
    name: 'originals of both kinds do not add up to a sink',
    steps: [
      go('/item', ['302 /go']),
      ...[1, 2, 3, 4].map((n) => go('/item', [`302 https://s.example.com/${n}`])),
    ],
    pages: { '/item': 'visited 5' },
    aliases: ['/go', ...[1, 2, 3, 4].map((n) => `https://s.example.com/${n}`)].map(
      (from) => `${from} /item tentative`,
    ),
  },
  {
    name: 'leads of an earlier round make no sink in the next',
    steps: [go('/login', ['302 /r/1']), next, go('/login', ['302 /r/2'])],
    pages: { '/r/1': 'known 0', '/login': 'visited 1' },
    aliases: ['/r/2 /login tentative'],
  },
  {
    name: 'a page that led to a sink and is shown at last is visited, the others stay to be tried',
    steps: [go('/login', ['302 /r/1']), go('/login', ['302 /r/2']), go('/r/2')],
    pages: { '/login': 'visited 2', '/r/1': 'retrying sink', '/r/2': 'visited 1' },
  },
  {
    name: 'whoever is redirected for good to what is known as a sink is not swallowed by it',
    steps: [go('/login', ['302 /r/1']), go('/login', ['302 /r/2']), link('/r/3'), go('/login', ['301 /r/3'])],
    pages: {
      '/login': 'visited 3',
      '/r/1': 'retrying sink',
      '/r/2': 'retrying sink',
      '/r/3': 'retrying sink',
    },
  },
  {
    name: 'nor who was redirected there for good before',
    steps: [go('/login?next=/r/3', ['301 /r/3']), go('/login', ['302 /r/1']), go('/login', ['302 /r/2'])],
    pages: {
      '/login': 'visited 3',
      '/r/1': 'retrying sink',
      '/r/2': 'retrying sink',
      '/r/3': 'retrying sink',
    },
  },
  {
    name: 'a better spelling of the sink itself stays an alias',
    steps: [
      go('/login', ['302 /r/1']),
      go('/login', ['302 /r/2']),
      go('/login', ['307 http://a.example.com/login']),
    ],
    pages: { '/login': 'visited 3', '/r/1': 'retrying sink', '/r/2': 'retrying sink' },
    aliases: ['http://a.example.com/login /login permanent'],
  },
  {
    name: 'a sink opened directly is an ordinary page, and its query tells pages apart',
    steps: [go('/home', ['302 /old/1']), go('/home', ['302 /old/2']), go('/home'), go('/home?tab=2')],
    pages: {
      '/home': 'visited 3',
      '/home?tab=2': 'visited 1',
      '/old/1': 'retrying sink',
      '/old/2': 'retrying sink',
    },
  },
  {
    name: 'an upgrade for good answers for links in later rounds',
    steps: [go('/p', ['307 http://a.example.com/p']), next, go('/p')],
    pages: { '/p': 'visited 1' },
    aliases: ['http://a.example.com/p /p permanent'],
    leads: { 'http://a.example.com/p': '/p' },
  },
  {
    name: 'a slash that is not the end of the chain proves nothing for later rounds',
    steps: [go('/elsewhere', ['302 /dir', '302 /dir/']), next],
    pages: { '/dir': 'known 0', '/dir/': 'known 0' },
    leads: { '/dir': '/dir', '/dir/': '/dir/' },
  },
  {
    name: 'a slash after a temporary hop does not make that hop permanent',
    steps: [go('/new/', ['302 /latest', '301 /new']), next],
    pages: { '/latest': 'known 0', '/new': 'known 0' },
    leads: { '/latest': '/latest' },
  },
  {
    name: 'https to http is no upgrade, another query none either',
    steps: [go('http://a.example.com/p', ['302 /p']), go('/q?lang=en', ['302 /q'])],
    pages: { 'http://a.example.com/p': 'visited 1', '/q?lang=en': 'visited 1' },
    aliases: ['/p http://a.example.com/p tentative', '/q /q?lang=en tentative'],
  },
  {
    name: 'an upgrade to another host or port is a redirect like any other',
    steps: [
      go('https://www.a.example.com/p', ['302 /p']),
      go('https://a.example.com:8443/p', ['302 http://a.example.com/p']),
    ],
    pages: { 'https://www.a.example.com/p': 'visited 1', 'https://a.example.com:8443/p': 'visited 1' },
    aliases: [
      '/p https://www.a.example.com/p tentative',
      'http://a.example.com/p https://a.example.com:8443/p tentative',
    ],
  },
  {
    name: 'a document with status 301 that leads on by itself has not moved for good',
    steps: [go('/n', ['meta 301 /m']), next],
    pages: { '/m': 'known 0' },
  },
  {
    name: 'a document somebody used is no stub, and what led to it belongs to it',
    steps: [go('/n', ['302 /short', 'used /m'])],
    pages: { '/m': 'visited 1', '/n': 'visited 1' },
  },
  {
    name: 'a direct showing withdraws the alias, whatever it shows, and the linked original is back',
    steps: [link('/x'), go('/item', ['302 /x']), go('/x', [], 404)],
    pages: { '/item': 'visited 1', '/x': 'gone 0' },
    leads: { '/x': '/x' },
  },
  {
    name: 'a redirect for good is withdrawn by a direct showing too, in later rounds as well',
    steps: [go('/item', ['301 /x']), go('/x'), next],
    pages: {},
    leads: { '/x': '/x' },
  },
  {
    name: 'a linked original has no row while its alias holds',
    steps: [link('/x'), go('/item', ['302 /x'])],
    pages: { '/item': 'visited 1' },
    aliases: ['/x /item tentative'],
    leads: { '/x': '/item' },
  },
  {
    name: 'an alias taken back stays so, and its original is left',
    steps: [link('/x'), go('/item', ['301 /x']), undo('/x'), go('/item', ['301 /x'])],
    pages: { '/item': 'visited 2', '/x': 'known 0' },
    leads: { '/x': '/x' },
  },
  {
    name: 'what changes its target leads to the latest one only',
    steps: [go('/issue/41', ['302 /latest']), go('/issue/42', ['302 /latest'])],
    pages: { '/issue/41': 'visited 1', '/issue/42': 'visited 1' },
    aliases: ['/latest /issue/42 tentative'],
    leads: { '/latest': '/issue/42' },
  },
  {
    name: 'two pages that redirect to each other are two pages',
    steps: [go('/b', ['302 /a']), go('/a', ['302 /b'])],
    pages: { '/a': 'visited 1', '/b': 'visited 1' },
    leads: { '/a': '/a' },
  },
  {
    name: 'an error at the end answers for its original as an error',
    steps: [go('/busy', ['302 /x'], 503)],
    pages: { '/busy': 'retrying 0' },
    aliases: ['/x /busy tentative'],
  },
  {
    name: 'a token seen in two rounds moves the visits of both kinds of original, not a direct showing',
    steps: [
      go(cdn('9f2c5e7a11d0'), ['302 /f/7']),
      next,
      go(cdn('03be77d1c4aa'), ['302 /f/7']),
      go(cdn('aaaabbbb1111')),
    ],
    pages: { '/f/7': 'visited 1', [cdn('aaaabbbb1111')]: 'visited 1' },
  },
  {
    name: 'two files behind one parameter, of two originals, are no token',
    steps: [go(cdn('9f2c5e7a11d0'), ['302 /f/7']), go(cdn('03be77d1c4aa'), ['302 /f/8'])],
    pages: { [cdn('9f2c5e7a11d0')]: 'visited 1', [cdn('03be77d1c4aa')]: 'visited 1' },
    aliases: [`/f/7 ${cdn('9f2c5e7a11d0')} tentative`, `/f/8 ${cdn('03be77d1c4aa')} tentative`],
  },
  {
    name: 'coming back from the login page is one page, and the login page is no alias of all',
    steps: [
      go('/r/1', ['302 /r/1', '302 /login?next=/r/1']),
      go('/r/2', ['302 /r/2', '302 /login?next=/r/2']),
    ],
    pages: { '/r/1': 'visited 1', '/r/2': 'visited 1' },
    aliases: ['/login?next=/r/1 /r/1 tentative', '/login?next=/r/2 /r/2 tentative'],
    leads: { '/login': '/login' },
  },
];

/** `told`: whether the observer tells each showing as well, and before the browser does. */
function play(steps: Step[], told: string): MemoryStore {
  const store = new MemoryStore();
  let at = 1_000_000;
  let count = 0;
  const tell = (event: Shown) => {
    const { chain: _, ...rest } = event;
    const observed: Shown = { ...rest, by: 'observer', id: `${event.id}o`, at: event.at + 20 };
    if (told === 'by both') for (const each of [observed, event]) store.record(each);
    else store.record(event);
  };
  for (const step of steps) {
    at += 600_000;
    if ('round' in step) store.startRound(at, store.endRound(at));
    else if ('link' in step) store.addLink(full(step.link), at);
    else if ('undo' in step)
      store.decide((state) => decideAlias(state, full(step.undo), { accept: false, at }));
    else {
      const document = `d${(count += 1)}`;
      const chain = (step.via ?? []).map((word, index): Hop => {
        const [how = '', ...rest] = word.split(' ');
        const url = full(rest.at(-1) ?? '');
        if (how !== 'meta' && how !== 'used') return { url, kind: 'server', status: Number(how) };
        const status = rest.length > 1 ? { status: Number(rest[0]) } : {};
        const stub: Hop = { url, kind: 'client', document: `${document}-${index}`, at: at - 500, ...status };
        tell(showing(url, stub.document!, at - 500, { status: stub.status ?? 200, chain: [] }));
        return how === 'used' ? { ...stub, input: true } : stub;
      });
      tell(showing(full(step.go), document, at, { status: step.status ?? 200, chain }));
    }
  }
  return store;
}

function showing(url: string, document: string, at: number, more: { status: number; chain: Hop[] }): Shown {
  return {
    type: 'shown',
    id: document,
    by: 'browser',
    document,
    moment: 'start',
    url,
    at,
    how: 'link',
    ...more,
  };
}

describe('more stories of redirects', () => {
  it.each(STORIES.flatMap((story) => ['by the browser', 'by both'].map((told) => ({ ...story, told }))))(
    '$name (told $told)',
    ({ steps, pages, aliases, leads = {}, told }) => {
      const store = play(steps, told);
      const { round, scope } = store;
      const rows = store.rows('pages').filter(({ space }) => space === round.space);
      const said = rows.map(({ key, state, reason, visits }) => [short(key), `${state} ${reason ?? visits}`]);
      expect(Object.fromEntries(said)).toEqual(pages);
      const table = new Map(store.rows('aliases').map((alias) => [alias.from, alias]));
      const held = [...table.values()].filter((alias) => holds(alias, round, scope.tokens));
      if (aliases)
        expect(
          held.map(({ from, to, strength }) => `${short(from)} ${short(to)} ${strength}`).sort(),
        ).toEqual(aliases.toSorted());
      for (const [from, to] of Object.entries(leads)) {
        const led = resolveLink(full(from), (key) => table.get(key), round, scope.tokens);
        expect(`${from} → ${short(led)}`).toBe(`${from} → ${to}`);
      }
      expect(round.counters).toEqual(store.recount());
    },
  );
});
