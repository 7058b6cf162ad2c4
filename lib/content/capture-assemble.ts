import { flatParent, type Box, type Line, type ListRow, type Reading } from './capture-blocks.ts';
import type { Dom } from './capture-dom.ts';
import { labeller } from './labels.ts';
import { rulesHash } from './rules.ts';
import { digestsOf, hashText, type Block, type Coverage, type Place, type Snapshot } from './snapshot.ts';

/** What holds for everything in a box, from the boxes around it. */
interface Surroundings {
  id: string | undefined;
  collapsed: boolean;
  noise: string | undefined;
  row: ListRow | undefined;
  /** The table or grid, its row and the cell. */
  table: { columns: (string | undefined)[] } | undefined;
  rowLabel: string | undefined;
  column: string | undefined;
}

interface Level {
  box: Box;
  at: number;
  around: Surroundings;
  /** Column of the next cell of a row; the label cell, which needs no row name; whether a summary was met. */
  column: number;
  label: Box | undefined;
  summary: boolean;
  /** Text of the last `dt`. */
  term: string | undefined;
}

const LABEL_LENGTH = 200;
const OUTSIDE: Surroundings = {
  id: undefined,
  collapsed: false,
  noise: undefined,
  row: undefined,
  table: undefined,
  rowLabel: undefined,
  column: undefined,
};

/** Turns boxes into the snapshot: the blocks in reading order with their places, digests and coverage. */
export function assemble(top: Box | null, reading: Reading): Snapshot {
  const { rules, dom } = reading;
  const { maskerAt, ignoredAt } = labeller(rules);
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
      if (isHeading(level.box)) heading = labelOf(level.box) || heading;
    } else if ('items' in item) {
      levels.push(levelOf(item, surroundings(item, level)));
    } else {
      addBlock(item, level.around);
    }
  }
  if (reading.room <= 0) coverage.cut = true;
  coverLists(inRows, coverage, dom);
  return { blocks, ...digestsOf(blocks), coverage, rulesHash: rulesHash(rules) };

  function addBlock(line: Line, around: Surroundings): void {
    const place: Place = { order: blocks.length };
    if (around.id !== undefined) place.id = around.id;
    if (around.rowLabel !== undefined) place.row = around.rowLabel;
    if (around.column !== undefined) place.column = around.column;
    if (heading !== undefined) place.heading = heading;
    if (around.collapsed) place.collapsed = true;
    const block: Block = { text: line.text, exact: line.exact, masked: line.masked, place };
    if (around.noise !== undefined) block.noise = around.noise;
    if (places) {
      const noise = ignoredAt(place);
      if (noise !== undefined) block.noise = noise;
      const mask = maskerAt(place).mask(line.text);
      block.masked = mask === line.text ? line.exact : hashText(mask);
    }
    if (around.row) inRows.push({ place, row: around.row });
    blocks.push(block);
  }
}

function levelOf(box: Box, around: Surroundings): Level {
  const isRow = box.name === 'tr' || box.role === 'row';
  return {
    box,
    at: 0,
    around,
    column: 0,
    label: isRow ? labelCell(box) : undefined,
    summary: false,
    term: undefined,
  };
}

/** What a box adds to what its parent has. */
function surroundings(box: Box, parent: Level): Surroundings {
  const around = { ...parent.around };
  if (box.id !== null && box.id !== '') around.id = box.id;
  around.noise ??= box.noise;
  around.row = box.row ?? around.row;
  if (parent.box.closed) {
    if (box.name !== 'summary' || parent.summary) around.collapsed = true;
  }
  if (box.name === 'summary') parent.summary = true;
  if (isTable(box)) {
    around.table = { columns: [] };
    around.rowLabel = undefined;
    around.column = undefined;
  } else if (isCell(box) && around.table) {
    const { columns } = around.table;
    if (parent.label === undefined) columns[parent.column] = labelOf(box) || undefined;
    else if (parent.label !== box) around.rowLabel = labelOf(parent.label) || undefined;
    around.column = parent.label === undefined ? undefined : columns[parent.column];
    const span = Number(box.span ?? 1);
    parent.column += span >= 1 && span <= 1000 ? Math.floor(span) : 1;
  } else if (box.name === 'dt') {
    parent.term = labelOf(box) || undefined;
  } else if (box.name === 'dd' && parent.term !== undefined) {
    around.rowLabel = parent.term;
  }
  return around;
}

function isTable(box: Box): boolean {
  return box.name === 'table' || box.role === 'table' || box.role === 'grid' || box.role === 'treegrid';
}

function isCell({ name, role }: Box): boolean {
  return name === 'td' || isHeader({ name, role }) || role === 'cell' || role === 'gridcell';
}

function isHeader({ name, role }: { name: string; role: string | null }): boolean {
  return (name === 'th' && role === null) || role === 'columnheader' || role === 'rowheader';
}

function isHeading({ name, role }: Box): boolean {
  return /^h[1-6]$/.test(name) || role === 'heading';
}

/** The cell that names a row: its header, else its first cell. A row of headers only has none: it names the columns. */
function labelCell(row: Box): Box | undefined {
  const cells = row.items.filter((item): item is Box => 'items' in item && isCell(item));
  const headers = cells.filter(isHeader);
  return headers.length === cells.length && cells.length > 1 ? undefined : (headers[0] ?? cells[0]);
}

/** The text of a box as one label. */
function labelOf(box: Box): string {
  let label = '';
  const stack: (Line | Box)[] = [...box.items].reverse();
  for (let item = stack.pop(); item !== undefined && label.length < LABEL_LENGTH; item = stack.pop()) {
    if (!('items' in item)) label += label === '' ? item.text : ` ${item.text}`;
    else stack.push(...[...item.items].reverse());
  }
  return label.slice(0, LABEL_LENGTH);
}

const TOTALS = ['aria-rowcount', 'aria-setsize'];
const MANY = 3;

/** Adds the lists that show only a window of their rows, and gives their blocks the row numbers. */
function coverLists(inRows: readonly { place: Place; row: ListRow }[], coverage: Coverage, dom: Dom): void {
  const lists = new Map<Element, { place: Place; row: ListRow }[]>();
  for (const entry of inRows) {
    const entries = lists.get(entry.row.list);
    if (entries) entries.push(entry);
    else lists.set(entry.row.list, [entry]);
  }
  for (const [list, entries] of lists) {
    const numbers = new Set(entries.map(({ row }) => row.number));
    const of = rowsOf(list, numbers.size, entries[0]!.row.element, dom);
    if (of <= numbers.size) continue;
    for (const { place, row } of entries) {
      place.list = coverage.lists.length;
      place.item = row.number;
    }
    coverage.lists.push({ shown: numbers.size, of });
  }
}

/** How many rows a list has: what it says, else what its scroller has room for. */
function rowsOf(list: Element, shown: number, row: Element, dom: Dom): number {
  for (const name of TOTALS) {
    const total = Number(dom.attribute(list, name) ?? dom.attribute(row, name) ?? 0);
    if (Number.isSafeInteger(total) && total > 0) return total;
  }
  const height = row.getBoundingClientRect().height;
  if (!(height > 0)) return shown;
  for (let above = flatParent(row, dom); above !== null; above = flatParent(above, dom)) {
    if (above.scrollHeight <= above.clientHeight + 1 || above.clientHeight === 0) continue;
    const room = Math.round(above.scrollHeight / height);
    return room > MANY * shown ? room : shown;
  }
  return shown;
}
