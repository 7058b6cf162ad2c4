import { isAt } from './labels.ts';
import type { IgnoredPlace } from './rules.ts';
import type { Block, ChangedBlock } from './snapshot.ts';
import { wordDiff } from './words.ts';

/** What "ignore this block" means. */
export interface Ignorable {
  place: IgnoredPlace;
  /** How many blocks of the page it means; more than one where nothing tells the block from its neighbours. */
  blocks: number;
}

const LONGEST = 200;

/**
 * The place that means a changed block, and as little else as can be told: its cell, or its names together with the words at its beginning
 * and end that stayed. Words end at the first number, since that is what changes next. Undefined where it has neither names nor such words.
 * @param blocks of the page, to count what it means there
 */
export function ignorable(block: ChangedBlock, blocks: readonly Block[]): Ignorable | undefined {
  const { id, row, column, heading } = block.place;
  const place: IgnoredPlace = {
    ...(id !== undefined && { id }),
    ...(row !== undefined && { row }),
    ...(column !== undefined && { column }),
    ...(heading !== undefined && { heading }),
    ...(row === undefined && keptWords(block)),
  };
  if (Object.keys(place).length === 0) return undefined;
  return { place, blocks: Math.max(1, blocks.filter((one) => isAt(place, one)).length) };
}

function keptWords({ before, after }: ChangedBlock): Pick<IgnoredPlace, 'begins' | 'ends'> {
  const pieces = wordDiff(before ?? after ?? '', after ?? before ?? '');
  const [first] = pieces;
  const last = pieces.length > 1 ? pieces.at(-1) : undefined;
  const begins = first?.op === 'same' ? first.text.slice(0, LONGEST).replace(/\p{Nd}.*$/su, '') : '';
  const ends = last?.op === 'same' ? last.text.slice(-LONGEST).replace(/^.*\p{Nd}/su, '') : '';
  return { ...(begins !== '' && { begins }), ...(ends !== '' && { ends }) };
}
