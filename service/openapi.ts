import { REASONS, RESULTS } from './answers.ts';
import { DEFAULT_FORM, FORM_NAMES } from './forms.ts';
import { FINGERPRINT_STATES } from './states.ts';

// The document that GET /openapi.json serves (OpenAPI 3.1). openapi.test.ts asks a running service everything that stands here and
// compares the answers, so what is written is what happens.

/** A JSON Schema, as far as the document needs it. */
export type Schema = Readonly<Record<string, unknown>>;

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: Record<string, Schema>, required: readonly string[] = []): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const list = (items: Schema, most?: number): Schema => ({
  type: 'array',
  items,
  ...(most === undefined ? {} : { maxItems: most }),
});
const text: Schema = { type: 'string' };
const whole: Schema = { type: 'integer', minimum: 0 };
const time: Schema = { type: 'integer', minimum: 0, description: 'Milliseconds since the epoch.' };
const flag: Schema = { type: 'boolean' };
const state: Schema = { type: 'string', enum: FINGERPRINT_STATES };
const form: Schema = { type: 'string', enum: FORM_NAMES, default: DEFAULT_FORM };
const result = (word: (typeof RESULTS)[number]): Schema => ({ type: 'string', const: word });

const ITEM = {
  url: { type: 'string', description: 'The address; the service makes its key.' },
  url_fp: {
    type: 'string',
    description:
      'The fingerprint of the key in hex. With both, this one counts and the address is kept beside.',
  },
};
const PLACE = {
  round: { type: 'string', default: 'all', description: 'Id of a round, or a window: day, hour, 6h.' },
  policy: {
    type: 'string',
    description: 'Version of the policy that made the keys; default: of the service.',
  },
  form,
};

const SCHEMAS = {
  Error: object({ error: object({ code: text, detail: text }, ['code', 'detail']) }, ['error']),
  Item: object({ ...ITEM, token: whole, state, retry_at: time, first_at: time }),
  Batch: object(
    {
      items: list(ref('Item'), 10_000),
      ...PLACE,
      lease_ms: { type: 'integer', minimum: 1, maximum: 86_400_000, default: 300_000 },
    },
    ['items'],
  ),
  Answer: {
    oneOf: [
      object({ result: result('fresh'), token: whole, until: time }, ['result']),
      object({ result: result('seen'), first_at: time, state }, ['result', 'state']),
      object({ result: result('leased'), until: time, token: whole }, ['result', 'until']),
      object({ result: result('retry_at'), retry_at: time }, ['result', 'retry_at']),
      object({ result: result('invalid'), reason: { type: 'string', enum: REASONS.slice(1) } }, [
        'result',
        'reason',
      ]),
    ],
  },
  Answers: object({ items: list(ref('Answer')) }, ['items']),
  Basic: object({ ...ITEM, ns: { type: 'string', default: 'default' }, ...PLACE, state }),
  Seen: object({ seen: flag }, ['seen']),
  FirstSeen: object({ first_seen: flag }, ['first_seen']),
  Redirects: object(
    {
      items: list(
        object({ from: text, from_fp: text, to: text, to_fp: text, status: whole, permanent: flag }),
        10_000,
      ),
      policy: PLACE.policy,
      form,
    },
    ['items'],
  ),
  Imported: object(
    {
      imported: whole,
      seen: whole,
      invalid: whole,
      problems: list(object({ line: whole, reason: text }, ['line', 'reason']), 100),
    },
    ['imported', 'seen', 'invalid', 'problems'],
  ),
  Settings: object({ policy: PLACE.policy, form, addresses: flag, journal: flag }),
  Namespace: object({ ns: text, policy: text, form, addresses: flag }, ['ns', 'policy', 'form', 'addresses']),
  NamespaceWithRounds: object(
    {
      ns: text,
      policy: text,
      form,
      addresses: flag,
      rounds: list(
        object({ round: text, count: whole, ends: { type: ['integer', 'null'] } }, [
          'round',
          'count',
          'ends',
        ]),
      ),
    },
    ['ns', 'policy', 'form', 'addresses', 'rounds'],
  ),
  Namespaces: object({ namespaces: list(ref('Namespace')) }, ['namespaces']),
  About: object(
    {
      name: { type: 'string', const: 'onceover' },
      version: text,
      store: text,
      durable: flag,
      policy: text,
      forms: object({ default: form, known: list(form) }, ['default', 'known']),
      most_items: whole,
    },
    ['name', 'version', 'store', 'durable', 'policy', 'forms', 'most_items'],
  ),
  Paired: object({ paired: { type: ['string', 'null'] }, policy: text, form, version: text }, [
    'paired',
    'policy',
    'form',
    'version',
  ]),
  Kept: object({ kept: whole, detail: text }, ['kept', 'detail']),
  Pairings: object({ paired: list(text) }, ['paired']),
  Extension: object({ extension: text }, ['extension']),
  Empty: object({}),
  Health: object({ status: { type: 'string', const: 'ok' } }, ['status']),
  Ready: object({ status: { type: 'string', enum: ['ready', 'stopping'] }, durable: flag, note: text }, [
    'status',
    'durable',
  ]),
} satisfies Record<string, Schema>;

