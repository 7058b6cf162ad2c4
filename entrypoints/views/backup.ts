import { browser } from 'wxt/browser';
import { BackupError, verifyBackup, writeBackup, type BackupSummary } from '#lib/exchange/backup.ts';
import { gunzip } from '#lib/exchange/gzip.ts';
import { DATABASE_BEFORE_KEY, DATABASE_KEY, RESTORE_LOCK } from '#lib/protocol.ts';
import { atOneMoment, backupRows } from '#lib/store/backup.ts';
import { restore, type Restored } from '#lib/store/restore.ts';
import { TRASH_MS } from '#lib/store/trash.ts';
import { changeDatabase } from './database.ts';
import { chunksOf } from './import-links.ts';
import { ask } from './worker.ts';
import { alone, tellWritten } from './writer.ts';

export interface Progress {
  signal: AbortSignal;
  onProgress: (done: number, total?: number) => void;
}

const EVERY = 2_000;

/** A backup of everything as a file, read back once to be sure of it. @throws what `signal` was aborted with */
export async function makeBackup({
  signal,
  onProgress,
}: Progress): Promise<{ blob: Blob; summary: BackupSummary }> {
  const about = { createdAt: Date.now(), app: browser.runtime.getManifest().version };
  const blob = await atOneMoment(async () => {
    const parts: Blob[] = [];
    let rows = 0;
    const counted = async function* () {
      for await (const row of backupRows()) {
        if (++rows % EVERY === 0) {
          signal.throwIfAborted();
          onProgress(rows);
        }
        yield row;
      }
    };
    for await (const text of writeBackup(counted(), about)) parts.push(new Blob([text]));
    return new Blob(parts, { type: 'application/jsonl' });
  }, alone);
  return { blob, summary: await checkBackup(blob, signal) };
}

/** Reads a backup to its end. @throws {BackupError} where it cannot be restored */
export function checkBackup(file: Blob, signal: AbortSignal): Promise<BackupSummary> {
  return verifyBackup(bytesOf(file, signal));
}

/** The bytes of a backup, decompressed where it is compressed. Damaged compression is a damaged backup. */
async function* bytesOf(file: Blob, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const source = gunzip(chunksOf(file));
  for (;;) {
    signal.throwIfAborted();
    const next = await source.next().catch((error: unknown) => {
      throw new BackupError(0, `The backup is damaged: ${error instanceof Error ? error.message : ''}`);
    });
    if (next.done) return;
    yield next.value;
  }
}

export type RestoreMode = 'merge' | 'replace';

/** Restores a file; answers also how to go back to what was before. @throws {BackupError}, or what `signal` was aborted with */
export function restoreBackup(
  file: Blob,
  mode: RestoreMode,
  { signal, onProgress }: Progress,
): Promise<Restored & { goBack: () => Promise<void> }> {
  return navigator.locks.request(RESTORE_LOCK, async () => {
    const restored = await restore({
      mode,
      read: () => bytesOf(file, signal),
      randomId: () => crypto.randomUUID(),
      alone,
      switchTo,
      signal,
      onProgress,
    });
    tellWritten(0, []);
    return {
      ...restored,
      goBack: () => alone(() => switchTo(restored.before)).then(() => tellWritten(0, [])),
    };
  });
}

/** Everybody uses the database of that name from now on; the one before is kept for a while. To be called under the writer's lock. */
async function switchTo(name: string): Promise<void> {
  const stored: Record<string, unknown> = await browser.storage.local.get(DATABASE_KEY);
  const before = { name: stored[DATABASE_KEY] ?? 'onceover', until: Date.now() + TRASH_MS };
  await browser.storage.local.set({ [DATABASE_KEY]: name, [DATABASE_BEFORE_KEY]: before });
  await changeDatabase(name);
  // The worker must write there before it may write again. One that is not running reads the name when it starts.
  await ask('useDatabase', { name }).catch(() => undefined);
}
