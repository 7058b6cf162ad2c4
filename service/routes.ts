import { about, health, metrics, pair, paired, ready, unpair } from './api/about.ts';
import { basic, batch } from './api/batch.ts';
import { exportRound } from './api/export.ts';
import { importRound } from './api/import.ts';
import { configure, describe, list } from './api/namespaces.ts';
import { redirects } from './api/redirects.ts';
import { OPENAPI } from './openapi.ts';
import { BINARY_TYPE, json, JSON_TYPE, NDJSON_TYPE, TEXT_TYPE, type Call, type Reply } from './http.ts';
import type { Service } from './service.ts';
import type { Verb } from './store.ts';

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With `{name}` for a segment that varies. */
  readonly path: string;
  readonly body?: { readonly types: readonly string[]; readonly limit: number };
  /** Extensions that are not paired yet may call it. */
  readonly pairs?: true;
  /** Answers also while the service stops. */
  readonly always?: true;
  readonly handle: (call: Call, service: Service) => Promise<Reply>;
}

const SMALL = { types: [JSON_TYPE], limit: 64 << 10 };
const LARGE = { types: [JSON_TYPE, NDJSON_TYPE, BINARY_TYPE], limit: 32 << 20 };

const batchRoute = (verb: Verb): Route => ({
  method: 'POST',
  path: `/v1/ns/{ns}/${verb}`,
  body: LARGE,
  handle: (call, service) => batch(verb, call, service),
});

/** Every route, in the order of the documentation. */
export const ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/is_seen',
    body: SMALL,
    handle: (call, service) => basic('is_seen', call, service),
  },
  {
    method: 'POST',
    path: '/mark_seen',
    body: SMALL,
    handle: (call, service) => basic('mark', call, service),
  },
  batchRoute('mark'),
  batchRoute('is_seen'),
  batchRoute('lease'),
  batchRoute('commit'),
  batchRoute('release'),
  batchRoute('extend'),
  {
    method: 'POST',
    path: '/v1/ns/{ns}/redirects',
    body: { ...LARGE, types: [JSON_TYPE, NDJSON_TYPE] },
    handle: redirects,
  },
  { method: 'GET', path: '/v1/ns/{ns}/export', handle: exportRound },
  {
    method: 'POST',
    path: '/v1/ns/{ns}/import',
    body: { ...LARGE, types: [NDJSON_TYPE, TEXT_TYPE] },
    handle: importRound,
  },
  { method: 'GET', path: '/v1/ns', handle: list },
  { method: 'GET', path: '/v1/ns/{ns}', handle: describe },
  { method: 'PUT', path: '/v1/ns/{ns}', body: SMALL, handle: configure },
  { method: 'GET', path: '/v1', handle: about },
  { method: 'POST', path: '/v1/pair', body: SMALL, pairs: true, handle: pair },
  { method: 'GET', path: '/v1/pair', handle: paired },
  { method: 'DELETE', path: '/v1/pair', body: SMALL, handle: unpair },
  { method: 'GET', path: '/metrics', always: true, handle: metrics },
  {
    method: 'GET',
    path: '/openapi.json',
    handle: async (_, { version }) => json({ ...OPENAPI, info: { ...OPENAPI.info, version } }),
  },
  { method: 'GET', path: '/healthz', always: true, handle: health },
  { method: 'GET', path: '/readyz', always: true, handle: ready },
];

export interface Match {
  readonly route: Route;
  readonly params: Record<string, string>;
}

/** The route of a request; where only the method is wrong, the methods that are right. */
export function findRoute(method: string, path: string): Match | { readonly allowed: string[] } {
  const segments = path.split('/');
  const allowed: string[] = [];
  for (const route of ROUTES) {
    const params = match(route.path.split('/'), segments);
    if (params === undefined) continue;
    if (route.method === method) return { route, params };
    allowed.push(route.method);
  }
  return { allowed };
}

function match(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index]!;
    if (part.startsWith('{')) params[part.slice(1, -1)] = segment;
    else if (part !== segment) return undefined;
  }
  return params;
}
