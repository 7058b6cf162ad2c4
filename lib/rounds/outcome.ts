import type { PageState, Reason, Tries } from './types.ts';

export interface Outcome {
  state: Exclude<PageState, 'known'>;
  reason?: Reason;
}

/** Errors a later try may well not meet again, beside every 5xx. */
const AGAIN = new Set([408, 425, 429]);

/** What a showing or a failed try says of a page. Unknown status: what was shown counts. */
export function outcomeOf({ status = 0, error }: { status?: number; error?: string }): Outcome {
  if (error !== undefined) {
    return error === 'net::ERR_TOO_MANY_REDIRECTS'
      ? { state: 'retrying', reason: 'too-many-redirects' }
      : { state: 'retrying' };
  }
  if (status === 404 || status === 410) return { state: 'gone' };
  if (status === 401 || status === 403) return { state: 'retrying', reason: 'no-access' };
  if (status >= 500 || AGAIN.has(status)) return { state: 'retrying' };
  return { state: 'visited' };
}

const MINUTE = 60_000;
const LONGEST_WAIT = 6 * 60 * MINUTE;
/** Waiting does not help with these as such: somebody has to do something first. */
const NEEDS_A_PERSON: ReadonlySet<Reason | undefined> = new Set(['no-access', 'sink', 'captcha', 'login']);

/** When to try again: a minute after the first failure, then twice as long each time, six hours at most. */
export function nextTry({ count, lastAt, status }: Omit<Tries, 'nextAt'>, reason?: Reason): number {
  if (NEEDS_A_PERSON.has(reason)) return lastAt + 60 * MINUTE;
  const first = status === 429 ? 5 * MINUTE : MINUTE;
  return lastAt + Math.min(first * 2 ** Math.min(count - 1, 20), LONGEST_WAIT);
}
