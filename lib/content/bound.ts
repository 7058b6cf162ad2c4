import { hashText } from './hash.ts';
import { digestsOf, type Block, type Coverage, type Snapshot } from './snapshot.ts';

/** More blocks than this are not read; the coverage says so. */
export const MAX_BLOCKS = 200_000;
/** Characters of a frame's texts that are kept: about 4 MB. */
export const MOST_TEXT = 4_000_000;
/** Characters of one block that are kept. */
export const LONGEST_BLOCK = 200_000;
const LONGEST_ID = 500;

/** A snapshot of bounded size. What is beyond is left out, and the coverage says so. */
export function bounded(snapshot: Snapshot, most: number = MOST_TEXT): Snapshot {
  const size = snapshot.blocks.reduce((sum, { text }) => sum + text.length, 0);
  if (size <= most && snapshot.blocks.every(isShort)) return snapshot;
  const blocks: Block[] = [];
  let room = most;
  for (const block of snapshot.blocks) {
    const length = Math.min(block.text.length, LONGEST_BLOCK);
    if (length > room) break;
    room -= length;
    blocks.push(isShort(block) ? block : cutBlock(block));
  }
  const isCut = blocks.length < snapshot.blocks.length || size > most - room;
  const coverage: Coverage = isCut ? { ...snapshot.coverage, cut: true } : snapshot.coverage;
  return { ...snapshot, blocks, ...digestsOf(blocks), coverage };
}

const isShort = ({ text, place: { id = '' } }: Block): boolean =>
  text.length <= LONGEST_BLOCK && id.length <= LONGEST_ID;

function cutBlock(block: Block): Block {
  const { id } = block.place;
  const place = { ...block.place, ...(id !== undefined && { id: id.slice(0, LONGEST_ID) }) };
  if (block.text.length <= LONGEST_BLOCK) return { ...block, place };
  const { text, noise } = block;
  const head = text.slice(0, LONGEST_BLOCK).toWellFormed();
  const exact = hashText(head);
  return { text: head, exact, masked: exact, place, ...(noise !== undefined && { noise }) };
}
