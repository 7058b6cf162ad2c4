import type { Change, ChangedBlock } from './snapshot.ts';

/** The same edit on many pages: one line instead of two hundred. */
export interface EditGroup extends Pick<ChangedBlock, 'op' | 'before' | 'after' | 'noise'> {
  /** Keys of the pages that have it, in the order given, each once. */
  pages: string[];
}

/** Groups the edits of many pages, those on most pages first. */
export function groupEdits(pages: Iterable<readonly [key: string, change: Change]>): EditGroup[] {
  const groups = new Map<string, EditGroup>();
  for (const [key, { blocks }] of pages) {
    for (const { op, before, after, noise } of blocks) {
      const name = JSON.stringify([op, before, after]);
      let group = groups.get(name);
      if (group === undefined) {
        group = { op, pages: [] };
        if (before !== undefined) group.before = before;
        if (after !== undefined) group.after = after;
        if (noise !== undefined) group.noise = noise;
        groups.set(name, group);
      }
      // The same edit is news on the whole if it is on one page.
      if (noise === undefined) delete group.noise;
      if (group.pages.at(-1) !== key) group.pages.push(key);
    }
  }
  return [...groups.values()].sort((a, b) => b.pages.length - a.pages.length);
}
