import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fingerprint } from '#lib/fingerprint/index.ts';
import { DEFAULT_POLICY, keyOf, policyVersion, type Key } from '#lib/url/index.ts';
import { FORM_NAMES, widthOf, writeFingerprint } from '../forms.ts';
import { serveForTest, type TestService } from '../testing.ts';
import { roundKey } from '../windows.ts';

let service: TestService;
beforeAll(async () => {
  service = await serveForTest();
});
afterAll(() => service.stop());

const keyFor = (url: string): Key => {
  const keyed = keyOf(url, DEFAULT_POLICY);
  if (!keyed.ok) throw new Error(keyed.detail);
  return keyed.key;
};
const A = 'https://a.example.com/?b=1&a=2';
const results = (answer: Record<string, unknown>) =>
  (answer['items'] as { result: string }[]).map(({ result }) => result);

describe('basic calls', () => {
  test('an address, its other spelling, and its fingerprint are one page', async () => {
    const url_fp = fingerprint(keyFor(A), 'sha256-16');
    expect(await service.json('/mark_seen', { url: A })).toEqual({ first_seen: true });
    expect(await service.json('/mark_seen', { url: 'HTTPS://A.example.com:443/?a=2&b=1#x' })).toEqual({
      first_seen: false,
    });
    expect(await service.json('/is_seen', { url_fp })).toEqual({ seen: true });
    expect(await service.json('/is_seen', { url_fp: url_fp.toUpperCase() })).toEqual({ seen: true });
    expect(await service.json('/is_seen', { url: A, ns: 'other' })).toEqual({ seen: false });
    expect(await service.json('/is_seen', { url: A, round: 'other' })).toEqual({ seen: false });
  });
  test('leased is not seen', async () => {
    await service.json('/v1/ns/basic/lease', { items: [{ url: A }] });
    expect(await service.json('/is_seen', { url: A, ns: 'basic' })).toEqual({ seen: false });
    expect(await service.json('/mark_seen', { url: A, ns: 'basic' })).toEqual({ first_seen: true });
  });
  test('a replay gets the first answer', async () => {
    const key = { 'Idempotency-Key': 'once' };
    const body = { url: 'https://replay.example.com/' };
    for (let n = 0; n < 3; n++)
      expect(await service.json('/mark_seen', body, key)).toEqual({ first_seen: true });
    const other = await service.ask('/mark_seen', {
      body: { url: 'https://other.example.com/' },
      headers: key,
    });
    expect(other.status).toBe(422);
  });
  test.each([
    {},
    { url: 7 },
    { url: 'mailto:x' },
    { url_fp: 'ab' },
    { url_fp: 'zz'.repeat(16) },
    { url: '' },
  ])('%j is refused', async (body) => {
    expect((await service.ask('/mark_seen', { body })).status).toBe(400);
  });
});

describe('encodings', () => {
  test('JSON, lines and bytes say the same', async () => {
    const hex = ['11', '22', '11'].map((byte) => byte.repeat(16));
    const bytes = Buffer.from(hex.join(''), 'hex');
    const ask = (type: string, body: string | Uint8Array, accept?: string) =>
      service.ask('/v1/ns/enc/mark?round=' + type.slice(-4), {
        body,
        headers: { 'Content-Type': type, ...(accept === undefined ? {} : { Accept: accept }) },
      });
    const lines = hex.map((url_fp) => `${JSON.stringify({ url_fp })}\n`).join('');
    const text = await (await ask('application/x-ndjson', lines)).text();
    expect(
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as { result: string }).result),
    ).toEqual(['fresh', 'fresh', 'seen']);
    const binary = await (await ask('application/octet-stream', bytes)).bytes();
    expect([binary[0], binary[16], binary[32]]).toEqual([0, 0, 1]);
    const json = (await (await ask('application/octet-stream', bytes, 'application/json')).json()) as object;
    expect(results(json as Record<string, unknown>)).toEqual(['seen', 'seen', 'seen']);
    expect((await ask('application/octet-stream', bytes.subarray(1))).status).toBe(400);
  });
  test('bytes with tokens commit a lease', async () => {
    const url_fp = '77'.repeat(16);
    const lease = await service.json('/v1/ns/bin/lease', { items: [{ url_fp }] });
    const { token } = (lease['items'] as { token: number }[])[0]!;
    const bytes = Buffer.alloc(24);
    bytes.write(url_fp, 'hex');
    bytes.writeBigUInt64BE(BigInt(token), 16);
    const headers = { 'Content-Type': 'application/octet-stream', Accept: 'application/json' };
    expect(await (await service.ask('/v1/ns/bin/commit', { body: bytes, headers })).json()).toEqual({
      items: [{ result: 'fresh' }],
    });
  });
  test('bad items are answered in their place, and the rest goes on', async () => {
    const items = [
      null,
      1,
      [],
      {},
      { url: A },
      { url: 'x:y' },
      { url_fp: '00' },
      { url: A, state: 'lost' },
      { url: A, token: -1 },
    ];
    expect(await service.json('/v1/ns/bad/mark', { items })).toEqual({
      items: [
        { result: 'invalid', reason: 'item' },
        { result: 'invalid', reason: 'item' },
        { result: 'invalid', reason: 'item' },
        { result: 'invalid', reason: 'item' },
        { result: 'fresh' },
        { result: 'invalid', reason: 'unsupported-scheme' },
        { result: 'invalid', reason: 'form' },
        { result: 'invalid', reason: 'item' },
        { result: 'invalid', reason: 'item' },
      ],
    });
  });
});

