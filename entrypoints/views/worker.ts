import { browser } from 'wxt/browser';
import { PROTOCOL_VERSION, type Answer, type CommandMessages, type ErrorCode } from '#lib/protocol.ts';

/** The worker said no, or could not be reached (`unreachable`). */
export class WorkerError extends Error {
  readonly code: ErrorCode | 'unreachable';
  constructor(code: ErrorCode | 'unreachable', detail: string) {
    super(detail);
    this.name = 'WorkerError';
    this.code = code;
  }
}

const PAUSES_MS = [100, 400, 1_500];

/**
 * Asks the worker. It may die while it answers, so the same request (same id: one effect) is sent again.
 * @throws {WorkerError}
 */
export async function ask<T extends keyof CommandMessages>(
  type: T,
  fields: CommandMessages[T]['fields'],
): Promise<CommandMessages[T]['result']> {
  const request = { v: PROTOCOL_VERSION, id: crypto.randomUUID(), type, ...fields };
  for (const pause of [...PAUSES_MS, undefined]) {
    const answer = await send<T>(request);
    if (answer && 'ok' in answer) return answer.ok;
    if (answer) throw new WorkerError(answer.error.code, answer.error.detail);
    if (pause === undefined) break;
    await new Promise((done) => setTimeout(done, pause));
  }
  throw new WorkerError('unreachable', '');
}

/** One try; nothing where nobody answered. */
async function send<T extends keyof CommandMessages>(request: object): Promise<Answer<T> | undefined> {
  try {
    return await browser.runtime.sendMessage<object, Answer<T> | undefined>(request);
  } catch {
    return undefined;
  }
}
