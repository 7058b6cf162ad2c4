import { DEFAULT_FORM } from '../forms.ts';
import { badRequest, HttpError, json, type Call, type Reply } from '../http.ts';
import type { Service } from '../service.ts';
import type { Namespace, Store } from '../store.ts';
import { readObject, readPlace } from './batch.ts';

/** `GET /v1/ns`: what every namespace is bound to. */
export async function list(_: Call, { store }: Service): Promise<Reply> {
  return json({ namespaces: await store.namespaces() });
}

/** `GET /v1/ns/{ns}`: the same of one, with its rounds. */
export async function describe(call: Call, service: Service): Promise<Reply> {
  const { ns } = readPlace(call, {}, service);
  const namespace = await knownNamespace(service.store, ns);
  const rounds = (await service.store.rounds(ns)).map(({ key, ends, count }) => ({
    round: key,
    count,
    ends,
  }));
  return json({ ...namespace, rounds }, { told: { ns } });
}

/** `PUT /v1/ns/{ns}` `{ policy?, form?, addresses?, journal? }`: binds it before the first write; turns address table and local journal on or off. */
export async function configure(call: Call, service: Service): Promise<Reply> {
  const { store, journal: local } = service;
  const body = readObject(call, ['policy', 'form', 'addresses', 'journal']);
  const place = readPlace(call, body, service);
  const { ns } = place;
  const addresses = body['addresses'];
  if (addresses !== undefined && typeof addresses !== 'boolean')
    throw badRequest('"addresses" must be true or false.');
  const journal = body['journal'];
  if (journal !== undefined && typeof journal !== 'boolean')
    throw badRequest('"journal" must be true or false.');
  if (journal === true && !local)
    throw new HttpError(
      409,
      'no-journal',
      'This service has no local journal: start it with --journal FILE.',
    );
  const known = await store.namespace(ns);
  const policy = body['policy'] === undefined ? (known?.policy ?? place.policy) : place.policy;
  const form = body['form'] === undefined ? (known?.form ?? DEFAULT_FORM) : place.form;
  const bound = await store.bind({ ns, policy, form, addresses: addresses ?? false });
  if (bound.policy !== policy || bound.form !== form)
    throw new HttpError(
      409,
      'bound',
      `The namespace is bound to policy ${bound.policy} and form ${bound.form}; use another namespace.`,
    );
  if (addresses !== undefined && addresses !== bound.addresses) await store.keepAddresses(ns, addresses);
  const now = (await store.namespace(ns)) ?? bound;
  if (journal !== undefined || local?.bound(ns)) await local?.choose(now, journal ?? true);
  return json(now, { told: { ns } });
}

/** @throws {HttpError} 404 */
export async function knownNamespace(store: Store, ns: string): Promise<Namespace> {
  const namespace = await store.namespace(ns);
  if (namespace) return namespace;
  throw new HttpError(404, 'no-namespace', 'Nothing was written to this namespace yet.');
}
