import type { Signal } from './types.ts';

/** A signal of a document with the key it shows, and the row it was counted in so far. */
export interface Telling<Row> extends Signal {
  key: string;
  row?: Row;
}

/** The browser and the observer tell the same beginning within this time. */
const APART = 2_000;

/**
 * Groups everything that was told of one document into showings. Signals of one showing are those of the same key with no start,
 * return or other route between; so the answer depends on what was told and when it happened, not on the order in which it arrived,
 * on who told it or how often.
 */
export function showingsOf<Row>(tellings: Telling<Row>[]): Telling<Row>[][] {
  const showings: Telling<Row>[][] = [];
  for (const telling of tellings.toSorted(inTime)) {
    const last = showings.at(-1);
    if (last && continues(last, telling)) last.push(telling);
    else showings.push([telling]);
  }
  return showings;
}

/** A document has one start, and nothing in it happens before, whatever the clocks say. */
function inTime(a: Signal, b: Signal): number {
  const start = Number(b.moment === 'start') - Number(a.moment === 'start');
  return start || a.at - b.at || a.by.localeCompare(b.by) || a.moment.localeCompare(b.moment);
}

function continues<Row>(showing: Telling<Row>[], telling: Telling<Row>): boolean {
  const first = showing[0]!;
  if (first.key !== telling.key) return false;
  if (telling.moment === 'route' || (telling.moment === 'start' && first.moment === 'start')) return true;
  // A return, or the browser's "back", which may be one or the start: the other teller's word for it comes at the same time.
  const beginnings = showing.filter(({ moment }) => moment !== 'route');
  const told = beginnings.some((each) => each.by === telling.by && each.at !== telling.at);
  return beginnings.length > 0 && !told && beginnings.some((each) => Math.abs(each.at - telling.at) <= APART);
}
