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
