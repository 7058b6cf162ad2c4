// A round that looks like a working day, without walking one: for tests and pictures of the views.
import type { Counters, Page, Round, Scope, Variant, Visit } from './types.ts';
import { indexed } from './rows.ts';
import { DEFAULT_POLICY, normalizeUrl, RULES_VERSION } from '#lib/url/index.ts';

export interface Seed {
  scopes: Scope[];
  rounds: Round[];
  pages: Page[];
  visits: Visit[];
  variants: Variant[];
}

const MINUTE = 60_000;
const POLICY = `${RULES_VERSION}-00000000`;

/** What a page of the day is, in short: its path, how often it was visited, and what is not as usual. */
type Sketch = [url: string, state: Page['state'], more?: Partial<Page> & { others?: string[] }];

const SHOP = 'https://shop.example.com';
const WIKI = 'https://wiki.example.com';
const STATUS = 'https://status.example.com';

const DAY: Sketch[] = [
  [`${STATUS}/boards/queue`, 'visited', { changed: true, title: 'Queue board' }],
  [
    `${SHOP}/orders/list?utm_source=mail`,
    'visited',
    { changed: true, title: 'Orders', others: [`${SHOP}/orders/list`, `${SHOP}/orders/list?spm=a2h0k`] },
  ],
  [
    'https://Shop.example.com:443/item?utm_source=wechat&id=7&b=1#reviews',
    'visited',
    { changed: true, title: 'Item 7', others: [`${SHOP}/item?id=7&b=1`, `${SHOP}/item?b=1&id=7&spm=a2h0k`] },
  ],
  [`${WIKI}/ops/on-call`, 'visited', { changed: true, title: '值班表 · On call' }],
  [
    `${STATUS}/boards/latency`,
    'retrying',
    { status: 502, tries: { count: 2, lastAt: -20 * MINUTE, nextAt: 10 * MINUTE, status: 502 } },
  ],
  [
    `${STATUS}/incidents/2211`,
    'retrying',
    { tries: { count: 1, lastAt: -5 * MINUTE, nextAt: 5 * MINUTE, error: 'net::ERR_TIMED_OUT' } },
  ],
  [`${SHOP}/orders/settings`, 'known', { inBase: true }],
  [
    `${SHOP}/account/payment-methods-and-billing-contacts?section=invoices&sort=newest`,
    'known',
    { inBase: true },
  ],
  [`${SHOP}/account/invoices`, 'known', { inBase: true }],
  [`${WIKI}/team/rota`, 'known', { inBase: true }],
  [`${WIKI}/team/%E5%80%BC%E7%8F%AD`, 'known', { inBase: false, from: `${WIKI}/team` }],
  [`${WIKI}/team/plan-2025`, 'gone', { status: 404, from: `${WIKI}/team` }],
  [`${SHOP}/item?id=3`, 'gone', { status: 410, from: `${SHOP}/item` }],
  [
    `${SHOP}/item?id=41`,
    'visited',
    { isNew: true, inBase: false, from: `${SHOP}/item?id=40`, title: 'Item 41' },
  ],
  [
    `${SHOP}/news/a-337`,
    'visited',
    { changed: false, others: [`${SHOP}/news/a-337?utm_medium=feed`], visits: 3 },
  ],
  [`${WIKI}/ops/backup`, 'visited', { changed: false, title: 'Backup runbook' }],
  [`${SHOP}/`, 'visited', { changed: false, title: 'Shop' }],
];

