import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostList } from './guards.ts';
import { serveForTest, TOKEN, type TestService } from './testing.ts';

let service: TestService;
beforeAll(async () => {
  service = await serveForTest();
});
afterAll(() => service.stop());

/** Sends bytes as they are, and gives what comes until the connection ends, or is silent for long. */
function raw(
  text: string,
  keepOpen = false,
  patience = 5000,
  port = Number(new URL(service.url).port),
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let got = '';
    socket.setTimeout(patience, () => {
      socket.destroy();
      resolve(got);
    });
    socket.on('data', (data: Buffer) => (got += data.toString('latin1')));
    socket.on('close', () => resolve(got));
    socket.on('error', (error) => (got === '' ? reject(error) : resolve(got)));
    socket.write(text);
    if (!keepOpen) socket.end();
  });
}

const host = () => new URL(service.url).host;
const head = (path: string, more: Record<string, string> = {}, method = 'GET') =>
  [
    `${method} ${path} HTTP/1.1`,
    ...Object.entries({ Host: host(), Authorization: `Bearer ${TOKEN}`, ...more }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    '',
    '',
  ].join('\r\n');
const status = (answer: string) => Number(answer.slice(9, 12));

describe('Host', () => {
  test.each([
    ['evil.example.com', 421],
    ['127.0.0.1', 421],
    ['127.0.0.1.evil.example.com:PORT', 421],
    ['evil.example.com:PORT', 421],
    ['127.0.0.1:PORT@evil.example.com', 421],
    ['127.0.0.1:1', 421],
    ['127.0.0.1:PORT', 200],
    ['localhost:PORT', 200],
    ['LOCALHOST:PORT', 200],
    ['[::1]:PORT', 200],
  ])('%s: %i', async (name, expected) => {
    const { port } = new URL(service.url);
    expect(status(await raw(head('/v1', { Host: name.replace('PORT', port) })))).toBe(expected);
  });
  test('two of them, and none', async () => {
    expect(status(await raw(head('/v1', { host: host() })))).toBe(421);
    const none = `GET /v1 HTTP/1.0\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`;
    expect(status(await raw(none))).toBe(421);
  });
  test('an address of another site as the target', async () => {
    expect(status(await raw(head('http://evil.example.com/v1')))).toBe(421);
  });
  test('the list holds what was asked for, and nothing by default that others can name', () => {
    expect([...hostList('127.0.0.1', 80)]).toContain('localhost');
    expect([...hostList('10.0.0.7', 8321, ['Seen.example.com'])]).toEqual([
      '127.0.0.1:8321',
      'localhost:8321',
      '[::1]:8321',
      '10.0.0.7:8321',
      'seen.example.com',
    ]);
  });
});

describe('token', () => {
  const paths = [
    '/v1',
    '/metrics',
    '/healthz',
    '/readyz',
    '/openapi.json',
    '/v1/ns',
    '/v1/ns/x/export',
    '/no',
  ];
  test.each(paths)('GET %s needs it', async (path) => {
    for (const authorization of ['', 'Bearer', 'Bearer ', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, TOKEN]) {
      const response = await service.ask(path, { headers: { Authorization: authorization } });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ error: { code: 'token' } });
    }
  });
  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'HEAD'])('%s needs it', async (method) => {
    const response = await service.ask('/v1/ns/x/mark', { method, headers: { Authorization: 'Bearer no' } });
    expect(response.status).toBe(401);
  });
  test('a token in the address or in a cookie is none', async () => {
    const answer = await fetch(`${service.url}/v1?token=${TOKEN}&access_token=${TOKEN}`, {
      headers: { Cookie: `token=${TOKEN}` },
    });
    expect(answer.status).toBe(401);
  });
});

