import { pageRecord, readBackup, BackupError } from '#lib/exchange/index.ts';
import type { AddressChoice, BackupRow, BackupStore, PageRecord } from '#lib/exchange/index.ts';
import { holds } from '#lib/rounds/aliases.ts';
import type { Alias, Page, Round, Scope, Visit } from '#lib/rounds/types.ts';
import { UsageError } from './command.ts';
import { openInput } from './input.ts';
import type { Terminal } from './terminal.ts';

/** Which pages of a round are exported. */
export const SELECTIONS = ['all', 'left', 'new', 'changed', 'known', 'visited', 'retrying', 'gone'] as const;
export type Selection = (typeof SELECTIONS)[number];

export interface Wanted {
  selection: Selection;
  prefix: string | undefined;
  address: AddressChoice;
  order: 'visit' | 'az';
  allVisits: boolean;
}

/** A backup that was read to its end once and is whole. The file is read again for each question, so memory stays small. */
export class BackupSource {
  readonly #file: string;
  readonly #terminal: Terminal;
  readonly #scopes: Scope[] = [];
  readonly #rounds: Round[] = [];
  /** The pages of some space are not in the order in which they entered it. */
  #isUnordered = false;

  private constructor(file: string, terminal: Terminal) {
    this.#file = file;
    this.#terminal = terminal;
  }

  /** @throws {UsageError} when the file is not a whole backup */
  static async open(file: string, terminal: Terminal): Promise<BackupSource> {
    const source = new BackupSource(file, terminal);
    try {
      await source.#survey();
    } catch (error) {
      if (error instanceof BackupError) throw new UsageError(`"${file}": ${error.message}`);
      throw error;
    }
    return source;
  }

