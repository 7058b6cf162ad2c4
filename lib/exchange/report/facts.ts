import type { ChangedBlock } from '#lib/content/snapshot.ts';
import type { Page, Round, Scope } from '#lib/rounds/types.ts';

/** The lists of a report, in the order in which they want to be read. */
export const SECTIONS = ['problems', 'changed', 'retrying', 'left', 'gone', 'notes'] as const;
export type Section = (typeof SECTIONS)[number];

/** How far a round is. The first four make up `total`. */
export interface ReportCoverage {
  visited: number;
  retrying: number;
  gone: number;
  left: number;
  total: number;
  /** Visited though the base round did not have them. */
  beside: number;
  changed: number;
}

/** Everything a report says, with no word of any language in it. */
export interface ReportFacts {
  scope: string;
  round: Pick<Round, 'number' | 'startedAt' | 'endedAt'>;
  base: Pick<Round, 'number' | 'startedAt'> | undefined;
  /** When the report was made, ms since the epoch. */
  madeAt: number;
  coverage: ReportCoverage;
  /** Pages that became visited in each of {@link SLICES} equal stretches of `from` to `to` (ms since the epoch). */
  progress: { from: number; to: number; visited: number[] };
  /** This round and those before it, the oldest first. */
  rounds: { number: number; startedAt: number; visited: number; total: number }[];
  sections: Record<Section, { total: number; pages: Page[] }>;
  /** What changed on a page, by its key; of the first changed pages only. */
  changes: Map<string, ReportChange>;
}

/** The first blocks that changed, without noise, and how many more there are. */
export interface ReportChange {
  blocks: Pick<ChangedBlock, 'op' | 'before' | 'after'>[];
  more: number;
}

/** Stretches of time of the progress. */
export const SLICES = 48;

/** Changed pages of which the report says what changed, and blocks of each. */
export const CHANGES_TOLD = 50;
const BLOCKS_TOLD = 5;

/** Pages of one list that are in the report; an export has all. */
export const LISTED = 500;

interface About {
  scope: Pick<Scope, 'name'>;
  round: Round;
  base: Round | undefined;
  coverage: ReportCoverage;
  rounds: ReportFacts['rounds'];
  madeAt: number;
}

/**
 * Collects a report from the pages of a round, in any order and in memory that does not grow with them. Pages of the base round that are left have
 * no row in the round: they are told by {@link addLeft}.
 */
export class ReportBuilder {
  readonly #about: About;
  readonly #facts: Pick<ReportFacts, 'progress' | 'sections' | 'changes'>;

  constructor(about: About) {
    const { round, madeAt } = about;
    const to = Math.max(round.endedAt ?? madeAt, round.startedAt + 1);
    const visited = Array.from({ length: SLICES }, () => 0);
    const none = () => ({ total: 0, pages: [] });
    this.#about = about;
    this.#facts = {
      progress: { from: round.startedAt, to, visited },
      sections: {
        problems: none(),
        changed: none(),
        retrying: none(),
        left: none(),
        gone: none(),
        notes: none(),
      },
      changes: new Map(),
    };
  }

  /** A page that has a row in the round. */
  add(page: Page): void {
    const { state, changed, verdict, note, inBase, firstVisitAt } = page;
    if (verdict === 'problem') this.#list('problems', page);
    else if (note !== undefined || verdict === 'skip') this.#list('notes', page);
    if (state === 'visited' && changed === true) this.#list('changed', page);
    if (state === 'retrying' || state === 'gone') this.#list(state, page);
    // Progress is of what there was to visit: pages beside the base round are not in its total.
    const counts = state === 'visited' && (this.#about.round.base === undefined || inBase);
    if (counts && firstVisitAt !== undefined) this.#visitedAt(firstVisitAt);
  }

  addLeft(page: Page): void {
    this.#list('left', page);
  }

  /** Says what changed on a page. */
  addChange(key: string, blocks: readonly ChangedBlock[]): void {
    const real = blocks.filter(({ noise }) => noise === undefined);
    const told = real.slice(0, BLOCKS_TOLD);
    if (told.length > 0) this.#facts.changes.set(key, { blocks: told, more: real.length - told.length });
  }

  facts(): ReportFacts {
    const { scope, round, base, coverage, rounds, madeAt } = this.#about;
    return { scope: scope.name, round, base, madeAt, coverage, rounds, ...this.#facts };
  }

  #list(section: Section, page: Page): void {
    const list = this.#facts.sections[section];
    list.total += 1;
    if (list.pages.length < LISTED) list.pages.push(page);
  }

  #visitedAt(at: number): void {
    const { from, to, visited } = this.#facts.progress;
    const slice = Math.floor(((at - from) / (to - from)) * SLICES);
    const place = Math.min(SLICES - 1, Math.max(0, slice));
    visited[place] = (visited[place] ?? 0) + 1;
  }
}
