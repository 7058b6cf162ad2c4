import { isExtension } from '../guards.ts';
import { FORM_NAMES, DEFAULT_FORM } from '../forms.ts';
import { badRequest, json, type Call, type Reply } from '../http.ts';
import type { Service } from '../service.ts';
import { MOST_ITEMS, readObject } from './batch.ts';

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

/** `GET /v1/pair`: the extensions that are let in. */
export async function paired(_: Call, { pairing }: Service): Promise<Reply> {
  return json({ paired: pairing.all });
}

/** `DELETE /v1/pair` `{ extension }`: it is no longer let in, until somebody with the token pairs it again. */
export async function unpair(call: Call, { pairing }: Service): Promise<Reply> {
  const { extension } = readObject(call, ['extension']);
  if (typeof extension !== 'string' || !isExtension(extension))
    throw badRequest('"extension" must be its origin, e.g. chrome-extension://…; GET /v1/pair lists them.');
  await pairing.remove(extension);
  return json({ paired: pairing.all });
}

/** `GET /metrics`. */
export async function metrics(_: Call, { store, metrics }: Service): Promise<Reply> {
  return { type: 'text/plain; version=0.0.4; charset=utf-8', body: metrics.text(store) };
}
