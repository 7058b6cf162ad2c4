import {
  FRESH,
  INVALID,
  LEASED,
  reasonNumber,
  RETRY_AT,
  SEEN,
  writeAnswer,
  ANSWER_BYTES,
} from './answers.ts';
import { markState, markTime, packMark } from './states.ts';
import { LONGEST_LEASE, type Batch } from './store.ts';

/** A lease of one page; after `release` it has ended (`until` 0) and says when to try again. */
export interface Lease {
  readonly token: number;
  readonly until: number;
  readonly retryAt: number;
}

/** The leases of a space, by `leaseKey`. */
export interface Leases {
  readonly size: number;
  get(key: string): Lease | undefined;
  set(key: string, lease: Lease): void;
  delete(key: string): void;
}

/** The fingerprints of one round, as a store that is asked in this process offers them. */
export interface Space {
  /** The mark of a fingerprint (`packMark`), 0 where there is none. */
  get(fingerprints: Buffer, at: number): number;
  /** Sets a mark; `isNew`: there was none. */
  put(fingerprints: Buffer, at: number, mark: number, isNew: boolean): void;
  readonly leases: Leases;
  /** Where a page permanently leads; undefined where nothing is known. */
  redirect(fingerprints: Buffer, at: number): Buffer | undefined;
  keepAddress(fingerprints: Buffer, at: number, url: string): void;
}

export const leaseKey = (fingerprints: Buffer, at: number, width: number): string =>
  fingerprints.toString('latin1', at, at + width);

/**
 * Answers a batch and changes the space, item by item, so that a second place of a fingerprint meets the first. `nextToken` gives
 * fencing tokens that grow.
 */
export function answerBatch(space: Space, batch: Batch, nextToken: () => number): Buffer {
  const answers = Buffer.alloc(batch.count * ANSWER_BYTES);
  const answer = ANSWER_ITEM[batch.verb];
  const work: Work = { space, batch, answers, nextToken };
  for (let index = 0; index < batch.count; index++) {
    if (batch.refused[index] !== 0) writeAnswer(answers, index, INVALID, batch.refused[index]!, 0, 0);
    else answer(work, index);
  }
  return answers;
}

interface Work {
  readonly space: Space;
  readonly batch: Batch;
  readonly answers: Buffer;
  readonly nextToken: () => number;
}

type AnswerItem = (work: Work, index: number) => void;

const ANSWER_ITEM: Record<Batch['verb'], AnswerItem> = {
  mark(work, index) {
    markItem(work, index, work.batch.at);
  },

  import(work, index) {
    const { space, batch, answers } = work;
    const at = index * batch.width;
    const time = batch.times?.[index] || batch.at;
    const mark = space.get(batch.fingerprints, at);
    if (mark === 0 || markTime(mark) <= time) return markItem(work, index, time, false);
    // Two stores are merged to what both know: the earlier sighting.
    space.put(batch.fingerprints, at, packMark(time, markState(mark)), false);
    seen(answers, index, mark);
  },

  is_seen({ space, batch, answers }, index) {
    const at = index * batch.width;
    const mark = knownMark(space, batch, at);
    if (mark !== 0) return seen(answers, index, mark);
    const lease = leaseOf(space, batch, at);
    if (lease !== undefined && isRunning(lease, batch.now)) taken(answers, index, lease);
    else if (lease !== undefined && lease.retryAt > batch.now) retry(answers, index, lease.retryAt);
    else writeAnswer(answers, index, FRESH, 0, 0, 0);
  },

  lease({ space, batch, answers, nextToken }, index) {
    const at = index * batch.width;
    const mark = knownMark(space, batch, at);
    if (mark !== 0) return seen(answers, index, mark);
    const lease = leaseOf(space, batch, at);
    if (lease !== undefined && isRunning(lease, batch.now)) return taken(answers, index, lease);
    if (lease !== undefined && lease.retryAt > batch.now) return retry(answers, index, lease.retryAt);
    const token = nextToken();
    space.leases.set(leaseKey(batch.fingerprints, at, batch.width), {
      token,
      until: batch.until,
      retryAt: 0,
    });
    writeAnswer(answers, index, FRESH, 0, batch.until, token);
  },

  commit(work, index) {
    const { space, batch, answers } = work;
    const at = index * batch.width;
    const mark = space.get(batch.fingerprints, at);
    if (mark !== 0) return seen(answers, index, mark);
    if (holdsLease(work, index) !== undefined) markItem(work, index, batch.at);
  },

  release(work, index) {
    const { space, batch, answers } = work;
    const at = index * batch.width;
    const mark = space.get(batch.fingerprints, at);
    if (mark !== 0) return seen(answers, index, mark);
    const lease = holdsLease(work, index);
    if (lease === undefined) return;
    const retryAt = batch.times?.[index] || batch.now;
    space.leases.set(leaseKey(batch.fingerprints, at, batch.width), {
      token: lease.token,
      until: 0,
      retryAt,
    });
    retry(answers, index, retryAt);
  },

  extend(work, index) {
    const { space, batch, answers } = work;
    const at = index * batch.width;
    const mark = space.get(batch.fingerprints, at);
    if (mark !== 0) return seen(answers, index, mark);
    const lease = holdsLease(work, index);
    if (lease === undefined) return;
    const { token } = lease;
    space.leases.set(leaseKey(batch.fingerprints, at, batch.width), {
      token,
      until: batch.until,
      retryAt: 0,
    });
    writeAnswer(answers, index, LEASED, 0, batch.until, token);
  },
};

