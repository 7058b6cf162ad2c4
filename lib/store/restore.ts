import { deleteDB } from 'idb';
import { readBackup, verifyBackup, type BackupSummary } from '#lib/exchange/backup.ts';
import { rowsOf } from './backup.ts';
import { closeStore, databaseName, openStore } from './open.ts';
import { ROW_STORES, RowKeeper, type Counts } from './restore-rows.ts';
import type { Db, StoreName } from './schema.ts';
import { send } from './transaction.ts';

export type { Counts } from './restore-rows.ts';

export interface RestoreOptions {
  /** `merge`: united with what is there · `replace`: in place of what is there. */
  mode: 'merge' | 'replace';
  /** The bytes of the file, as often as they are asked for. */
  read: () => AsyncIterable<Uint8Array>;
  randomId: () => string;
  /** Runs work as the only writer. */
  alone: <T>(work: () => Promise<T>) => Promise<T>;
  /** Makes everybody use the database of that name. Runs inside `alone`; when it has resolved the restore is done. */
  switchTo: (database: string) => Promise<void>;
  signal: AbortSignal;
  /** Rows done of all rows, twice those of the file: read to the end, then written. */
  onProgress: (done: number, total: number) => void;
}

export interface Restored extends Counts {
  summary: BackupSummary;
  /** The database that was used before; it is as it was. */
  before: string;
}

/** Rows of one transaction. */
const BATCH = 500;

/** What waits for the service, and what it said: of no backup, so it moves as it is. */
const TEAM_STORES: StoreName[] = ['outbox', 'batches', 'team'];

/** Whether a database belongs to Onceover: the first one, or one that a restore filled. */
const isOurs = (name: string): boolean => /^onceover(-.+)?$/.test(name);

/**
 * Restores a backup. The file is read to its end before anything is written; then a second database is filled beside the one in use,
 * which goes on; the last step, alone, takes over what came meanwhile and switches. Until then nothing has changed, whatever happens:
 * a fault, a cancel or the end of the browser leaves a half-filled database that nobody uses (`deleteLeftovers`).
 * @throws {BackupError} where the file is damaged, of a newer version or no backup; what `signal` was aborted with
 */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const { mode, read, alone, switchTo, signal } = options;
  const progress = { done: 0, total: 0 };
  const step = (rows: number): void => {
    signal.throwIfAborted();
    progress.done += rows;
    options.onProgress(progress.done, Math.max(progress.done, progress.total));
  };
  const summary = await verifyBackup(watched(read(), signal));
  const rows = Object.values(summary.counts).reduce((sum, count) => sum + count, 0);
  progress.total = rows;
  const before = await databaseName();
  const name = `onceover-${options.randomId()}`;
  const old = await openStore(before);
  const fresh = await openStore(name);
  try {
    const since = await logNumber(old);
    if (mode === 'merge') await copyRows(old, fresh, step, progress);
    const endedAt = mode === 'merge' ? Date.parse(summary.header.createdAt) : undefined;
    const keeper = await RowKeeper.open(fresh, endedAt);
    for await (const batch of batches(readBackup(watched(read(), signal)))) {
      await keeper.put(batch);
      step(batch.length);
    }
    await keeper.finish();
    step(0);
    await alone(async () => {
      await keeper.carry(old, since);
      await keeper.finish();
      for (const store of TEAM_STORES) await copyStore(old, fresh, store, step);
      step(0);
      await switchTo(name);
    });
    return { ...keeper.counts, summary, before };
  } catch (error) {
    await closeStore(name);
    await deleteDB(name);
    throw error;
  }
}

/** Deletes databases that restores left behind, but for those named. Not to be called while one is under way. */
export async function deleteLeftovers(kept: string[]): Promise<string[]> {
  const gone = (await indexedDB.databases()).flatMap(({ name }) =>
    name !== undefined && isOurs(name) && !kept.includes(name) ? [name] : [],
  );
  for (const name of gone) {
    await closeStore(name);
    await deleteDB(name);
  }
  return gone;
}

async function logNumber(db: Db): Promise<number> {
  const log = await db.get('meta', 'log');
  return log?.id === 'log' ? log.number : 0;
}

async function copyRows(
  from: Db,
  to: Db,
  step: (rows: number) => void,
  progress: { total: number },
): Promise<void> {
  const counts = await Promise.all(ROW_STORES.map((store) => from.count(store)));
  progress.total += counts.reduce((sum, count) => sum + count, 0);
  for (const store of ROW_STORES) await copyStore(from, to, store, step);
}

async function copyStore(from: Db, to: Db, store: StoreName, step: (rows: number) => void): Promise<void> {
  for await (const batch of batches(rowsOf(from, store))) {
    const transaction = to.transaction(store, 'readwrite', { durability: 'relaxed' });
    for (const row of batch) send(transaction.store.put(row as never));
    await transaction.done;
    step(batch.length);
  }
}

async function* watched(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    signal.throwIfAborted();
    yield chunk;
  }
}

async function* batches<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    if (batch.push(item) < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
