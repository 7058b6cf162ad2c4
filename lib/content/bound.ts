import { hashText } from './hash.ts';
import { digestsOf, type Block, type Snapshot } from './snapshot.ts';

/** Characters of a frame's texts that are kept: about 4 MB. */
export const MOST_TEXT = 4_000_000;
/** Characters of one block that are kept. */
export const LONGEST_BLOCK = 200_000;

/** A snapshot of bounded size. What is beyond is left out, and the coverage says so. */
export function bounded(snapshot: Snapshot, most: number = MOST_TEXT): Snapshot {
  const size = snapshot.blocks.reduce((sum, { text }) => sum + text.length, 0);
  if (size <= most && snapshot.blocks.every(({ text }) => text.length <= LONGEST_BLOCK)) return snapshot;
  const blocks: Block[] = [];
  let room = most;
  for (const block of snapshot.blocks) {
    const length = Math.min(block.text.length, LONGEST_BLOCK);
    if (length > room) break;
    room -= length;
    blocks.push(length === block.text.length ? block : cutBlock(block));
  }
  return {
    ...snapshot,
    blocks,
    ...digestsOf(blocks),
    coverage: { ...snapshot.coverage, cut: true },
  };
}

function cutBlock({ text, place, noise }: Block): Block {
  const head = text.slice(0, LONGEST_BLOCK).toWellFormed();
  const exact = hashText(head);
  return { text: head, exact, masked: exact, place, ...(noise !== undefined && { noise }) };
}
