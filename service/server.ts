import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { readBody } from './bodies.ts';
import { createClock, type Clock } from './clock.ts';
import { limitConnections } from './connections.ts';
import {
  checkHost,
  checkOrigin,
  checkType,
  createTokenCheck,
  hostList,
  inUrl,
  isExtension,
} from './guards.ts';
import { HttpError, json, type Reply } from './http.ts';
import type { KeyMaker } from './items.ts';
import { SILENT, type Log } from './log.ts';
import { KeptError, type LocalJournal } from './local-journal.ts';
import { Metrics } from './metrics.ts';
import { Pairing } from './pairing.ts';
import { findRoute } from './routes.ts';
import type { Service } from './service.ts';
import { KeyReusedError, StoreDownError, type Store } from './store.ts';

export interface ServiceOptions {
  readonly store: Store;
  readonly keys: KeyMaker;
  readonly token: string;
  /** `127.0.0.1` where absent. */
  readonly address?: string;
  /** 0, or absent: a free one. */
  readonly port?: number;
  /** Further values of `Host`, e.g. of a proxy. */
  readonly hosts?: readonly string[];
  /** Version of Onceover. */
  readonly version: string;
  readonly clock?: Clock;
  readonly log?: Log;
  readonly journal?: LocalJournal;
  readonly limits?: Partial<Limits>;
}

/** Times in milliseconds. */
export interface Limits {
  readonly connections: number;
  /** For the head of a request, for all of it, and for one that neither sends nor takes anything. */
  readonly head: number;
  readonly request: number;
  readonly idle: number;
  /** How long a stop waits for requests that are being answered. */
  readonly drain: number;
  /** How often what the local journal keeps is brought to the store. */
  readonly drainEvery: number;
}

const LIMITS: Limits = {
  connections: 1_000,
  head: 10_000,
  request: 60_000,
  idle: 60_000,
  drain: 10_000,
  drainEvery: 5_000,
};

export interface RunningService {
  /** `http://127.0.0.1:8321` */
  readonly url: string;
  /** Takes no new requests, answers those that came, closes the store. */
  stop(): Promise<void>;
}

/** Starts the service. The store belongs to it from here on. @throws where the port cannot be had */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { store, keys, token, version, address = '127.0.0.1', port = 0, log = SILENT } = options;
  const limits = { ...LIMITS, ...options.limits };
  const clock = options.clock ?? createClock();
  const metrics = new Metrics();
  const pairing = await Pairing.load(store);
  const { journal } = options;
  const service: Service = { store, keys, clock, metrics, pairing, version, journal, isDraining: false };
  const checkToken = createTokenCheck(token);
  let hosts: ReadonlySet<string> = new Set();

  const server = createServer(
    {
      headersTimeout: limits.head,
      requestTimeout: limits.request,
      keepAliveTimeout: 10_000,
      connectionsCheckingInterval: Math.min(1_000, limits.head),
    },
    (request, response) => {
      void answer(request, response, { service, hosts, checkToken, log });
    },
  );
  server.timeout = limits.idle;
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const line = PROTOCOL_ERRORS[error.code ?? ''] ?? '400 Bad Request';
    if (socket.writable) socket.end(`HTTP/1.1 ${line}\r\nConnection: close\r\n\r\n`);
    else socket.destroy();
  });
  metrics.connections = limitConnections(server, limits.connections).count;

  await listen(server, port, address);
  const bound = (server.address() as AddressInfo).port;
  hosts = hostList(address, bound, options.hosts);
  const told = new Set<string>();
  const keepUp = async (): Promise<void> => {
    await store.maintain(clock.wall(), clock.steady());
    for (const note of store.notes?.() ?? []) {
      if (!told.has(note)) log('warning', { note });
      told.add(note);
    }
  };
  const upkeep = setInterval(() => {
    keepUp().catch((error: unknown) => {
      log('upkeep-failed', { problem: error instanceof Error ? error.message : String(error) });
    });
  }, 60_000);
  upkeep.unref();
  const draining = setInterval(() => {
    if (!journal || journal.size === 0) return;
    journal.drain(clock.steady()).catch((error: unknown) => {
      log('journal-waits', { problem: error instanceof Error ? error.message : String(error) });
    });
  }, limits.drainEvery);
  draining.unref();

  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    service.isDraining = true;
    clearInterval(upkeep);
    clearInterval(draining);
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeIdleConnections();
    const limit = setTimeout(() => server.closeAllConnections(), limits.drain);
    await closed;
    clearTimeout(limit);
    await journal?.close();
    await store.close();
  };
  return { url: `http://${inUrl(address)}:${bound}`, stop: () => (stopped ??= stop()) };
}

/** What a request that never came whole is told. */
const PROTOCOL_ERRORS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

