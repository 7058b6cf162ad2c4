import { compilePolicy, policyVersion, type PolicyJson } from '#lib/url/index.ts';
import type { Clock } from './clock.ts';
import type { LocalJournal } from './local-journal.ts';
import { createLog } from './log.ts';
import { startService, type Limits, type RunningService } from './server.ts';
import type { Store } from './store.ts';
import { MemoryStore } from './stores/memory.ts';

export const TOKEN = 'test-token';

export interface Asking {
  readonly body?: unknown;
  readonly method?: string;
  readonly headers?: Record<string, string>;
}

export interface TestService extends RunningService {
  /** Lines of the log so far. */
  readonly logged: string[];
  /** Sends a request with the token; a body that is no text or bytes goes as JSON. */
  ask(path: string, asking?: Asking): Promise<Response>;
  /** The same, and the JSON that comes. */
  json(path: string, body?: unknown, headers?: Record<string, string>): Promise<Record<string, unknown>>;
}

export interface TestOptions {
  readonly store?: Store;
  readonly policy?: PolicyJson;
  readonly clock?: Clock;
  readonly limits?: Partial<Limits>;
  readonly journal?: LocalJournal;
}

/** A service on a free port. */
export async function serveForTest(options: TestOptions = {}): Promise<TestService> {
  const { store = new MemoryStore(), policy = {}, ...rest } = options;
  const logged: string[] = [];
  const service = await startService({
    store,
    keys: { policy: compilePolicy(policy), version: policyVersion(policy) },
    token: TOKEN,
    version: '0.0.0',
    log: createLog((line) => logged.push(line)),
    ...rest,
  });
  const ask = (path: string, { body, method, headers }: Asking = {}) => {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    return fetch(service.url + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      ...(body === undefined ? {} : { body: (isRaw ? body : JSON.stringify(body)) as BodyInit }),
      headers: {
        Authorization: `Bearer ${TOKEN}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
    });
  };
  return {
    ...service,
    logged,
    ask,
    async json(path, body, headers) {
      const response = await ask(path, {
        ...(body === undefined ? {} : { body }),
        ...(headers === undefined ? {} : { headers }),
      });
      return (await response.json()) as Record<string, unknown>;
    },
  };
}
