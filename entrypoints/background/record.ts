import { browser } from 'wxt/browser';
import type { Tick } from '#lib/protocol.ts';
import type { CaptureEvent } from '#lib/rounds/events.ts';
import { StoreError } from '#lib/store/open.ts';
import type { Recorded } from '#lib/store/recorder.ts';
import { recorder } from './recorder.ts';
import { recordings } from './recordings.ts';
import { afterRoundsChanged } from './rounds.ts';
import { ALARMS } from './schedule.ts';
import { tick } from './tick.ts';
import { keepUnsaved, unsaved, writeUnsaved } from './unsaved.ts';

/** The database could not be written; the event is kept and will be tried again. */
export class NotSavedError extends Error {
  constructor(cause: StoreError) {
    super(cause.message, { cause });
  }
}

const RETRY_MINUTES = 1;
/** After the others no link has another mark. */
const CHANGES_MARKS: ReadonlySet<CaptureEvent['type']> = new Set(['shown', 'failed', 'status', 'content']);

/**
 * Records an event; when this resolves, its transaction is complete. Call it inside `inOrder` only.
 * @throws {NotSavedError} where the database refuses: then the event is kept in `storage.local`
 */
export async function recordEvent(event: CaptureEvent): Promise<Recorded> {
  try {
    const recorded = await recorder.record(event);
    if (recorded.tick) await written(recorded.tick, { marks: CHANGES_MARKS.has(event.type) });
    return recorded;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    // There may be very many links, and the page still has them: it is to send them again.
    if (event.type === 'links') throw new Error('The links were not saved.', { cause: error });
    await keepUnsaved(event);
    await browser.alarms.create(ALARMS.retry, { periodInMinutes: RETRY_MINUTES });
    throw new NotSavedError(error);
  }
}

/** Says what was written. An event may have opened the round of the next window. */
export async function written(change: Tick, { marks = true } = {}): Promise<void> {
  const known = new Set((await recordings()).flatMap(({ rounds }) => rounds.map(({ id }) => id)));
  if (change.rounds.some((id) => !known.has(id))) await afterRoundsChanged({ inject: false });
  await tick(change, { marks });
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
      const recorded = await recorder.record(events[0]);
      if (recorded.tick) await written(recorded.tick);
    } catch (error) {
      if (error instanceof StoreError) break;
      // An event that cannot be recorded at all must not block the others.
      console.error(error);
    }
    events.shift();
  }
  await writeUnsaved(events);
  if (events.length === 0) await browser.alarms.clear(ALARMS.retry);
}
