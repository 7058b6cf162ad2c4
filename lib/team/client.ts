import type { Pairing } from './pairing.ts';

/** Why the service did not do what was asked; each has its words in the interface. */
export type TeamCause =
  /** No answer came: not started, another port, no network. */
  | 'unreachable'
  /** No answer came, and the browser does not let extensions reach the local network. */
  | 'local-network'
  /** The browser's permission for its address is missing. */
  | 'no-permission'
  /** 401 */
  | 'token'
  /** 403: the service does not know this extension. */
  | 'not-paired'
  /** 421: it does not answer under this name. */
  | 'host'
  /** Something else answers there. */
  | 'not-service'
  /** 409: the namespace is bound to another policy or form. */
  | 'bound'
  /** 429, 503, 5xx: asking later may help. */
  | 'busy'
  /** 413 */
  | 'too-large'
  /** 422: the `Idempotency-Key` was used for another request. */
  | 'key-reused'
  /** Any other refusal. */
  | 'refused';

export class TeamError extends Error {
  readonly team: TeamCause;
  /** HTTP status; 0 where no answer came. */
  readonly status: number;
  constructor(team: TeamCause, status: number, detail: string, options?: { cause?: unknown }) {
    super(detail, options);
    this.name = 'TeamError';
    this.team = team;
    this.status = status;
  }
}

/** What the client needs of `fetch`; whoever gives it sets the limit of time. It rejects where no answer came. */
export type TeamFetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string },
) => Promise<{
  status: number;
  text: () => Promise<string>;
  /** The body as it comes. */
  bytes: () => AsyncIterable<Uint8Array>;
}>;

export type TeamAnswer =
  | { result: 'fresh'; token?: number; until?: number }
  | { result: 'seen'; first_at?: number; state?: 'visited' | 'gone' }
  | { result: 'leased'; until: number }
  | { result: 'retry_at'; retry_at: number }
  | { result: 'invalid'; reason: string };

/** `GET /v1` */
export interface TeamAbout {
  version: string;
  store: string;
  durable: boolean;
  policy: string;
}

/** `GET /v1/ns/{ns}` */
export interface TeamNamespace {
  policy: string;
  form: string;
  addresses: boolean;
  rounds: { round: string; count: number }[];
}

export interface TeamRequest {
  items: readonly unknown[];
  round?: string;
  policy?: string;
  form?: string;
  lease_ms?: number;
}

/** Asks one service. Every method rejects with {@link TeamError}. */
export class TeamClient {
  readonly #address: string;
  readonly #token: string;
  readonly #fetch: TeamFetch;

  constructor({ address, token }: Pick<Pairing, 'address' | 'token'>, fetch: TeamFetch) {
    this.#address = address;
    this.#token = token;
    this.#fetch = fetch;
  }

  async about(): Promise<TeamAbout> {
    const about = await this.#json('GET', '/v1');
    if (about['name'] !== 'onceover') throw notService(200);
    return about as unknown as TeamAbout;
  }

  /** From now on the service lets this extension in. */
  async pair(): Promise<void> {
    const answer = await this.#json('POST', '/v1/pair', '{}');
    if (!('paired' in answer)) throw notService(200);
  }

  /** What a namespace is bound to; nothing before its first write. */
  async namespace(ns: string): Promise<TeamNamespace | undefined> {
    try {
      return (await this.#json('GET', `/v1/ns/${encodeURIComponent(ns)}`)) as unknown as TeamNamespace;
    } catch (error) {
      if (error instanceof TeamError && error.status === 404 && error.team === 'refused') return undefined;
      throw error;
    }
  }

  /** Binds a namespace, or turns its addresses on or off. */
  async configure(
    ns: string,
    wanted: { policy: string; form: string; addresses?: boolean },
  ): Promise<TeamNamespace> {
    const body = JSON.stringify(wanted);
    return (await this.#json('PUT', `/v1/ns/${encodeURIComponent(ns)}`, body)) as unknown as TeamNamespace;
  }

  /** One answer for each item, in order. With `key` the same request can be sent again and has one effect. */
  async batch(
    verb: 'mark' | 'is_seen' | 'lease' | 'release' | 'redirects',
    ns: string,
    request: TeamRequest,
    key?: string,
  ): Promise<TeamAnswer[]> {
    const path = `/v1/ns/${encodeURIComponent(ns)}/${verb}`;
    const { items } = await this.#json('POST', path, JSON.stringify(request), key);
    if (!Array.isArray(items) || items.length !== request.items.length) throw notService(200);
    return items as TeamAnswer[];
  }

  /** The lines of a round, as they come. */
  async exportRound(ns: string, round: string): Promise<AsyncIterable<Uint8Array>> {
    const path = `/v1/ns/${encodeURIComponent(ns)}/export?round=${encodeURIComponent(round)}`;
    return (await this.#answer('GET', path)).bytes();
  }

  async #json(method: string, path: string, body?: string, key?: string): Promise<Record<string, unknown>> {
    const answer = await this.#answer(method, path, body, key);
    const read = parse(await this.#text(answer));
    // It keeps what was sent until its store is back, and answers then.
    if (answer.status === 202)
      throw new TeamError('busy', 202, 'The store of the service is away; it keeps what was sent.');
    if (!read) throw notService(answer.status);
    return read;
  }

  async #answer(method: string, path: string, body?: string, key?: string): ReturnType<TeamFetch> {
    const headers: Record<string, string> = { Authorization: `Bearer ${this.#token}` };
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    if (key !== undefined) headers['Idempotency-Key'] = key;
    let answer: Awaited<ReturnType<TeamFetch>>;
    try {
      const init = { method, headers, ...(body !== undefined && { body }) };
      answer = await this.#fetch(this.#address + path, init);
    } catch (error) {
      throw unreachable(error);
    }
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw refusal(answer.status, parse(await this.#text(answer)));
  }

  /** An answer that breaks off is none. */
  async #text(answer: { text: () => Promise<string> }): Promise<string> {
    try {
      return await answer.text();
    } catch (error) {
      throw unreachable(error);
    }
  }
}

const unreachable = (cause: unknown): TeamError =>
  cause instanceof TeamError
    ? cause
    : new TeamError('unreachable', 0, cause instanceof Error ? cause.message : String(cause), { cause });

const notService = (status: number): TeamError =>
  new TeamError('not-service', status, 'What answers there is no Onceover service.');

const CAUSES: Record<number, TeamCause> = {
  401: 'token',
  403: 'not-paired',
  409: 'bound',
  413: 'too-large',
  421: 'host',
  422: 'key-reused',
  429: 'busy',
};

/** The service says why in JSON; whoever does not is another server. */
function refusal(status: number, body: Record<string, unknown> | undefined): TeamError {
  const error = body?.['error'] as { code?: unknown; detail?: unknown } | undefined;
  if (status >= 500 || status === 429) return new TeamError('busy', status, `It answers ${status}.`);
  if (typeof error?.code !== 'string') return notService(status);
  const detail = typeof error.detail === 'string' ? error.detail : '';
  return new TeamError(CAUSES[status] ?? 'refused', status, detail);
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
