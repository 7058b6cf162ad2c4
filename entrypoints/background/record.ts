import { browser } from 'wxt/browser';
import type { CaptureEvent } from '#lib/rounds/events.ts';
import { StoreError } from '#lib/store/open.ts';
import { recorder, type Recorded } from './recorder.ts';
import { tick } from './tick.ts';
import { keepUnsaved, unsaved, writeUnsaved } from './unsaved.ts';

/** The database could not be written; the event is kept and will be tried again. */
export class NotSavedError extends Error {
  constructor(cause: StoreError) {
    super(cause.message, { cause });
  }
}

export const RETRY_ALARM = 'save-unsaved';
const RETRY_MINUTES = 1;

/**
 * Records an event; when this resolves, its transaction is complete. Call it inside `inOrder` only.
 * @throws {NotSavedError} where the database refuses: then the event is kept in `storage.local`
 */
export async function recordEvent(event: CaptureEvent): Promise<Recorded> {
  try {
    const recorded = await recorder.record(event);
    if (recorded.tick) await tick(recorded.tick);
    return recorded;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    // Links are found again on the next visit, and there may be very many.
    if (event.type === 'links') throw error;
    await keepUnsaved(event);
    await browser.alarms.create(RETRY_ALARM, { periodInMinutes: RETRY_MINUTES });
    throw new NotSavedError(error);
  }
}

/** Records what the browser told; nobody would tell it again, so what cannot be saved is kept. */
export async function recordAll(events: CaptureEvent[]): Promise<void> {
  for (const event of events) {
    await recordEvent(event).catch((error: unknown) => {
      if (!(error instanceof NotSavedError)) throw error;
    });
  }
}

/** Tries to save what could not be saved before, in its order. Call it inside `inOrder` only. */
export async function saveUnsaved(): Promise<void> {
  const events = await unsaved();
  while (events[0]) {
    try {
      const { tick: written } = await recorder.record(events[0]);
      if (written) await tick(written);
    } catch (error) {
      if (error instanceof StoreError) break;
      // An event that cannot be recorded at all must not block the others.
      console.error(error);
    }
    events.shift();
  }
  await writeUnsaved(events);
  if (events.length === 0) await browser.alarms.clear(RETRY_ALARM);
}
