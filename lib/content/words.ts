import { align } from './align.ts';

/** A piece of two texts: in both, or in one. */
export interface Piece {
  op: 'same' | 'removed' | 'added';
  text: string;
}

/** Longer texts are compared by their lines or sentences only. */
const MOST_WORDS = 20_000;
const STEPS = 2_000_000;

/**
 * Difference of two texts word by word. Words are cut by `Intl.Segmenter`, so Chinese and Japanese are cut, too. The pieces that are
 * not `added`, joined, are `before`; those that are not `removed` are `after`.
 */
export function wordDiff(before: string, after: string): Piece[] {
  if (before === after) return before === '' ? [] : [{ op: 'same', text: before }];
  const left = wordsOf(before);
  const right = wordsOf(after);
  const kinds = new Map<string, number>();
  const numbers = (words: string[]) =>
    Int32Array.from(words, (word) => {
      let kind = kinds.get(word);
      if (kind === undefined) kinds.set(word, (kind = kinds.size));
      return kind;
    });
  const { partners } = align(numbers(left), numbers(right), undefined, STEPS);
  const pieces: Piece[] = [];
  const add = (op: Piece['op'], text: string) => {
    const last = pieces.at(-1);
    if (last?.op === op) last.text += text;
    else pieces.push({ op, text });
  };
  let j = 0;
  for (const [i, word] of left.entries()) {
    const partner = partners[i]!;
    if (partner < 0) {
      add('removed', word);
      continue;
    }
    while (j < partner) add('added', right[j++]!);
    add('same', word);
    j++;
  }
  while (j < right.length) add('added', right[j++]!);
  return pieces;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
const LATIN = /^[\0-\u024f]*$/;

function wordsOf(text: string): string[] {
  if (LATIN.test(text)) {
    const words = text.match(/[\p{L}\p{M}\p{N}_]+|\s+|[^\p{L}\p{M}\p{N}_\s]/gu) ?? [];
    return words.length <= MOST_WORDS ? words : (text.match(/.{1,200}?(?:[.!?] |$)|.{1,200}/gsu) ?? []);
  }
  const words: string[] = [];
  for (const { segment } of segmenter.segment(text)) {
    words.push(segment);
    if (words.length > MOST_WORDS) return text.match(/.{1,200}/gsu) ?? [];
  }
  return words;
}
