import { browser } from 'wxt/browser';
import { databaseName } from '#lib/store/open.ts';
import { keepBackup, listKeptBackups } from '#lib/store/kept-backups.ts';
import { deleteLeftovers } from '#lib/store/restore.ts';
import { DATABASE_BEFORE_KEY, RESTORE_LOCK, WRITER_LOCK } from '#lib/protocol.ts';
import { logNumber } from '#lib/store/backup.ts';
import { changeDatabase, followDatabase } from '../views/database.ts';
import { recorder } from './recorder.ts';
import { afterRoundsChanged } from './rounds.ts';
import { inOrder } from './serial.ts';
import { tickRounds } from './tick.ts';

/** What was remembered of the database before is of no use any more. */
function startOver(): void {
  recorder.forget();
  void inOrder(async () => {
    await afterRoundsChanged({ inject: false });
    await tickRounds([]);
  });
}

export function listenToDatabase(): void {
  followDatabase(startOver);
}

/** A restore switches, under the writer's lock: it must not be waited for here. */
export async function switchDatabase(name: string): Promise<Record<string, never>> {
  if (await changeDatabase(name)) startOver();
  return {};
}

const DAY_MS = 24 * 60 * 60_000;
/** The browser stops a worker that calls none of its functions for 30 s. */
const ALIVE_MS = 20_000;

/** Makes the backup of the day, where one is due and something was written since the last one. */
export async function backUpDaily(): Promise<void> {
  const [latest] = await listKeptBackups();
  const { backedUp }: { backedUp?: string } = await browser.storage.local.get('backedUp');
  const now = Date.now();
  const state = `${await databaseName()} ${await logNumber()}`;
  // The clock may have been set back since.
  if (latest && latest.at <= now && now - latest.at < DAY_MS) return;
  if (latest && backedUp === state) return;
  const alive = setInterval(() => void browser.runtime.getPlatformInfo(), ALIVE_MS);
  try {
    const alone = <T>(work: () => Promise<T>): Promise<T> => navigator.locks.request(WRITER_LOCK, work);
    await keepBackup(now, browser.runtime.getManifest().version, alone);
    await browser.storage.local.set({ backedUp: state });
  } finally {
    clearInterval(alive);
  }
}

/** Deletes databases that nobody can come back to: of restores that broke off, and those before a restore of long ago. */
export async function tidyDatabases(): Promise<void> {
  await navigator.locks.request(RESTORE_LOCK, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    const stored: Record<string, { name: string; until: number } | undefined> =
      await browser.storage.local.get(DATABASE_BEFORE_KEY);
    const before = stored[DATABASE_BEFORE_KEY];
    const kept = before && before.until > Date.now() ? [before.name] : [];
    await deleteLeftovers([await databaseName(), ...kept]);
  });
}
