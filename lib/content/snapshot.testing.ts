import { labeller } from './labels.ts';
import { normalForm } from './normal-form.ts';
import { fullRules, rulesHash, type Rules } from './rules.ts';
import { hashText } from './hash.ts';
import { digestsOf, type Block, type Change, type Coverage, type Place, type Snapshot } from './snapshot.ts';

/** A snapshot as `captureSnapshot` would make it of these texts, for tests without a document. */
export function snapshotOf(
  entries: readonly (string | (Partial<Place> & { text: string; noise?: string }))[],
  rules?: Rules,
  coverage: Coverage = { canvases: 0, frames: 0, lists: [] },
): Snapshot {
  const full = fullRules(rules);
  const { maskerAt, ignoredAt } = labeller(full);
  const blocks = entries.map((entry, order): Block => {
    const { text: raw, noise: marked, ...rest } = typeof entry === 'string' ? { text: entry } : entry;
    const text = normalForm(raw);
    const place: Place = { ...rest, order };
    const noise = ignoredAt({ place, text }) ?? marked;
    return {
      text,
      exact: hashText(text),
      masked: hashText(maskerAt({ place, text }).mask(text)),
      place,
      ...(noise === undefined ? {} : { noise }),
    };
  });
  return { blocks, ...digestsOf(blocks), coverage, rulesHash: rulesHash(full) };
}

/** The newer texts, made from the older ones and the change alone. */
export function rebuild(before: Snapshot, change: Change): string[] {
  const gone = new Set<number>();
  for (const { op, place, from } of change.blocks) {
    if (op === 'removed') gone.add(place.order);
    else if (from !== undefined) gone.add(from);
  }
  const texts = before.blocks.filter((_, order) => !gone.has(order)).map(({ text }) => text);
  const come = change.blocks
    .filter(({ after }) => after !== undefined)
    .sort((a, b) => a.place.order - b.place.order);
  for (const { after, place } of come) texts.splice(place.order, 0, after!);
  return texts;
}

/** A change as one line a block: `edited "UP" -> "DOWN" (noise)`. */
export function lines(change: Change): string[] {
  return change.blocks.map(({ op, before, after, noise }) => {
    const texts = [before, after].filter((text) => text !== undefined).map((text) => JSON.stringify(text));
    const shown = op === 'moved' ? texts[0]! : texts.join(' -> ');
    return `${op} ${shown}${noise === undefined ? '' : ` (${noise})`}`;
  });
}

declare const process: { cpuUsage: (since?: object) => { user: number } };

/** Processor time of a piece of work in ms: unlike the time on the clock it is the same on a busy machine. Node only. */
export function cpuTime(work: () => void): number {
  const started = process.cpuUsage();
  work();
  return process.cpuUsage(started).user / 1000;
}
