import { decide, type Decided, type State } from './decide.ts';
import type { CaptureEvent } from './events.ts';
import { holds } from './aliases.ts';
import { addCount, countAlias, countPage, countVisit, NO_COUNTERS } from './counters.ts';
import { knownPage } from './links.ts';
import { hintedBy, hintedPage, newRound, sizeOf, end } from './rounds.ts';
import {
  KEYS,
  LISTS,
  Loaded,
  NotLoaded,
  type Question,
  type Table,
  type Tables,
  type Writes,
} from './rows.ts';
import type { Counters, Round, Scope } from './types.ts';

/** A store in plain maps, for tests of decisions: what IndexedDB does, without IndexedDB. */
export class MemoryStore {
  readonly tables: { [T in Table]: Map<string, Tables[T]> } = {
    scopes: new Map(),
    rounds: new Map(),
    pages: new Map(),
    visits: new Map(),
    variants: new Map(),
    aliases: new Map(),
  };
  readonly log: Writes['entries'] = [];
  readonly #events = new Set<string>();
  scope: Scope;
  round: Round;

  constructor(scope: Partial<Scope> = {}) {
    this.scope = { ...SCOPE, ...scope };
    this.tables.scopes.set(JSON.stringify(this.scope.id), this.scope);
    this.round = this.startRound(0);
  }

  rows<T extends Table>(table: T): Tables[T][] {
    return [...this.tables[table].values()];
  }

  startRound(at: number, base?: Round): Round {
    const rounds = this.rows('rounds');
    const id = `round-${rounds.length + 1}`;
    const hinted = base ? hintedBy(this.rows('aliases'), base, this.scope.tokens) : [];
    const fresh = hinted.filter(({ from }) => !this.tables.pages.has(JSON.stringify([base?.space, from])));
    let round = newRound(this.scope, rounds, base ? { id, at, base } : { id, at });
    const merged = this.rows('aliases').filter(
      (alias) =>
        base &&
        holds(alias, round, this.scope.tokens) &&
        this.tables.pages.has(JSON.stringify([base.space, alias.from])),
    );
    for (const alias of merged) {
      this.tables.aliases.set(JSON.stringify([alias.scope, alias.from]), { ...alias, leftBase: id });
    }
    round = { ...round, baseSize: base ? sizeOf(base) + fresh.length - merged.length : 0 };
    for (const alias of hinted) {
      const page = hintedPage(alias, round, this.log.length);
      this.log.push({ change: 'page' });
      this.tables.pages.set(JSON.stringify([page.space, page.key]), page);
      round = { ...round, counters: addCount(round.counters, countPage(page)) };
    }
    this.tables.rounds.set(JSON.stringify(id), round);
    this.round = round;
    return round;
  }

  endRound(at: number): Round {
    this.round = end(this.round, at);
    this.tables.rounds.set(JSON.stringify(this.round.id), this.round);
    return this.round;
  }

  record(event: CaptureEvent): Decided | undefined {
    if (this.#events.has(event.id)) return undefined;
    this.#events.add(event.id);
    return this.decide((state) => decide(state, event));
  }

  /** What one transaction decides, with every row it asks for. */
  decide<T extends { writes: Writes }>(work: (state: State) => T): T {
    const loaded = new Loaded();
    for (;;) {
      try {
        const decided = work({ scope: this.scope, round: this.round, loaded, nextSeq: this.log.length });
        this.#apply(decided.writes);
        return decided;
      } catch (error) {
        if (!(error instanceof NotLoaded)) throw error;
        for (const question of error.questions) loaded.set(question, copy(this.#answer(question)));
      }
    }
  }

  /** The row of a link that was seen, as lib/store/links.ts writes it. */
  addLink(url: string, at: number): void {
    const about = { seq: this.log.length, at, isNew: true, inBase: false };
    const page = knownPage({ key: url, url }, this.round, about);
    this.log.push({ change: 'page' });
    this.tables.pages.set(JSON.stringify([page.space, page.key]), page);
    this.round = { ...this.round, counters: addCount(this.round.counters, countPage(page)) };
    this.tables.rounds.set(JSON.stringify(this.round.id), this.round);
  }

  #answer(question: Question): unknown {
    if ('get' in question) return this.tables[question.get].get(JSON.stringify(question.key));
    if ('list' in question) {
      const { table, has } = LISTS[question.list] as {
        table: Table;
        has: (row: unknown, args: readonly string[]) => boolean;
      };
      return this.rows(table).filter((row) => has(row, question.args));
    }
    if ('leads' in question) {
      const leads = this.rows('aliases').flatMap((alias) => alias.leads);
      return [...new Set(leads.filter((lead) => lead.startsWith(question.leads)))];
    }
    const { scope, key, space } = question.seen;
    return this.rows('pages').some(
      (page) => page.scope === scope && page.key === key && page.space !== space && page.state === 'visited',
    );
  }

  #apply({ puts, deletes, entries }: Writes): void {
    for (const { table, row } of puts) {
      const key = JSON.stringify((KEYS[table] as (row: unknown) => unknown)(row));
      (this.tables[table] as Map<string, unknown>).set(key, copy(row));
    }
    for (const { table, key } of deletes) this.tables[table].delete(JSON.stringify(key));
    this.log.push(...entries);
    this.round = this.tables.rounds.get(JSON.stringify(this.round.id))!;
    this.scope = this.tables.scopes.get(JSON.stringify(this.scope.id))!;
  }

  /** Counters of a round, made again from the rows. */
  recount(round: Round = this.round): Counters {
    let counters = { ...NO_COUNTERS };
    for (const page of this.rows('pages'))
      if (page.space === round.space) counters = addCount(counters, countPage(page));
    for (const visit of this.rows('visits'))
      if (visit.round === round.id) counters = addCount(counters, countVisit(visit));
    for (const alias of this.rows('aliases')) counters = addCount(counters, countAlias(alias, round.id));
    return counters;
  }
}

const SCOPE: Scope = {
  id: 'scope-1',
  name: 'Samples',
  origins: ['*://*/*'],
  paths: [],
  mode: 'inspecting',
  policy: {},
  policyVersion: '',
  createdAt: 0,
};

/** Rows are JSON; a copy keeps decisions from changing what is stored. */
function copy<T>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);
}
