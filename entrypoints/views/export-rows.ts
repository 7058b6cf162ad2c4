import { otherAddresses, pageRecord, type AddressChoice, type PageRecord } from '#lib/exchange/record.ts';
import { holds } from '#lib/rounds/aliases.ts';
import type { Page, Round, Visit } from '#lib/rounds/types.ts';
import { withStore } from '#lib/store/open.ts';
import {
  getScope,
  latestVisitOf,
  notVisited,
  streamPages,
  variantsOf,
  visitsOf,
  visitsOfPage,
} from '#lib/store/read.ts';
import type { Show } from './list-parts.ts';
import { pagesByKey } from './reading.ts';

/** Which rows of a round go into a file, and how. */
export interface ExportChoice {
  show: Show;
  /** Only original addresses that begin so. */
  prefix?: string;
  address?: AddressChoice;
  /** `visit`: as pages entered the round, then what only its base has · `az`: by key. */
  order?: 'visit' | 'az';
  /** One record a visit instead of one a page. */
  allVisits?: boolean;
  /** The other addresses of each page too: costs a look-up a page. */
  others?: boolean;
}

/** Rows that are looked up together. */
const BATCH = 500;

/** A round as records, one after another; memory does not grow with the round. */
export async function* exportRecords(round: Round, choice: ExportChoice): AsyncGenerator<PageRecord> {
  const { prefix = '', address = 'first', allVisits = false, others = false } = choice;
  if (allVisits) {
    yield* visitRecords(round, choice);
    return;
  }
  for await (const pages of batches(pagesOf(round, choice))) {
    const fitting = pages.filter(({ url }) => url.startsWith(prefix));
    const finals = address === 'final' ? await Promise.all(fitting.map(finalVisit)) : [];
    for (const [index, page] of fitting.entries()) {
      const record = pageRecord(page, address, finals[index]?.url);
      if (others && page.addresses > 1)
        record.otherAddresses = otherAddresses(record.url, await variantsOf(page.scope, page.key));
      yield record;
    }
  }
}

async function finalVisit({ space, key, visits }: Page): Promise<Visit | undefined> {
  return visits > 0 ? latestVisitOf(space, key) : undefined;
}

/** The pages of a choice. Which of them only the base round has is asked in batches, so that any order is a stream. */
async function* pagesOf(round: Round, { show, order = 'visit' }: ExportChoice): AsyncGenerator<Page> {
  const isOurs = ownPages(round, show);
  if (order === 'az') {
    yield* byKey(round, show, isOurs);
    return;
  }
  if (show === 'left' && round.baseSpace !== undefined) {
    yield* leftInOrder(round, round.baseSpace);
    return;
  }
  for await (const page of streamPages(round.space, { order: 'seq' })) if (isOurs(page)) yield page;
  if (show === 'all' && round.baseSpace !== undefined) {
    for await (const { there, here } of ofBase(round, round.baseSpace)) {
      if (!here) yield notVisited(there, round.space);
    }
  }
}

function ownPages(round: Round, show: Show): (page: Page) => boolean {
  const hasBase = round.baseSpace !== undefined;
  if (show === 'all') return () => true;
  if (show === 'left') return (page) => page.state === 'known' && (page.inBase || !hasBase);
  if (show === 'new') return (page) => page.state !== 'known' && !page.inBase;
  if (show === 'changed') return (page) => page.changed === true;
  return (page) => page.state === show;
}

/** Our own rows and those left of the base round, both by key, as one list. */
async function* byKey(round: Round, show: Show, isOurs: (page: Page) => boolean): AsyncGenerator<Page> {
  if (show === 'left') {
    yield* streamPages(round.space, { compare: 'left' });
    return;
  }
  const ours = streamPages(round.space, {});
  const left: AsyncGenerator<Page> | undefined =
    show === 'all' && round.baseSpace !== undefined
      ? streamPages(round.space, { compare: 'left' })
      : undefined;
  let here = await ours.next();
  let there = await left?.next();
  while (!here.done || (there && !there.done)) {
    const mine = here.done ? undefined : here.value;
    const theirs = there && !there.done ? there.value : undefined;
    if (mine && (!theirs || mine.key <= theirs.key)) {
      if (isOurs(mine)) yield mine;
      here = await ours.next();
      if (theirs?.key === mine.key) there = await left?.next();
    } else if (theirs) {
      yield theirs;
      there = await left?.next();
    }
  }
}

