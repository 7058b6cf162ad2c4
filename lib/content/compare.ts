import { align } from './align.ts';
import { labeller, relabel } from './labels.ts';
import { pairUp } from './pair.ts';
import { fullRules, type FullRules, type Rules } from './rules.ts';
import { isLoading } from './settled.ts';
import type { Block, Change, ChangedBlock, Snapshot } from './snapshot.ts';

/**
 * The difference of two snapshots of one page, in reading order. It needs no document, so it runs anywhere; its time and memory are
 * bounded, whatever the texts.
 *
 * 1. Texts that are equal but for noise, in order, are the same blocks (`align`): first those that also stand in the same cell or under
 *    the same text, then between them the others.
 * 2. Of the rest, the blocks of one table cell belong together: moved with their row, or edited.
 * 3. A text that occurs once on either side moved; so did its equal neighbours.
 * 4. Within a gap between the same blocks, what is left is paired by likeness: edited (`pairUp`).
 * 5. All else was added or removed.
 *
 * Every block that differs is in the result; noise is labelled, never left out.
 * @throws TypeError for unknown rules.
 */
export function compareSnapshots(before: Snapshot, after: Snapshot, rules?: Rules): Change {
  const full = fullRules(rules);
  const { coverage } = after;
  if (before.digest === after.digest) {
    return { changed: false, quiet: true, blocks: [], coverage, coarse: false };
  }
  const difference = new Difference(relabel(before, full), relabel(after, full), full);
  const blocks = difference.changes();
  return {
    changed: blocks.length > 0,
    quiet: blocks.every(({ noise }) => noise !== undefined),
    blocks,
    coverage,
    coarse: difference.coarse,
  };
}

/** What stands between two blocks that stayed: so many older blocks from `i` on, and newer ones from `j` on. */
interface Gap {
  i: number;
  iEnd: number;
  j: number;
  jEnd: number;
}

class Difference {
  readonly #before: readonly Block[];
  readonly #after: readonly Block[];
  readonly #rules: FullRules;
  readonly #label: NoiseLabeller;
  /** Partner of each older block among the newer ones and the other way round, or -1. */
  readonly #partners: Int32Array;
  readonly #origins: Int32Array;
  readonly #gaps: readonly Gap[];
  coarse: boolean;

  constructor(before: Snapshot, after: Snapshot, rules: FullRules) {
    this.#before = before.blocks;
    this.#after = after.blocks;
    this.#rules = rules;
    this.#label = noiseLabeller(before, after, rules);
    this.#partners = new Int32Array(this.#before.length).fill(-1);
    this.#origins = new Int32Array(this.#after.length).fill(-1);
    const coarse = this.#match(inContext);
    this.coarse = this.#match(this.#textsOrCells()) || coarse;
    this.#gaps = this.#findGaps();
  }

