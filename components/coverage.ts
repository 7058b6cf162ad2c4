import type { Round } from '#lib/rounds/types.ts';
import type { Coverage } from './CoverageBar.tsx';

/** How far a round is, against its base; without one, against the links known so far. */
export interface RoundCoverage extends Coverage {
  /** Visited, retrying, gone and left together. */
  total: number;
  /** Pages beside the base round: visited though it did not have them. */
  beside: number;
}

export function coverageOf(round: Round): RoundCoverage {
  const c = round.counters;
  if (round.base === undefined) {
    const total = c.visited + c.retrying + c.gone + c.known;
    const { visited, retrying, gone, known, changed } = c;
    return { visited, retrying, gone, left: known, changed, total, beside: 0 };
  }
  const left = Math.max(0, round.baseSize - c.baseVisited - c.baseRetrying - c.baseGone);
  return {
    visited: c.baseVisited,
    retrying: c.baseRetrying,
    gone: c.baseGone,
    left,
    changed: c.changed,
    total: round.baseSize,
    beside: Math.max(0, c.visited - c.baseVisited),
  };
}

/** Pages that the base round does not have, other than links nobody opened. Without a base every page is new. */
export function newPages({ counters: c }: Round): number {
  return c.visited + c.retrying + c.gone - c.baseVisited - c.baseRetrying - c.baseGone;
}

/**
 * All pages of a round and its base round together; nothing where the counters do not tell (how many of the links known
 * here the base round has too).
 */
export function allPages(round: Round): number | undefined {
  const c = round.counters;
  if (round.base === undefined) return c.visited + c.retrying + c.gone + c.known;
  return c.known === 0 ? round.baseSize + newPages(round) : undefined;
}