/** What is left of the base round in the order it has there; then what stands for a page of it without being one. */
async function* leftInOrder(round: Round, base: string): AsyncGenerator<Page> {
  for await (const { here, there } of ofBase(round, base)) {
    if (!here) yield notVisited(there, round.space);
    else if (here.state === 'known') yield here;
  }
  const known = streamPages(round.space, { state: 'known' });
  for await (const pages of batches(known)) {
    const ofBase = pages.filter(({ inBase }) => inBase);
    const rows = await pagesByKey(
      base,
      ofBase.map(({ key }) => key),
    );
    yield* ofBase.filter((_, index) => rows[index] === undefined);
  }
}

/** Pages of the base round with their rows here, where there are any; those known to lead to another page are passed over. */
async function* ofBase(round: Round, base: string): AsyncGenerator<{ there: Page; here: Page | undefined }> {
  const tokens = (await getScope(round.scope))?.tokens;
  for await (const pages of batches(streamPages(base, { order: 'seq' }))) {
    const rows = await pagesByKey(
      round.space,
      pages.map(({ key }) => key),
    );
    const missing = pages.filter((_, index) => !rows[index]);
    const aliases = await withStore((db) =>
      Promise.all(missing.map(({ key }) => db.get('aliases', [round.scope, key]))),
    );
    const elsewhere = new Set(
      aliases.flatMap((alias) => (alias && holds(alias, round, tokens) ? [alias.from] : [])),
    );
    for (const [index, there] of pages.entries()) {
      if (!elsewhere.has(there.key)) yield { there, here: rows[index] };
    }
  }
}

/** Every visit of the round that showed a page of the choice, in the order they were recorded or by page. */
async function* visitRecords(round: Round, choice: ExportChoice): AsyncGenerator<PageRecord> {
  const { show, prefix = '', order } = choice;
  const isOurs = ownPages(round, show);
  if (order === 'az') {
    for await (const page of streamPages(round.space, {})) {
      if (!isOurs(page) || !page.url.startsWith(prefix) || page.visits === 0) continue;
      for (const visit of await visitsOfPage(round.space, page.key))
        if (visit.round === round.id && wasShown(visit)) yield visitRecord(visit, page);
    }
    return;
  }
  let after: number | null = -1;
  do {
    const { rows, next }: { rows: Visit[]; next: number | null } = await visitsOf(round.id, {
      after,
      limit: BATCH,
    });
    const visits = rows.filter(wasShown);
    const pages = await pagesByKey(
      round.space,
      visits.map(({ key }) => key),
    );
    for (const [index, visit] of visits.entries()) {
      const page = pages[index];
      if (page && isOurs(page) && page.url.startsWith(prefix)) yield visitRecord(visit, page);
    }
    after = next;
  } while (after !== null);
}

const wasShown = ({ kind }: Visit): boolean => kind !== 'failed';

function visitRecord({ url, at, status }: Visit, page: Page): PageRecord {
  const { url: _, ...ofPage } = pageRecord(page);
  const { key, title } = ofPage;
  return {
    url,
    ...(key !== undefined && { key }),
    ...(title !== undefined && { title }),
    ...(status !== undefined && { status }),
    firstVisitAt: at,
    lastVisitAt: at,
  };
}

async function* batches(pages: AsyncIterable<Page>): AsyncGenerator<Page[]> {
  let batch: Page[] = [];
  for await (const page of pages) {
    if (batch.push(page) < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
