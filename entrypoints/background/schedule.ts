import { browser } from 'wxt/browser';
import { openRounds } from '#lib/store/read.ts';

/** Names of alarms; timers die with the worker. */
export const RESUME_ALARM = 'resume-rounds';
export const SAVE_ALARM = 'save-sets';

/** Sets the alarm for the first paused round that goes on by itself. Idempotent. */
export async function updateAlarms(): Promise<void> {
  const times = (await openRounds()).flatMap(({ state, pausedUntil }) =>
    state === 'paused' && typeof pausedUntil === 'number' ? [pausedUntil] : [],
  );
  if (times.length === 0) await browser.alarms.clear(RESUME_ALARM);
  else await browser.alarms.create(RESUME_ALARM, { when: Math.min(...times) });
}