describe('origins', () => {
  const asking = (origin: string, path = '/is_seen', method = 'POST') =>
    raw(
      head(path, { Origin: origin, 'Content-Type': 'application/json', 'Content-Length': '2' }, method) +
        '{}',
    );
  test.each([
    'https://evil.example.com',
    'http://127.0.0.1:8321',
    'http://localhost',
    'null',
    '*',
    '',
    'file://',
    'chrome-extension://',
    'chrome-extension://abc/evil',
    'https://chrome-extension.example.com',
    'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
  ])('%s is refused, with token, on every verb', async (origin) => {
    for (const [path, method] of [
      ['/is_seen', 'POST'],
      ['/v1', 'GET'],
      ['/v1/ns/x', 'PUT'],
      ['/is_seen', 'OPTIONS'],
    ] as const)
      expect(status(await asking(origin, path, method))).toBe(403);
  });
  test('a web page cannot pair', async () => {
    expect(status(await asking('https://evil.example.com', '/v1/pair'))).toBe(403);
    expect(status(await asking('https://evil.example.com', '/v1/pair', 'OPTIONS'))).toBe(403);
  });
  test('an extension is let in when it was paired with the token, and only that one', async () => {
    const origin = 'chrome-extension://ponmlkjihgfedcbaponmlkjihgfedcba';
    const wrong = head('/v1/pair', { Origin: origin, Authorization: 'Bearer no' }, 'POST');
    expect(status(await raw(wrong))).toBe(401);
    expect(status(await asking(origin))).toBe(403);
    const paired = await asking(origin, '/v1/pair');
    expect(status(paired)).toBe(200);
    expect(paired).toContain(`Access-Control-Allow-Origin: ${origin}\r\n`);
    const answer = await asking(origin, '/v1', 'GET');
    expect(status(answer)).toBe(200);
    expect(answer).toContain(`Access-Control-Allow-Origin: ${origin}\r\n`);
    expect(answer).not.toContain('Allow-Origin: *');
    expect(status(await asking(origin, '/is_seen', 'OPTIONS'))).toBe(204);
    expect(status(await asking(`${origin.slice(0, -1)}b`, '/v1', 'GET'))).toBe(403);
  });
  test('an extension whose pairing was revoked is shut out, and others are not', async () => {
    const origins = ['moz-extension://0b1c', 'chrome-extension://abcd'];
    for (const origin of origins) await asking(origin, '/v1/pair');
    expect((await service.json('/v1/pair'))['paired']).toEqual(expect.arrayContaining(origins));
    const revoked = await service.ask('/v1/pair', { method: 'DELETE', body: { extension: origins[0] } });
    expect(((await revoked.json()) as { paired: string[] }).paired).not.toContain(origins[0]);
    expect(status(await asking(origins[0]!, '/v1', 'GET'))).toBe(403);
    expect(status(await asking(origins[1]!, '/v1', 'GET'))).toBe(200);
  });
});

