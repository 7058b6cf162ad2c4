import type { Box, Line, ListRow, Reading } from './capture-box.ts';
import { coverLists, rowsInWindows } from './capture-lists.ts';
import { hashText } from './hash.ts';
import { labeller } from './labels.ts';
import { rulesHash } from './rules.ts';
import { digestsOf, type Block, type Coverage, type Place, type Snapshot } from './snapshot.ts';

/** What holds for everything in a box, from the boxes around it. */
interface Surroundings {
  id: string | undefined;
  collapsed: boolean;
  noise: string | undefined;
  row: ListRow | undefined;
  /** Column headers of the table or grid; labels of the row and column. */
  columns: (string | undefined)[] | undefined;
  rowLabel: string | undefined;
  column: string | undefined;
}

/** A box being read, with what its children need of it. */
interface Level {
  box: Box;
  at: number;
  around: Surroundings;
  /** In a row: the column of the next cell, and the cell that names the row. */
  column: number;
  label: Box | undefined;
  labelText: string | undefined;
  /** In a `details`: its summary was met. In a `dl`: text of the last `dt`. */
  summary: boolean;
  term: string | undefined;
}

const LABEL_LENGTH = 200;
const OUTSIDE: Surroundings = {
  id: undefined,
  collapsed: false,
  noise: undefined,
  row: undefined,
  columns: undefined,
  rowLabel: undefined,
  column: undefined,
};

/** Turns boxes into the snapshot: the blocks in reading order with their places, digests and coverage. */
export function assemble(top: Box | null, { rules, dom, room }: Reading): Snapshot {
  const { maskerAt, ignoredAt } = labeller(rules);
  const windowed = rowsInWindows(top);
  const places = rules.ignore.some((entry) => typeof entry !== 'string');
  const blocks: Block[] = [];
  const inRows: { place: Place; row: ListRow }[] = [];
  const coverage: Coverage = { canvases: 0, frames: 0, lists: [] };
  let heading: string | undefined;

  const levels: Level[] = top === null ? [] : [levelOf(top, OUTSIDE)];
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const item = level.box.items[level.at++];
    if (item === undefined) {
      levels.pop();
      coverage.canvases += level.box.canvases;
      coverage.frames += level.box.frames;
      if (isHeading(level.box)) heading = labelOf(level.box) ?? heading;
    } else if ('items' in item) {
      const around = surroundings(item, level);
      const row = windowed.get(item);
      levels.push(levelOf(item, row ? { ...around, row } : around, level));
    } else {
      addBlock(item, level.around, level.around.collapsed || isClosed(level.box));
    }
  }
  if (room <= 0) coverage.cut = true;
  coverLists(inRows, coverage, dom);
  return { blocks, ...digestsOf(blocks), coverage, rulesHash: rulesHash(rules) };

  function addBlock({ text, exact, masked }: Line, around: Surroundings, collapsed: boolean): void {
    const place: Place = { order: blocks.length };
    if (around.id !== undefined) place.id = around.id;
    if (around.rowLabel !== undefined) place.row = around.rowLabel;
    if (around.column !== undefined) place.column = around.column;
    if (heading !== undefined) place.heading = heading;
    if (collapsed) place.collapsed = true;
    const block: Block = { text, exact, masked, place };
    if (around.noise !== undefined) block.noise = around.noise;
    if (places) {
      const noise = ignoredAt(block);
      if (noise !== undefined) block.noise = noise;
      const mask = maskerAt(block).mask(text);
      block.masked = mask === text ? exact : hashText(mask);
    }
    if (around.row) inRows.push({ place, row: around.row });
    blocks.push(block);
  }
}

function levelOf(box: Box, around: Surroundings, parent?: Level): Level {
  const label = isRow(box) ? labelCell(box, parent) : undefined;
  return {
    box,
    at: 0,
    around,
    column: 0,
    label,
    labelText: label && labelOf(label),
    summary: false,
    term: undefined,
  };
}

