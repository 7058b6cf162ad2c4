import { pathOf } from '#lib/rounds/address.ts';
import { LISTS, Loaded, NotLoaded, type List, type Question, type Table } from '#lib/rounds/rows.ts';
import type { Page, Visit } from '#lib/rounds/types.ts';
import { below } from './ranges.ts';
import type { WriteTransaction } from './schema.ts';

/** Decides, loading inside the transaction what the decision turns out to need, until it needs nothing more. */
export async function decideWith<T>(
  transaction: WriteTransaction,
  decide: (loaded: Loaded) => T,
  loaded: Loaded = new Loaded(),
  seen: Seen = seenInRows,
): Promise<T> {
  for (;;) {
    try {
      return decide(loaded);
    } catch (error) {
      if (!(error instanceof NotLoaded)) throw error;
      const answers = await Promise.all(
        error.questions.map((question) => answer(transaction, question, seen)),
      );
      for (const [index, question] of error.questions.entries()) loaded.set(question, answers[index]);
    }
  }
}

type Seen = typeof seenInRows;

function answer(transaction: WriteTransaction, question: Question, seen: Seen): Promise<unknown> {
  if ('get' in question) return transaction.objectStore(question.get).get(question.key as never);
  if ('list' in question) return list(transaction, question.list, question.args);
  if ('leads' in question) return leads(transaction, question.leads);
  return seen(transaction, question.seen);
}

async function list(transaction: WriteTransaction, name: List, args: readonly string[]): Promise<unknown[]> {
  const { has } = LISTS[name] as { table: Table; has: (row: unknown, args: readonly string[]) => boolean };
  const rows = await LOADERS[name](transaction, args);
  return rows.filter((row) => has(row, args));
}

/** Addresses of one page are counted up to here. */
const MOST_ADDRESSES = 1_000;

const LOADERS: Record<List, (transaction: WriteTransaction, args: readonly string[]) => Promise<unknown[]>> =
  {
    visitsOfPage: (transaction, [space = '', key = '']) =>
      transaction
        .objectStore('visits')
        .index('page')
        .getAll(below([space, key])),
    visitsOfDocument: (transaction, [, document = '']) => endsOfDocument(transaction, document),
    visitsThrough: (transaction, [, document = '']) =>
      transaction.objectStore('visits').index('through').getAll(document),
    pagesAtPlace: (transaction, [space = '', place = '']) => pagesAt(transaction, space, place),
    pagesOfHost: (transaction, [space = '', host = '']) =>
      transaction
        .objectStore('pages')
        .index('place')
        .getAll(below([space, host])),
    pagesSaying: (transaction, [space = '', digest = '']) =>
      transaction.objectStore('pages').index('digest').getAll([space, digest], 4),
    aliasesTo: (transaction, [scope = '', to = '']) =>
      transaction.objectStore('aliases').index('to').getAll([scope, to]),
    aliasesLeading: async (transaction, [prefix = '']) => {
      const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
      const rows = await transaction.objectStore('aliases').index('leads').getAll(range);
      // An alias with several leads is found by each.
      return [...new Map(rows.map((alias) => [alias.from, alias])).values()];
    },
    variantsOf: (transaction, [scope = '', key = '']) =>
      transaction.objectStore('variants').getAll(below([scope, key]), MOST_ADDRESSES),
    basedOn: (transaction, [round = '']) => transaction.objectStore('rounds').index('base').getAll(round),
  };

/** A document open for days may have thousands of showings; what is told now concerns the first or the latest. */
const MOST_SHOWINGS = 64;

async function endsOfDocument(transaction: WriteTransaction, document: string): Promise<Visit[]> {
  const index = transaction.objectStore('visits').index('document');
  const all = IDBKeyRange.bound([document], [document, []]);
  const first = await index.getAll(all, MOST_SHOWINGS);
  if (first.length < MOST_SHOWINGS) return first;
  const latest: Visit[] = [];
  let cursor = await index.openCursor(all, 'prev');
  while (cursor && latest.length < MOST_SHOWINGS) {
    latest.push(cursor.value);
    cursor = await cursor.continue();
  }
  const rows = new Map([first[0]!, ...latest].map((visit) => [visit.seq, visit]));
  return [...rows.values()];
}

/** A place is a path with any query and route behind it. */
async function pagesAt(transaction: WriteTransaction, space: string, place: string): Promise<Page[]> {
  const index = transaction.objectStore('pages').index('place');
  const { host } = URL.parse(place) ?? {};
  if (host === undefined) {
    const page = await transaction.objectStore('pages').get([space, place]);
    return page ? [page] : [];
  }
  const path = pathOf(place);
  const ranges = [
    below([space, host, path]),
    IDBKeyRange.bound([space, host, `${path}?`], [space, host, `${path}@`]),
    IDBKeyRange.bound([space, host, `${path}#`], [space, host, `${path}$`]),
  ];
  const rows = await Promise.all(ranges.map((range) => index.getAll(range)));
  return rows.flat();
}

/** More distinct leads than this make a sink whatever they are (see aliases.ts). */
const ENOUGH_LEADS = 8;

async function leads(transaction: WriteTransaction, prefix: string): Promise<string[]> {
  const found: string[] = [];
  const range = IDBKeyRange.bound(prefix, `${prefix}\uffff`);
  let cursor = await transaction.objectStore('aliases').index('leads').openKeyCursor(range, 'nextunique');
  while (cursor && found.length < ENOUGH_LEADS) {
    found.push(cursor.key);
    cursor = await cursor.continue();
  }
  return found;
}

/** Whether the key was visited in another round of the scope that still exists. */
export async function seenInRows(
  transaction: WriteTransaction,
  { scope, key, space }: { scope: string; key: string; space: string },
): Promise<boolean> {
  let cursor = await transaction
    .objectStore('pages')
    .index('scopeKey')
    .openCursor(below([scope, key]), 'prev');
  while (cursor) {
    const page = cursor.value;
    if (page.space !== space && page.state === 'visited') {
      if (page.space === scope || (await transaction.objectStore('rounds').getKey(page.space)) !== undefined)
        return true;
    }
    cursor = await cursor.continue();
  }
  return false;
}