describe('bodies', () => {
  const post = (type: string | undefined, body: string | Uint8Array, more: Record<string, string> = {}) =>
    service.ask('/v1/ns/g/mark', { body, headers: { 'Content-Type': type ?? '', ...more } });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    '',
    'application/json; charset=utf-16',
    'application/jsonp',
  ])('content type %s: 415', async (type) => {
    expect((await post(type, '{"items":[]}')).status).toBe(415);
  });
  test('with a charset and in any case', async () => {
    expect((await post('Application/JSON; charset="UTF-8"', '{"items":[]}')).status).toBe(200);
  });
  test('64 KiB for the basic calls, 32 MiB for batches, by length and without one', async () => {
    const basic = (length: number) =>
      service.ask('/is_seen', { body: `{"url":"https://a.example.com/${'x'.repeat(length)}"}` });
    expect((await basic(60_000)).status).toBe(200);
    expect((await basic(66_000)).status).toBe(413);
    const announced = head(
      '/v1/ns/g/mark',
      { 'Content-Type': 'application/json', 'Content-Length': String((32 << 20) + 1) },
      'POST',
    );
    expect(status(await raw(announced, true))).toBe(413);
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const chunked = head(
      '/is_seen',
      { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' },
      'POST',
    );
    expect(status(await raw(chunked + chunk + chunk, true))).toBe(413);
  });
  test('a body just under the limit is taken', async () => {
    const body = `{"items":[${' '.repeat((32 << 20) - 20)}]}`;
    expect((await post('application/json', body)).status).toBe(200);
    expect((await post('application/json', `${body}${' '.repeat(40)}`)).status).toBe(413);
  });
  test('10,000 items and no more', async () => {
    const items = (count: number) => JSON.stringify({ items: Array(count).fill(null) });
    expect((await post('application/json', items(10_000))).status).toBe(200);
    expect((await post('application/json', items(10_001))).status).toBe(413);
    expect((await post('application/x-ndjson', '{}\n'.repeat(10_001))).status).toBe(413);
    expect((await post('application/octet-stream', Buffer.alloc(16 * 10_001))).status).toBe(413);
  });
  test('gzip is undone; a bomb is stopped at the limit', async () => {
    const packed = { 'Content-Encoding': 'gzip' };
    expect((await post('application/json', gzipSync('{"items":[]}'), packed)).status).toBe(200);
    const before = process.memoryUsage().rss;
    // Members that follow each other are one file; packing them all at once would hold up the server beside it.
    const bomb = Buffer.concat(Array<Buffer>(512).fill(gzipSync(Buffer.alloc(1 << 20, 0x20), { level: 9 })));
    expect(bomb.length).toBeLessThan(1 << 20);
    const after = process.memoryUsage().rss;
    expect((await post('application/json', bomb, packed)).status).toBe(413);
    expect(process.memoryUsage().rss - Math.max(before, after)).toBeLessThan(200 << 20);
    expect((await post('application/json', 'no gzip', packed)).status).toBe(400);
    expect((await post('application/json', gzipSync('{"items":[]}').subarray(0, 20), packed)).status).toBe(
      400,
    );
    for (const encoding of ['br', 'deflate', 'gzip, gzip', 'zstd'])
      expect((await post('application/json', 'x', { 'Content-Encoding': encoding })).status).toBe(415);
  });
  test.each([
    ['not JSON', '{"items":'],
    ['no object', '[]'],
    ['null', 'null'],
    ['no items', '{}'],
    ['items that are no list', '{"items":{}}'],
    ['an unknown field', '{"items":[],"polcy":"1"}'],
    ['a round that is none', '{"items":[],"round":"a b"}'],
    ['a round of another type', '{"items":[],"round":7}'],
    ['a form that is none', '{"items":[],"form":"crc32"}'],
    ['a lease of no length', '{"items":[],"lease_ms":0}'],
    ['a window that divides no day', '{"items":[],"round":"7h"}'],
    ['an empty body', ''],
  ])('%s: 400 with a reason', async (_, body) => {
    const response = await post('application/json', body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { code: 'bad-request', detail: expect.any(String) },
    });
  });
  test('JSON that is nested deep, and bytes that are no UTF-8', async () => {
    const deep = '['.repeat(1_000_000) + ']'.repeat(1_000_000);
    expect((await post('application/json', `{"items":${deep}}`)).status).toBe(400);
    expect((await post('application/json', `{"items":${'{"a":'.repeat(20)}1${'}'.repeat(20)}}`)).status).toBe(
      400,
    );
    expect((await post('application/json', Buffer.from('{"items":["\xff"]}', 'latin1'))).status).toBe(400);
    const text = JSON.stringify({ items: [{ url: `https://a.example.com/${'[{'.repeat(100)}` }] });
    expect((await post('application/json', text)).status).toBe(200);
    const lines = `${'['.repeat(500_000)}\n{"url":"https://a.example.com/line"}\n`;
    const answer = await (await post('application/x-ndjson', lines)).text();
    expect(answer).toBe('{"result":"invalid","reason":"json"}\n{"result":"fresh"}\n');
  });
  test('a prototype is not polluted and counts for nothing', async () => {
    const body = '{"items":[{"__proto__":{"url":"https://a.example.com/p"}}],"__proto__":{"round":"x"}}';
    expect((await post('application/json', body)).status).toBe(400);
    expect(await service.json('/v1/ns/g/mark', { items: [JSON.parse('{"__proto__":{"url":"x"}}')] })).toEqual(
      {
        items: [{ result: 'invalid', reason: 'item' }],
      },
    );
    expect(({} as Record<string, unknown>)['url']).toBeUndefined();
  });
  test.each([
    ['GET', '/is_seen', 405],
    ['DELETE', '/v1/ns/x', 405],
    ['GET', '/v1/ns/x/nothing', 404],
    ['GET', '/v1/ns/x/mark/', 404],
    ['GET', '/../etc/passwd', 404],
    ['GET', '/v1/ns/%2e%2e/export', 400],
    ['GET', '/v1/ns/a%20b', 400],
  ])('%s %s: %i', async (method, path, expected) => {
    expect(status(await raw(head(path, {}, method)))).toBe(expected);
  });
});

