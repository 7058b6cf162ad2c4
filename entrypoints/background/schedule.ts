import { browser } from 'wxt/browser';
import { windowAt } from '#lib/rounds/windows.ts';
import { listScopes, openRounds } from '#lib/store/read.ts';

/** Names of alarms; timers die with the worker. */
export const ALARMS = {
  /** A route that was pending when the worker died. */
  settle: 'settle-routes',
  /** What could not be saved. */
  retry: 'save-unsaved',
  /** Rounds that were paused until now. */
  resume: 'resume-rounds',
  /** The next window of a scope begins. */
  window: 'open-window',
  /** Sets that changed. */
  save: 'save-sets',
  /** Old trash, event ids and log. */
  tidy: 'tidy',
  /** The backup of the day. */
  backup: 'daily-backup',
  /** What waits for the service. */
  send: 'send-outbox',
  /** What the team saw. */
  pull: 'pull-team',
} as const;

const SAVE_MINUTES = 5;
const DAY_MINUTES = 24 * 60;
/** How often it is looked whether the backup of the day is due: computers sleep. */
const BACKUP_MINUTES = 60;

/** Minutes that local time is ahead of UTC. */
export const localOffset = (at: number): number => -new Date(at).getTimezoneOffset();

async function wakeAt(name: string, times: number[]): Promise<void> {
  if (times.length === 0) await browser.alarms.clear(name);
  else await browser.alarms.create(name, { when: Math.min(...times) });
}

export async function wakeEvery(name: string, periodInMinutes: number): Promise<void> {
  const alarm = await browser.alarms.get(name);
  if (alarm?.periodInMinutes !== periodInMinutes) await browser.alarms.create(name, { periodInMinutes });
}

/** Sets the alarms that rounds and scopes need. Idempotent. */
export async function updateAlarms(): Promise<void> {
  const [rounds, scopes] = await Promise.all([openRounds(), listScopes()]);
  const now = Date.now();
  await wakeAt(
    ALARMS.resume,
    rounds.flatMap(({ state, pausedUntil }) =>
      state === 'paused' && typeof pausedUntil === 'number' ? [pausedUntil] : [],
    ),
  );
  await wakeAt(
    ALARMS.window,
    scopes.flatMap(({ schedule }) => (schedule ? [windowAt(schedule, now, localOffset).end] : [])),
  );
  await wakeEvery(ALARMS.tidy, DAY_MINUTES);
  await wakeEvery(ALARMS.backup, BACKUP_MINUTES);
  if (rounds.length > 0) await wakeEvery(ALARMS.save, SAVE_MINUTES);
  else await browser.alarms.clear(ALARMS.save);
}
