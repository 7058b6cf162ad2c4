import { holds } from '#lib/rounds/aliases.ts';
import type { Round } from '#lib/rounds/types.ts';
import { GONE, KNOWN, RadixTrie, RETRYING, VISITED } from '#lib/sets/index.ts';
import { withStore } from './open.ts';
import { below } from './ranges.ts';
import type { Db } from './schema.ts';
import { Sets } from './sets.ts';

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
const BATCH = 5_000;

/** Reads the tree of a round for a view. Keeps the sets it has read, so that the next reading only takes in what was written since. */
export class TreeReader {
  readonly #sets = new Sets();

  /**
   * The tree as of now; `known` where nothing was written since that one. `onProgress` is told how many keys were read of those that
   * are read one by one.
   * @throws what `signal` was aborted with
   */
  read(
    round: Round,
    signal: AbortSignal,
    onProgress: (keys: number) => void,
    known?: SiteTree,
  ): Promise<SiteTree> {
    const pause = pauses(signal, onProgress);
    return withStore(async (db) => {
      const log = await logNumber(db);
      if (known?.log === log) return known;
      const own = await this.#trieOf(db, round, pause);
      const pages = await this.#withBase(db, round, own, pause);
      return { pages, failed: await failedOf(db, round.space, pause), log };
    });
  }

  /** The round's set, where it can be listed; a trie of its rows otherwise. */
  async #trieOf(db: Db, round: Round, pause: Pause): Promise<RadixTrie> {
    const { trie } = await this.#sets.setOf(db, round);
    if (trie) return trie;
    const built = new RadixTrie();
    for (const [state, code] of [
      ['known', KNOWN],
      ['visited', VISITED],
      ['retrying', RETRYING],
      ['gone', GONE],
    ] as const) {
      for await (const key of keysIn(db, round.space, state)) {
        built.insert(key, code);
        await pause();
      }
    }
    return built;
  }

  /** A copy with the keys that only the base round has. Originals of an alias that holds here are pages of their target. */
  async #withBase(db: Db, round: Round, own: RadixTrie, pause: Pause): Promise<RadixTrie> {
    const base = round.base === undefined ? undefined : await db.get('rounds', round.base);
    if (!base) return own;
    const scope = await db.get('scopes', round.scope);
    const aliases = await db.getAll('aliases', below([round.scope]));
    const led = new Set(
      aliases.filter((alias) => holds(alias, round, scope?.tokens)).map(({ from }) => from),
    );
    const theirs = await this.#trieOf(db, base, pause);
    const both = RadixTrie.from(own.toBuffer());
    for (const [key] of theirs.entries()) {
      if (!led.has(key)) both.insert(key, KNOWN);
      await pause();
    }
    return both;
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

/** Keys of the pages in a state, in their order; none of their rows is read. */
async function* keysIn(db: Db, space: string, state: string): AsyncGenerator<string> {
  let range = below([space, state]);
  for (;;) {
    const rows = await db.getAllKeysFromIndex('pages', 'state', range, BATCH);
    for (const [, key] of rows) yield key;
    const last = rows.at(-1)?.[1];
    if (last === undefined || rows.length < BATCH) return;
    range = IDBKeyRange.bound([space, state, last], range.upper, true);
  }
}

/** Waits for the page's turn whenever a slice is over; to be called for every key. */
type Pause = () => Promise<void>;

function pauses(signal: AbortSignal, onProgress: (keys: number) => void): Pause {
  let begun = performance.now();
  let keys = 0;
  return async () => {
    keys += 1;
    if (keys % 64 !== 0 || performance.now() - begun < SLICE_MS) return;
    onProgress(keys);
    await new Promise<void>((done) => setTimeout(done));
    signal.throwIfAborted();
    begun = performance.now();
  };
}

async function logNumber(db: Db): Promise<number> {
  const meta = await db.get('meta', 'log');
  return meta?.id === 'log' ? meta.number : 0;
}
