/**
 * Which elements of two sequences stay, in order. Patience alignment (Bram Cohen): trim equal ends, match what is unique on both
 * sides along the longest increasing run, do the same between the matches; where nothing is unique, Myers' O(ND) difference ("An
 * O(ND) Difference Algorithm and Its Variations", 1986) up to a bound.
 */
export interface Alignment {
  /** For each element of `before` the index of its partner in `after`, or -1; increasing where it is not -1. */
  partners: Int32Array;
  /** The budget ran out somewhere: the matches are right, but not the most that could be found. */
  coarse: boolean;
}

/** Elementary steps after which the rest is matched greedily; about a second on a slow machine. */
const BUDGET = 8_000_000;
/** Differences that Myers' search goes to in one gap; its memory grows with the square. */
const MOST_DIFFERENCES = 1_000;
/** How far ahead the greedy match looks for an equal element. */
const WINDOW = 32;

/** Elements `a` to `aEnd` of the older and `b` to `bEnd` of the newer sequence. */
export interface Range {
  a: number;
  aEnd: number;
  b: number;
  bEnd: number;
}

/**
 * Aligns two lists of small non-negative numbers; equal numbers are equal elements. With `within`, disjoint ranges in order, only
 * what is in one range may match.
 */
export function align(
  before: Int32Array,
  after: Int32Array,
  within: readonly Range[] = [{ a: 0, aEnd: before.length, b: 0, bEnd: after.length }],
  budget = BUDGET,
): Alignment {
  const partners = new Int32Array(before.length).fill(-1);
  const kinds = Math.max(greatest(before), greatest(after)) + 1;
  /** Per element: how often it occurs in the range, and where. */
  const countA = new Int32Array(kinds);
  const countB = new Int32Array(kinds);
  const placeB = new Int32Array(kinds);
  const ranges = [...within];
  let left = budget;
  let coarse = false;

  for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
    let { a, aEnd, b, bEnd } = range;
    while (a < aEnd && b < bEnd && before[a] === after[b]) partners[a++] = b++;
    while (a < aEnd && b < bEnd && before[aEnd - 1] === after[bEnd - 1]) partners[--aEnd] = --bEnd;
    if (a === aEnd || b === bEnd) continue;
    left -= aEnd - a + bEnd - b;
    if (left < 0) {
      coarse = true;
      matchGreedily({ a, aEnd, b, bEnd });
      continue;
    }
    const unique = uniqueOnBoth({ a, aEnd, b, bEnd });
    if (unique === null) continue;
    if (unique.length === 0) {
      differ({ a, aEnd, b, bEnd });
      continue;
    }
    const run = longestRun(unique, a, b);
    for (const [i, j] of run) {
      partners[i] = j;
      ranges.push({ a, aEnd: i, b, bEnd: j });
      a = i + 1;
      b = j + 1;
    }
    ranges.push({ a, aEnd, b, bEnd });
  }
  return { partners, coarse };

  /** Pairs of indices of the elements that occur once on either side, in the order of `before`; null if none is on both. */
  function uniqueOnBoth({ a, aEnd, b, bEnd }: Range): [number, number][] | null {
    for (let i = a; i < aEnd; i++) countA[before[i]!]!++;
    for (let j = b; j < bEnd; j++) {
      countB[after[j]!]!++;
      placeB[after[j]!] = j;
    }
    const pairs: [number, number][] = [];
    let anyOnBoth = false;
    for (let i = a; i < aEnd; i++) {
      const kind = before[i]!;
      anyOnBoth ||= countB[kind]! > 0;
      if (countA[kind] === 1 && countB[kind] === 1) pairs.push([i, placeB[kind]!]);
    }
    for (let i = a; i < aEnd; i++) countA[before[i]!] = 0;
    for (let j = b; j < bEnd; j++) countB[after[j]!] = 0;
    return anyOnBoth ? pairs : null;
  }

  /** Myers' greedy search forward, with the furthest points of every round kept to walk back. */
  function differ(range: Range): void {
    const { a, aEnd, b, bEnd } = range;
    const n = aEnd - a;
    const m = bEnd - b;
    const most = Math.min(n + m, MOST_DIFFERENCES);
    const rounds: Int32Array[] = [];
    let last = new Int32Array(3);
    for (let d = 0; d <= most && left >= 0; d++) {
      // Furthest x on diagonal k is stored at k + d + 1; the previous round's at k + d.
      const round = new Int32Array(2 * d + 3);
      for (let k = -d; k <= d; k += 2) {
        const down = k === -d || (k !== d && last[k + d - 1]! < last[k + d + 1]!);
        let x = d === 0 ? 0 : down ? last[k + d + 1]! : last[k + d - 1]! + 1;
        let y = x - k;
        const start = x;
        while (x < n && y < m && before[a + x] === after[b + y]) {
          x++;
          y++;
        }
        left -= 1 + x - start;
        round[k + d + 1] = x;
        if (x >= n && y >= m) {
          walkBack(range, rounds, d, k, x);
          return;
        }
      }
      rounds.push(round);
      last = round;
    }
    coarse = true;
    matchGreedily(range);
  }

  function walkBack({ a, b }: Range, rounds: readonly Int32Array[], d: number, k: number, x: number): void {
    while (d > 0) {
      const last = rounds[d - 1]!;
      const down = k === -d || (k !== d && last[k + d - 1]! < last[k + d + 1]!);
      const from = down ? last[k + d + 1]! : last[k + d - 1]! + 1;
      for (; x > from; x--) partners[a + x - 1] = b + x - 1 - k;
      x = down ? from : from - 1;
      k += down ? 1 : -1;
      d--;
    }
    for (; x > 0; x--) partners[a + x - 1] = b + x - 1;
  }

  function matchGreedily({ a, aEnd, b, bEnd }: Range): void {
    for (let i = a; i < aEnd && b < bEnd; i++) {
      const end = Math.min(bEnd, b + WINDOW);
      for (let j = b; j < end; j++) {
        if (before[i] !== after[j]) continue;
        partners[i] = j;
        b = j + 1;
        break;
      }
    }
  }
}

