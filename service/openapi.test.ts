import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPENAPI, type Schema } from './openapi.ts';
import { ROUTES } from './routes.ts';
import { serveForTest, type Asking, type TestService } from './testing.ts';

let service: TestService;
beforeAll(async () => {
  service = await serveForTest();
});
afterAll(() => service.stop());

interface Operation {
  readonly parameters?: readonly { name: string; in: string; required: boolean }[];
  readonly requestBody?: { content: Record<string, { schema: Schema }> };
  readonly responses: Record<string, { content: Record<string, { schema: Schema }> }>;
}
const operations = Object.entries(OPENAPI.paths).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    path,
    method: method.toUpperCase(),
    operation,
  })),
);

test('the document has every route of the service and no other', () => {
  expect(operations.map(({ name }) => name).toSorted()).toEqual(
    ROUTES.map(({ method, path }) => `${method} ${path}`).toSorted(),
  );
});

test('bodies are those the routes take', () => {
  for (const { method, path, operation } of operations) {
    const route = ROUTES.find((route) => route.method === method && route.path === path)!;
    expect(Object.keys(operation.requestBody?.content ?? {})).toEqual(route.body?.types ?? []);
  }
});

test('every parameter in a path is described, and every reference leads somewhere', () => {
  for (const { path, operation } of operations) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const described = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
    expect(described.map(({ name }) => name)).toEqual(inPath);
  }
  for (const [, name] of JSON.stringify(OPENAPI).matchAll(/"\$ref":"([^"]+)"/g))
    expect(resolve({ $ref: name })).toBeDefined();
});

const fp = 'ab'.repeat(16);
const items = [
  { url: 'https://a.example.com/' },
  { url_fp: fp },
  { url: 'no' },
  { url: 'https://a.example.com/' },
];

/** What is asked, in this order, of a service that runs: at least once every operation and every status below. */
const ASKED: [string, number, Asking & { path?: string }][] = [
  ['PUT /v1/ns/{ns}', 200, { body: { addresses: true } }],
  ['PUT /v1/ns/{ns}', 409, { body: { form: 'md5' } }],
  ['PUT /v1/ns/{ns}', 400, { body: { addresses: 'yes' } }],
  ['POST /mark_seen', 200, { body: items[0] }],
  ['POST /mark_seen', 400, { body: {} }],
  ['POST /is_seen', 200, { body: items[1] }],
  ['POST /is_seen', 413, { body: { url: 'x'.repeat(70_000) } }],
  ['POST /is_seen', 415, { body: '{}', headers: { 'Content-Type': 'text/plain' } }],
  ['POST /is_seen', 401, { body: {}, headers: { Authorization: 'no' } }],
  ['POST /is_seen', 403, { body: {}, headers: { Origin: 'https://evil.example.com' } }],
  ['POST /v1/ns/{ns}/mark', 200, { body: { items }, headers: { 'Idempotency-Key': 'k' } }],
  ['POST /v1/ns/{ns}/mark', 422, { body: { items: [] }, headers: { 'Idempotency-Key': 'k' } }],
  ['POST /v1/ns/{ns}/is_seen', 200, { body: { items, round: 'day' } }],
  ['POST /v1/ns/{ns}/lease', 200, { body: { items, round: 'r', lease_ms: 5 } }],
  ['POST /v1/ns/{ns}/lease', 200, { body: { items: [{ url: 'https://l.example.com/' }], lease_ms: 60_000 } }],
  ['POST /v1/ns/{ns}/extend', 200, { body: { items: [{ url: 'https://l.example.com/', token: 3 }] } }],
  [
    'POST /v1/ns/{ns}/release',
    200,
    { body: { items: [{ url: 'https://l.example.com/', token: 3 }, { url: 'x' }] } },
  ],
  [
    'POST /v1/ns/{ns}/commit',
    200,
    {
      body: {
        items: [
          { url_fp: fp, token: 1 },
          { url_fp: 'c0'.repeat(16), token: 1 },
        ],
      },
    },
  ],
  [
    'POST /v1/ns/{ns}/redirects',
    200,
    { body: { items: [{ from: 'https://o.example.com/', to_fp: fp, permanent: true }, {}] } },
  ],
  ['GET /v1/ns/{ns}/export', 200, {}],
  ['GET /v1/ns/{ns}/export', 200, { path: '/v1/ns/n/export?format=list' }],
  ['GET /v1/ns/{ns}/export', 400, { path: '/v1/ns/n/export?format=none' }],
  ['GET /v1/ns/{ns}/export', 404, { path: '/v1/ns/none/export' }],
  ['GET /v1/ns/{ns}/export', 409, { path: '/v1/ns/default/export?format=list' }],
  [
    'POST /v1/ns/{ns}/import',
    200,
    { body: 'https://i.example.com/\nno\n', headers: { 'Content-Type': 'text/plain' } },
  ],
  [
    'POST /v1/ns/{ns}/import',
    400,
    { body: '{"onceover":"x"}', headers: { 'Content-Type': 'application/x-ndjson' } },
  ],
  ['GET /v1/ns', 200, {}],
  ['GET /v1/ns/{ns}', 200, {}],
  ['GET /v1/ns/{ns}', 404, { path: '/v1/ns/none' }],
  ['GET /v1', 200, {}],
  ['POST /v1/pair', 200, { body: {} }],
  ['GET /v1/pair', 200, {}],
  ['DELETE /v1/pair', 200, { body: { extension: 'chrome-extension://abc' } }],
  ['DELETE /v1/pair', 400, { body: { extension: 'https://a.example.com' } }],
  ['GET /metrics', 200, {}],
  ['GET /openapi.json', 200, {}],
  ['GET /healthz', 200, {}],
  ['GET /readyz', 200, {}],
];

