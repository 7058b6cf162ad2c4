import { pageDigest, type Block, type Coverage, type Snapshot } from './snapshot.ts';

/** A page as one snapshot: its frames in their order, the page itself first. A page without frames is its own. */
export function joinFrames(frames: readonly Snapshot[]): Snapshot {
  const [top] = frames;
  if (frames.length === 1 && top) return top;
  const blocks: Block[] = [];
  const coverage: Coverage = { canvases: 0, frames: 0, lists: [] };
  for (const frame of frames) {
    const lists = coverage.lists.length;
    for (const block of frame.blocks) {
      const place = { ...block.place, order: blocks.length };
      if (place.list !== undefined) place.list += lists;
      blocks.push({ ...block, place });
    }
    coverage.canvases += frame.coverage.canvases;
    coverage.frames += frame.coverage.frames;
    coverage.lists.push(...frame.coverage.lists);
    if (frame.coverage.cut) coverage.cut = true;
  }
  return {
    blocks,
    digest: pageDigest(frames.map(({ digest }) => digest)),
    maskedDigest: pageDigest(frames.map(({ maskedDigest }) => maskedDigest)),
    coverage,
    rulesHash: top?.rulesHash ?? '',
  };
}