  async #survey(): Promise<void> {
    const last = new Map<string, number>();
    for await (const { store, row } of this.#items()) {
      if (store === 'scopes') this.#scopes.push(row as unknown as Scope);
      else if (store === 'rounds') this.#rounds.push(row as unknown as Round);
      else if (store === 'pages') {
        const { space, seq } = row as unknown as Page;
        if (seq < (last.get(space) ?? -Infinity)) this.#isUnordered = true;
        last.set(space, seq);
      }
    }
  }

  /** The scope of that name or id; without one the only scope there is. */
  scope(wanted: string | undefined): Scope {
    const names = this.#scopes.map(({ name }) => `"${name}"`).join(', ');
    if (this.#scopes.length === 0)
      throw new UsageError('The backup has no scope, so there is nothing to export.');
    const found = this.#scopes.filter(
      ({ id, name }) => wanted === undefined || id === wanted || name === wanted,
    );
    if (found.length === 1 && found[0]) return found[0];
    if (found.length === 0) throw new UsageError(`The backup has no scope "${wanted}". It has: ${names}.`);
    if (wanted === undefined)
      throw new UsageError(`The backup has several scopes: choose with --scope. It has: ${names}.`);
    throw new UsageError(
      `Several scopes are called "${wanted}": choose by id: ${found.map(({ id }) => id).join(', ')}.`,
    );
  }

  /** The round of that number or id; without one the latest. A scope without rounds has none. */
  round(scope: Scope, wanted: string | undefined): Round | undefined {
    const rounds = this.#rounds
      .filter((round) => round.scope === scope.id)
      .sort((a, b) => a.number - b.number);
    if (wanted === undefined || wanted === 'last') return rounds.at(-1);
    const found = rounds.find(({ id, number }) => id === wanted || String(number) === wanted);
    if (found) return found;
    throw new UsageError(
      `The scope has no round "${wanted}". It has: ${rounds.map(({ number }) => number).join(', ') || 'none'}.`,
    );
  }

  /** The wanted records, in their order. */
  async *records(scope: Scope, round: Round | undefined, wanted: Wanted): AsyncGenerator<PageRecord> {
    const records = this.#select(scope, round, wanted);
    if (wanted.order === 'visit') yield* records;
    else yield* sorted(records, (a, b) => (a.url < b.url ? -1 : a.url > b.url ? 1 : 0));
  }

  async *#select(scope: Scope, round: Round | undefined, wanted: Wanted): AsyncGenerator<PageRecord> {
    const space = round?.space ?? scope.id;
    const pages =
      wanted.selection === 'left' ? this.#left(scope, round) : this.#pagesOf(space, wanted.selection);
    // Onceover writes pages in the order in which they entered their space; other files are sorted here.
    const inOrder = this.#isUnordered ? sorted(pages, (a, b) => a.seq - b.seq) : pages;
    const matching = filter(
      inOrder,
      ({ url }) => wanted.prefix === undefined || url.startsWith(wanted.prefix),
    );
    if (wanted.allVisits) {
      yield* this.#visits(space, round, matching);
      return;
    }
    const finals = wanted.address === 'final' ? await this.#finalAddresses(space) : undefined;
    for await (const page of matching) yield pageRecord(page, wanted.address, finals?.get(page.key));
  }

  #rows(store: 'pages'): AsyncGenerator<Page>;
  #rows(store: 'visits'): AsyncGenerator<Visit>;
  async *#rows(store: BackupStore): AsyncGenerator {
    for await (const item of this.#items()) if (item.store === store) yield item.row;
  }

  #items(): AsyncGenerator<BackupRow> {
    return readBackup(openInput(this.#file, this.#terminal));
  }

  async *#pagesOf(space: string, selection: Selection): AsyncGenerator<Page> {
    for await (const page of this.#rows('pages')) {
      if (page.space === space && isSelected(page, selection)) yield page;
    }
  }

  /** Pages of the base round that are not visited, retrying or gone here; without a base the known links. */
  async *#left(scope: Scope, round: Round | undefined): AsyncGenerator<Page> {
    const space = round?.space ?? scope.id;
    const base = round?.baseSpace ?? this.#rounds.find(({ id }) => id === round?.base)?.space;
    if (round === undefined || base === undefined || base === space) {
      yield* this.#pagesOf(space, 'known');
      return;
    }
    // What was begun here, and addresses that are known to lead to another page.
    const done = new Set<string>();
    for await (const { store, row } of this.#items()) {
      if (store === 'pages') {
        const page = row as unknown as Page;
        if (page.space === space && page.state !== 'known') done.add(page.key);
      } else if (store === 'aliases') {
        const alias = row as unknown as Alias;
        if (alias.scope === scope.id && holds(alias, round, scope.tokens)) done.add(alias.from);
      }
    }
    for await (const page of this.#rows('pages')) {
      if (page.space === base && !done.has(page.key)) yield { ...page, state: 'known', visits: 0 };
    }
  }

  async *#visits(
    space: string,
    round: Round | undefined,
    pages: AsyncIterable<Page>,
  ): AsyncGenerator<PageRecord> {
    const titles = new Map<string, string | undefined>();
    for await (const { key, title } of pages) titles.set(key, title);
    for await (const visit of this.#rows('visits')) {
      if (visit.space !== space || visit.kind === 'failed' || !titles.has(visit.key)) continue;
      if (round !== undefined && visit.round !== round.id) continue;
      const record: PageRecord = {
        url: visit.url,
        key: visit.key,
        firstVisitAt: visit.at,
        lastVisitAt: visit.at,
      };
      const title = titles.get(visit.key);
      if (title !== undefined) record.title = title;
      if (visit.status !== undefined) record.status = visit.status;
      yield record;
    }
  }

  async #finalAddresses(space: string): Promise<Map<string, string>> {
    const latest = new Map<string, string>();
    for await (const { space: of, kind, key, url } of this.#rows('visits'))
      if (of === space && kind !== 'failed') latest.set(key, url);
    return latest;
  }
}

function isSelected(page: Page, selection: Selection): boolean {
  if (selection === 'all' || selection === 'left') return true;
  if (selection === 'changed') return page.changed === true;
  if (selection === 'new') return page.state !== 'known' && !page.inBase;
  return page.state === selection;
}

async function* sorted<T>(items: AsyncIterable<T>, order: (a: T, b: T) => number): AsyncGenerator<T> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  yield* all.sort(order);
}

async function* filter<T>(items: AsyncIterable<T>, keep: (item: T) => boolean): AsyncGenerator<T> {
  for await (const item of items) if (keep(item)) yield item;
}
