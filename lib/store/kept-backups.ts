import { writeBackup } from '#lib/exchange/backup.ts';
import { gzip } from '#lib/exchange/gzip.ts';
import { atOneMoment, backupRows } from './backup.ts';

/** Backups that the browser keeps by itself, in its private file system: as safe as the profile, gone with the extension. */
export interface KeptBackup {
  name: string;
  /** When it was made, ms since the epoch. */
  at: number;
  bytes: number;
}

/** How many are kept, one for each day on which something was written. */
export const KEPT_BACKUPS = 7;

const FOLDER = 'backups';
const NAME = /^onceover-(\d+)\.onceover\.gz$/;

async function folder(): Promise<FileSystemDirectoryHandle> {
  return (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER, { create: true });
}

/** The kept ones, newest first. */
export async function listKeptBackups(): Promise<KeptBackup[]> {
  const kept: KeptBackup[] = [];
  for await (const [name, handle] of (await folder()).entries()) {
    const at = Number(NAME.exec(name)?.[1]);
    if (!Number.isFinite(at) || handle.kind !== 'file') continue;
    kept.push({ name, at, bytes: (await handle.getFile()).size });
  }
  return kept.sort((a, b) => b.at - a.at);
}

export async function readKeptBackup(name: string): Promise<File> {
  return (await (await folder()).getFileHandle(name)).getFile();
}

/**
 * Makes a backup, and lets the oldest go beyond {@link KEPT_BACKUPS}. The file is there when it is complete, or not at all:
 * the browser writes beside it and puts it in place at the end.
 */
export async function keepBackup(
  at: number,
  app: string,
  alone: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<void> {
  const directory = await folder();
  const name = `onceover-${at}.onceover.gz`;
  try {
    await atOneMoment(() => writeCompressed(directory, name, { createdAt: at, app }), alone);
  } catch (error) {
    // The empty file that the unfinished one would have replaced.
    await directory.removeEntry(name).catch(() => undefined);
    throw error;
  }
  for (const old of (await listKeptBackups()).slice(KEPT_BACKUPS)) await directory.removeEntry(old.name);
}

async function writeCompressed(
  directory: FileSystemDirectoryHandle,
  name: string,
  about: { createdAt: number; app: string },
): Promise<void> {
  const file = await (await directory.getFileHandle(name, { create: true })).createWritable();
  try {
    const compressor = gzip();
    for await (const text of writeBackup(backupRows(), about)) {
      for (const bytes of await compressor.push(new TextEncoder().encode(text))) await file.write(bytes);
    }
    for (const bytes of await compressor.end()) await file.write(bytes);
    await file.close();
  } catch (error) {
    await file.abort().catch(() => undefined);
    throw error;
  }
}

/** Deletes all of them. */
export async function deleteKeptBackups(): Promise<void> {
  const directory = await folder();
  for await (const name of directory.keys()) await directory.removeEntry(name);
}
