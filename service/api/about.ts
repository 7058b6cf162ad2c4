import { isExtension } from '../guards.ts';
import { FORM_NAMES, DEFAULT_FORM } from '../forms.ts';
import { json, type Call, type Reply } from '../http.ts';
import type { Service } from '../service.ts';
import { MOST_ITEMS } from './batch.ts';

/** `GET /v1`: what somebody who wants to use the service has to know. */
export async function about(_: Call, { store, keys, version }: Service): Promise<Reply> {
  const { name, durable } = store;
  const forms = { default: DEFAULT_FORM, known: FORM_NAMES };
  return json({
    name: 'onceover',
    version,
    store: name,
    durable,
    policy: keys.version,
    forms,
    most_items: MOST_ITEMS,
  });
}

/** `GET /healthz`: the process answers. */
export async function health(): Promise<Reply> {
  return json({ status: 'ok' });
}

/** `GET /readyz`: it can write; whether what it acknowledges survives it. */
export async function ready(_: Call, service: Service): Promise<Reply> {
  const { store, isDraining } = service;
  const { durable } = store;
  if (isDraining) return json({ status: 'stopping', durable }, { status: 503, headers: RETRY });
  await store.check();
  const note = durable ? {} : { note: 'After a loss it answers as a new store.' };
  const warnings = store.notes?.() ?? [];
  return json({ status: 'ready', durable, ...note, ...(warnings.length === 0 ? {} : { warnings }) });
}

const RETRY = { 'Retry-After': '5' };

/** `POST /v1/pair`: from now on requests of this extension are let in. Whoever calls has shown the token. */
export async function pair(call: Call, { pairing, keys, version }: Service): Promise<Reply> {
  const { origin } = call.headers;
  const paired = origin !== undefined && isExtension(origin) ? origin : null;
  if (paired !== null) await pairing.add(paired);
  return json({ paired, policy: keys.version, form: DEFAULT_FORM, version });
}

/** `GET /metrics`. */
export async function metrics(_: Call, { store, metrics }: Service): Promise<Reply> {
  return { type: 'text/plain; version=0.0.4; charset=utf-8', body: metrics.text(store) };
}