describe('slow and many', () => {
  test('who sends its head or its body too slowly is cut off', async () => {
    const strict = await serveForTest({ limits: { head: 300, request: 900 } });
    const { port } = new URL(strict.url);
    const slowly = (text: string) => raw(text, true, 20_000, Number(port));
    const slowHead = await slowly('GET /v1 HTTP/1.1\r\nHost: x\r\n');
    expect(status(slowHead)).toBe(408);
    const slowBody = head(
      '/is_seen',
      { 'Content-Type': 'application/json', 'Content-Length': '100' },
      'POST',
    );
    const named = slowBody.replace(host(), new URL(strict.url).host);
    expect(status(await slowly(`${named}{"url"`))).toBe(408);
    await strict.stop();
  });

  test('a thousand connections that do nothing shut nobody out', async () => {
    const { port } = new URL(service.url);
    const sockets: Socket[] = [];
    for (let n = 0; n < 1000; n++) {
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('error', () => {});
      // Half of them begin a request that never ends.
      if (n % 2 === 0) socket.write('POST /v1 HTTP/1.1\r\n');
      sockets.push(socket);
    }
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.ask('/v1')));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const open = /onceover_connections (\d+)/.exec(await (await service.ask('/metrics')).text());
    expect(Number(open?.[1])).toBeLessThanOrEqual(1000);
    for (const socket of sockets) socket.destroy();
  });

  test('what is no HTTP', async () => {
    expect(status(await raw('\x16\x03\x01hello\r\n\r\n', true))).toBe(400);
    expect(status(await raw(head('/v1', { 'X-Long': 'x'.repeat(100_000) }), true))).toBe(431);
    const smuggled = head(
      '/is_seen',
      { 'Content-Type': 'application/json', 'Content-Length': '2', 'Transfer-Encoding': 'chunked' },
      'POST',
    );
    expect(status(await raw(`${smuggled}0\r\n\r\nGET /v1 HTTP/1.1\r\n\r\n`, true))).toBe(400);
  });
});

test('the log holds neither addresses nor the token', async () => {
  await service.json('/v1/ns/log/mark', {
    items: [{ url: 'https://user:secret@private.example.com/path?q=1' }, { url: 'not an address' }],
  });
  await service.json('/is_seen?x=https://private.example.com/', { url: 'ftp://private.example.com/' });
  await service.ask('/https://private.example.com/');
  const log = service.logged.join('\n');
  expect(service.logged.length).toBeGreaterThan(3);
  expect(log).toContain('"ns":"log"');
  expect(log).not.toMatch(/private|secret|example\.com|127\.0\.0\.1/);
  expect(log).not.toContain(TOKEN);
  for (const line of service.logged) expect(Object.keys(JSON.parse(line) as object)).toContain('event');
});