function greatest(list: Int32Array): number {
  let most = 0;
  for (const kind of list) if (kind > most) most = kind;
  return most;
}

/**
 * The longest run of pairs whose second index increases, too (the first does already). Among equally long ones that whose pairs
 * moved least, so that a reversed list keeps its middle. Best runs by end are kept in a Fenwick tree over the second index.
 */
export function longestRun(pairs: [number, number][], originA = 0, originB = 0): [number, number][] {
  if (pairs.every((pair, at) => at === 0 || pairs[at - 1]![1] < pair[1])) return pairs;
  const size = pairs.length;
  const rankOf = new Map([...pairs].sort((p, q) => p[1] - q[1]).map(([, j], rank) => [j, rank + 1]));
  const length = new Int32Array(size);
  const moved = new Float64Array(size);
  const previous = new Int32Array(size).fill(-1);
  /** Fenwick tree: the best run that ends at or before a rank, by the index of its last pair. */
  const tree = new Int32Array(size + 1).fill(-1);
  const better = (p: number, q: number) =>
    q === -1
      ? p
      : p === -1
        ? q
        : length[p]! !== length[q]!
          ? length[p]! > length[q]!
            ? p
            : q
          : moved[p]! <= moved[q]!
            ? p
            : q;
  let best = -1;
  for (const [at, [i, j]] of pairs.entries()) {
    const rank = rankOf.get(j)!;
    let before = -1;
    for (let r = rank - 1; r > 0; r -= r & -r) before = better(before, tree[r]!);
    previous[at] = before;
    length[at] = before === -1 ? 1 : length[before]! + 1;
    moved[at] = (before === -1 ? 0 : moved[before]!) + Math.abs(i - originA - (j - originB));
    for (let r = rank; r <= size; r += r & -r) tree[r] = better(tree[r]!, at);
    best = better(best, at);
  }
  const run: [number, number][] = [];
  for (let at = best; at !== -1; at = previous[at]!) run.push(pairs[at]!);
  return run.reverse();
}