function listen(server: Server, port: number, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, 1024, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

interface Gate {
  readonly service: Service;
  readonly hosts: ReadonlySet<string>;
  readonly checkToken: (request: IncomingMessage) => void;
  readonly log: Log;
}

/** Answers one request, whatever happens, and tells the metrics and the log. */
async function answer(request: IncomingMessage, response: ServerResponse, gate: Gate): Promise<void> {
  const { service, log } = gate;
  const { metrics } = service;
  const since = performance.now();
  const seen = { route: 'none' };
  metrics.inFlight++;
  let reply: Reply;
  try {
    reply = await handle(request, gate, seen);
  } catch (error) {
    reply = refusal(error, log);
  }
  const status = reply.status ?? 200;
  try {
    await send(request, response, reply, service.isDraining);
  } catch {
    // The client went away, or an export broke off: a cut connection says so.
    response.destroy();
  }
  metrics.inFlight--;
  const seconds = (performance.now() - since) / 1000;
  metrics.countRequest(seen.route, status, seconds);
  log('request', {
    route: seen.route,
    status,
    ms: Math.round(seconds * 1000),
    ...reply.told,
  });
}

/** The guards in their order, then the route. */
async function handle(request: IncomingMessage, gate: Gate, seen: { route: string }): Promise<Reply> {
  const { service, hosts, checkToken } = gate;
  const { method = '', url: target = '', headers } = request;
  checkHost(request, hosts);
  if (!target.startsWith('/')) throw new HttpError(421, 'host', 'Send the path alone.');
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  const found = findRoute(method, path);
  const pairs = 'route' in found && found.route.pairs === true;
  if (method === 'OPTIONS') return preflight(request, path, service);
  const isPaired = (origin: string) => pairs || service.pairing.has(origin);
  checkOrigin(headers.origin, isPaired);
  checkToken(request);
  if (!('route' in found)) {
    if (found.allowed.length === 0)
      throw new HttpError(404, 'not-found', 'There is no such path; GET /openapi.json lists them.');
    throw new HttpError(405, 'method', `This path answers ${found.allowed.join(', ')}.`, {
      Allow: found.allowed.join(', '),
    });
  }
  const { route, params } = found;
  seen.route = `${route.method} ${route.path}`;
  if (service.isDraining && route.always !== true)
    throw new HttpError(503, 'stopping', 'The service is stopping; try again.', { 'Retry-After': '5' });
  const type = route.body === undefined ? '' : checkType(request, route.body.types);
  const body = route.body === undefined ? EMPTY : await readBody(request, route.body.limit);
  const call = { query: new URLSearchParams(query), headers, params, target, type, body };
  const reply = await route.handle(call, service);
  return headers.origin === undefined
    ? reply
    : { ...reply, headers: { ...reply.headers, ...cors(headers.origin) } };
}

const EMPTY = Buffer.alloc(0);

/** What a browser asks before an extension without host permission may call. It carries no token, and gets nothing but this. */
function preflight({ headers: { origin } }: IncomingMessage, path: string, { pairing }: Service): Reply {
  checkOrigin(origin, (candidate) => path === '/v1/pair' || pairing.has(candidate));
  if (origin === undefined || !isExtension(origin))
    throw new HttpError(405, 'method', 'OPTIONS is for browsers.');
  return {
    status: 204,
    type: '',
    body: '',
    headers: {
      ...cors(origin),
      'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE',
      'Access-Control-Allow-Headers': 'Authorization, Content-Type, Content-Encoding, Idempotency-Key',
      'Access-Control-Allow-Private-Network': 'true',
      'Access-Control-Max-Age': '600',
    },
  };
}

const cors = (origin: string): Record<string, string> => ({
  'Access-Control-Allow-Origin': origin,
  Vary: 'Origin',
});

/** An error as an answer. What nobody expected is told to the log, not to the client. */
function refusal(error: unknown, log: Log): Reply {
  if (error instanceof HttpError)
    return json(
      { error: { code: error.code, detail: error.message } },
      { status: error.status, headers: error.headers, told: { code: error.code } },
    );
  if (error instanceof KeptError) {
    const detail =
      'The store is away; the marks are kept. Send the request again with its Idempotency-Key for the answers.';
    return json(
      { kept: error.count, detail },
      { status: 202, headers: { 'Retry-After': '5' }, told: { kept: error.count } },
    );
  }
  if (error instanceof StoreDownError) {
    log('store-down', { problem: error.message });
    const detail = 'The store cannot answer now; nothing of the request was done. Try again.';
    return json(
      { error: { code: 'store-down', detail } },
      { status: 503, headers: { 'Retry-After': '5' }, told: { code: 'store-down' } },
    );
  }
  if (error instanceof KeyReusedError) {
    const detail = 'This Idempotency-Key was used for another request: make a new key for a new request.';
    return json({ error: { code: 'key-reused', detail } }, { status: 422, told: { code: 'key-reused' } });
  }
  log('bug', { problem: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  return json({ error: { code: 'internal', detail: 'The service met an error.' } }, { status: 500 });
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  isDraining: boolean,
): Promise<void> {
  const { status = 200, type, body, headers = {} } = reply;
  const isWhole = typeof body === 'string' || Buffer.isBuffer(body);
  const all: Record<string, string | number> = {
    ...(type === '' ? {} : { 'Content-Type': type }),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  };
  if (isWhole) all['Content-Length'] = Buffer.byteLength(body);
  // What is left of a refused body is not read: the connection ends instead.
  const isUnread = !request.complete;
  if (isDraining || isUnread) all['Connection'] = 'close';
  response.writeHead(status, all);
  if (!isWhole) {
    await pipeline(Readable.from(body), response, { end: false });
    response.addTrailers(reply.trailers?.() ?? {});
    response.end();
    return;
  }
  response.end(body);
  if (isUnread) discard(request);
}

/** Takes in a little more, so that the client reads the answer before it meets a closed connection. */
function discard(request: IncomingMessage): void {
  request.on('error', () => {});
  request.resume();
  const limit = setTimeout(() => request.socket.destroy(), 1_000);
  request.once('close', () => clearTimeout(limit));
}
