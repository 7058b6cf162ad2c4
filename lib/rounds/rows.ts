import { placeOf, type Addressed } from './address.ts';
import { addCount, countAlias, countPage, countVisit, NO_COUNTERS, type Count } from './counters.ts';
import type { Alias, Counters, Page, PageState, Round, Scope, Variant, Visit } from './types.ts';

/** The tables that decisions read and write. */
export interface Tables {
  scopes: Scope;
  rounds: Round;
  pages: Page;
  visits: Visit;
  variants: Variant;
  aliases: Alias;
}
export type Table = keyof Tables;

/** Primary key of each table, as IndexedDB has it. */
export const KEYS: { [T in Table]: (row: Tables[T]) => string | number | (string | number)[] } = {
  scopes: ({ id }) => id,
  rounds: ({ id }) => id,
  pages: ({ space, key }) => [space, key],
  visits: ({ seq }) => seq,
  variants: ({ scope, key, url }) => [scope, key, url],
  aliases: ({ scope, from }) => [scope, from],
};

type Args = readonly string[];

/** The lists that decisions ask for; the store answers each by an index, and `has` says which rows belong to it. */
export const LISTS = {
  /** space, key */
  visitsOfPage: { table: 'visits', has: (row, [space, key]) => row.space === space && row.key === key },
  /** space, document */
  visitsOfDocument: {
    table: 'visits',
    has: (row, [space, document]) => row.space === space && row.document === document,
  },
  /** space, document: what a document led on to by itself */
  visitsThrough: {
    table: 'visits',
    has: (row, [space, document = '']) => row.space === space && (row.through?.includes(document) ?? false),
  },
  /** space, place */
  pagesAtPlace: {
    table: 'pages',
    has: (row, [space, place]) => row.space === space && placeOf(row.key) === place,
  },
  /** space, host */
  pagesOfHost: { table: 'pages', has: (row, [space, host]) => row.space === space && row.host === host },
  /** space, masked digest; a few of them */
  pagesSaying: {
    table: 'pages',
    has: (row, [space, digest]) => row.space === space && row.maskedDigest === digest,
  },
  /** scope, key */
  aliasesTo: { table: 'aliases', has: (row, [scope, to]) => row.scope === scope && row.to === to },
  /** beginning of leads (see aliases.ts) */
  aliasesLeading: {
    table: 'aliases',
    has: (row, [prefix = '']) => row.leads.some((lead) => lead.startsWith(prefix)),
  },
  /** scope, key */
  variantsOf: { table: 'variants', has: (row, [scope, key]) => row.scope === scope && row.key === key },
  /** round */
  basedOn: { table: 'rounds', has: (row, [base]) => row.base === base },
} satisfies {
  [name: string]: { [T in Table]: { table: T; has: (row: Tables[T], args: Args) => boolean } }[Table];
};
export type List = keyof typeof LISTS;
export type ListRow<L extends List> = Tables[(typeof LISTS)[L]['table']];

/** A page row as its sparse indexes need it: `changedIn` follows from `changed`, `newIn` from the state and `inBase`. */
export function indexed(page: Page): Page {
  const changedIn = page.changed ? page.space : undefined;
  const newIn = !page.inBase && page.state !== 'known' ? page.space : undefined;
  if (changedIn === page.changedIn && newIn === page.newIn) return page;
  const { changedIn: _, newIn: __, ...rest } = page;
  return { ...rest, ...(changedIn !== undefined && { changedIn }), ...(newIn !== undefined && { newIn }) };
}

/** A question to the store that a decision cannot go on without. */
export type Question =
  | { get: Table; key: string | number | (string | number)[] }
  | { list: List; args: Args }
  /** Distinct leads that begin so (see aliases.ts), a few of them. */
  | { leads: string }
  /** Whether the key was visited in another space of the scope. */
  | { seen: { scope: string; key: string; space: string } };