type Name = keyof typeof SCHEMAS;

const NAMESPACE = {
  name: 'ns',
  in: 'path',
  required: true,
  schema: { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$' },
};
const QUERY = (name: string, schema: Schema) => ({ name, in: 'query', required: false, schema });
const IDEMPOTENCY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', maxLength: 255 },
  description: 'Sent again with the same key, a request gets its first answers. Kept for 24 hours.',
};
const NDJSON: Schema = { type: 'string', description: 'One object a line.' };
const BINARY: Schema = { type: 'string', format: 'binary' };

const content = (types: Record<string, Schema>) => ({
  content: Object.fromEntries(Object.entries(types).map(([type, schema]) => [type, { schema }])),
});
const errors = (...statuses: number[]) =>
  Object.fromEntries(
    [...statuses, 401, 403, 421].map((status) => [
      status,
      { description: MEANINGS[status], ...content({ 'application/json': ref('Error') }) },
    ]),
  );
const MEANINGS: Record<number, string> = {
  400: 'The request cannot be read; `detail` says what to do.',
  401: 'The token is missing or wrong.',
  403: 'The origin is a web page, or an extension that was not paired.',
  404: 'Nothing was written to this namespace yet.',
  409: 'The namespace is bound to something else, or keeps no addresses.',
  413: 'The body is too large, or has too many items.',
  415: 'Another media type or encoding is needed.',
  421: 'The service does not answer under this Host.',
  422: 'The Idempotency-Key was used for another request.',
  429: 'Too much at once; see Retry-After.',
  503: 'The store cannot answer, or the service stops; nothing was done. See Retry-After.',
};
const answered = (description: string, types: Record<string, Schema>) => ({
  200: { description, ...content(types) },
});

/** Of marks: what a namespace with a local journal answers while the store is away. */
const KEPT = {
  202: {
    description:
      'The store is away, and the marks are kept. The same request with its Idempotency-Key gets the answers later.',
    ...content({ 'application/json': ref('Kept') }),
  },
};

const basic = (summary: string, response: Name, isWrite: boolean) => ({
  post: {
    summary,
    ...(isWrite ? { parameters: [IDEMPOTENCY] } : {}),
    requestBody: { required: true, ...content({ 'application/json': ref('Basic') }) },
    responses: {
      ...answered('The answer.', { 'application/json': ref(response) }),
      ...(isWrite ? KEPT : {}),
      ...errors(400, 413, 415, 422, 429, 503),
    },
  },
});
const batch = (summary: string, { isWrite = true, isKept = false } = {}) => ({
  post: {
    summary,
    parameters: [
      NAMESPACE,
      ...(isWrite ? [IDEMPOTENCY] : []),
      QUERY('round', text),
      QUERY('policy', text),
      QUERY('form', form),
      QUERY('lease_ms', whole),
    ],
    requestBody: {
      required: true,
      ...content({
        'application/json': ref('Batch'),
        'application/x-ndjson': NDJSON,
        'application/octet-stream': BINARY,
      }),
    },
    responses: {
      ...answered('One answer for each item, in order, in the encoding of the request or of Accept.', {
        'application/json': ref('Answers'),
        'application/x-ndjson': NDJSON,
        'application/octet-stream': BINARY,
      }),
      ...(isKept ? KEPT : {}),
      ...errors(400, 413, 415, 422, 429, 503),
    },
  },
});
const get = (summary: string, schema: Name, more: object = {}, ...statuses: number[]) => ({
  summary,
  ...more,
  responses: { ...answered('The answer.', { 'application/json': ref(schema) }), ...errors(...statuses) },
});

