import type { Region } from './baseline.ts';
import type { Threshold } from './live.ts';
import type { Rules } from './rules.ts';

/** A page or a part of it that is looked at again and again: while its tab is open, and at each visit. */
export interface Watch {
  id: string;
  scope: string;
  /** Key and address of the page. */
  key: string;
  url: string;
  label: string;
  /** The part that is watched; absent: the whole page. */
  region?: Region;
  /** Limits of its live values. */
  thresholds?: Threshold[];
  /** Changes are told by a notification of the system. */
  notify: boolean;
  /** No notifications from minute to minute of the local day; over midnight where `from` is the later one. */
  quietHours?: { from: number; to: number };
  createdAt: number;
  /**
   * As of the last look. `waiting`: not looked at yet · `same`, `changed`: against the version that was seen · `not-found`: the part is not
   * on the page · `busy`: the page changes faster than it can be read.
   */
  state: 'waiting' | 'same' | 'changed' | 'not-found' | 'busy';
  lookedAt?: number;
  /** When its text changed last (news only: neither noise nor live numbers). */
  changedAt?: number;
  /** Numbers of its versions (space {@link watchSpace}): the one the person saw last, and the latest. */
  seen?: number;
  latest?: number;
  /** It changed since the person looked last, even if it is the same again by now. */
  unseen: boolean;
}

/** Versions of a watch are kept like those of a page in a round, under this space and the key of the watch. */
export const watchSpace = (id: string): string => `watch:${id}`;

/**
 * What a person wants read, masked or ignored on a page, or on all pages of a scope (`key` absent). Rules of one place add up: `ignore`
 * lists are joined, of other names the latest holds, those of the page before those of the scope.
 */
export interface ContentRule {
  id: string;
  scope: string;
  key?: string;
  at: number;
  rules: Rules;
}

/** The rules that hold for a page: those of its scope, then its own. */
export function rulesFor(all: readonly ContentRule[], key: string): Rules {
  const own = all.filter((rule) => rule.key === undefined || rule.key === key);
  const inOrder = own.toSorted(
    (a, b) => Number(a.key !== undefined) - Number(b.key !== undefined) || a.at - b.at,
  );
  const joined: Rules = { frames: false };
  for (const { rules } of inOrder) {
    const ignore = [...(joined.ignore ?? []), ...(rules.ignore ?? [])];
    Object.assign(joined, rules, ignore.length > 0 && { ignore });
  }
  return { ...joined, frames: false };
}

/** Whether a minute of the day is within quiet hours. */
export function isQuiet(hours: Watch['quietHours'], minute: number): boolean {
  if (!hours || hours.from === hours.to) return false;
  const { from, to } = hours;
  return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}
