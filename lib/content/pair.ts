import type { Block } from './snapshot.ts';

/** Pairs by index (removed, added), both increasing. */
export interface Pairs {
  pairs: [number, number][];
  /** Too many to look for the best pairs. */
  coarse: boolean;
}

/** Blocks as like as this are one block, edited. */
const LIKE = 0.4;
/** Comparisons of two blocks in one gap. */
const MOST_COMPARISONS = 40_000;
const MOST_WORDS = 200;

/**
 * Pairs removed with added blocks of one gap, in order, so that the sum of likeness is greatest (dynamic programming as for a longest
 * common subsequence, with weights). What is left between two pairs is paired in order if there are as many removed as added, since then
 * each place has another text; otherwise nothing says which belong together.
 */
export function pairUp(removed: readonly Block[], added: readonly Block[]): Pairs {
  const rows = removed.length;
  const columns = added.length;
  if (rows * columns > MOST_COMPARISONS)
    return { pairs: inOrder(removed, added, 0, rows, 0, columns), coarse: true };
  const olderWords = removed.map(wordsOf);
  const newerWords = added.map(wordsOf);
  const width = columns + 1;
  const best = new Float64Array((rows + 1) * width);
  const like = new Float64Array(rows * columns);
  for (let r = rows - 1; r >= 0; r--) {
    for (let a = columns - 1; a >= 0; a--) {
      const likeness = mayPair(removed[r]!, added[a]!)
        ? likenessOf(removed[r]!, added[a]!, olderWords[r]!, newerWords[a]!)
        : 0;
      like[r * columns + a] = likeness;
      const paired = likeness >= LIKE ? likeness + best[(r + 1) * width + a + 1]! : 0;
      best[r * width + a] = Math.max(paired, best[(r + 1) * width + a]!, best[r * width + a + 1]!);
    }
  }
  const pairs: [number, number][] = [];
  let fromRemoved = 0;
  let fromAdded = 0;
  const between = (r: number, a: number) => {
    pairs.push(...inOrder(removed, added, fromRemoved, r, fromAdded, a));
    fromRemoved = r + 1;
    fromAdded = a + 1;
  };
  let r = 0;
  let a = 0;
  while (r < rows && a < columns) {
    const here = best[r * width + a]!;
    const likeness = like[r * columns + a]!;
    if (likeness >= LIKE && here === likeness + best[(r + 1) * width + a + 1]!) {
      between(r, a);
      pairs.push([r++, a++]);
    } else if (here === best[(r + 1) * width + a]!) r++;
    else a++;
  }
  between(rows, columns);
  return { pairs, coarse: false };
}

function inOrder(
  removed: readonly Block[],
  added: readonly Block[],
  r: number,
  rEnd: number,
  a: number,
  aEnd: number,
): [number, number][] {
  if (rEnd - r !== aEnd - a) return [];
  return Array.from({ length: rEnd - r }, (_, at): [number, number] => [r + at, a + at]).filter(([i, j]) =>
    mayPair(removed[i]!, added[j]!),
  );
}

/** Rows that say different numbers are different rows, and a cell of one column is never one of another. */
function mayPair({ place: older }: Block, { place: newer }: Block): boolean {
  return (
    (older.item === undefined || newer.item === undefined || older.item === newer.item) &&
    (older.column === undefined || newer.column === undefined || older.column === newer.column)
  );
}

/** 0 to 1: share of words in common (Dice), every number counting as the same word. At the same id one common word is enough. */
function likenessOf(
  older: Block,
  newer: Block,
  left: ReadonlyMap<string, number>,
  right: ReadonlyMap<string, number>,
): number {
  let common = 0;
  let total = 0;
  for (const [word, count] of left) {
    common += Math.min(count, right.get(word) ?? 0);
    total += count;
  }
  for (const count of right.values()) total += count;
  const share = total === 0 ? 0 : (2 * common) / total;
  return older.place.id !== undefined && older.place.id === newer.place.id && share > 0
    ? Math.max(share, LIKE)
    : share;
}

/** Words, single Han and Kana characters, signs; with their counts. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|\p{Nd}+(?:[.,:]\p{Nd}+)*|[\p{L}\p{M}]+|[^\s\p{L}\p{M}\p{Nd}]/gu;

function wordsOf({ text }: Block): Map<string, number> {
  const words = new Map<string, number>();
  let count = 0;
  for (const [word] of text.matchAll(WORD)) {
    if (++count > MOST_WORDS) break;
    const key = /^\p{Nd}/u.test(word) ? '0' : word.toLowerCase();
    words.set(key, (words.get(key) ?? 0) + 1);
  }
  return words;
}
