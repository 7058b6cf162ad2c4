import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './answers.ts';
import type { Verb } from './store.ts';

/** The service did not answer as hoped; the message says why and what to do. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  /** Of the last answer; 0 where none came. */
  readonly status: number;

  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

export interface ClientOptions {
  /** `http://127.0.0.1:8321` */
  readonly url: string;
  readonly token: string;
  /** How often a request is sent where no answer comes, or 429 or 503; 5 where absent. */
  readonly tries?: number;
  /** Waits this long after the first failure, then twice as long each time. Milliseconds; 200 where absent. */
  readonly pause?: number;
}

export interface BatchRequest {
  readonly items: readonly unknown[];
  readonly round?: string;
  readonly policy?: string;
  readonly form?: string;
  readonly lease_ms?: number;
}

/** Sends batches. A request that has to be sent again carries the same `Idempotency-Key`, so that a lost reply loses nothing. */
export class ServiceClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** @throws {ServiceError} */
  async batch(
    verb: Verb | 'redirects',
    ns: string,
    request: BatchRequest,
    key: string = randomUUID(),
  ): Promise<Answer[]> {
    const { tries = 5, pause = 200 } = this.#options;
    const body = JSON.stringify(request);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#send(`/v1/ns/${encodeURIComponent(ns)}/${verb}`, body, key);
      } catch (error) {
        const { status } = error as ServiceError;
        const mayHelp = status === 0 || status === 429 || status === 503;
        if (!mayHelp || attempt >= tries) throw error;
        await sleep(Math.min(pause * 2 ** (attempt - 1), LONGEST_PAUSE));
      }
    }
  }

  async #send(path: string, body: string, key: string): Promise<Answer[]> {
    const { url, token } = this.#options;
    let response: Response;
    let text: string;
    try {
      response = await fetch(new URL(path, url), {
        method: 'POST',
        body,
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': key,
        },
        signal: AbortSignal.timeout(60_000),
      });
      text = await response.text();
    } catch (error) {
      const cause = (error as Error).cause as NodeJS.ErrnoException | undefined;
      const why = cause?.code ?? (error as Error).message;
      throw new ServiceError(0, `No service answers at ${url} (${why}). Start it with: onceover serve`, {
        cause: error,
      });
    }
    const answer = parse(text);
    if (response.ok && answer.items !== undefined) return answer.items;
    if (response.status === 202)
      throw new ServiceError(503, `${url}: ${answer.detail ?? 'the marks are kept'}`);
    const detail = answer.error?.detail ?? 'This is not an Onceover service.';
    throw new ServiceError(response.status, `${url} answers ${response.status}: ${detail}`);
  }
}

const LONGEST_PAUSE = 2_000;

function parse(text: string): { items?: Answer[]; detail?: string; error?: { detail?: string } } {
  try {
    return (JSON.parse(text) ?? {}) as { items?: Answer[] };
  } catch {
    return {};
  }
}
