import { holds } from '#lib/rounds/aliases.ts';
import { leftOf } from '#lib/rounds/coverage.ts';
import type { Page, PageState, Round } from '#lib/rounds/types.ts';
import { keepLeftFrom, leftFrom, type IsLeft } from './left.ts';
import { withStore } from './open.ts';
import { below } from './ranges.ts';
import type { Db } from './schema.ts';

export interface PageFilter {
  state?: PageState | PageState[];
  /**
   * Against the base round: `left` (of the base, not yet visited, retrying or gone here), `new` (no row in the base), `gone`,
   * `changed` (other text than in the base), `retry`, `beside` (links known here that the base
   * does not have), `all` (both rounds).
   */
  compare?: 'all' | 'left' | 'new' | 'gone' | 'changed' | 'retry' | 'beside';
  /** The same as `compare: 'left'`. */
  left?: boolean;
  /** Space to compare with, where it is not the round's own base. */
  base?: string;
  host?: string;
  /** Beginning of the path; needs `host`. */
  prefix?: string;
  /** Words that stand in address, key or title, ignoring case. */
  text?: string;
  /** `key` (default), `path` (by host and path), `seq` (as they came), `newest` first. With `host`: by path; compared: by key. */
  order?: 'key' | 'path' | 'seq' | 'newest';
  /** `next` of the answer before. */
  after?: string | null;
  limit: number;
  /** Rows looked at before the answer is given although it is short (default 20,000); `next` goes on from there. */
  budget?: number;
}

export interface PageRows {
  rows: Page[];
  /** Where to go on; `null` at the end. */
  next: string | null;
  /** Rows looked at, for progress. */
  scanned: number;
}

const BATCH = 500;
const BUDGET = 20_000;

/** Pages of a space, one screen at a time; each answer costs the same wherever it stands in the list. */
export function pagesOf(space: string, filter: PageFilter): Promise<PageRows> {
  return withStore((db) => readPages(db, space, filter));
}

/** All pages that match, in bounded memory, e.g. for an export. */
export async function* streamPages(
  space: string,
  filter: Omit<PageFilter, 'limit' | 'after'>,
): AsyncGenerator<Page> {
  let after: string | null = null;
  do {
    const { rows, next }: PageRows = await pagesOf(space, { ...filter, after, limit: BATCH });
    yield* rows;
    after = next;
  } while (after !== null);
}

async function readPages(db: Db, space: string, filter: PageFilter): Promise<PageRows> {
  const compare = filter.left ? 'left' : filter.compare;
  const round = compare === undefined ? undefined : await roundOfSpace(db, space);
  const base = filter.base ?? round?.baseSpace;
  const isOwn = base === round?.baseSpace;
  const matches = predicate(filter);
  if (compare === 'changed' && isOwn) return collect(changedPages(db, space, filter), filter, matches);
  if (compare && base !== undefined && base !== space) {
    const belongs = await comparison(db, compare, round, isOwn);
    const isLeftByKey = compare === 'left' && isOwn && round && !filter.after && filter.host === undefined;
    const from = isLeftByKey ? await leftFrom(db, round, isLeftIn(db, space, base, belongs)) : undefined;
    return collect(merge(db, { space, base, filter, from }, belongs), filter, matches);
  }
  const wanted = withoutBase(compare, filter.state);
  return collect(walk(db, space, filter, wanted.only), filter, (page) => wanted.fits(page) && matches(page));
}

function isLeftIn(db: Db, space: string, base: string, belongs: Belongs): IsLeft {
  return async (key) => {
    const [here, there] = await Promise.all([db.get('pages', [space, key]), db.get('pages', [base, key])]);
    return (here !== undefined || there !== undefined) && belongs(here, there);
  };
}

/**
 * Remembers where what is left of a round begins (see left.ts). To be called under the writer's lock, now and then; what was walked since
 * is passed over once.
 */
export async function noteLeft(db: Db, round: Round): Promise<void> {
  if (round.baseSpace === undefined || round.baseSpace === round.space || leftOf(round) === 0) return;
  await keepLeftFrom(db, round, async () => {
    let after: string | null = null;
    do {
      const { rows, next }: PageRows = await readPages(db, round.space, { compare: 'left', after, limit: 1 });
      if (rows[0]) return rows[0].key;
      after = next;
    } while (after !== null);
    return undefined;
  });
}

/** Pages that differ from the base round, by their own index. */
function changedPages(db: Db, space: string, { after }: PageFilter): AsyncGenerator<Step> {
  const from = after ? (JSON.parse(after) as IDBValidKey[]) : undefined;
  return batches(db, 'changed', below([space]), (page) => [space, page.key], from);
}