export const OPENAPI = {
  openapi: '3.1.0',
  info: {
    title: 'Onceover fingerprint service',
    version: '0',
    description: 'Has anyone seen this page in this round? See docs/service.md.',
  },
  security: [{ token: [] }],
  paths: {
    '/is_seen': basic('Whether a page was seen. Leased is not seen.', 'Seen', false),
    '/mark_seen': basic('A page was seen; whether this was the first time.', 'FirstSeen', true),
    '/v1/ns/{ns}/mark': batch('Pages were seen. Exactly one mark of a page in a round is answered fresh.', {
      isKept: true,
    }),
    '/v1/ns/{ns}/is_seen': batch('Asks, and changes nothing.', { isWrite: false }),
    '/v1/ns/{ns}/lease': batch('Takes pages to fetch: fresh ones are yours until the lease ends.'),
    '/v1/ns/{ns}/commit': batch('Leased pages were fetched: they are seen.'),
    '/v1/ns/{ns}/release': batch('Leased pages could not be fetched: others may try, from retry_at on.'),
    '/v1/ns/{ns}/extend': batch('Makes leases longer.'),
    '/v1/ns/{ns}/redirects': {
      post: {
        summary: 'Pages that permanently lead to others.',
        parameters: [NAMESPACE],
        requestBody: {
          required: true,
          ...content({ 'application/json': ref('Redirects'), 'application/x-ndjson': NDJSON }),
        },
        responses: {
          ...answered('For each whether it is new.', { 'application/json': ref('Answers') }),
          ...errors(400, 413, 415, 429, 503),
        },
      },
    },
    '/v1/ns/{ns}/export': {
      get: {
        summary: 'The pages of a round, as fingerprints or in a format of crawlers.',
        parameters: [NAMESPACE, QUERY('round', text), QUERY('format', text)],
        responses: {
          ...answered('The file; the trailer Onceover-Manifest says what it holds.', {
            'application/x-ndjson': NDJSON,
            'text/plain': text,
          }),
          ...errors(400, 404, 409, 503),
        },
      },
    },
    '/v1/ns/{ns}/import': {
      post: {
        summary: 'Takes in pages seen elsewhere.',
        parameters: [NAMESPACE, QUERY('round', text), QUERY('policy', text), QUERY('form', form)],
        requestBody: {
          required: true,
          ...content({ 'application/x-ndjson': NDJSON, 'text/plain': text }),
        },
        responses: {
          ...answered('Counts, and the first lines that could not be taken.', {
            'application/json': ref('Imported'),
          }),
          ...errors(400, 413, 415, 429, 503),
        },
      },
    },
    '/v1/ns': { get: get('All namespaces.', 'Namespaces') },
    '/v1/ns/{ns}': {
      get: get(
        'What a namespace is bound to, and its rounds.',
        'NamespaceWithRounds',
        { parameters: [NAMESPACE] },
        404,
      ),
      put: {
        ...get(
          'Binds a namespace; turns its address table on or off.',
          'Namespace',
          {},
          400,
          409,
          413,
          415,
          503,
        ),
        parameters: [NAMESPACE],
        requestBody: { required: true, ...content({ 'application/json': ref('Settings') }) },
      },
    },
    '/v1': { get: get('What a client has to know.', 'About') },
    '/v1/pair': {
      get: get('The extensions that are let in.', 'Pairings'),
      delete: {
        ...get('Lets an extension in no longer.', 'Pairings', {}, 400, 413, 415, 503),
        requestBody: { required: true, ...content({ 'application/json': ref('Extension') }) },
      },
      post: {
        ...get('Lets requests of the calling extension in from now on.', 'Paired', {}, 400, 413, 415, 503),
        requestBody: { required: true, ...content({ 'application/json': ref('Empty') }) },
      },
    },
    '/metrics': {
      get: {
        summary: 'Counts for Prometheus.',
        responses: { ...answered('Text format 0.0.4.', { 'text/plain': text }), ...errors() },
      },
    },
    '/openapi.json': {
      get: {
        summary: 'This document.',
        responses: { ...answered('The document.', { 'application/json': { type: 'object' } }), ...errors() },
      },
    },
    '/healthz': { get: get('The process answers.', 'Health') },
    '/readyz': { get: get('The store can be written.', 'Ready', {}, 503) },
  },
  components: {
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    schemas: SCHEMAS,
  },
} as const;