/** Thrown by {@link Draft} for rows that were not loaded: load them and decide again. */
export class NotLoaded extends Error {
  readonly questions: Question[];
  constructor(questions: Question[]) {
    super('rows are needed that were not loaded');
    this.questions = questions;
  }
}

/** Answers of the store, as far as they were asked for. */
export class Loaded {
  readonly #answers = new Map<string, unknown>();
  /** Keys of addresses, so that deciding again need not make them again. */
  readonly addresses = new Map<string, Addressed | undefined>();

  has(question: Question): boolean {
    return this.#answers.has(JSON.stringify(question));
  }
  set(question: Question, answer: unknown): void {
    this.#answers.set(JSON.stringify(question), answer);
  }
  answer(question: Question): unknown {
    if (!this.has(question)) throw new NotLoaded([question]);
    return this.#answers.get(JSON.stringify(question));
  }
}

/** An entry of the log, without number and time. */
export interface Entry {
  change: 'page' | 'known' | 'deleted' | 'space' | 'round' | 'scope' | 'alias' | 'visit' | 'download';
  space?: string;
  key?: string;
  keys?: string[];
  state?: PageState;
  changed?: boolean;
  url?: string;
}

export interface Writes {
  puts: { [T in Table]: { table: T; row: Tables[T] } }[Table][];
  deletes: { table: Table; key: string | number | (string | number)[] }[];
  /** Numbered from `firstSeq` on. */
  entries: Entry[];
  /** Rounds whose rows or counters changed. */
  rounds: string[];
}

/**
 * The rows as they will be: what was loaded, with what was decided so far on top. Counters of rounds follow from the rows that are
 * written, and every page that changes its state gets its log entry; nobody else writes them.
 */
export class Draft {
  readonly #loaded: Loaded;
  readonly #firstSeq: number;
  readonly #round: string;
  readonly #written = new Map<
    string,
    { table: Table; key: string | number | (string | number)[]; row: unknown }
  >();
  readonly #counts = new Map<string, Counters>();
  readonly #entries: Entry[] = [];

  /** `round`: the round that page rows are counted in. */
  constructor(loaded: Loaded, firstSeq: number, round: string) {
    this.#loaded = loaded;
    this.#firstSeq = firstSeq;
    this.#round = round;
  }

  /** Keys made so far for this event. */
  get addresses(): Map<string, Addressed | undefined> {
    return this.#loaded.addresses;
  }

