import type { Change, ChangedBlock } from '#lib/content/snapshot.ts';

/** What a person reads as one change: a block, or the cells of one row that came, went or moved together. */
export interface ChangeEntry {
  /** The same for the same entry of a change. */
  id: string;
  op: ChangedBlock['op'];
  blocks: ChangedBlock[];
}

export interface ChangeGroup {
  /** The heading above; undefined before the first one. */
  heading: string | undefined;
  entries: ChangeEntry[];
}

export interface GroupedChange {
  /** What is news, in reading order. */
  groups: ChangeGroup[];
  /** How many entries are in the groups. */
  count: number;
  /** What is noise, by the rule that says so, the most frequent first. */
  noise: { rule: string; blocks: ChangedBlock[] }[];
}

/** A change as it is read: news under their headings, noise by its rules. */
export function groupChange({ blocks }: Pick<Change, 'blocks'>): GroupedChange {
  const groups = new Map<string | undefined, ChangeGroup>();
  const noise = new Map<string, ChangedBlock[]>();
  let count = 0;
  let last: ChangeEntry | undefined;
  for (const block of blocks) {
    if (block.noise !== undefined) {
      const rule = ruleOf(block.noise);
      const known = noise.get(rule);
      if (known) known.push(block);
      else noise.set(rule, [block]);
      continue;
    }
    if (last && belongs(block, last)) {
      last.blocks.push(block);
      continue;
    }
    last = { id: `${block.op} ${block.place.order}`, op: block.op, blocks: [block] };
    count += 1;
    const { heading } = block.place;
    const group = groups.get(heading);
    if (group) group.entries.push(last);
    else groups.set(heading, { heading, entries: [last] });
  }
  const byRule = [...noise].map(([rule, of]) => ({ rule, blocks: of }));
  return {
    groups: [...groups.values()],
    count,
    noise: byRule.sort((a, b) => b.blocks.length - a.blocks.length),
  };
}

/** Name of the rule, without the selector that matched. */
export function ruleOf(noise: string): string {
  return noise.split(' ', 1)[0]!;
}

/** The next cell of the row that the last one stood in. An edited cell has its own two lines. */
function belongs({ op, place }: ChangedBlock, entry: ChangeEntry): boolean {
  const before = entry.blocks.at(-1)!.place;
  return (
    op !== 'edited' &&
    op === entry.op &&
    place.row !== undefined &&
    place.row === before.row &&
    place.heading === before.heading &&
    place.column !== entry.blocks[0]!.place.column &&
    place.order === before.order + 1
  );
}

/** Where an entry stands, in a few words: `billing, State`; empty where the page gives no name but the heading. */
export function placeName({ blocks }: ChangeEntry): string {
  const { row, column, id } = blocks[0]!.place;
  if (row === undefined) return column ?? (id === undefined ? '' : `#${id}`);
  return column === undefined || blocks.length > 1 ? row : `${row}, ${column}`;
}

/** The texts of an entry's older or newer side as one line. */
export function textsOf({ blocks }: ChangeEntry, side: 'before' | 'after'): string {
  return blocks
    .map((block) => block[side])
    .filter((text) => text !== undefined)
    .join(', ');
}

const BRIEF = 60;

/** The texts of an entry for a line of a list: its sides, each cut to where it differs. */
export function briefTexts(entry: ChangeEntry): string[] {
  const before = textsOf(entry, 'before');
  const after = textsOf(entry, 'after');
  if (entry.op !== 'edited') return [brief(after || before, 0)];
  let same = 0;
  while (same < before.length && before[same] === after[same]) same++;
  return [brief(before, same), brief(after, same)];
}

/** A text around a position, between other letters where it is cut. */
function brief(text: string, at: number): string {
  if (text.length <= BRIEF) return text;
  const from = Math.max(0, Math.min(at - BRIEF / 3, text.length - BRIEF));
  const cut = text
    .slice(from, from + BRIEF)
    .toWellFormed()
    .replace(/^\uFFFD|\uFFFD$/g, '');
  return `${from > 0 ? '…' : ''}${cut}${from + BRIEF < text.length ? '…' : ''}`;
}