test('what is asked below covers every operation', () => {
  expect(new Set(ASKED.map(([name]) => name))).toEqual(new Set(operations.map(({ name }) => name)));
});

test('the answers of a running service are those of the document', async () => {
  for (const [name, status, { path, ...asking }] of ASKED) {
    const { operation, method, path: pattern } = operations.find((each) => each.name === name)!;
    if (status === 200) checkRequest(operation, asking);
    const response = await service.ask(path ?? pattern.replace('{ns}', 'n'), { ...asking, method });
    const text = await response.text();
    expect(`${name} ${response.status} ${response.status === status ? '' : text}`).toBe(`${name} ${status} `);
    const content = operation.responses[status]?.content;
    expect(content, `${name} ${status} is described`).toBeDefined();
    const type = response.headers.get('content-type')!.split(';')[0]!;
    expect(Object.keys(content!), `${name} ${status}`).toContain(type);
    if (type === 'application/json') expect(faults(content![type]!.schema, JSON.parse(text))).toEqual([]);
  }
});

function checkRequest(operation: Operation, { body, headers }: Asking): void {
  const schema = operation.requestBody?.content[headers?.['Content-Type'] ?? 'application/json']?.schema;
  if (schema !== undefined && typeof body === 'object') expect(faults(schema, body)).toEqual([]);
}

test('the served document is this one', async () => {
  const served = await service.json('/openapi.json');
  expect(served).toEqual({ ...OPENAPI, info: { ...OPENAPI.info, version: '0.0.0' } });
});

test('the validator finds faults', () => {
  const answer = { $ref: '#/components/schemas/Answers' };
  expect(faults(answer, { items: [{ result: 'fresh' }] })).toEqual([]);
  for (const wrong of [
    {},
    { items: {} },
    { items: [{ result: 'new' }] },
    { items: [{ result: 'seen' }] },
    { items: [{ result: 'seen', first_at: '1', state: 'visited' }] },
    { items: [{ result: 'fresh', more: 1 }] },
    { items: [], more: 1 },
  ])
    expect(faults(answer, wrong)).not.toEqual([]);
});

function resolve({ $ref }: Schema): Schema {
  return OPENAPI.components.schemas[(($ref as string).split('/').at(-1) ?? '') as 'Error'];
}

/** What is wrong with a value, by the part of JSON Schema that the document uses; an unknown keyword is a fault. */
function faults(schema: Schema, value: unknown, place = '$'): string[] {
  if (schema['$ref'] !== undefined) return faults(resolve(schema), value, place);
  const found: string[] = [];
  for (const [keyword, rule] of Object.entries(schema)) {
    const check = KEYWORDS[keyword];
    if (check === undefined) found.push(`${place}: unknown keyword ${keyword}`);
    else found.push(...check(rule as never, value, place, schema));
  }
  return found;
}

type Check = (rule: never, value: unknown, place: string, schema: Schema) => string[];
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const typeOf = (value: unknown): string[] =>
  value === null
    ? ['null']
    : Array.isArray(value)
      ? ['array']
      : Number.isInteger(value)
        ? ['integer', 'number']
        : [typeof value];
const unless = (ok: boolean, place: string, what: string) => (ok ? [] : [`${place}: ${what}`]);
const nothing = () => [];

const KEYWORDS: Record<string, Check> = {
  type: (rule: string | string[], value, place) =>
    unless(
      [rule].flat().some((type) => typeOf(value).includes(type)),
      place,
      `is no ${String(rule)}`,
    ),
  const: (rule: unknown, value, place) => unless(rule === value, place, `is not ${String(rule)}`),
  enum: (rule: unknown[], value, place) => unless(rule.includes(value), place, `is none of ${rule.join()}`),
  minimum: (rule: number, value, place) => unless(!((value as number) < rule), place, 'is too small'),
  maximum: (rule: number, value, place) => unless(!((value as number) > rule), place, 'is too large'),
  maxItems: (rule: number, value, place) => unless(!((value as []).length > rule), place, 'is too long'),
  required: (rule: string[], value, place) =>
    isObject(value)
      ? rule.filter((name) => !(name in value)).map((name) => `${place}: ${name} is missing`)
      : [],
  properties: (rule: Record<string, Schema>, value, place) =>
    isObject(value)
      ? Object.entries(value).flatMap(([name, part]) =>
          rule[name] === undefined ? [] : faults(rule[name], part, `${place}.${name}`),
        )
      : [],
  additionalProperties: (rule: boolean, value, place, { properties }) =>
    isObject(value) && !rule
      ? Object.keys(value)
          .filter((name) => !Object.hasOwn(properties as object, name))
          .map((name) => `${place}: ${name} is too much`)
      : [],
  items: (rule: Schema, value, place) =>
    Array.isArray(value) ? value.flatMap((part, index) => faults(rule, part, `${place}[${index}]`)) : [],
  oneOf: (rule: Schema[], value, place) =>
    unless(rule.filter((one) => faults(one, value).length === 0).length === 1, place, 'is none of the forms'),
  description: nothing,
  default: nothing,
  format: nothing,
};