  /** Asks for several things at once, so that they are loaded together. */
  want(...questions: Question[]): void {
    const missing = questions.filter((question) => !this.#loaded.has(question));
    if (missing.length > 0) throw new NotLoaded(missing);
  }

  get<T extends Table>(table: T, key: string | number | (string | number)[]): Tables[T] | undefined {
    const written = this.#written.get(idOf(table, key));
    if (written) return written.row as Tables[T] | undefined;
    return this.#loaded.answer({ get: table, key }) as Tables[T] | undefined;
  }

  list<L extends List>(list: L, ...args: string[]): ListRow<L>[] {
    const { table, has } = LISTS[list] as { table: Table; has: (row: unknown, args: Args) => boolean };
    const stored = this.#loaded.answer({ list, args }) as ListRow<L>[];
    const keyOf = KEYS[table] as (row: unknown) => string | number | (string | number)[];
    const untouched = stored.filter((row) => !this.#written.has(idOf(table, keyOf(row))));
    const written = [...this.#written.values()].filter(
      (each) => each.table === table && each.row !== undefined,
    );
    return [...untouched, ...written.map(({ row }) => row as ListRow<L>).filter((row) => has(row, args))];
  }

  leads(prefix: string): Set<string> {
    const stored = this.#loaded.answer({ leads: prefix }) as string[];
    const written = [...this.#written.values()].filter(({ table }) => table === 'aliases');
    const ours = written.flatMap(({ row }) => (row as Alias | undefined)?.leads ?? []);
    return new Set([...stored, ...ours.filter((lead) => lead.startsWith(prefix))]);
  }

  seen(scope: string, key: string, space: string): boolean {
    return this.#loaded.answer({ seen: { scope, key, space } }) as boolean;
  }

  /** The number that the next entry gets. */
  get next(): number {
    return this.#firstSeq + this.#entries.length;
  }

  /** `round`: where a page is counted, if not in the round of this decision. */
  put<T extends Table>(table: T, row: Tables[T], round: string = this.#round): void {
    const key = KEYS[table](row);
    const before = this.#before(table, key);
    const kept = table === 'pages' ? indexed(row as Page) : row;
    this.#written.set(idOf(table, key), { table, key, row: kept });
    if (table === 'pages') this.#pageChanged(before as Page | undefined, row as Page);
    this.#count(table, before, -1, round);
    this.#count(table, row, 1, round);
  }

  delete(table: Table, key: string | number | (string | number)[]): void {
    const before = this.#before(table, key);
    if (before === undefined) return;
    this.#written.set(idOf(table, key), { table, key, row: undefined });
    this.#count(table, before, -1, this.#round);
    if (table === 'pages') {
      const { space, key } = before as Page;
      this.log({ change: 'deleted', space, key });
    }
  }

  /** Appends to the log; the entry's number also numbers rows that come in order. */
  log(entry: Entry): number {
    this.#entries.push(entry);
    return this.#firstSeq + this.#entries.length - 1;
  }

  writes(): Writes {
    const changed = [...this.#counts].filter(([, count]) =>
      Object.values(count).some((value) => value !== 0),
    );
    for (const [id, count] of changed) {
      const round = this.get('rounds', id);
      if (round) this.put('rounds', { ...round, counters: addCount(round.counters, count) });
    }
    this.#logTheRest();
    const writes: Writes = { puts: [], deletes: [], entries: this.#entries, rounds: [] };
    for (const { table, key, row } of this.#written.values()) {
      if (row === undefined) writes.deletes.push({ table, key });
      else writes.puts.push({ table, row } as Writes['puts'][number]);
      if (table === 'rounds') writes.rounds.push(String(key));
    }
    return writes;
  }

  /** Every write is in the log: views follow its number, a restore the keys of pages whose row or visits changed. */
  #logTheRest(): void {
    const told = new Set(this.#entries.flatMap(({ key, keys = [] }) => (key === undefined ? keys : [key])));
    const silent = new Map<string, Set<string>>();
    for (const { table, row } of this.#written.values()) {
      if (row === undefined || (table !== 'pages' && table !== 'visits')) continue;
      const { space, key } = row as Page | Visit;
      if (!told.has(key)) silent.set(space, (silent.get(space) ?? new Set()).add(key));
    }
    for (const [space, keys] of silent) this.log({ change: 'round', space, keys: [...keys] });
    if (this.#written.size > 0 && this.#entries.length === 0) this.log({ change: 'round' });
  }

  #before(table: Table, key: string | number | (string | number)[]): Tables[Table] | undefined {
    // A visit is new exactly where its number is.
    if (table === 'visits' && Number(key) >= this.#firstSeq && !this.#written.has(idOf(table, key)))
      return undefined;
    return this.get(table, key);
  }

  #pageChanged(before: Page | undefined, { space, key, state, changed = false }: Page): void {
    if (before?.state === state && (before.changed ?? false) === changed) return;
    this.log({ change: 'page', space, key, state, changed });
  }

  #count(table: Table, row: unknown, times: 1 | -1, round: string): void {
    if (row === undefined) return;
    if (table === 'pages') this.#add(round, countPage(row as Page), times);
    if (table === 'visits') this.#add((row as Visit).round, countVisit(row as Visit), times);
    if (table === 'aliases') this.#add(round, countAlias(row as Alias, round), times);
  }

  #add(round: string, count: Count, times: 1 | -1): void {
    this.#counts.set(round, addCount(this.#counts.get(round) ?? NO_COUNTERS, count, times));
  }
}

function idOf(table: Table, key: string | number | (string | number)[]): string {
  return `${table} ${JSON.stringify(key)}`;
}
