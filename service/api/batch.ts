import { createHash } from 'node:crypto';
import { answersJson, FRESH, INVALID, REASONS, resultAt, SEEN } from '../answers.ts';
import { parseJson, parseText } from '../bodies.ts';
import { DEFAULT_FORM, FORM_NAMES, isForm, widthOf, type Form } from '../forms.ts';
import {
  badRequest,
  BINARY_TYPE,
  HttpError,
  json,
  JSON_TYPE,
  NDJSON_TYPE,
  type Call,
  type Reply,
} from '../http.ts';
import { Items, TOKEN_BYTES } from '../items.ts';
import { KeptError } from '../local-journal.ts';
import type { Service } from '../service.ts';
import {
  LONGEST_LEASE,
  StoreDownError,
  type Applied,
  type Batch,
  type JournalKey,
  type Namespace,
  type Store,
  type Verb,
} from '../store.ts';
import { roundKey } from '../windows.ts';

export const MOST_ITEMS = 10_000;
const DEFAULT_LEASE = 5 * 60_000;
const NEEDS_TOKEN: readonly Verb[] = ['commit', 'release', 'extend'];

/** Where items belong: named in the body or in the query. */
interface Place {
  readonly ns: string;
  readonly round: string;
  readonly policy: string;
  readonly form: Form;
  readonly leaseMs: number;
}

const FIELDS = ['items', 'policy', 'form', 'round', 'lease_ms'];

/** `POST /v1/ns/{ns}/VERB`. */
export async function batch(verb: Verb, call: Call, service: Service): Promise<Reply> {
  const { items, place } = readItems(verb, call, service);
  const applied = await applyItems(verb, items, place, service, journalKey(place.ns, verb, call));
  const results = service.metrics.countAnswers(verb, applied.answers, applied.replayed);
  const { answers, replayed } = applied;
  return {
    ...encode(answers, call),
    ...(replayed ? { headers: { 'Idempotency-Replayed': 'true' } } : {}),
    told: { ns: place.ns, round: place.round, items: items.count, replayed, ...results },
  };
}

/** `POST /is_seen` and `POST /mark_seen`: `{ url | url_fp, ns?, round?, policy?, form? }`. */
export async function basic(verb: 'is_seen' | 'mark', call: Call, service: Service): Promise<Reply> {
  const body = readObject(call, ['url', 'url_fp', 'ns', 'round', 'policy', 'form', 'state']);
  const ns = body['ns'] ?? 'default';
  if (typeof ns !== 'string') throw badRequest('"ns" must be a text.');
  const place = readPlace({ ...call, params: { ns } }, body, service);
  const items = new Items(1, place.form, place.policy, service.keys);
  items.add(body);
  const { answers, replayed } = await applyItems(verb, items, place, service, journalKey(ns, verb, call));
  const results = service.metrics.countAnswers(verb, answers, replayed);
  if (resultAt(answers, 0) === INVALID) {
    const reason = REASONS[answers[1]!]!;
    throw new HttpError(400, reason, EXPLANATIONS[reason] ?? `The item is refused: ${reason}.`);
  }
  const answer =
    verb === 'is_seen'
      ? { seen: resultAt(answers, 0) === SEEN }
      : { first_seen: resultAt(answers, 0) === FRESH };
  return json(answer, {
    ...(replayed ? { headers: { 'Idempotency-Replayed': 'true' } } : {}),
    told: { ns, round: place.round, items: 1, replayed, ...results },
  });
}

const EXPLANATIONS: Record<string, string> = {
  item: 'Send { "url": … } or { "url_fp": … } (lower- or upper-case hex).',
  form: 'The fingerprint is not of the form, length or policy version that the namespace is bound to.',
  empty: 'The address is empty.',
  'unsupported-scheme': 'Only http and https addresses have keys.',
  invalid: 'The address cannot be read.',
};

/** Binds the namespace where this is its first write, and asks the store. */
export async function applyItems(
  verb: Verb,
  items: Items,
  place: Place,
  { store, clock, journal: local }: Pick<Service, 'store' | 'clock' | 'journal'>,
  journal: JournalKey | undefined,
): Promise<Applied> {
  const wall = clock.wall();
  const now = clock.steady();
  const round = roundKey(place.round, wall);
  if (round === undefined)
    throw badRequest(
      'The round must be an id (letters, digits, . _ : -), or a window: day, hour, 6h (hours that divide a day).',
    );
  /** The namespace, where its marks are to be kept while the store is away. */
  const chosen = verb === 'mark' ? local?.bound(place.ns) : undefined;
  const namespace = await bindNamespace(store, place, items, verb !== 'is_seen').catch((error: unknown) => {
    if (!chosen || !(error instanceof StoreDownError)) throw error;
    if (chosen.policy !== place.policy || chosen.form !== place.form) items.refuseAll('form');
    return chosen;
  });
  const { count, width, fingerprints, refused, tokens, states, times, addresses } = items;
  const batch = { namespace, round, verb, count, width, fingerprints, refused, at: wall, now };
  const whole: Batch = {
    ...batch,
    until: now + place.leaseMs,
    ...(tokens === undefined ? {} : { tokens }),
    ...(states === undefined ? {} : { states }),
    ...(times === undefined ? {} : { times }),
    ...(addresses !== undefined && namespace.addresses ? { addresses } : {}),
    ...(journal === undefined || verb === 'is_seen' ? {} : { journal }),
  };
  try {
    return await store.apply(whole);
  } catch (error) {
    if (!chosen || !local || !(error instanceof StoreDownError)) throw error;
    local.keep(whole);
    throw new KeptError(count);
  }
}