/** Two rounds of one scope: an ended one, and one that is going on `now`. */
export function workingDay(now: number, fill = 60): Seed {
  const scope: Scope = {
    id: 'scope-shop',
    name: 'Shop daily check',
    origins: [`${SHOP}/*`, `${WIKI}/*`, `${STATUS}/*`],
    paths: [],
    mode: 'inspecting',
    policy: {},
    policyVersion: POLICY,
    createdAt: now - 4 * 24 * 60 * MINUTE,
  };
  const more: Sketch[] = Array.from({ length: fill }, (_, index) => [
    `${SHOP}/catalogue/item-${String(index + 1).padStart(2, '0')}`,
    index % 5 === 4 ? 'known' : 'visited',
    { changed: false, title: `Catalogue item ${index + 1}` },
  ]);
  const seed: Seed = { scopes: [scope], rounds: [], pages: [], visits: [], variants: [] };
  const before = now - 3 * 24 * 60 * MINUTE;
  const base = round(scope, 1, before - 60 * MINUTE, { state: 'ended', endedAt: before });
  const open = round(scope, 2, now - 90 * MINUTE, { state: 'open', base: base.id, baseSpace: base.space });
  const sketches = [...DAY, ...more];
  for (const [index, sketch] of sketches.entries()) {
    const [url, state, details] = sketch;
    if (details?.inBase !== false) {
      seed.pages.push(
        row(
          base,
          [url, 'visited', { title: details?.title ?? '' }],
          index,
          before - (60 - index / 2) * MINUTE,
        ),
      );
    }
    // A page that only the base round has, has no row in the next one.
    if (state === 'known' && details?.inBase !== false) continue;
    const page = row(
      open,
      [url, state, { inBase: true, ...details }],
      index,
      now - (80 - index / 2) * MINUTE,
    );
    seed.pages.push(page);
    addTraces(seed, open, page, details?.others ?? []);
  }
  base.counters = count(seed.pages.filter(({ space }) => space === base.space));
  const size = seed.pages.filter(({ space }) => space === base.space).length;
  open.baseSize = size;
  open.counters = count(seed.pages.filter(({ space }) => space === open.space));
  seed.rounds.push(base, open);
  return seed;
}

function round(scope: Scope, number: number, startedAt: number, more: Partial<Round>): Round {
  const id = `round-${number}`;
  return {
    id,
    scope: scope.id,
    space: id,
    number,
    state: 'open',
    startedAt,
    baseSize: 0,
    policy: {},
    policyVersion: POLICY,
    counters: count([]),
    ...more,
  };
}

function row(round: Round, [url, state, details = {}]: Sketch, seq: number, at: number): Page {
  const normalized = normalizeUrl(url, DEFAULT_POLICY, url);
  if (!normalized.ok) throw new Error(`${url}: ${normalized.reason}`);
  const { host, pathname, search } = new URL(normalized.key);
  const { others = [], tries, ...rest } = details;
  return indexed({
    space: round.space,
    key: normalized.key,
    scope: round.scope,
    host,
    path: pathname + search,
    state,
    seq,
    url,
    firstSeenAt: at,
    ...(state === 'visited' ? { firstVisitAt: at, lastVisitAt: at } : {}),
    visits: state === 'visited' ? 1 : 0,
    addresses: 1 + others.length,
    isNew: false,
    inBase: false,
    policyVersion: POLICY,
    ...rest,
    ...(tries
      ? { tries: { ...tries, lastAt: at + tries.lastAt, nextAt: at + 80 * MINUTE + tries.nextAt } }
      : {}),
  });
}

function addTraces(seed: Seed, round: Round, page: Page, others: string[]): void {
  const at = page.firstVisitAt;
  if (at === undefined) return;
  for (const [index, url] of [page.url, ...others].entries()) {
    const seen = at + index * MINUTE;
    const how = index === 2 ? 'typed' : 'link';
    seed.variants.push({
      scope: page.scope,
      key: page.key,
      url,
      firstSeenAt: seen,
      lastSeenAt: seen,
      visits: 1,
      how,
      policyVersion: POLICY,
    });
    seed.visits.push({
      seq: seed.visits.length + 1,
      event: `event-${seed.visits.length + 1}`,
      round: round.id,
      space: page.space,
      key: page.key,
      scope: page.scope,
      kind: index === 0 ? 'first' : 'return',
      how,
      at: seen,
      url,
      source: `${SHOP}/`,
      signals: [],
      told: ['browser', 'observer'],
    });
  }
}

function count(pages: Page[]): Counters {
  const of = (state: Page['state'], base = false): number =>
    pages.filter((page) => page.state === state && (!base || page.inBase)).length;
  const visits = pages.reduce((sum, page) => sum + page.visits, 0);
  return {
    visits,
    duplicates: visits - of('visited'),
    failed: of('retrying'),
    known: of('known'),
    visited: of('visited'),
    retrying: of('retrying'),
    gone: of('gone'),
    changed: pages.filter((page) => page.changed).length,
    baseVisited: of('visited', true),
    baseRetrying: of('retrying', true),
    baseGone: of('gone', true),
  };
}
