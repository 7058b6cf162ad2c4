import { browser } from 'wxt/browser';
import { PROTOCOL_VERSION, type Answer, type ErrorCode, type Messages } from '#lib/protocol.ts';
import type { Life } from './life.ts';

type Told = 'document' | 'route' | 'title' | 'click' | 'links' | 'content' | 'picked';
type Fields<T extends keyof Messages> = Messages[T]['fields'];

/** Sends to the worker until it acknowledges, always with the same id, so that one message has one effect. */
export interface Teller {
  newEvent(): string;
  /** Tells what happened, as this event or a new one. Resolves with the answer, or `undefined` if it will never be heard. */
  tell<T extends Told>(
    type: T,
    fields: Omit<Fields<T>, 'event'>,
    event?: string,
  ): Promise<Messages[T]['result'] | undefined>;
  /** Asks something that changes nothing; once, without trying again. */
  ask(links: string[]): Promise<Messages['lookup']['result'] | undefined>;
}

/** Waits before the next try, in ms; the last one repeats. A killed worker wakes in under 50 ms. */
const WAITS = [100, 250, 500, 1000, 2000, 5000, 15_000, 30_000];
/** An answer that takes longer than this is not coming; the same id may then be sent again. */
const PATIENCE = 10_000;
/** Trying again cannot help with these. */
const FINAL: ReadonlySet<ErrorCode> = new Set([
  'bad-request',
  'not-found',
  'conflict',
  'no-permission',
  // The worker keeps it and tries again itself.
  'not-saved',
]);

// `crypto.randomUUID` is missing on plain http pages.
function randomId(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((n) => n.toString(16).padStart(8, '0')).join('');
}

export function createTeller(life: Life): Teller {
  const prefix = randomId();
  let counter = 0;
  const newEvent = () => `${prefix}:${counter++}`;
  let inOrder: Promise<unknown> = Promise.resolve();
  /** Links wait for nothing but each other, two messages at a time: a page with very many must not keep the worker from all else. */
  const ofLinks: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()];
  let linksTold = 0;
  /** What was sent and not acknowledged. */
  const open = new Map<string, () => Promise<unknown>>();

  // A page that is left may never get to try again: once more, without waiting for an answer.
  const leave = () => {
    for (const again of open.values()) if (life.alive()) again().catch(() => undefined);
  };
  addEventListener('pagehide', leave, { capture: true, signal: life.signal });

  const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

  async function send<T extends keyof Messages>(type: T, id: string, fields: Fields<T>): Promise<Answer<T>> {
    const answer: Promise<Answer<T>> = browser.runtime.sendMessage({
      v: PROTOCOL_VERSION,
      id,
      type,
      ...fields,
    });
    const late = pause(PATIENCE).then(() => {
      throw new Error('no answer');
    });
    return await Promise.race([answer, late]);
  }

  async function insist<T extends Told>(type: T, id: string, fields: Fields<T>) {
    for (let tries = 0; life.alive(); tries++) {
      try {
        const answer = await send(type, id, fields);
        if (answer && 'ok' in answer) return answer.ok;
        if (answer && FINAL.has(answer.error.code)) return undefined;
      } catch {
        // The worker died, or it is not up yet: the next try wakes it.
      }
      await pause(WAITS[Math.min(tries, WAITS.length - 1)] ?? 30_000);
    }
    return undefined;
  }

  return {
    newEvent,
    tell(type, fields, event = newEvent()) {
      const message = { ...fields, event } as Fields<typeof type>;
      // Links are found again on the next visit, and may be very many.
      if (type !== 'links') open.set(event, () => send(type, event, message));
      const deliver = () => insist(type, event, message).finally(() => open.delete(event));
      // Clicks must leave before the page does; the rest arrives in the order in which it was shown.
      if (type === 'click' || type === 'picked') return deliver();
      if (type === 'links') {
        const lane = linksTold++ % ofLinks.length;
        const answer = ofLinks[lane]!.then(deliver);
        ofLinks[lane] = answer;
        return answer;
      }
      const answer = inOrder.then(deliver);
      // Texts wait for all frames of their page; others do not wait for them.
      if (type !== 'content') inOrder = answer;
      return answer;
    },
    async ask(links) {
      if (!life.alive()) return undefined;
      try {
        const answer = await send('lookup', newEvent(), { url: location.href, links });
        return 'ok' in answer ? answer.ok : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
