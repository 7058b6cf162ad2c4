import { flatParent, type Box, type ListRow } from './capture-box.ts';
import type { Dom } from './capture-dom.ts';
import type { Coverage, Place } from './snapshot.ts';

/**
 * Lists that hold only a window of their rows, as far as a person has scrolled: by the row numbers that they tell, or by the empty room
 * in which they move a few rows about.
 */

const TOTALS = ['aria-rowcount', 'aria-setsize'];
/** A scroller that has room for this many times the rows that are there shows a window of them. */
const MANY = 3;

/** Adds the lists that show only a window of their rows, and gives their blocks the row numbers. */
export function coverLists(
  inRows: readonly { place: Place; row: ListRow }[],
  coverage: Coverage,
  dom: Dom,
): void {
  for (const [list, entries] of Map.groupBy(inRows, ({ row }) => row.list)) {
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
  const height = (row as Partial<Element>).getBoundingClientRect?.().height ?? 0;
  if (!(height > 0)) return shown;
  for (let above = flatParent(row, dom); above !== null; above = flatParent(above, dom)) {
    if (above.scrollHeight <= above.clientHeight + 1 || above.clientHeight === 0) continue;
    const room = Math.round(above.scrollHeight / height);
    return room > MANY * shown ? room : shown;
  }
  return shown;
}

const LEAST_ROWS = 3;
/** Boxes that make room and are looked at; charts move things about by the thousand. */
const MOST_ROOMS = 100;

/** Numbers of rows that tell none, by where they stand in the room of their list. Only rows of one height can be counted so. */
export function rowsInWindows(top: Box | null): Map<Box, ListRow> {
  const rows = new Map<Box, ListRow>();
  const rooms = new Set<Box>();
  const boxes = top === null ? [] : [top];
  for (let box = boxes.pop(); box !== undefined; box = boxes.pop()) {
    if (box.marks?.makesRoom === true && rooms.size < MOST_ROOMS)
      rooms.add(isEmpty(box) ? (box.parent ?? box) : box);
    for (const item of box.items) if ('items' in item) boxes.push(item);
  }
  for (const room of rooms) numberRows(room, rowsIn(room), rows);
  return rows;
}

/** A sizer may stand beside its rows, with nothing in it. */
function isEmpty(box: Box): boolean {
  return box.items.length === 0;
}

/** The largest set of boxes with one parent, below a box. */
function rowsIn(host: Box): Box[] {
  let most: Box[] = [];
  const boxes = [host];
  for (let box = boxes.pop(); box !== undefined; box = boxes.pop()) {
    const children = box.items.filter((item): item is Box => 'items' in item);
    const filled = children.filter(({ items }) => items.length > 0);
    if (filled.length >= LEAST_ROWS && filled.length > most.length) most = filled;
    boxes.push(...children);
  }
  return most;
}

function numberRows(host: Box, rows: readonly Box[], numbers: Map<Box, ListRow>): void {
  if (rows.length === 0 || rows.some((row) => numbers.has(row) || row.marks?.tag?.row !== undefined)) return;
  const list = host.element as Partial<Element>;
  if (typeof list.getBoundingClientRect !== 'function') return;
  const rects = rows.map(({ element }) => element.getBoundingClientRect());
  const { height } = rects[0]!;
  if (height === 0 || rects.some((rect) => Math.abs(rect.height - height) > 1)) return;
  if (host.element.scrollHeight <= MANY * rows.length * height) return;
  const start = host.element.getBoundingClientRect().top - host.element.scrollTop;
  for (const [index, row] of rows.entries()) {
    const number = Math.round((rects[index]!.top - start) / height) + 1;
    numbers.set(row, { element: row.element, list: host.element, number });
  }
}
