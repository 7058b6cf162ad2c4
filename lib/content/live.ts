import { numbersIn } from './numbers.ts';
import type { Block, Change, ChangedBlock, Place, Snapshot } from './snapshot.ts';

/**
 * Live values: numbers that change in place, look after look. Nearly every change on a dashboard is one, and none is news; so they
 * are shown with their last, least and greatest value and a spark line, not as changes.
 */

/** One number of one block over the last looks. JSON-safe. */
export interface Track {
  place: Place;
  /** The words around it: the block's text with a mark for each number. */
  template: string;
  /** Which of the block's numbers. */
  index: number;
  /** Hash of the block's text without its noise. */
  masked?: string;
  /** Time (ms) and value at the last looks, oldest first. */
  points: [number, number][];
  /** Times of its last changes. */
  changes: number[];
  /** For the last looks whether it changed there, oldest first. */
  looks: boolean[];
}

export type Tracks = Readonly<Record<string, Track>>;

/** What to show of a live number. */
export interface LiveValue {
  /** The same for the same number at every look, as in {@link Tracks}. */
  name: string;
  place: Place;
  /** Its cell, or the words around it. */
  label: string;
  /** What stands straight behind the number and is not in the label, such as ` %`. */
  unit: string;
  last: number;
  least: number;
  greatest: number;
  /** Values for a spark line, oldest first, and when the first was read. */
  points: number[];
  since: number;
}

/** A live number that passes one of these bounds is news. */
export interface Threshold {
  /** Name of the number. */
  value: string;
  above?: number;
  below?: number;
}

/** A number is live that changed at this many of the last looks, or this often in a minute. */
const CHANGES = 5;
const LOOKS = 10;
const MINUTE = 60_000;
const POINTS = 60;
/** Numbers followed on one page. */
const MOST_TRACKS = 5_000;
const MOST_KEPT = 500;

/** Adds a look to the tracks of a page. A number that is gone, or among other words, is forgotten. */
export function followNumbers(tracks: Tracks, { blocks }: Snapshot, at: number): Tracks {
  const next: Record<string, Track> = {};
  let count = 0;
  for (const [key, block] of keyed(blocks)) {
    const numbers = numbersIn(block.text);
    if (numbers === undefined) continue;
    for (const [index, value] of numbers.values.entries()) {
      if (++count > MOST_TRACKS) return next;
      const name = `${key}#${index}`;
      const known = tracks[name];
      // A clock or an age is noise, not a value that moves.
      const isNoise = block.noise !== undefined || known?.masked === block.masked;
      const changed = known !== undefined && known.points.at(-1)![1] !== value && !isNoise;
      next[name] = {
        place: block.place,
        template: numbers.template,
        index,
        masked: block.masked,
        points: [...(known?.points ?? []), [at, value] as [number, number]].slice(-POINTS),
        changes: changed ? [...known.changes, at].slice(-CHANGES) : (known?.changes ?? []),
        looks: known ? [...known.looks, changed].slice(-LOOKS) : [],
      };
    }
  }
  return next;
}

/** Adds looks at which nothing had changed: while a page is open it is told only when something did. */
export function passLooks(tracks: Tracks, count: number): Tracks {
  const passed = Array.from({ length: Math.min(count, LOOKS) }, () => false);
  if (passed.length === 0) return tracks;
  return Object.fromEntries(
    Object.entries(tracks).map(([name, track]) => [
      name,
      { ...track, looks: [...track.looks, ...passed].slice(-LOOKS) },
    ]),
  );
}

/** Those that are worth keeping: numbers that changed. A hostile page gets no more than its share. */
export function movingTracks(tracks: Tracks): Tracks {
  const moving = Object.entries(tracks).filter(([, { changes }]) => changes.length > 0);
  return Object.fromEntries(moving.slice(0, MOST_KEPT));
}

export function isLive({ changes, looks }: Track, now: number): boolean {
  const often = looks.filter(Boolean).length >= CHANGES;
  const fast = changes.length >= CHANGES && now - changes.at(-CHANGES)! <= MINUTE;
  return often || fast;
}

/** All there is in a cell besides its number. */
const UNIT = /^\u0000([^\u0000]{1,8})$/;

function cellName({ row, column }: Place): string {
  return column === undefined ? row! : `${row}, ${column}`;
}

/** What to show of all live numbers of a page. */
export function liveValues(tracks: Tracks, now: number): LiveValue[] {
  return Object.entries(tracks)
    .filter(([, track]) => isLive(track, now))
    .map(([name, { place, template, points }]) => {
      const values = points.map(([, value]) => value);
      return {
        name,
        place,
        label: place.row === undefined ? template.replaceAll('\u0000', '…') : cellName(place),
        unit: place.row === undefined ? '' : (UNIT.exec(template)?.[1] ?? ''),
        last: values.at(-1)!,
        least: Math.min(...values),
        greatest: Math.max(...values),
        points: values,
        since: points[0]![0],
      };
    });
}

