import { browser } from 'wxt/browser';
import { RESTORE_LOCK, WRITER_LOCK } from '#lib/protocol.ts';
import { deleteKeptBackups } from '#lib/store/kept-backups.ts';
import { FIRST_DATABASE, useDatabase } from '#lib/store/open.ts';
import { deleteLeftovers } from '#lib/store/restore.ts';
import { CommandError } from '#lib/store/surroundings.ts';
import { recorder } from './recorder.ts';
import { afterRoundsChanged } from './rounds.ts';

/** Deletes everything there is, for good: databases, backups, storage, and the permissions that were given. */
export async function deleteAll(): Promise<Record<string, never>> {
  const isDone = await navigator.locks.request(RESTORE_LOCK, { ifAvailable: true }, async (lock) => {
    if (!lock) return false;
    await navigator.locks.request(WRITER_LOCK, async () => {
      // Views let go of the database when they hear that it is to be deleted.
      await deleteLeftovers([]);
      await deleteKeptBackups();
      await browser.storage.local.clear();
      await browser.storage.session.clear();
      useDatabase(FIRST_DATABASE);
    });
    return true;
  });
  if (!isDone) throw new CommandError('conflict', 'A restore is under way. Delete when it has ended.');
  await takeBackPermissions();
  await browser.alarms.clearAll();
  recorder.sets.forget();
  await afterRoundsChanged({ inject: false });
  return {};
}

async function takeBackPermissions(): Promise<void> {
  const { origins = [], permissions = [] } = await browser.permissions.getAll();
  const { optional_permissions: optional = [] } = browser.runtime.getManifest();
  const given = permissions.filter((name) => optional.includes(name));
  await browser.permissions.remove({ origins, permissions: given });
}