/** The page was seen; a lease of it is over. */
function markItem({ space, batch, answers }: Work, index: number, time: number, changesState = true): void {
  const { fingerprints, width } = batch;
  const at = index * width;
  const state = batch.states?.[index] ?? 0;
  const mark = space.get(fingerprints, at);
  if (mark === 0) {
    space.put(fingerprints, at, packMark(time, state), true);
    if (space.leases.size > 0) space.leases.delete(leaseKey(fingerprints, at, width));
    writeAnswer(answers, index, FRESH, 0, 0, 0);
  } else {
    seen(answers, index, mark);
    if (changesState && markState(mark) !== state)
      space.put(fingerprints, at, packMark(markTime(mark), state), false);
  }
  const url = batch.addresses?.[index];
  if (url !== undefined) space.keepAddress(fingerprints, at, url);
}

/** The mark of the page, or of the one it permanently leads to: fetching it would show that page again. */
function knownMark(space: Space, { fingerprints, width }: Batch, at: number): number {
  let mark = space.get(fingerprints, at);
  let target = mark === 0 ? space.redirect(fingerprints, at) : undefined;
  for (let hops = 0; mark === 0 && target?.length === width && hops < MOST_HOPS; hops++) {
    mark = space.get(target, 0);
    if (mark === 0) target = space.redirect(target, 0);
  }
  return mark;
}

/** Longer chains are loops, mostly. */
export const MOST_HOPS = 5;

function leaseOf(space: Space, { fingerprints, width }: Batch, at: number): Lease | undefined {
  return space.leases.size === 0 ? undefined : space.leases.get(leaseKey(fingerprints, at, width));
}

/** A lease that ends later than any may was given by a clock that was wrong. */
const isRunning = ({ until }: Lease, now: number): boolean => until > now && until <= now + LONGEST_LEASE;

/**
 * The lease of an item whose token is the latest; otherwise the item is answered. Not the time decides but the token: a lease that
 * has run out and that nobody took is still good.
 */
function holdsLease({ space, batch, answers }: Work, index: number): Lease | undefined {
  const lease = leaseOf(space, batch, index * batch.width);
  const isEnded = lease === undefined || lease.until === 0;
  if (!isEnded && lease.token === batch.tokens?.[index]) return lease;
  const reason = reasonNumber(isEnded ? 'not_leased' : 'fenced');
  writeAnswer(answers, index, INVALID, reason, 0, 0);
  return undefined;
}

function seen(answers: Buffer, index: number, mark: number): void {
  writeAnswer(answers, index, SEEN, markState(mark), markTime(mark), 0);
}

function taken(answers: Buffer, index: number, { until }: Lease): void {
  writeAnswer(answers, index, LEASED, 0, until, 0);
}

function retry(answers: Buffer, index: number, at: number): void {
  writeAnswer(answers, index, RETRY_AT, 0, at, 0);
}
