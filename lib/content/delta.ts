import { digestsOf, type Block, type Snapshot } from './snapshot.ts';

/**
 * What leads from one list of blocks to another: runs taken over from the older one as `[from, count]`, and the blocks that are new.
 * JSON-safe. Places are compared too, but for their order, which follows from the list.
 */
export type Delta = ([from: number, count: number] | Block[])[];

const isRun = (part: Delta[number]): part is [number, number] => typeof part[0] === 'number';

function isSame(a: Block | undefined, b: Block): boolean {
  if (a === undefined || a.exact !== b.exact || a.masked !== b.masked || a.noise !== b.noise) return false;
  const { place } = a;
  const other = b.place;
  return (
    place.id === other.id &&
    place.row === other.row &&
    place.column === other.column &&
    place.heading === other.heading &&
    place.collapsed === other.collapsed &&
    place.list === other.list &&
    place.item === other.item
  );
}

/** Linear: blocks stay in runs; a run that moved is found by the first place where its first block stood. */
export function deltaOf(before: readonly Block[], after: readonly Block[]): Delta {
  const firstAt = new Map<string, number>();
  for (const [index, { exact }] of before.entries()) if (!firstAt.has(exact)) firstAt.set(exact, index);
  const delta: Delta = [];
  let next = 0;
  for (const block of after) {
    const at = isSame(before[next], block) ? next : (firstAt.get(block.exact) ?? -1);
    const last = delta.at(-1);
    if (at >= 0 && isSame(before[at], block)) {
      if (last && isRun(last) && last[0] + last[1] === at) last[1] += 1;
      else delta.push([at, 1]);
      next = at + 1;
    } else {
      if (last && !isRun(last)) last.push(block);
      else delta.push([block]);
      // Most changes are in place.
      next += 1;
    }
  }
  return delta;
}

/** The newer blocks; undefined where the delta does not belong to these, or makes more than `most`. */
export function applyDelta(before: readonly Block[], delta: Delta, most: number): Block[] | undefined {
  const blocks: Block[] = [];
  for (const part of delta) {
    const run = isRun(part) ? before.slice(part[0], part[0] + part[1]) : part;
    if ((isRun(part) && run.length !== part[1]) || blocks.length + run.length > most) return undefined;
    for (const block of run) {
      const order = blocks.length;
      blocks.push(block.place.order === order ? block : { ...block, place: { ...block.place, order } });
    }
  }
  return blocks;
}

/** A snapshot as it travels: whole, or as what changed since the one with that digest. */
export type Travelling = Omit<Snapshot, 'blocks' | 'maskedDigest'> &
  ({ blocks: Block[] } | { since: string; delta: Delta });

export function pack(snapshot: Snapshot, since?: Snapshot): Travelling {
  const { blocks, digest, coverage, rulesHash } = snapshot;
  const about = { digest, coverage, rulesHash };
  return since
    ? { ...about, since: since.digest, delta: deltaOf(since.blocks, blocks) }
    : { ...about, blocks };
}

/** The snapshot that travelled; undefined where it builds on another one than `before`, or is none. */
export function unpack(
  travelling: Travelling,
  before: Snapshot | undefined,
  most: number,
): Snapshot | undefined {
  const { digest, coverage, rulesHash } = travelling;
  const blocks =
    'blocks' in travelling
      ? travelling.blocks
      : before?.digest === travelling.since
        ? applyDelta(before.blocks, travelling.delta, most)
        : undefined;
  if (!blocks) return undefined;
  const digests = digestsOf(blocks);
  return digests.digest === digest ? { blocks, ...digests, coverage, rulesHash } : undefined;
}
