import type { IncomingHttpHeaders } from 'node:http';

/** A request that is refused; `code` is for programs, `message` says what to do. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** A request that passed the guards. */
export interface Call {
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** What stands in the path for each `{name}`. */
  readonly params: Readonly<Record<string, string>>;
  /** Path and query as they came. */
  readonly target: string;
  /** Media type of the body, without parameters; empty where there is none. */
  readonly type: string;
  /** Decoded. */
  readonly body: Buffer;
}

export interface Reply {
  readonly status?: number;
  readonly type: string;
  readonly body: string | Buffer | AsyncIterable<Uint8Array>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Known when the body has ended. */
  readonly trailers?: () => Readonly<Record<string, string>>;
  /** For the log: numbers and names that hold no address. */
  readonly told?: Readonly<Record<string, string | number | boolean>>;
}

export const JSON_TYPE = 'application/json';
export const NDJSON_TYPE = 'application/x-ndjson';
export const BINARY_TYPE = 'application/octet-stream';
export const TEXT_TYPE = 'text/plain';

export const json = (value: unknown, more: Partial<Reply> = {}): Reply => ({
  type: JSON_TYPE,
  body: `${JSON.stringify(value)}\n`,
  ...more,
});

export const badRequest = (message: string): HttpError => new HttpError(400, 'bad-request', message);
