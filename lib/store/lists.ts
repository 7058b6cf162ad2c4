import { leftOf } from '#lib/rounds/coverage.ts';
import type { Page, PageState, Round } from '#lib/rounds/types.ts';
import { Led } from './led.ts';
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
  /** `key` (default), `path` (by host and path), `seq` (as they came), `newest` first. Compared, or with `host`: by key. */
  order?: 'key' | 'path' | 'seq' | 'newest';
  /** `next` of the answer before. */
  after?: string | null;
  limit: number;
  /** Rows looked at before the answer is given although it is short (default 20,000); `next` goes on from there. */
  budget?: number;
}

/** Keys of addresses above 2,048 characters begin so (lib/url). */
const LONG_KEY = 'sha256:';

export interface PageRows {
  rows: Page[];
  /** Where to go on; `null` at the end. */
  next: string | null;
  /** Rows looked at, for progress. */
  scanned: number;
}

/** Rows read at once: few for what a screen shows, more and more while they are searched. */
const LEAST = 16;
const MOST = 1_000;
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
    const { rows, next }: PageRows = await pagesOf(space, { ...filter, after, limit: MOST });
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
  if (isOwn && (compare === 'changed' || (compare === 'new' && base !== undefined)))
    return collect(byIndex(db, compare, [space], filter), filter, matches);
  if (compare !== undefined && base !== undefined && base !== space && !isStateOnly(compare)) {
    const scope = round && (await db.get('scopes', round.scope));
    const led = new Led(db, round, scope);
    const belongs = comparison(compare, isOwn, led);
    const isMarked = compare === 'left' && isOwn && round !== undefined && !filter.after;
    const from = isMarked ? await leftFrom(db, round, isLeftIn(db, space, base, led, belongs)) : undefined;
    const belongsAndMatches: Belongs = (here, there) => matches((here ?? there)!) && belongs(here, there);
    return collect(merge(db, { space, base, filter, from, led }, belongsAndMatches), filter, () => true);
  }
  const wanted = withoutBase(compare, filter.state);
  return collect(walk(db, space, filter, wanted.only), filter, (page) => wanted.fits(page) && matches(page));
}

/** Said by the state of the row alone, whatever the base round has. */
function isStateOnly(compare: NonNullable<PageFilter['compare']>): compare is 'gone' | 'retry' {
  return compare === 'gone' || compare === 'retry';
}

