import { browser } from 'wxt/browser';
import { CLICK_NOTE } from '#lib/observed.ts';
import { RESTORE_LOCK } from '#lib/protocol.ts';
import { hostOf } from '#lib/rounds/address.ts';
import { forgetHost, type HostRows } from '#lib/store/forget.ts';
import { deleteKeptBackups } from '#lib/store/kept-backups.ts';
import { databaseName } from '#lib/store/open.ts';
import { deleteLeftovers } from '#lib/store/restore.ts';
import type { Progress } from './backup.ts';
import { alone, tellWritten } from './writer.ts';

/** Deletes everything about a host, wherever it is kept. @throws what `signal` was aborted with */
export async function forgetSite(host: string, { signal, onProgress }: Progress): Promise<HostRows> {
  const found = await forgetHost(host, { now: Date.now(), alone, signal, onProgress });
  // Both hold it too, and neither can be written in part.
  await deleteKeptBackups();
  await navigator.locks.request(RESTORE_LOCK, async () => deleteLeftovers([await databaseName()]));
  await forgetWaiting(host);
  tellWritten(0, []);
  return found;
}

/** Events that wait for the database, and clicks that wait for the worker. */
async function forgetWaiting(host: string): Promise<void> {
  const stored: Record<string, unknown> = await browser.storage.local.get(null);
  const isOfHost = (value: unknown): boolean => {
    const { url = '', href = '' } = value as { url?: string; href?: string };
    return hostOf(url) === host || hostOf(href) === host;
  };
  const notes = Object.keys(stored).filter((key) => key.startsWith(CLICK_NOTE) && isOfHost(stored[key]));
  await browser.storage.local.remove(notes);
  const { unsaved } = stored as { unsaved?: unknown[] };
  if (unsaved) await browser.storage.local.set({ unsaved: unsaved.filter((event) => !isOfHost(event)) });
}
