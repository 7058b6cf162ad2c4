import { browser } from 'wxt/browser';
import type { CaptureEvent } from '#lib/rounds/events.ts';

const KEY = 'unsaved';
/** More than this is no stretch of browsing but a fault; the oldest stay. */
const MOST = 10_000;

/** Events that could not be saved (full disk, database not to be opened), oldest first; kept in `storage.local`. */
export async function unsaved(): Promise<CaptureEvent[]> {
  const stored: Record<string, CaptureEvent[] | undefined> = await browser.storage.local.get(KEY);
  return stored[KEY] ?? [];
}

/**
 * Keeps an event until it can be saved. Call it inside `inOrder` only: one writer.
 * @throws if even that cannot be written; then whoever told the event must tell it again
 */
export async function keepUnsaved(event: CaptureEvent): Promise<void> {
  const events = await unsaved();
  if (events.some(({ id }) => id === event.id)) return;
  if (events.length >= MOST) throw new Error('Too many events wait for the database.');
  await browser.storage.local.set({ [KEY]: [...events, event] });
}

/** Replaces what is kept by what still could not be saved. */
export async function writeUnsaved(events: CaptureEvent[]): Promise<void> {
  if (events.length === 0) await browser.storage.local.remove(KEY);
  else await browser.storage.local.set({ [KEY]: events });
}
