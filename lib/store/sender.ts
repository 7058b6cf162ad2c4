import type { SenderStep } from './faults.ts';
import { TeamError, type TeamAnswer, type TeamCause, type TeamClient } from '#lib/team/client.ts';
import { LONGEST_PAUSE, pauseAfter, type TeamItem } from '#lib/team/outbox.ts';
import { TEAM_FORM } from '#lib/team/pairing.ts';
import {
  halveBatch,
  nextBatch,
  postponeBatch,
  renameBatch,
  settleBatch,
  type ReadyBatch,
  type Settled,
} from './outbox.ts';

export interface SenderSurroundings {
  client: Pick<TeamClient, 'batch'>;
  now: () => number;
  /** In [0, 1). */
  random: () => number;
  randomId: () => string;
  /** Whether the service is still the one that is paired; asked before each request. */
  isWanted?: () => boolean;
  /** Called before a request is sent and after its answer was written, so that tests can stop the worker there. */
  step?: (step: SenderStep) => void | Promise<void>;
}

export interface Sent {
  /** Entries that were acknowledged. */
  sent: number;
  /** Of these: refused by the service for good, by its reason. */
  refused: Record<string, number>;
  /** Why it stopped before the outbox was empty, and when to go on. `waiting`: the pause after a failure is not over. */
  stopped?: { cause: TeamCause | 'waiting'; detail: string; nextAt: number };
}

/**
 * Sends what waits, batch by batch, each until it is acknowledged. Every try of a batch carries the same `Idempotency-Key` and the same
 * body, and its entries go only with the answer, so that nothing is lost and nothing counts twice, wherever this stops. One at a time.
 */
export async function sendWaiting(around: SenderSurroundings): Promise<Sent> {
  const { client, now, random, randomId, isWanted = () => true, step = () => undefined } = around;
  const result: Sent = { sent: 0, refused: {} };
  for (;;) {
    const ready = await nextBatch(randomId());
    if (!ready || !isWanted()) return result;
    const { batch, entries } = ready;
    const wait = batch.nextAt - now();
    // A wait beyond the longest one is of a clock that was set since.
    if (wait > 0 && wait <= LONGEST_PAUSE)
      return { ...result, stopped: { cause: 'waiting', detail: '', nextAt: batch.nextAt } };
    try {
      await step('outbox:sending');
      const answers = await post(client, ready);
      await step('outbox:answered');
      await settleBatch(
        ready,
        answers.map((answer, index) => settled(entries[index]!.item, entries[index]!.at, answer)),
      );
      await step('outbox:settled');
      result.sent += entries.length;
      for (const answer of answers) if (answer.result === 'invalid') count(result.refused, answer.reason);
    } catch (error) {
      if (!(error instanceof TeamError)) throw error;
      if (error.team === 'too-large' || error.team === 'refused') {
        if (entries.length === 1) count(result.refused, error.team);
        await halveBatch(ready, randomId());
      } else if (error.team === 'key-reused') {
        await renameBatch(batch, randomId());
      } else {
        const nextAt = now() + pauseAfter(batch.tries + 1, random());
        await postponeBatch(batch, nextAt);
        return { ...result, stopped: { cause: error.team, detail: error.message, nextAt } };
      }
    }
  }
}

async function post(
  client: Pick<TeamClient, 'batch'>,
  { batch, entries }: ReadyBatch,
): Promise<TeamAnswer[]> {
  const { ns, round, policy, verb } = entries[0]!;
  const items = entries.map(({ item }) => item);
  const about = verb === 'redirects' ? {} : { round };
  return client.batch(verb, ns, { items, ...about, policy, form: TEAM_FORM }, batch.id);
}

function settled(item: TeamItem, at: number, answer: TeamAnswer): Settled {
  if (!('url_fp' in item) || 'token' in item) return {};
  const state = item.state ?? 'visited';
  if (answer.result === 'fresh') return { seen: { fp: item.url_fp, at, state, own: true } };
  if (answer.result !== 'seen') return {};
  return {
    seen: { fp: item.url_fp, at: answer.first_at ?? at, state: answer.state ?? state, own: false },
  };
}

function count(counts: Record<string, number>, reason: string): void {
  counts[reason] = (counts[reason] ?? 0) + 1;
}
