import { holds } from '#lib/rounds/aliases.ts';
import type { Round } from '#lib/rounds/types.ts';
import { GONE, KNOWN, RadixTrie, RETRYING, VISITED } from '#lib/sets/index.ts';
import { withStore } from './open.ts';
import { below } from './ranges.ts';
import type { Db } from './schema.ts';
import { savedTrie } from './sets.ts';

/** The pages of a round with those of its base round, for counting and listing by prefix. */
export interface SiteTree {
  /** Every key with its state; pages that only the base round has are known. */
  pages: RadixTrie;
  /** Counts of what failed, which the states in `pages` do not count: retrying as visited, gone as known. */
  failed: RadixTrie;
  /** Number of the log entry it is up to date with. */
  log: number;
}

/** How long this may keep the page busy at a time. */
const SLICE_MS = 8;
/** Keys read at once: few at first, so that something is shown soon. */
const LEAST = 500;
const MOST = 5_000;

/** Which pages were read so far of a tree that is being read: its counts are too small still. */
export type OnPart = (part: SiteTree) => void;

/** How often a part is given, in ms. */
const PART_MS = 200;

/**
 * The tree of a round as of now; `known` where nothing was written since that one. `onProgress` is told how many keys were read one by
 * one, `onPart` what there is of the tree meanwhile: the very same trie, which goes on growing.
 * @throws what `signal` was aborted with
 */
export function readTree(
  round: Round,
  signal: AbortSignal,
  { onProgress, onPart }: { onProgress: (keys: number) => void; onPart?: OnPart },
  known?: SiteTree,
): Promise<SiteTree> {
  return withStore(async (db) => {
    const log = await logNumber(db);
    if (known?.log === log) return known;
    const pages = (await savedTrie(db, round)) ?? new RadixTrie();
    const pause = pauses(signal, onProgress, () => onPart?.({ pages, failed: new RadixTrie(), log: -1 }));
    if (pages.size === 0) {
      for (const [state, code] of STATES) {
        for await (const key of keysIn(db, round.space, state)) {
          pages.insert(key, code);
          await pause();
        }
      }
    }
    await addBase(db, round, pages, pause);
    return { pages, failed: await failedOf(db, round.space, pause), log };
  });
}

const STATES = [
  ['known', KNOWN],
  ['visited', VISITED],
  ['retrying', RETRYING],
  ['gone', GONE],
] as const;

/** Adds the keys that only the base round has. Originals of an alias that holds here are pages of their target. */
async function addBase(db: Db, round: Round, pages: RadixTrie, pause: Pause): Promise<void> {
  const base = round.base === undefined ? undefined : await db.get('rounds', round.base);
  if (!base) return;
  const scope = await db.get('scopes', round.scope);
  const aliases = await db.getAll('aliases', below([round.scope]));
  const led = new Set(aliases.filter((alias) => holds(alias, round, scope?.tokens)).map(({ from }) => from));
  for await (const key of keysIn(db, base.space)) {
    if (!led.has(key)) pages.insert(key, KNOWN);
    await pause();
  }
}

async function failedOf(db: Db, space: string, pause: Pause): Promise<RadixTrie> {
  const failed = new RadixTrie();
  for (const [state, code] of [
    ['retrying', VISITED],
    ['gone', KNOWN],
  ] as const) {
    for await (const key of keysIn(db, space, state)) {
      failed.insert(key, code);
      await pause();
    }
  }
  return failed;
}

/** Keys of the pages of a space, or of those in a state, in their order; none of their rows is read. */
async function* keysIn(db: Db, space: string, state?: string): AsyncGenerator<string> {
  let range = state === undefined ? below([space]) : below([space, state]);
  for (let size = LEAST; ; size = Math.min(size * 2, MOST)) {
    const rows =
      state === undefined
        ? await db.getAllKeys('pages', range, size)
        : await db.getAllKeysFromIndex('pages', 'state', range, size);
    for (const [, key] of rows) yield key;
    const last = rows.at(-1)?.[1];
    if (last === undefined || rows.length < size) return;
    const from = state === undefined ? [space, last] : [space, state, last];
    range = IDBKeyRange.bound(from, range.upper, true);
  }
}

/** Waits for the page's turn whenever a slice is over; to be called for every key. */
type Pause = () => Promise<void>;

function pauses(signal: AbortSignal, onProgress: (keys: number) => void, onPart: () => void): Pause {
  let begun = performance.now();
  let given = -Infinity;
  let keys = 0;
  return async () => {
    keys += 1;
    if (keys % 64 !== 0 || performance.now() - begun < SLICE_MS) return;
    onProgress(keys);
    if (begun - given > PART_MS) {
      onPart();
      given = begun;
    }
    await new Promise<void>((done) => setTimeout(done));
    signal.throwIfAborted();
    begun = performance.now();
  };
}

async function logNumber(db: Db): Promise<number> {
  const meta = await db.get('meta', 'log');
  return meta?.id === 'log' ? meta.number : 0;
}