/** What holds in a box: what holds around it, and what it adds. */
function surroundings(box: Box, parent: Level): Surroundings {
  const { name, marks } = box;
  const collapses = isClosed(parent.box) && (name !== 'summary' || parent.summary);
  if (name === 'summary') parent.summary = true;
  if (name === 'dt') parent.term = labelOf(box);
  const cell = parent.around.columns !== undefined && isCell(box);
  if (marks === null && !collapses && !cell && name !== 'table' && name !== 'dd') return parent.around;

  const around = { ...parent.around };
  if (marks !== null) {
    if (marks.id) around.id = marks.id;
    around.noise ??= marks.tag?.noise;
    around.row = marks.tag?.row ?? around.row;
  }
  if (collapses) around.collapsed = true;
  if (isTable(box)) {
    around.columns = [];
    around.rowLabel = undefined;
    around.column = undefined;
  } else if (cell) {
    placeCell(box, around, parent);
  } else if (name === 'dd' && parent.term !== undefined) {
    around.rowLabel = parent.term;
  }
  return around;
}

function placeCell(cell: Box, around: Surroundings, row: Level): void {
  const columns = around.columns!;
  if (row.label === undefined) {
    columns[row.column] = labelOf(cell);
  } else {
    if (row.label !== cell) around.rowLabel = row.labelText;
    around.column = columns[row.column];
  }
  const span = Number(cell.marks?.span ?? 1);
  row.column += span >= 1 && span <= 1000 ? Math.floor(span) : 1;
}

const TABLES = new Set(['table', 'grid', 'treegrid']);
const CELLS = new Set(['cell', 'gridcell', 'columnheader', 'rowheader']);

function isClosed({ name, marks }: Box): boolean {
  return name === 'details' && marks?.open !== true;
}

function isTable({ name, marks }: Box): boolean {
  return name === 'table' || TABLES.has(marks?.role ?? '');
}

function isRow({ name, marks }: Box): boolean {
  return name === 'tr' || marks?.role === 'row';
}

function isCell({ name, marks }: Box): boolean {
  return name === 'td' || name === 'th' || CELLS.has(marks?.role ?? '');
}

function isHeader({ name, marks }: Box): boolean {
  const role = marks?.role ?? null;
  return role === null ? name === 'th' : role === 'columnheader' || role === 'rowheader';
}

function isHeading({ name, marks }: Box): boolean {
  return marks?.role === 'heading' || /^h[1-6]$/.test(name);
}

/**
 * The cell that names a row: its header, else its first cell with a text; but not its rank, which says nothing of what stands there. A
 * row of headers only has none: it names the columns.
 */
function labelCell(row: Box, parent: Level | undefined): Box | undefined {
  const cells = cellsOf(row);
  const headers = cells.filter(isHeader);
  if (headers.length === cells.length && cells.length > 1) return undefined;
  let named: Box | undefined;
  for (const cell of headers.length > 0 ? [...headers, ...cells] : cells) {
    if (labelOf(cell) === undefined) continue;
    if (!isRank(cell, cells.indexOf(cell), parent)) return cell;
    named ??= cell;
  }
  return named ?? cells[0];
}

function cellsOf(row: Box): Box[] {
  return row.items.filter((item): item is Box => 'items' in item && isCell(item));
}

/** A small number, one more or less than that in the same column of the next row or the one before. */
function isRank(cell: Box, column: number, parent: Level | undefined): boolean {
  const rank = rankOf(cell);
  if (rank === undefined || parent === undefined) return false;
  const { items } = parent.box;
  return [items[parent.at - 2], items[parent.at]].some((row) => {
    const other = row !== undefined && 'items' in row ? cellsOf(row)[column] : undefined;
    const beside = other && rankOf(other);
    return beside !== undefined && Math.abs(beside - rank) === 1;
  });
}

function rankOf(cell: Box): number | undefined {
  const digits = /^#?(\d{1,4})[.)]?$/.exec(labelOf(cell) ?? '');
  return digits ? Number(digits[1]) : undefined;
}

/** The text of a box as one label; undefined if it has none. */
function labelOf(box: Box): string | undefined {
  let label = '';
  const stack: (Line | Box)[] = [box];
  for (let item = stack.pop(); item !== undefined && label.length < LABEL_LENGTH; item = stack.pop()) {
    if (!('items' in item)) label += label === '' ? item.text : ` ${item.text}`;
    else for (let at = item.items.length - 1; at >= 0; at--) stack.push(item.items[at]!);
  }
  return label === '' ? undefined : label.slice(0, LABEL_LENGTH);
}
