import type { Doubt } from '#lib/content/baseline.ts';
import { hashText } from '#lib/content/hash.ts';
import { joinFrames } from '#lib/content/page.ts';
import { fullRules, readingRules, rulesHash, type Rules } from '#lib/content/rules.ts';
import { FingerprintSet } from '#lib/sets/index.ts';
import { pageDigest, type Block, type Coverage, type Snapshot } from '#lib/content/snapshot.ts';
import { packBlocks, packText, hashesOf, unpackSnapshot, unpackText } from './packing.ts';
import { below } from './ranges.ts';
import type { Db, OnceoverDb, StoredSnapshot, StoredText } from './schema.ts';
import { send } from './transaction.ts';

/** One version of a page in a space, without its texts. */
export interface Version {
  space: string;
  key: string;
  seq: number;
  /** When it was read first and last, and how often it was found so. */
  at: number;
  until: number;
  looks: number;
  showing: string;
  /** Of all frames. */
  digest: string;
  blocks: number;
  /** Characters of its texts. */
  size: number;
  frames: string[];
  coverage: Coverage;
  /** Why it is no baseline. */
  doubt?: Doubt;
  /** It differs from the version before in numbers only. */
  numbers?: true;
  /** See `StoredSnapshot.readBy`. */
  readBy?: string;
  /** An earlier version with the same texts: the page flips between versions (an A/B test, a state that came back). */
  same?: number;
}

/** Texts looked at in one step of a sweep. */
const SWEEP = 2_000;
/** Versions kept of one page in one space; the first and the latest always are. */
export const MOST_VERSIONS = 20;

const inFrames = (a: StoredSnapshot, b: StoredSnapshot): number =>
  a.frame.localeCompare(b.frame, 'en', { numeric: true });

/** The versions of a page in a space, oldest first. */
export async function versionsOf(db: Db, space: string, key: string): Promise<Version[]> {
  const rows = await db.getAll('snapshots', below([space, key]));
  const versions = [...Map.groupBy(rows, ({ seq }) => seq).values()].map((frames) =>
    versionOf(frames.sort(inFrames)),
  );
  versions.sort((a, b) => a.seq - b.seq);
  for (const [index, version] of versions.entries()) {
    const earlier = versions.slice(0, Math.max(0, index - 1));
    const same = earlier.findLast(({ digest }) => digest === version.digest);
    if (same) version.same = same.seq;
  }
  return versions;
}

function versionOf(frames: StoredSnapshot[]): Version {
  const [top] = frames as [StoredSnapshot];
  const { space, key, seq, at, until, looks, showing, doubt, numbers, readBy } = top;
  const coverage: Coverage = { canvases: 0, frames: 0, lists: [] };
  for (const frame of frames) {
    coverage.canvases += frame.coverage.canvases;
    coverage.frames += frame.coverage.frames;
    coverage.lists.push(...frame.coverage.lists);
    if (frame.coverage.cut) coverage.cut = true;
  }
  const sum = (of: (frame: StoredSnapshot) => number) =>
    frames.reduce((total, frame) => total + of(frame), 0);
  return {
    space,
    key,
    seq,
    at,
    until,
    looks,
    showing,
    digest: pageDigest(frames.map(({ digest }) => digest)),
    blocks: sum(({ count }) => count),
    size: sum(({ size }) => size),
    frames: frames.map(({ frame }) => frame),
    coverage,
    ...(doubt && { doubt }),
    ...(numbers && { numbers }),
    ...(readBy !== undefined && { readBy }),
  };
}

const USUAL = rulesHash(fullRules(readingRules({})));

/** What `StoredSnapshot.readBy` says of frames as they were read. */
export function readByOf(frames: ReadonlyMap<string, Snapshot>): string | undefined {
  const hash = frames.values().next().value?.rulesHash;
  return hash === USUAL ? undefined : hash;
}

/** The latest version that may be compared with: one without a doubt. */
export function latestGood(versions: readonly Version[]): Version | undefined {
  return versions.findLast(({ doubt }) => doubt === undefined);
}

/** All texts of a version, labelled by these rules; undefined where it is not kept (any more). */
export async function readVersion(
  db: Db,
  { space, key, seq }: Pick<Version, 'space' | 'key' | 'seq'>,
  rules: Rules,
): Promise<Snapshot | undefined> {
  const all = await db.getAll('snapshots', below([space, key]));
  const frames = all.filter((row) => row.seq === seq).sort(inFrames);
  if (frames.length === 0) return undefined;
  const texts = await textsOf(db, new Set(frames.flatMap(hashesOf)));
  return joinFrames(await Promise.all(frames.map((frame) => unpackSnapshot(frame, texts, rules))));
}

async function textsOf(db: Db, hashes: ReadonlySet<string>): Promise<Map<string, string>> {
  const { store } = db.transaction('texts');
  const rows = await Promise.all([...hashes].map((hash) => store.get(hash)));
  const texts = new Map<string, string>();
  for (const row of rows) {
    const text = row && (await unpackText(row));
    // A restored file may say anything.
    if (row && text !== undefined && hashText(text) === row.hash) texts.set(row.hash, text);
  }
  return texts;
}

/** What is to be kept of a page that was read: one version, or more of the same. */
export interface NewVersion {
  space: string;
  key: string;
  seq: number;
  at: number;
  showing: string;
  frames: ReadonlyMap<string, Snapshot>;
  doubt?: Doubt;
  numbers?: boolean;
  readBy?: string | undefined;
  /** Number of a version that stays whatever its age: the one the person saw last. */
  keep?: number;
}

/**
 * Puts a version in place of the one with its number, if there is one. Texts are stored once for all snapshots: those that are there
 * already are not written again. To be called by the one writer, in the way of `alone`: sweeping texts must not come between.
 */