/** Without a base round `left` are the known links, and everything visited is new. */
function withoutBase(
  compare: PageFilter['compare'],
  state: PageFilter['state'],
): { only?: PageState; fits: (page: Page) => boolean } {
  if (compare === 'beside') return { fits: () => false };
  if (compare === 'new') return { fits: (page) => page.state !== 'known' };
  if (compare === 'changed') return { fits: (page) => page.changed === true };
  const wanted = compare === undefined || compare === 'all' ? state : STATE_OF[compare];
  if (wanted === undefined) return { fits: () => true };
  if (typeof wanted === 'string') return { only: wanted, fits: (page) => page.state === wanted };
  return { fits: (page) => wanted.includes(page.state) };
}

const STATE_OF = { left: 'known', gone: 'gone', retry: 'retrying' } as const;

function predicate({ host, prefix = '', text }: PageFilter): (page: Page) => boolean {
  const words = (text ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  return (page) => {
    if (host !== undefined && (page.host !== host || !page.path.startsWith(prefix))) return false;
    if (words.length === 0) return true;
    const said = `${page.fullKey ?? page.key}\n${page.url}\n${page.title ?? ''}`.toLowerCase();
    return words.every((word) => said.includes(word));
  };
}

/** One step through a list: where it stands, and the page there if it belongs to the list. */
interface Step {
  position: IDBValidKey[];
  page: Page | undefined;
}

/** Rows by the index that serves the order and the filter; each index is a total order. */
function walk(
  db: Db,
  space: string,
  { host, prefix = '', order = 'key', after }: PageFilter,
  only?: PageState,
): AsyncGenerator<Step> {
  const from = after ? (JSON.parse(after) as IDBValidKey[]) : undefined;
  if (host !== undefined) {
    const range = IDBKeyRange.bound([space, host, prefix], [space, host, `${prefix}\uffff`]);
    return batches(db, 'place', range, (page) => [space, page.host, page.path, page.key], from);
  }
  switch (order) {
    case 'path':
      return batches(db, 'place', below([space]), (page) => [space, page.host, page.path, page.key], from);
    case 'seq':
      return batches(db, 'seq', below([space]), (page) => [space, page.seq], from);
    case 'newest':
      return backwards(db, space, from);
    default:
      return only === undefined
        ? batches(db, undefined, below([space]), (page) => [space, page.key], from)
        : batches(db, 'state', below([space, only]), (page) => [space, page.state, page.key], from);
  }
}

async function* batches(
  db: Db,
  index: 'state' | 'place' | 'seq' | 'changed' | undefined,
  range: IDBKeyRange,
  positionOf: (page: Page) => IDBValidKey[],
  after?: IDBValidKey[],
): AsyncGenerator<Step> {
  let from = after;
  for (;;) {
    const rest = from ? IDBKeyRange.bound(from, range.upper, true, range.upperOpen) : range;
    const rows = await readBatch(db, index, rest);
    for (const page of rows) yield { position: positionOf(page), page };
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return;
    from = positionOf(last);
  }
}

function readBatch(
  db: Db,
  index: 'state' | 'place' | 'seq' | 'changed' | undefined,
  range: IDBKeyRange,
): Promise<Page[]> {
  const pages = db.transaction('pages').store;
  if (index === undefined) return pages.getAll(range, BATCH);
  return pages.index(index).getAll(range, BATCH);
}

async function* backwards(db: Db, space: string, after?: IDBValidKey[]): AsyncGenerator<Step> {
  let upper = after;
  for (;;) {
    const range = upper ? IDBKeyRange.bound([space], upper, false, true) : below([space]);
    const rows: Page[] = [];
    let cursor = await db.transaction('pages').store.index('seq').openCursor(range, 'prev');
    while (cursor && rows.length < BATCH) {
      rows.push(cursor.value);
      cursor = await cursor.continue();
    }
    for (const page of rows) yield { position: [space, page.seq], page };
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return;
    upper = [space, last.seq];
  }
}

async function collect(
  steps: AsyncIterable<Step>,
  { limit, budget = BUDGET }: PageFilter,
  matches: (page: Page) => boolean,
): Promise<PageRows> {
  const rows: Page[] = [];
  let scanned = 0;
  for await (const { position, page } of steps) {
    scanned += 1;
    if (page && matches(page)) rows.push(page);
    if (rows.length === limit || scanned >= budget) return { rows, next: JSON.stringify(position), scanned };
  }
  return { rows, next: null, scanned };
}

type Belongs = (here: Page | undefined, there: Page | undefined) => Promise<boolean> | boolean;

async function comparison(
  db: Db,
  which: NonNullable<PageFilter['compare']>,
  round: Round | undefined,
  own: boolean,
): Promise<Belongs> {
  const scope = round && (await db.get('scopes', round.scope));
  const isAlias = async (page: Page) =>
    round !== undefined && holds(await db.get('aliases', [round.scope, page.key]), round, scope?.tokens);
  const tests: Record<typeof which, Belongs> = {
    all: () => true,
    left: async (here, there) => {
      if (here) return here.state === 'known' && ((own && here.inBase) || there !== undefined);
      return there !== undefined && !(await isAlias(there));
    },
    new: (here, there) => here !== undefined && !there && here.state !== 'known' && !(own && here.inBase),
    beside: (here, there) => here?.state === 'known' && !there && !(own && here.inBase),
    gone: (here) => here?.state === 'gone',
    // A row says whether it differs from the base of its own round; from another round it is seen by the digests.
    changed: own ? (here) => here?.changed === true : differ,
    retry: (here) => here?.state === 'retrying',
  };
  return tests[which];
}

/** Both were visited and their texts are known, and not the same. */
function differ(here: Page | undefined, there: Page | undefined): boolean {
  if (here?.state !== 'visited' || here.maskedDigest === undefined) return false;
  return there?.maskedDigest !== undefined && there.maskedDigest !== here.maskedDigest;
}

interface Merged {
  space: string;
  base: string;
  filter: PageFilter;
  /** The first key that can belong to the list. */
  from: string | undefined;
}

/**
 * Both spaces side by side: by key, those of one host by path. A page that only the base has is shown as a page not visited here.
 */
async function* merge(db: Db, { space, base, filter, from }: Merged, belongs: Belongs): AsyncGenerator<Step> {
  const { after, host, prefix = '' } = filter;
  const last = after ? (JSON.parse(after) as IDBValidKey[]) : undefined;
  const placeOf = (page: Page) => (host === undefined ? [page.key] : [page.host, page.path, page.key]);
  const rangeOf = (of: string) => {
    if (host !== undefined) return IDBKeyRange.bound([of, host, prefix], [of, host, `${prefix}\uffff`]);
    return from === undefined ? below([of]) : IDBKeyRange.bound([of, from], [of, []]);
  };
  const index = host === undefined ? undefined : 'place';
  const pagesOf = (of: string) =>
    batches(db, index, rangeOf(of), (page) => [of, ...placeOf(page)], last && [of, ...last.slice(1)]);
  const ours = pagesOf(space);
  const theirs = pagesOf(base);
  let here = (await ours.next()).value?.page as Page | undefined;
  let there = (await theirs.next()).value?.page as Page | undefined;
  while (here || there) {
    const order = !here ? 1 : !there ? -1 : compareParts(placeOf(here), placeOf(there));
    const mine = order <= 0 ? here : undefined;
    const yours = order >= 0 ? there : undefined;
    const shown = mine ?? (yours && notVisited(yours, space));
    const position = [space, ...(shown ? placeOf(shown) : [])];
    yield { position, page: (await belongs(mine, yours)) ? shown : undefined };
    if (mine) here = (await ours.next()).value?.page as Page | undefined;
    if (yours) there = (await theirs.next()).value?.page as Page | undefined;
  }
}

function compareParts(a: string[], b: string[]): number {
  for (const [index, part] of a.entries()) {
    const order = compareKeys(part, b[index] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

/** As IndexedDB orders strings: by code unit. */
function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A page of the base round as it stands here before anybody went there. */
export function notVisited(page: Page, space: string): Page {
  const { scope, key, fullKey, host, path, seq, url, usable, title, firstSeenAt, from, policyVersion } = page;
  const optional = { fullKey, usable, title, from };
  const row: Page = {
    space,
    key,
    scope,
    host,
    path,
    state: 'known',
    seq,
    url,
    firstSeenAt,
    visits: 0,
    addresses: page.addresses,
    isNew: page.isNew && page.visits === 0,
    inBase: true,
    policyVersion,
  };
  return Object.assign(
    row,
    Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
  );
}

/** The latest round that writes to a space. */
export async function roundOfSpace(db: Db, space: string): Promise<Round | undefined> {
  const own = await db.get('rounds', space);
  if (own) return own;
  const sessions = await db.getAllFromIndex('rounds', 'scope', below([space]));
  return sessions.at(-1);
}
