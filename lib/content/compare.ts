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
 * 1. Equal texts in order are the same blocks (`align`): first those that also stand in the same cell or follow the same text, then
 *    between them the others.
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
  if (before.digest === after.digest)
    return { changed: false, quiet: true, blocks: [], coverage, coarse: false };
  const difference = new Difference(relabel(before, full), relabel(after, full));
  const blocks = difference.changes(full);
  return {
    changed: blocks.length > 0,
    quiet: blocks.every(({ noise }) => noise !== undefined),
    blocks,
    coverage,
    coarse: difference.coarse,
  };
}

/** What stands between two blocks that stayed: indices of older and of newer blocks. */
interface Gap {
  /** Where it begins in either list. */
  i: number;
  j: number;
  removed: number[];
  added: number[];
}

type Pairing = 'same' | 'moved' | 'edited';

class Difference {
  readonly #before: readonly Block[];
  readonly #after: readonly Block[];
  readonly #old: Snapshot;
  readonly #new: Snapshot;
  /** Partner of each older block among the newer ones and the other way round, or -1; and what a pair means. */
  readonly #partners: Int32Array;
  readonly #origins: Int32Array;
  readonly #pairing: Map<number, Pairing> = new Map();
  readonly #gaps: readonly Gap[];
  coarse: boolean;

  constructor(before: Snapshot, after: Snapshot) {
    this.#old = before;
    this.#new = after;
    this.#before = before.blocks;
    this.#after = after.blocks;
    this.#partners = new Int32Array(this.#before.length).fill(-1);
    this.#origins = new Int32Array(this.#after.length).fill(-1);
    const coarse = this.#match(inContext);
    this.coarse = this.#match(textOf) || coarse;
    this.#gaps = this.#findGaps();
  }

