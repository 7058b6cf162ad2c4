import type { Round, Schedule } from './types.ts';

/** Minutes that local time is ahead of UTC at that moment, e.g. 60 in Berlin in winter. Passed in, since `lib` has no clock. */
export type Offset = (at: number) => number;

export interface Window {
  start: number;
  /** Exclusive. */
  end: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Offsets of all time zones since 1972 are whole quarters of an hour, so every edge of a window lies on one. */
const QUARTER = 15 * MINUTE;

/**
 * The window that a moment falls into, by the clock on the wall: a day from its hour to the same hour of the next day (23 or 25 hours
 * long when the clock is changed), or hours counted from midnight. Windows follow each other without gap or overlap.
 */
export function windowAt(schedule: Schedule, at: number, offset: Offset): Window {
  const name = nameOf(schedule, at, offset);
  let start = Math.floor(at / QUARTER) * QUARTER;
  let end = start + QUARTER;
  while (nameOf(schedule, start - QUARTER, offset) === name) start -= QUARTER;
  while (nameOf(schedule, end, offset) === name) end += QUARTER;
  return { start, end };
}

/** The same for all moments of a window, another one for its neighbours. */
function nameOf(schedule: Schedule, at: number, offset: Offset): string {
  const ahead = offset(at);
  const local = at + ahead * MINUTE;
  if (schedule.every === 'day') return `${Math.floor((local - schedule.hour * HOUR) / DAY)}`;
  const day = Math.floor(local / DAY);
  const slot = Math.floor((local - day * DAY) / (schedule.hours * HOUR));
  // When the clock goes back an hour comes twice: these are two windows.
  return schedule.hours === 1 ? `${day} ${slot} ${ahead}` : `${day} ${slot}`;
}

/**
 * The window whose round is to be opened now, if that is due: the last round belongs to an earlier window. Windows that passed while
 * nobody was there get no round. When the clock was set back nothing is due. `since`: when the schedule was set; the window of that
 * moment goes on as it was.
 */
export function dueWindow(
  schedule: Schedule,
  last: Round | undefined,
  now: number,
  offset: Offset,
  since?: number,
): Window | undefined {
  if (since !== undefined && now < windowAt(schedule, since, offset).end) return undefined;
  if (last && now < endOfWindow(schedule, last, offset, since)) return undefined;
  const { start, end } = windowAt(schedule, now, offset);
  // After a change of time zone the new window may have begun before the old round ended.
  const earliest = last?.endedAt ?? last?.window?.end ?? last?.startedAt ?? start;
  return { start: Math.max(start, earliest), end };
}

/** When an open round ends by itself because the next window begins; `since`: as above. */
export function endOfWindow(schedule: Schedule, round: Round, offset: Offset, since?: number): number {
  const { end } = round.window ?? windowAt(schedule, round.startedAt, offset);
  return since === undefined ? end : Math.max(end, windowAt(schedule, since, offset).end);
}
