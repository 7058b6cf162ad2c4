import { namedBlocks, type Region } from './baseline.ts';
import type { Block } from './snapshot.ts';

type Name = 'heading' | 'row' | 'column' | 'id';
/** What names a part, the words that people see first. */
const NAMES: readonly Name[] = ['heading', 'row', 'column', 'id'];
/** An id that was made up for this showing is another one at the next: `:r1:`, `ember1234`, a long hash. */
const MADE_UP =
  /[:.]|\d{3,}|[\da-f]{8,}|(?:^|[-_])(?:ember|radix|react|mui|headlessui|ext-gen|yui|ng|v)[-_]?\w*\d/i;
/** A part may begin with its own heading, which stands under the heading before it. */
const LEADING = 2;

/**
 * Names of a part of a page by which it is found again after the page was drawn anew: the heading above it, row and column, an id that was
 * not made up; and only where these do not suffice, which of the blocks of these names it is. Never a path through elements.
 * @param all the blocks of the page · @param inside orders of those in the part · @returns undefined for a part without text
 */
export function describeRegion(all: readonly Block[], inside: readonly number[]): Region | undefined {
  if (inside.length === 0) return undefined;
  const within = new Set(inside);
  let best: { region: Region; cost: number } | undefined;
  for (let skip = 0; skip <= Math.min(LEADING, inside.length - 1); skip += 1) {
    const part = inside.slice(skip);
    const common = namesOf(all, part);
    for (const names of subsets(common)) {
      const found = namedBlocks(all, names);
      const extra = found.filter(({ place }) => !within.has(place.order)).length;
      const from = found.findIndex(({ place }) => place.order === part[0]);
      const region: Region = extra === 0 ? names : { ...names, part: { from, count: part.length } };
      const isNamed = Object.keys(names).length > 0;
      // Counted from the top of the page is the last resort, and a missing heading costs little.
      // Of a cell both names are kept: its row may get more columns.
      const isHalf = names.row !== undefined && names.column === undefined && common.column !== undefined;
      const last = isNamed ? 0 : extra > 0 ? 100 : 50;
      const cost = (extra > 0 ? 10 : 0) + last + skip + Number(isHalf) + Object.keys(names).length * 0.1;
      if (!best || cost < best.cost) best = { region, cost };
    }
  }
  return best?.region;
}

/** Names that all blocks of the part have. */
function namesOf(all: readonly Block[], part: readonly number[]): Pick<Region, Name> {
  const common: Pick<Region, Name> = {};
  for (const name of NAMES) {
    const value = all[part[0]!]?.place[name];
    if (value === undefined || (name === 'id' && MADE_UP.test(value))) continue;
    if (part.every((order) => all[order]?.place[name] === value)) common[name] = value;
  }
  return common;
}

function subsets(names: Pick<Region, Name>): Pick<Region, Name>[] {
  return NAMES.reduce<Pick<Region, Name>[]>(
    (sets, name) =>
      names[name] === undefined ? sets : [...sets, ...sets.map((set) => ({ ...set, [name]: names[name] }))],
    [{}],
  );
}