describe('one form', () => {
  test.each(FORM_NAMES)('%s is what lib computes, lone surrogates included', (form) => {
    for (const url of [A, 'https://ü.example.com/ä?q=漢', 'https://a.example.com/\ud800']) {
      const bytes = Buffer.alloc(widthOf(form));
      writeFingerprint(bytes, 0, url as Key, form);
      expect(bytes.toString('hex')).toBe(fingerprint(url as Key, form));
    }
  });
  test('the first write binds; another form, length or policy version is never stored', async () => {
    const mark = async (body: object) => results(await service.json('/v1/ns/form/mark', body));
    const fp = (byte: string, width = 16) => [{ url_fp: byte.repeat(width) }];
    expect(await mark({ items: fp('aa', 20) })).toEqual(['invalid']);
    // What was only refused binds nothing.
    expect(await mark({ items: fp('aa', 20), form: 'sha1', policy: 'scrapy-2.11' })).toEqual(['fresh']);
    for (const wrong of [
      { items: fp('bb') },
      { items: fp('bb'), form: 'md5', policy: 'scrapy-2.11' },
      { items: fp('bb', 20), form: 'sha1' },
      { items: fp('bb', 20), form: 'sha1', policy: 'scrapy-2.12' },
      { items: fp('bb'), form: 'sha1', policy: 'scrapy-2.11' },
      { items: [{ url: A }], form: 'sha1', policy: 'scrapy-2.11' },
    ])
      expect(await mark(wrong)).toEqual(['invalid']);
    expect(await service.json('/v1/ns/form')).toMatchObject({
      policy: 'scrapy-2.11',
      form: 'sha1',
      rounds: [{ round: 'all', count: 1, ends: null }],
    });
    const asked = await service.json('/v1/ns/form/is_seen', { items: fp('aa') });
    expect(asked).toEqual({ items: [{ result: 'invalid', reason: 'form' }] });
  });
  test('addresses are keyed by the policy of the service', async () => {
    const strict = await serveForTest({ policy: { preset: 'strict' } });
    const { policy } = await strict.json('/v1');
    expect(policy).toBe(policyVersion({ preset: 'strict' }));
    await strict.json('/v1/ns/s/mark', { items: [{ url: A }] });
    expect(await strict.json('/v1/ns/s')).toMatchObject({ policy });
    await strict.stop();
  });
});

describe('windows', () => {
  test.each([
    ['day', '2026-01-15T12:30:00Z', 'day@2026-01-15T00Z', '2026-01-16T00:00:00Z'],
    ['hour', '2026-01-15T12:59:59.999Z', 'hour@2026-01-15T12Z', '2026-01-15T13:00:00Z'],
    ['6h', '2026-01-15T12:00:00Z', '6h@2026-01-15T12Z', '2026-01-15T18:00:00Z'],
    ['6h', '2026-01-15T11:59:59.999Z', '6h@2026-01-15T06Z', '2026-01-15T12:00:00Z'],
    ['6h@2026-01-15T06Z', '2030-01-01T00:00:00Z', '6h@2026-01-15T06Z', '2026-01-15T12:00:00Z'],
  ])('%s at %s', (name, now, key, ends) => {
    expect(roundKey(name, Date.parse(now))).toEqual({ key, ends: Date.parse(ends) });
  });
  test.each(['5h', '48h', '0h', '6h@2026-01-15T07Z', 'day@2026-13-01T00Z', 'a b', '', 'x/y', '.hidden', 'é'])(
    '%j is no round',
    (name) => expect(roundKey(name, Date.now())).toBeUndefined(),
  );
  test.each(['all', '6e0c-1', 'days', 'r:1.2_x'])('%s is an id', (name) =>
    expect(roundKey(name, 0)).toEqual({ key: name, ends: null }),
  );
});