  /** Matches blocks of equal keys between the blocks that are matched already; answers whether that was coarse. */
  #match(keyOf: (block: Block, at: number, blocks: readonly Block[]) => string): boolean {
    const kinds = new Map<string, number>();
    const numbered = (blocks: readonly Block[]) =>
      Int32Array.from(blocks, (block, at) => {
        const key = keyOf(block, at, blocks);
        let kind = kinds.get(key);
        if (kind === undefined) kinds.set(key, (kind = kinds.size));
        return kind;
      });
    const ranges = this.#findGaps().map(({ removed, added, i, j }) => ({
      a: i,
      aEnd: i + removed.length,
      b: j,
      bEnd: j + added.length,
    }));
    const { partners, coarse } = align(numbered(this.#before), numbered(this.#after), ranges);
    for (const [i, j] of partners.entries()) {
      if (j < 0) continue;
      this.#partners[i] = j;
      this.#origins[j] = i;
    }
    return coarse;
  }

  changes(rules: FullRules): ChangedBlock[] {
    this.#pairCells();
    this.#pairMoves();
    for (const gap of this.#gaps) this.#pairGap(gap);
    return this.#report(rules);
  }

  #findGaps(): Gap[] {
    const gaps: Gap[] = [];
    let i = 0;
    let j = 0;
    while (i < this.#before.length || j < this.#after.length) {
      const gap: Gap = { i, j, removed: [], added: [] };
      while (i < this.#before.length && this.#partners[i]! < 0) gap.removed.push(i++);
      while (j < this.#after.length && this.#origins[j]! < 0) gap.added.push(j++);
      if (gap.removed.length + gap.added.length > 0) gaps.push(gap);
      i++;
      j++;
    }
    return gaps;
  }

  #pair(i: number, j: number, pairing: Pairing): void {
    this.#partners[i] = j;
    this.#origins[j] = i;
    this.#pairing.set(j, pairing);
  }

  #removed(): number[] {
    return this.#gaps.flatMap(({ removed }) => removed).filter((i) => this.#partners[i]! < 0);
  }

  #pairCells(): void {
    const older = onlyOnes(this.#before, cellOf);
    const newer = onlyOnes(this.#after, cellOf);
    for (const i of this.#removed()) {
      const cell = cellOf(this.#before[i]!);
      if (cell === undefined || older.get(cell) !== i) continue;
      const j = newer.get(cell) ?? -1;
      if (j < 0 || this.#origins[j]! >= 0) continue;
      this.#pair(i, j, this.#before[i]!.exact === this.#after[j]!.exact ? 'moved' : 'edited');
    }
  }

  #pairMoves(): void {
    const older = onlyOnes(this.#before, textOf);
    const newer = onlyOnes(this.#after, textOf);
    for (const i of this.#removed()) {
      const text = this.#before[i]!.exact;
      const j = newer.get(text);
      if (older.get(text) !== i || j === undefined || this.#origins[j]! >= 0 || this.#partners[i]! >= 0)
        continue;
      this.#pair(i, j, 'moved');
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
      this.#pair(i, j, 'moved');
    }
  }

  #pairGap(gap: Gap): void {
    const removed = gap.removed.filter((i) => this.#partners[i]! < 0);
    const added = gap.added.filter((j) => this.#origins[j]! < 0);
    if (removed.length === 0 || added.length === 0) return;
    const { pairs, coarse } = pairUp(
      removed.map((i) => this.#before[i]!),
      added.map((j) => this.#after[j]!),
    );
    this.coarse ||= coarse;
    for (const [r, a] of pairs) this.#pair(removed[r]!, added[a]!, 'edited');
  }

  #report(rules: FullRules): ChangedBlock[] {
    const label = noiseLabeller(this.#old, this.#new, rules);
    const blocks: ChangedBlock[] = [];
    const add = (change: ChangedBlock, noise: string | undefined) => {
      if (noise !== undefined) change.noise = noise;
      blocks.push(change);
    };
    for (const gap of this.#gaps) {
      const texts = [...gap.removed.map((i) => this.#before[i]!), ...gap.added.map((j) => this.#after[j]!)];
      const unsettled = rules.masks.includes('wait-until-quiet') && texts.some(({ text }) => isLoading(text));
      const waiting = unsettled ? 'wait-until-quiet' : undefined;
      for (const i of gap.removed) {
        if (this.#partners[i]! >= 0) continue;
        const block = this.#before[i]!;
        add({ op: 'removed', before: block.text, place: block.place }, label.removed(block) ?? waiting);
      }
      for (const j of gap.added) {
        const newer = this.#after[j]!;
        const i = this.#origins[j]!;
        if (i < 0) {
          add({ op: 'added', after: newer.text, place: newer.place }, label.added(newer) ?? waiting);
          continue;
        }
        const older = this.#before[i]!;
        const pair = { before: older.text, after: newer.text, place: newer.place, from: older.place.order };
        if (this.#pairing.get(j) === 'moved') add({ op: 'moved', ...pair }, label.moved(older, newer));
        else {
          const waited = isLoading(older.text) || isLoading(newer.text) ? waiting : undefined;
          add({ op: 'edited', ...pair }, label.edited(older, newer) ?? waited);
        }
      }
    }
    return blocks;
  }
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

/** The text where it stands: in its cell, as the name of a row in its column, or after the text before it. */
function inContext(block: Block, at: number, blocks: readonly Block[]): string {
  return `${block.exact} ${cellOf(block) ?? block.place.column ?? blocks[at - 1]?.exact ?? ''}`;
}

/** A cell by the names of its row and column, which it keeps when the table is sorted anew; or by the number of its row. */
function cellOf({ place: { row, column, heading, list, item } }: Block): string | undefined {
  if (row !== undefined) return JSON.stringify([row, column, heading]);
  return item === undefined ? undefined : JSON.stringify([list, item]);
}

/** Names the rule that calls a change noise; undefined where none does. */
function noiseLabeller(before: Snapshot, after: Snapshot, rules: FullRules) {
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
      (from.noise !== undefined ? to.noise : undefined) ?? maskerAt(to.place).explain(from.text, to.text),
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
