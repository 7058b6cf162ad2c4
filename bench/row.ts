export type Engine = 'node' | 'chromium';

export type Verdict = 'yes' | 'no' | 'not distinguishable' | 'peer absent' | 'no target';

/** One measurement of the product beside a peer. */
export interface Row {
  readonly name: string;
  readonly engine: Engine;
  /** The list of addresses it was measured on. */
  readonly set: string;
  readonly unit: string;
  /** Medians, in `unit`. */
  readonly ours: number;
  readonly peer: number | null;
  readonly peerName: string;
  /** What the work costs at least, in `unit`, where that can be said. */
  readonly floor: number | null;
  /** What the target limits: ours divided by something, or something divided by ours, or ours itself; `ratioOf` says which. */
  readonly ratio: number | null;
  readonly ratioOf: string;
  readonly target: string;
  readonly holds: Verdict;
  /** The best of the rounds, where it was timed. */
  readonly best?: { readonly ours: number; readonly peer: number | null };
}

/** What to reach. A `timed` ratio within 10 % of the target is noise; one of bytes is exact. */
export type Target = { readonly most: number } | { readonly least: number };

/** Differences within this share of a target are not distinguishable from it. */
const NOISE = 0.1;

export function targetText(target: Target | undefined): string {
  if (target === undefined) return '';
  return 'most' in target ? `≤ ${target.most}` : `≥ ${target.least}`;
}

/** Whether a ratio reaches its target; a timed one that misses by no more than the noise is neither. */
export function judge(ratio: number | null, target: Target | undefined, timed: boolean): Verdict {
  if (ratio === null) return 'peer absent';
  if (target === undefined) return 'no target';
  const noise = timed ? NOISE : 0;
  if ('most' in target) {
    if (ratio <= target.most) return 'yes';
    return ratio <= target.most * (1 + noise) ? 'not distinguishable' : 'no';
  }
  if (ratio >= target.least) return 'yes';
  return ratio >= target.least * (1 - noise) ? 'not distinguishable' : 'no';
}