/**
 * A change without what is only live: edits in which all numbers that differ are live, and none crossed a threshold. A word that
 * changes, beside however many live numbers, is news.
 */
export function withoutLive(
  change: Change,
  after: Snapshot,
  tracks: Tracks,
  now: number,
  thresholds: readonly Threshold[] = [],
): Change {
  const keys = new Map(keyed(after.blocks).map(([key, { place }]) => [place.order, key]));
  const blocks = change.blocks.filter((block) => {
    if (block.op !== 'edited') return true;
    const older = numbersIn(block.before!);
    const newer = numbersIn(block.after!);
    if (older === undefined || newer?.template !== older.template) return true;
    const key = keys.get(block.place.order);
    return newer.values.some((value, index) => {
      const before = older.values[index]!;
      if (value === before) return false;
      const name = `${key}#${index}`;
      const track = tracks[name];
      if (track === undefined || !isLive(track, now)) return true;
      return thresholds.some((threshold) => threshold.value === name && crosses(before, value, threshold));
    });
  });
  const quiet = blocks.every(({ noise }) => noise !== undefined);
  return { ...change, blocks, changed: blocks.length > 0, quiet };
}

/** Whether two snapshots are the same text but for their numbers. */
export function isOnlyNumbersApart(a: Snapshot, b: Snapshot): boolean {
  const words = ({ text }: Block) => numbersIn(text)?.template ?? text;
  return (
    a.blocks.length === b.blocks.length &&
    a.blocks.every((block, at) => {
      const other = b.blocks[at]!;
      return block.exact === other.exact || words(block) === words(other);
    })
  );
}

/** Whether all that differs are numbers in place. */
export function isOnlyNumbers({ blocks }: Change): boolean {
  return blocks.every(({ op, before, after, noise }) => {
    if (noise !== undefined) return true;
    if (op !== 'edited') return false;
    const older = numbersIn(before!);
    return older !== undefined && numbersIn(after!)?.template === older.template;
  });
}

function crosses(before: number, after: number, { above, below }: Threshold): boolean {
  return (
    (above !== undefined && after > above && !(before > above)) ||
    (below !== undefined && after < below && !(before < below))
  );
}

/** A block's place without its order, with its words: the same for the same block at the next look. Repeated ones are counted. */
function keyed(blocks: readonly Block[]): [string, Block][] {
  const seen = new Map<string, number>();
  return blocks.map((block) => {
    const { id, row, column, heading } = block.place;
    const key = JSON.stringify([id, row, column, heading, numbersIn(block.text)?.template ?? null]);
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    return [`${key}${count}`, block];
  });
}

/** How many looks in a row a block must have changed at to be offered to be ignored. */
const OFFER_AFTER = 3;

/** Blocks that changed, not as noise, at each of the last three looks: the person may want to ignore them. */
export function offersToIgnore(changes: readonly Change[]): ChangedBlock[] {
  if (changes.length < OFFER_AFTER) return [];
  const [latest, ...earlier] = changes.slice(-OFFER_AFTER).reverse();
  const before = earlier.map(({ blocks }) => new Set(blocks.filter(isNews).flatMap(placeKeys)));
  const offered = new Map<number, ChangedBlock>();
  for (const block of latest!.blocks.filter(isNews)) {
    const keys = placeKeys(block);
    if (before.every((known) => keys.some((key) => known.has(key)))) offered.set(block.place.order, block);
  }
  return [...offered.values()];
}

function isNews({ op, noise }: ChangedBlock): boolean {
  return op === 'edited' && noise === undefined;
}

/** A block at another look: at the same place in the same order, or with the same words around its numbers. */
function placeKeys({ place: { id, row, column, heading, order }, after }: ChangedBlock): string[] {
  const words = numbersIn(after ?? '')?.template;
  const named = [id, row, column, heading];
  return [JSON.stringify([named, order]), ...(words === undefined ? [] : [JSON.stringify([named, words])])];
}

/**
 * Which earlier version of a page a snapshot equals (0 = the oldest given), noise aside; -1 for none. Equal to another one than the
 * last means that the page flips between versions, as in an A/B test.
 */
export function earlierVersion(
  versions: readonly Pick<Snapshot, 'maskedDigest'>[],
  now: Pick<Snapshot, 'maskedDigest'>,
): number {
  return versions.findLastIndex(({ maskedDigest }) => maskedDigest === now.maskedDigest);
}