export async function putVersion(
  db: Db,
  { frames, keep, numbers = false, readBy, ...about }: NewVersion,
): Promise<void> {
  const rows: StoredSnapshot[] = [];
  const fresh = new Map<string, string>();
  for (const [frame, { blocks, coverage, digest }] of frames) {
    const own = await collectTexts(db, blocks, fresh);
    const { at, ...rest } = about;
    const packed = await packBlocks(blocks, own);
    rows.push({
      ...rest,
      frame,
      at,
      until: at,
      looks: 1,
      digest,
      coverage,
      ...packed,
      ...(numbers && { numbers }),
      ...(readBy !== undefined && { readBy }),
    });
  }
  const texts: StoredText[] = [];
  for (const [hash, text] of fresh) texts.push(await packText(hash, text));
  const { space, key, seq } = about;
  const transaction = db.transaction(['texts', 'snapshots'], 'readwrite', { durability: 'relaxed' });
  const snapshots = transaction.objectStore('snapshots');
  for (const text of texts) send(transaction.objectStore('texts').put(text));
  const keys = await snapshots.getAllKeys(below([space, key]));
  for (const old of keys) if (old[3] === seq) send(snapshots.delete(old));
  for (const row of rows) send(snapshots.put(row));
  const others = [...new Set(keys.map((old) => old[3]))].filter((number) => number !== seq);
  others.sort((a, b) => a - b);
  const excess = Math.max(0, others.length + 1 - MOST_VERSIONS);
  const surplus = others.slice(1, 1 + excess).filter((number) => number !== keep);
  for (const old of keys) if (surplus.includes(old[3])) send(snapshots.delete(old));
  await transaction.done;
}

/** While texts are swept: those that were asked for since it began. */
let wanted: Set<string> | undefined;

/** Deletes texts that no snapshot has any more. `alone` runs a step as the only writer; others go on between the steps. */
export async function sweepTexts(
  db: Db,
  alone: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<{ deleted: number }> {
  const asked = new Set<string>();
  wanted = asked;
  try {
    const used = new FingerprintSet();
    for await (const { hashes } of allRows(db, 'snapshots')) {
      const view = new DataView(hashes.buffer, hashes.byteOffset, hashes.byteLength);
      for (let at = 0; at + 8 <= hashes.byteLength; at += 8)
        used.addHash(view.getUint32(at), view.getUint32(at + 4));
    }
    let deleted = 0;
    const isUsed = (hash: string) =>
      asked.has(hash) || used.hasHash(parseInt(hash.slice(0, 8), 16), parseInt(hash.slice(8), 16));
    let range: IDBKeyRange | undefined;
    for (;;) {
      const last = await alone(async () => {
        const { store, done } = db.transaction('texts', 'readwrite', { durability: 'relaxed' });
        const keys = await store.getAllKeys(range, SWEEP);
        const unused = keys.filter((hash) => !isUsed(hash));
        for (const hash of unused) send(store.delete(hash));
        deleted += unused.length;
        await done;
        return keys.length < SWEEP ? undefined : keys.at(-1);
      });
      if (last === undefined) return { deleted };
      range = IDBKeyRange.lowerBound(last, true);
    }
  } finally {
    wanted = undefined;
  }
}

/** Notes which texts are not stored yet. Answers those, by block, whose hash is that of another text. */
async function collectTexts(
  db: Db,
  blocks: readonly Block[],
  fresh: Map<string, string>,
): Promise<Record<number, string>> {
  for (const { exact } of blocks) wanted?.add(exact);
  const asked = new Map(blocks.map(({ exact, text }) => [exact, text]));
  const stored = await textsOf(db, new Set(asked.keys()));
  const own: Record<number, string> = {};
  for (const [index, { exact, text }] of blocks.entries()) {
    const known = stored.get(exact) ?? fresh.get(exact);
    if (known === undefined) fresh.set(exact, text);
    else if (known !== text) own[index] = text;
  }
  return own;
}

/** A version was found as it is once more. */
export async function seeVersion(
  db: Db,
  { space, key, seq }: Pick<Version, 'space' | 'key' | 'seq'>,
  at: number,
): Promise<void> {
  await changeVersion(db, { space, key, seq }, (row) => ({
    ...row,
    until: Math.max(row.until, at),
    looks: row.looks + 1,
  }));
}

/** The person says that a doubtful version is what the page says. */
export async function acceptVersion(db: Db, version: Pick<Version, 'space' | 'key' | 'seq'>): Promise<void> {
  await changeVersion(db, version, ({ doubt: _doubt, ...row }) => row);
}

async function changeVersion(
  db: Db,
  { space, key, seq }: Pick<Version, 'space' | 'key' | 'seq'>,
  change: (row: StoredSnapshot) => StoredSnapshot,
): Promise<void> {
  const { store, done } = db.transaction('snapshots', 'readwrite', { durability: 'relaxed' });
  const rows = await store.getAll(below([space, key]));
  for (const row of rows) if (row.seq === seq) send(store.put(change(row)));
  await done;
}

const BATCH = 500;

/** All rows of a store in bounded memory. */
export async function* allRows<S extends 'snapshots' | 'texts'>(
  db: Db,
  store: S,
  signal?: AbortSignal,
): AsyncGenerator<OnceoverDb[S]['value']> {
  let range: IDBKeyRange | undefined;
  for (;;) {
    signal?.throwIfAborted();
    const transaction = db.transaction(store);
    const [keys, rows] = await Promise.all([
      transaction.store.getAllKeys(range, BATCH),
      transaction.store.getAll(range, BATCH),
    ]);
    yield* rows;
    const last = keys.at(-1);
    if (rows.length < BATCH || last === undefined) return;
    range = IDBKeyRange.lowerBound(last, true);
  }
}