function isLeftIn(db: Db, space: string, base: string, led: Led, belongs: Belongs): IsLeft {
  return async (key) => {
    const [here, there] = await Promise.all([db.get('pages', [space, key]), db.get('pages', [base, key])]);
    await led.read([key]);
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
function walk(db: Db, space: string, filter: PageFilter, only?: PageState): AsyncGenerator<Step> {
  const { host, order = 'key' } = filter;
  if (host === undefined && order === 'newest') return backwards(db, space, positionIn(filter));
  if (host === undefined && order !== 'key') {
    const index = order === 'path' ? 'place' : 'seq';
    return batches(db, { index, ranges: [below([space])], first: firstOf(filter) }, positionIn(filter));
  }
  return only === undefined
    ? byIndex(db, undefined, [space], filter)
    : byIndex(db, 'state', [space, only], filter);
}

/** Rows by an index that ends with the key, those of one host by the ranges of its keys. */
function byIndex(db: Db, index: KeyIndex, parts: string[], filter: PageFilter): AsyncGenerator<Step> {
  return batches(db, { index, ranges: rangesOf(parts, filter), first: firstOf(filter) }, positionIn(filter));
}

/** A search that goes on looks at many rows for few hits. */
function firstOf({ text, after, limit }: PageFilter): number {
  return text && after ? MOST : limit;
}

function positionIn({ after }: PageFilter): IDBValidKey[] | undefined {
  return after ? (JSON.parse(after) as IDBValidKey[]) : undefined;
}

/** Where an index that ends with the key has the pages of a host, in order. Keys too long to be stored do not say their host. */
function rangesOf(parts: string[], { host, prefix }: PageFilter): IDBKeyRange[] {
  if (host === undefined) return [below(parts)];
  const beginning = (text: string) => IDBKeyRange.bound([...parts, text], [...parts, `${text}\uffff`]);
  return [
    beginning(`http://${host}${prefix || '/'}`),
    beginning(`https://${host}${prefix || '/'}`),
    beginning(LONG_KEY),
  ];
}

type KeyIndex = 'state' | 'changed' | 'new' | undefined;
interface Walked {
  index: KeyIndex | 'place' | 'seq';
  /** One behind the other. */
  ranges: IDBKeyRange[];
  /** Rows that are read at once at first. */
  first: number;
  /** To be done with every batch before its rows are told. */
  onBatch?: (rows: Page[]) => Promise<void>;
}

const POSITION_BY = {
  state: (page: Page) => [page.space, page.state, page.key],
  changed: (page: Page) => [page.space, page.key],
  new: (page: Page) => [page.space, page.key],
  place: (page: Page) => [page.space, page.host, page.path, page.key],
  seq: (page: Page) => [page.space, page.seq],
  key: (page: Page) => [page.space, page.key],
};

async function* batches(
  db: Db,
  { index, ranges, first, onBatch }: Walked,
  after?: IDBValidKey[],
): AsyncGenerator<Step> {
  const positionOf = POSITION_BY[index ?? 'key'];
  let size = Math.min(Math.max(first, LEAST), MOST);
  for (const range of ranges) {
    let rest = after ? behind(range, after) : range;
    while (rest) {
      const rows = await readBatch(db, index, rest, size);
      await onBatch?.(rows);
      for (const page of rows) yield { position: positionOf(page), page };
      const last = rows.at(-1);
      rest = last && rows.length === size ? behind(range, positionOf(last)) : undefined;
      size = Math.min(size * 2, MOST);
    }
  }
}

/** What of a range comes after a position; nothing where all of it lies before. */
function behind(range: IDBKeyRange, position: IDBValidKey[]): IDBKeyRange | undefined {
  if (indexedDB.cmp(position, range.upper) >= 0) return undefined;
  if (indexedDB.cmp(position, range.lower) < 0) return range;
  return IDBKeyRange.bound(position, range.upper, true, range.upperOpen);
}

function readBatch(db: Db, index: Walked['index'], range: IDBKeyRange, size: number): Promise<Page[]> {
  const pages = db.transaction('pages').store;
  if (index === undefined) return pages.getAll(range, size);
  return pages.index(index).getAll(range, size);
}

async function* backwards(db: Db, space: string, after: IDBValidKey[] | undefined): AsyncGenerator<Step> {
  let upper = after;
  for (;;) {
    const range = upper ? IDBKeyRange.bound([space], upper, false, true) : below([space]);
    const rows: Page[] = [];
    let cursor = await db.transaction('pages').store.index('seq').openCursor(range, 'prev');
    while (cursor && rows.length < MOST) {
      rows.push(cursor.value);
      cursor = await cursor.continue();
    }
    for (const page of rows) yield { position: [space, page.seq], page };
    const last = rows.at(-1);
    if (!last || rows.length < MOST) return;
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

type Belongs = (here: Page | undefined, there: Page | undefined) => boolean;

function comparison(which: NonNullable<PageFilter['compare']>, own: boolean, led: Led): Belongs {
  const tests: Record<typeof which, Belongs> = {
    all: () => true,
    left: (here, there) => {
      if (here) return here.state === 'known' && ((own && here.inBase) || there !== undefined);
      return there !== undefined && !led.has(there.key);
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
  led: Led;
}

/** Both spaces side by side, by key. A page that only the base has is shown as a page not visited here. */
async function* merge(
  db: Db,
  { space, base, filter, from, led }: Merged,
  belongs: Belongs,
): AsyncGenerator<Step> {
  const last = positionIn(filter);
  const pagesIn = (of: string, onBatch?: Walked['onBatch']) => {
    const all = rangesOf([of], filter);
    const ranges = from === undefined ? all : all.flatMap((range) => beginAt(range, [of, from]) ?? []);
    const walked = { index: undefined, ranges, first: firstOf(filter), ...(onBatch && { onBatch }) };
    return batches(db, walked, last && [of, ...last.slice(1)]);
  };
  const ours = pagesIn(space);
  const theirs = pagesIn(base, (rows) => led.read(rows.map(({ key }) => key)));
  const firsts = await Promise.all([ours.next(), theirs.next()]);
  let [here, there] = firsts.map(({ value }) => (value as Step | undefined)?.page);
  while (here || there) {
    const order = !here ? 1 : !there ? -1 : compareKeys(here.key, there.key);
    const mine = order <= 0 ? here : undefined;
    const yours = order >= 0 ? there : undefined;
    const key = (mine ?? yours)!.key;
    yield {
      position: [space, key],
      page: belongs(mine, yours) ? (mine ?? notVisited(yours!, space)) : undefined,
    };
    if (mine) here = (await ours.next()).value?.page as Page | undefined;
    if (yours) there = (await theirs.next()).value?.page as Page | undefined;
  }
}

/** A range without what lies before a position; nothing where that is all of it. */
function beginAt(range: IDBKeyRange, position: IDBValidKey[]): IDBKeyRange | undefined {
  if (indexedDB.cmp(position, range.upper) > 0) return undefined;
  if (indexedDB.cmp(position, range.lower) <= 0) return range;
  return IDBKeyRange.bound(position, range.upper, false, range.upperOpen);
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