  /** A cell that is in both snapshots has its partner there, whatever other cells say the same. */
  #textsOrCells(): (blocks: readonly Block[]) => string[] {
    const older = onlyOnes(this.#before, cellOf);
    const newer = onlyOnes(this.#after, cellOf);
    const isInBoth = (cell: string) => (older.get(cell) ?? -1) >= 0 && (newer.get(cell) ?? -1) >= 0;
    return (blocks) =>
      blocks.map((block) => {
        const cell = cellOf(block);
        return cell !== undefined && isInBoth(cell) ? cell : block.masked;
      });
  }

  changes(): ChangedBlock[] {
    this.#pairCells();
    this.#pairMoves();
    for (const gap of this.#gaps) this.#pairGap(gap);
    return this.#report();
  }

  /** Matches blocks of equal keys between the blocks that are matched already; answers whether that was coarse. */
  #match(keysOf: (blocks: readonly Block[]) => string[]): boolean {
    const kinds = new Map<string, number>();
    const numbered = (blocks: readonly Block[]) =>
      Int32Array.from(keysOf(blocks), (key) => {
        let kind = kinds.get(key);
        if (kind === undefined) kinds.set(key, (kind = kinds.size));
        return kind;
      });
    const ranges = this.#findGaps().map(({ i, iEnd, j, jEnd }) => ({ a: i, aEnd: iEnd, b: j, bEnd: jEnd }));
    const { partners, coarse } = align(numbered(this.#before), numbered(this.#after), ranges);
    for (const [i, j] of partners.entries()) if (j >= 0) this.#pair(i, j);
    return coarse;
  }

  #pair(i: number, j: number): void {
    this.#partners[i] = j;
    this.#origins[j] = i;
  }

  /** While only what stayed in order is matched. */
  #findGaps(): Gap[] {
    const gaps: Gap[] = [];
    let i = 0;
    let j = 0;
    while (i < this.#before.length || j < this.#after.length) {
      const gap = { i, iEnd: i, j, jEnd: j };
      while (gap.iEnd < this.#before.length && this.#partners[gap.iEnd]! < 0) gap.iEnd++;
      while (gap.jEnd < this.#after.length && this.#origins[gap.jEnd]! < 0) gap.jEnd++;
      if (gap.iEnd > i || gap.jEnd > j) gaps.push(gap);
      i = gap.iEnd + 1;
      j = gap.jEnd + 1;
    }
    return gaps;
  }

  /** Older blocks without a partner. */
  #left(gaps: readonly Gap[] = this.#gaps): number[] {
    return gaps.flatMap(({ i, iEnd }) => indices(i, iEnd)).filter((i) => this.#partners[i]! < 0);
  }

  #pairCells(): void {
    const older = onlyOnes(this.#before, cellOf);
    const newer = onlyOnes(this.#after, cellOf);
    for (const i of this.#left()) {
      const cell = cellOf(this.#before[i]!);
      if (cell === undefined || older.get(cell) !== i) continue;
      const j = newer.get(cell) ?? -1;
      if (j >= 0 && this.#origins[j]! < 0) this.#pair(i, j);
    }
  }

  #pairMoves(): void {
    const older = onlyOnes(this.#before, textOf);
    const newer = onlyOnes(this.#after, textOf);
    for (const i of this.#left()) {
      const block = this.#before[i]!;
      const j = newer.get(block.exact) ?? -1;
      if (older.get(block.exact) !== i || j < 0 || this.#origins[j]! >= 0 || this.#partners[i]! >= 0)
        continue;
      if (this.#label.isOnlyNoise(block)) continue;
      this.#pair(i, j);
      this.#moveNeighbours(i, j, 1);
      this.#moveNeighbours(i, j, -1);
    }
  }

  /** Repeated texts beside a block that moved, such as the "Read more" of a card, moved with it. */
  #moveNeighbours(i: number, j: number, step: 1 | -1): void {
    for (;;) {
      i += step;
      j += step;
      const older = this.#before[i];
      const newer = this.#after[j];
      if (older === undefined || newer === undefined || older.exact !== newer.exact) return;
      if (this.#partners[i]! >= 0 || this.#origins[j]! >= 0) return;
      this.#pair(i, j);
    }
  }

  #pairGap(gap: Gap): void {
    const removed = this.#left([gap]);
    const added = indices(gap.j, gap.jEnd).filter((j) => this.#origins[j]! < 0);
    if (removed.length === 0 || added.length === 0) return;
    const { pairs, coarse } = pairUp(
      removed.map((i) => this.#before[i]!),
      added.map((j) => this.#after[j]!),
    );
    this.coarse ||= coarse;
    for (const [r, a] of pairs) this.#pair(removed[r]!, added[a]!);
  }

  #report(): ChangedBlock[] {
    const blocks: ChangedBlock[] = [];
    let i = 0;
    let j = 0;
    const stayed = (end: number) => {
      for (; j < end; i++, j++) {
        if (this.#before[i]!.exact !== this.#after[j]!.exact) blocks.push(this.#changeOf(j, 'edited'));
      }
    };
    for (const gap of this.#gaps) {
      stayed(gap.j);
      blocks.push(...this.#reportGap(gap));
      i = gap.iEnd;
      j = gap.jEnd;
    }
    stayed(this.#after.length);
    return blocks;
  }

  #reportGap(gap: Gap): ChangedBlock[] {
    const waits =
      this.#rules.masks.includes(WAITING) &&
      [...this.#before.slice(gap.i, gap.iEnd), ...this.#after.slice(gap.j, gap.jEnd)].some(({ text }) =>
        isLoading(text),
      );
    const blocks: ChangedBlock[] = this.#left([gap]).map((i) => {
      const { text, place } = this.#before[i]!;
      return labelled({ op: 'removed', before: text, place }, this.#label.removed(this.#before[i]!));
    });
    for (let j = gap.j; j < gap.jEnd; j++) {
      const newer = this.#after[j]!;
      const i = this.#origins[j]!;
      if (i < 0) {
        blocks.push(
          labelled({ op: 'added', after: newer.text, place: newer.place }, this.#label.added(newer)),
        );
      } else blocks.push(this.#changeOf(j, this.#before[i]!.exact === newer.exact ? 'moved' : 'edited'));
    }
    if (waits) {
      for (const block of blocks) {
        const loads = block.op !== 'edited' || isLoading(block.before!) || isLoading(block.after!);
        if (loads && block.op !== 'moved') block.noise ??= WAITING;
      }
    }
    return blocks;
  }

  #changeOf(j: number, op: 'moved' | 'edited'): ChangedBlock {
    const newer = this.#after[j]!;
    const older = this.#before[this.#origins[j]!]!;
    const change = { op, before: older.text, after: newer.text, place: newer.place, from: older.place.order };
    return labelled(change, this.#label[op](older, newer));
  }
}

const WAITING = 'wait-until-quiet';

function labelled(block: ChangedBlock, noise: string | undefined): ChangedBlock {
  if (noise !== undefined) block.noise = noise;
  return block;
}

function indices(from: number, end: number): number[] {
  return Array.from({ length: end - from }, (_, at) => from + at);
}

/** Index of each block whose key no other block has. */
function onlyOnes(
  blocks: readonly Block[],
  keyOf: (block: Block) => string | undefined,
): Map<string, number> {
  const indices = new Map<string, number>();
  for (const [index, block] of blocks.entries()) {
    const key = keyOf(block);
    if (key !== undefined) indices.set(key, indices.has(key) ? -1 : index);
  }
  return indices;
}

function textOf(block: Block): string {
  return block.exact;
}

/**
 * Each text where it stands: in its cell; as the name of a row in its column; alone, if it occurs once; else under the last text that
 * occurs once.
 */
function inContext(blocks: readonly Block[]): string[] {
  const once = onlyOnes(blocks, ({ masked }) => masked);
  let above = '';
  return blocks.map((block, at) => {
    const { masked, place } = block;
    const isOnce = once.get(masked) === at;
    if (isOnce) above = masked;
    return `${masked} ${cellOf(block) ?? place.column ?? (isOnce ? '' : above)}`;
  });
}

/** A cell by the names of its row and column, which it keeps when the table is sorted anew; or by the number of its row. */
function cellOf({ place: { row, column, heading, list, item } }: Block): string | undefined {
  if (row !== undefined) return JSON.stringify([row, column, heading]);
  return item === undefined ? undefined : JSON.stringify([list, item]);
}

/** Names the rule that calls a change noise; undefined where none does. */
interface NoiseLabeller {
  removed: (block: Block) => string | undefined;
  added: (block: Block) => string | undefined;
  moved: (from: Block, to: Block) => string | undefined;
  edited: (from: Block, to: Block) => string | undefined;
  /** A clock or an age alone: seen elsewhere, it is another one. */
  isOnlyNoise: (block: Block) => boolean;
}

function noiseLabeller(before: Snapshot, after: Snapshot, rules: FullRules): NoiseLabeller {
  const { maskerAt } = labeller(rules);
  const on = (name: string) => rules.masks.includes(name);
  const older = shownRows(before);
  const newer = shownRows(after);
  const olderTexts = on('unique-blocks') ? new Set(before.blocks.map(textOf)) : undefined;
  const newerTexts = on('unique-blocks') ? new Set(after.blocks.map(textOf)) : undefined;
  /** A row outside the window that the other snapshot saw is unknown there, not missing. */
  const unseen = ({ place: { list, item } }: Block, rows: ReadonlyMap<number, Set<number>>) =>
    on('virtual-list-aware') && list !== undefined && rows.get(list)?.has(item!) === false
      ? 'virtual-list-aware'
      : undefined;
  const repeated = (block: Block, texts: ReadonlySet<string> | undefined) =>
    texts?.has(block.exact) === true ? 'unique-blocks' : undefined;
  return {
    removed: (block: Block) => block.noise ?? unseen(block, newer) ?? repeated(block, newerTexts),
    added: (block: Block) => block.noise ?? unseen(block, older) ?? repeated(block, olderTexts),
    moved: (from: Block, to: Block) =>
      (from.noise !== undefined ? to.noise : undefined) ?? (on('ignore-moves') ? 'ignore-moves' : undefined),
    edited: (from: Block, to: Block) =>
      (from.noise !== undefined ? to.noise : undefined) ?? maskerAt(to).explain(from.text, to.text),
    isOnlyNoise: (block) => block.masked !== block.exact && maskerAt(block).isOnlyNoise(block.text),
  };
}

/** Row numbers that each windowed list shows, by its index. */
function shownRows({ blocks }: Snapshot): Map<number, Set<number>> {
  const rows = new Map<number, Set<number>>();
  for (const { place } of blocks) {
    if (place.list === undefined || place.item === undefined) continue;
    const numbers = rows.get(place.list);
    if (numbers) numbers.add(place.item);
    else rows.set(place.list, new Set([place.item]));
  }
  return rows;
}