describe('addresses, export and import', () => {
  test('are off by default, and carry no password when they are on', async () => {
    const url = 'https://me:secret@a.example.com/p?q=1#top';
    await service.json('/v1/ns/off/mark', { items: [{ url }] });
    expect((await service.ask('/v1/ns/off/export?format=list')).status).toBe(409);
    expect(await (await service.ask('/v1/ns/off/export')).text()).not.toContain('example.com');
    await service.ask('/v1/ns/on', { method: 'PUT', body: { addresses: true } });
    await service.json('/v1/ns/on/mark', {
      items: [{ url }, { url_fp: '99'.repeat(16), url: 'https://k.example.com/' }],
    });
    const list = await (await service.ask('/v1/ns/on/export?format=list')).text();
    expect(list.split('\n').filter(Boolean).toSorted()).toEqual([
      'https://a.example.com/p?q=1#top',
      'https://k.example.com/',
    ]);
    expect(await (await service.ask('/v1/ns/on/export')).text()).not.toContain('secret');
  });

  test('what is exported can be imported elsewhere, again and again', async () => {
    await service.ask('/v1/ns/from', { method: 'PUT', body: { addresses: true } });
    const items = Array.from({ length: 25 }, (_, n) => ({ url: `https://a.example.com/${n}` }));
    await service.json('/v1/ns/from/mark', { items, round: 'r' });
    const file = await (await service.ask('/v1/ns/from/export?round=r')).text();
    const other = await serveForTest();
    await other.ask('/v1/ns/to', { method: 'PUT', body: { addresses: true } });
    const send = (body: string | Uint8Array, more = {}) =>
      other.ask('/v1/ns/to/import?round=r', {
        body,
        headers: { 'Content-Type': 'application/x-ndjson', ...more },
      });
    expect(await (await send(gzipSync(file), { 'Content-Encoding': 'gzip' })).json()).toMatchObject({
      imported: 25,
    });
    expect(await (await send(file)).json()).toEqual({ imported: 0, seen: 25, invalid: 0, problems: [] });
    expect(
      (await (await other.ask('/v1/ns/to/export?round=r')).text()).replace('"ns":"to"', '"ns":"from"'),
    ).toBe(file);
    const cut = file.split('\n').toSpliced(3, 1).join('\n');
    expect((await send(cut)).status).toBe(400);
    const foreign = file.replace(/"policy":"[^"]*"/, '"policy":"9-other"');
    expect(await (await send(foreign)).json()).toMatchObject({ imported: 0, invalid: 25 });
    await other.stop();
  });

  test('a list of addresses', async () => {
    const body = 'https://a.example.com/\r\nno\nhttps://a.example.com/#x\n\nhttps://b.example.com/';
    const response = await service.ask('/v1/ns/lines/import', {
      body,
      headers: { 'Content-Type': 'text/plain' },
    });
    expect(await response.json()).toEqual({
      imported: 2,
      seen: 1,
      invalid: 2,
      problems: [
        { line: 2, reason: 'invalid' },
        { line: 4, reason: 'empty' },
      ],
    });
  });
});

test('only permanent redirects count, and only where they lead to another page', async () => {
  const items = [
    { from: 'https://old.example.com/', to: 'https://new.example.com/', permanent: true },
    { from: 'https://moved.example.com/', to: 'https://new.example.com/', status: 308 },
    { from: 'https://a.example.com/1', to: 'https://a.example.com/login' },
    { from: 'https://a.example.com/1', to: 'https://a.example.com/login', status: 302 },
    { from: 'https://a.example.com/', to: 'https://A.example.com/#x', permanent: true },
    { to: 'https://a.example.com/', permanent: true },
    null,
  ];
  const reasons = ['temporary', 'temporary', 'item', 'item', 'item'].map((reason) => ({
    result: 'invalid',
    reason,
  }));
  expect(await service.json('/v1/ns/red/redirects', { items })).toEqual({
    items: [{ result: 'fresh' }, { result: 'fresh' }, ...reasons],
  });
  const ask = async (url: string) =>
    results(await service.json('/v1/ns/red/is_seen', { items: [{ url }] }))[0];
  expect(await ask('https://old.example.com/')).toBe('fresh');
  await service.json('/v1/ns/red/mark', {
    items: [{ url: 'https://new.example.com/' }, { url: 'https://a.example.com/login' }],
  });
  expect(await ask('https://old.example.com/')).toBe('seen');
  expect(await ask('https://moved.example.com/')).toBe('seen');
  expect(await ask('https://a.example.com/1')).toBe('fresh');
});

test('metrics are what Prometheus reads, and count what happened', async () => {
  const fresh = await serveForTest();
  await fresh.json('/v1/ns/m/mark', { items: [{ url: A }, { url: A }, {}] }, { 'Idempotency-Key': 'k' });
  await fresh.json('/v1/ns/m/mark', { items: [{ url: A }, { url: A }, {}] }, { 'Idempotency-Key': 'k' });
  const response = await fresh.ask('/metrics');
  expect(response.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  const text = await response.text();
  for (const line of text.trimEnd().split('\n'))
    expect(line).toMatch(
      /^(?:# (?:HELP|TYPE) [a-z_]+ .+|[a-z_]+(?:\{[a-z]+="[^"]*"(?:,[a-z]+="[^"]*")*\})? [0-9.e+-]+)$/,
    );
  for (const result of ['fresh', 'seen', 'invalid'])
    expect(text).toContain(`onceover_answers_total{verb="mark",result="${result}"} 1\n`);
  expect(text).toContain('onceover_replays_total 1\n');
  expect(text).toContain('onceover_request_seconds_count{route="POST /v1/ns/{ns}/mark"} 2\n');
  expect(text).toContain('onceover_fingerprints 1\n');
  await fresh.stop();
});