/** The namespace as it is bound. Items of another policy version or form are refused: a set that holds two finds nothing. */
export async function bindNamespace(
  store: Store,
  { ns, policy, form }: Pick<Place, 'ns' | 'policy' | 'form'>,
  items: Items,
  isWrite: boolean,
): Promise<Namespace> {
  const wanted = { ns, policy, form, addresses: false };
  const known = await store.namespace(ns);
  const bound = known ?? (isWrite && items.hasAny ? await store.bind(wanted) : wanted);
  if (bound.policy !== policy || bound.form !== form) items.refuseAll('form');
  return bound;
}

// ---- Reading ----

function readItems(verb: Verb, call: Call, service: Service): { items: Items; place: Place } {
  if (call.type === JSON_TYPE) {
    const body = readObject(call, FIELDS);
    const place = readPlace(call, body, service);
    const list = body['items'];
    if (!Array.isArray(list)) throw badRequest('"items" must be a list.');
    const items = newItems(list.length, place, service);
    for (const item of list) items.add(item);
    return { items, place };
  }
  const place = readPlace(call, {}, service);
  if (call.type === NDJSON_TYPE) {
    const lines = linesOf(parseText(call.body));
    const items = newItems(lines.length, place, service);
    for (const line of lines) addLine(items, line);
    return { items, place };
  }
  const width = widthOf(place.form);
  const withTokens = NEEDS_TOKEN.includes(verb);
  const size = width + (withTokens ? TOKEN_BYTES : 0);
  if (call.body.length % size !== 0)
    throw badRequest(
      `A binary body is ${size} bytes an item (fingerprint ${width}${withTokens ? ', token 8' : ''}), not ${call.body.length} bytes.`,
    );
  const items = newItems(call.body.length / size, place, service);
  items.addBinary(call.body, withTokens);
  return { items, place };
}

/** One line of NDJSON as an item; what is no JSON is answered so, and the rest goes on. */
export function addLine(items: Items, line: string): void {
  // JSON.parse does not recurse, but what is that deep is no item.
  if (line.length > 1 << 20) return items.refuse('item');
  let item: unknown;
  try {
    item = JSON.parse(line);
  } catch {
    return items.refuse('json');
  }
  items.add(item);
}

/** The lines of a text; a line break at the end starts no further line. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function newItems(count: number, { form, policy }: Place, { keys }: Service): Items {
  if (count > MOST_ITEMS)
    throw new HttpError(413, 'too-many', `A batch has at most ${MOST_ITEMS} items, not ${count}.`);
  return new Items(count, form, policy, keys);
}

export function readObject(call: Call, known: readonly string[]): Record<string, unknown> {
  const body = parseJson(call.body);
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw badRequest('The body must be a JSON object.');
  for (const name of Object.keys(body))
    if (!known.includes(name))
      throw badRequest(`"${name.slice(0, 50)}" is unknown. Known are: ${known.join(', ')}.`);
  return body as Record<string, unknown>;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

/** Names of the body go before names of the query. */
export function readPlace(call: Call, body: Record<string, unknown>, { keys }: Service): Place {
  const read = (name: string): string | undefined => {
    const value = body[name] ?? call.query.get(name) ?? undefined;
    if (value !== undefined && typeof value !== 'string') throw badRequest(`"${name}" must be a text.`);
    return value;
  };
  const ns = call.params['ns'] ?? 'default';
  if (!NAME.test(ns)) throw badRequest('A namespace is up to 128 letters, digits, . _ : or -.');
  const policy = read('policy') ?? keys.version;
  if (!NAME.test(policy)) throw badRequest('"policy" is a version: up to 128 letters, digits, . _ : or -.');
  const form = read('form') ?? DEFAULT_FORM;
  if (!isForm(form)) throw badRequest(`"form" must be one of ${FORM_NAMES.join(', ')}.`);
  const lease = body['lease_ms'] ?? call.query.get('lease_ms') ?? DEFAULT_LEASE;
  const leaseMs = Number(lease);
  if (!Number.isSafeInteger(leaseMs) || leaseMs < 1 || leaseMs > LONGEST_LEASE)
    throw badRequest(`"lease_ms" must be a whole number from 1 to ${LONGEST_LEASE}.`);
  return { ns, round: read('round') ?? 'all', policy, form, leaseMs };
}

/** The journal key of a request that has an `Idempotency-Key`. @throws {HttpError} */
function journalKey(ns: string, verb: string, { headers, target, type, body }: Call): JournalKey | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key === '' || key.length > 255)
    throw badRequest('An Idempotency-Key has 1 to 255 characters.');
  const short = (...parts: (string | Buffer)[]) => {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(`${part.length}:`).update(part);
    return hash.digest().subarray(0, 16);
  };
  return { key: short(ns, key), digest: short(verb, target, type, body) };
}

// ---- Writing ----

export function encode(answers: Buffer, call: Call): Pick<Reply, 'type' | 'body'> {
  const accept = call.headers.accept ?? '';
  const type = [JSON_TYPE, NDJSON_TYPE, BINARY_TYPE].find((type) => accept.includes(type)) ?? call.type;
  if (type === BINARY_TYPE) return { type, body: answers };
  // As bytes: that a text is ASCII has to be found out anew whenever it is written.
  if (type === JSON_TYPE)
    return { type, body: Buffer.from(`{"items":[${answersJson(answers, ',')}]}\n`, 'latin1') };
  const lines = answersJson(answers, '\n');
  return { type: NDJSON_TYPE, body: lines === '' ? '' : Buffer.from(`${lines}\n`, 'latin1') };
}
