import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { describeExactlyOnce } from '../exactly-once.suite.testing.ts';
import { hasServer, startPostgres, startRedis, type TestServer } from '../servers.testing.ts';
import { StoreDownError } from '../store.ts';
import { serveForTest } from '../testing.ts';
import { describeStore } from './conformance.ts';
import { openStore } from './open.ts';

let redis: TestServer | undefined;
let postgres: TestServer | undefined;
let databases = 0;
/** An empty Redis: one of its databases, emptied. */
async function emptyRedis(): Promise<string> {
  const url = `${redis!.url}/${databases++ % 16}`;
  const { createClient } = await import('@redis/client');
  const client = createClient({ url, RESP: 2 });
  await client.connect();
  await client.sendCommand(['FLUSHDB']);
  client.destroy();
  return url;
}

/** Fingerprints that anybody can make again. */
function shake(seed: Buffer, count: number): Buffer {
  return createHash('shake256', { outputLength: count * 16 })
    .update(seed)
    .digest();
}

/** Each run asks a server for all of its sets. */
const RUNS = 8;
/** `npm run test:long` has those between. */
const CROWDS = [1, 64];

const hasRedis = hasServer('redis');
const hasPostgres = hasServer('postgres');
beforeAll(async () => {
  if (hasRedis) redis = await startRedis(['--databases', '16']);
  // What a crash of the machine leaves is not what is tested here.
  if (hasPostgres) postgres = await startPostgres(['fsync=off', 'max_connections=50']);
});
afterAll(async () => {
  await redis?.stop();
  await postgres?.stop();
});

const urls = new WeakMap<object, string>();
const open = async (url: string) => {
  const store = await openStore(url);
  urls.set(store, url);
  return store;
};

describe.skipIf(!hasRedis)('with Redis', () => {
  // Few sets, so that reading all of them is quick. The first 8 bits choose the set, bytes 2 to 9 are the member.
  const compact = {
    isTimeless: true,
    hasOwnClock: true,
    runs: RUNS,
    decides: (bit: number) => bit < 8 || (bit >= 16 && bit < 80),
  } as const;
  describeStore('redis', { ...compact, open: async () => openStore(`${await emptyRedis()}?bits=8`) });
  describeStore('redis with plain sets', {
    isTimeless: true,
    hasOwnClock: true,
    runs: RUNS,
    open: async () => openStore(await emptyRedis(), { redisPrefix: 'crawl' }),
  });
  // A batch in groups is decided in several steps; the store conformance in groups is part of `npm run test:long`.
  describeExactlyOnce(
    'redis in groups',
    async () => openStore(`${await emptyRedis()}?bits=8&groups=8`),
    CROWDS,
  );

  describe('intset limit', () => {
    let small: TestServer;
    beforeAll(async () => {
      small = await startRedis(['--set-max-intset-entries', '64']);
    });
    afterAll(() => small.stop());

    test('the alarm comes before any set is over it, and what is over it is still answered rightly', async () => {
      const store = await openStore(`${small.url}?bits=8`);
      const service = await serveForTest({ store });
      const ready = () =>
        service.json('/readyz') as Promise<{ durable: boolean; note: string; warnings?: string[] }>;
      expect(await ready()).toEqual({
        status: 'ready',
        durable: false,
        note: expect.stringContaining('new store'),
      });
      const fps = createHash('sha256');
      const next = (count: number) => {
        fps.update('x');
        return shake(fps.copy().digest(), count);
      };
      const all: Buffer[] = [];
      const mark = async () => {
        const bytes = next(500);
        all.push(bytes);
        await service.ask('/v1/ns/n/mark', {
          body: bytes,
          headers: { 'Content-Type': 'application/octet-stream' },
        });
      };
      while ((await ready()).warnings === undefined && all.length < 60) await mark();
      expect((await ready()).warnings).toEqual([expect.stringContaining('set-max-intset-entries')]);
      expect(await service.ask('/metrics').then((answer) => answer.text())).toMatch(/set_members_limit 64/);
      const { createClient } = await import('@redis/client');
      const client = createClient({ url: small.url, RESP: 2 });
      await client.connect();
      const encodings = async () => {
        const keys = await client.sendCommand<string[]>(['KEYS', 'onceover:{n:0}:all:*']);
        const found = await Promise.all(keys.map((key) => client.sendCommand(['OBJECT', 'ENCODING', key])));
        return new Set(found);
      };
      expect(await encodings()).toEqual(new Set(['intset']));
      while (all.length < 60) await mark();
      expect(await encodings()).toContain('hashtable');
      client.destroy();
      const answer = await service.ask('/v1/ns/n/is_seen', {
        body: Buffer.concat(all.slice(0, 20)),
        headers: { 'Content-Type': 'application/octet-stream' },
      });
      const answers = Buffer.from(await answer.arrayBuffer());
      expect(new Set(Array.from({ length: 10_000 }, (_, n) => answers[n * 16]))).toEqual(new Set([1]));
      await service.stop();
    });
  });

  test('plain sets are what other tools know, and what these add is seen', async () => {
    const url = await emptyRedis();
    const store = await openStore(url, { redisPrefix: 'crawl' });
    const service = await serveForTest({ store });
    const { createClient } = await import('@redis/client');
    const client = createClient({ url, RESP: 2 });
    await client.connect();
    const fp = 'ab'.repeat(16);
    await client.sendCommand(['SADD', 'crawl:n:r1:cd', `cd${'0'.repeat(30)}`]);
    const items = [{ url_fp: fp }, { url_fp: `cd${'0'.repeat(30)}` }];
    const { items: answers } = await service.json('/v1/ns/n/mark', { items, round: 'r1' });
    expect((answers as { result: string }[]).map(({ result }) => result)).toEqual(['fresh', 'seen']);
    expect(await client.sendCommand(['SMEMBERS', 'crawl:n:r1:ab'])).toEqual([fp]);
    expect(await service.json('/v1/ns/n')).toMatchObject({ rounds: [{ round: 'r1', count: 2 }] });
    const lines = await service.ask('/v1/ns/n/export?round=r1').then((answer) => answer.text());
    expect(lines.split('\n')).toHaveLength(5);
    client.destroy();
    await service.stop();
  });

  test('a window expires as a whole, by the time that was left of it', async () => {
    const url = await emptyRedis();
    const store = await openStore(`${url}?bits=8`);
    const service = await serveForTest({ store });
    const body = {
      items: [{ url: 'https://a.example.com/' }, { url: 'https://b.example.com/', state: 'gone' }],
      round: 'hour',
    };
    await service.json('/v1/ns/n/mark', body);
    await service.json('/v1/ns/n/lease', { items: [{ url: 'https://c.example.com/' }], round: 'hour' });
    const { createClient } = await import('@redis/client');
    const client = createClient({ url, RESP: 2 });
    await client.connect();
    const keys = (await client.sendCommand<string[]>(['KEYS', '*'])).filter((key) => key.includes('hour@'));
    expect(keys.length).toBeGreaterThanOrEqual(5);
    for (const key of keys) {
      const left = Number(await client.sendCommand(['PTTL', key]));
      expect({ key, isRight: left > 3_600_000 - 60_000 && left <= 7_200_000 }).toEqual({
        key,
        isRight: true,
      });
      await client.sendCommand(['PEXPIRE', key, '1']);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await service.json('/v1/ns/n')).toMatchObject({ rounds: [] });
    expect(await service.json('/v1/ns/n/mark', { items: body.items.slice(0, 1), round: 'hour' })).toEqual({
      items: [{ result: 'fresh' }],
    });
    client.destroy();
    await service.stop();
  });

  test('what was written with another layout is not read with this one', async () => {
    const url = await emptyRedis();
    const store = await openStore(`${url}?bits=8`);
    await store.bind({ ns: 'n', policy: 'p', form: 'sha256-16', addresses: false });
    await store.close();
    await expect(openStore(`${url}?bits=9`)).rejects.toThrow('bits=8&groups=1');
  });

  test('a Redis that drops keys is refused, and one that asks for a password says so', async () => {
    const { createClient } = await import('@redis/client');
    const url = await emptyRedis();
    const client = createClient({ url, RESP: 2 });
    await client.connect();
    const set = (...words: string[]) => client.sendCommand(['CONFIG', 'SET', ...words]);
    await set('maxmemory', '100mb', 'maxmemory-policy', 'allkeys-lru');
    await expect(openStore(url)).rejects.toThrow('noeviction');
    await set('maxmemory', '0', 'maxmemory-policy', 'noeviction');
    await client.sendCommand(['ACL', 'SETUSER', 'crawler', 'on', '>p@ss', '~onceover:*', '+@all']);
    const as = (user: string) => url.replace('//', `//${user}@`);
    await expect(openStore(as('crawler:wrong'))).rejects.toThrow(/does not take this user and password/);
    await expect(openStore(as('crawler:wrong'))).rejects.not.toThrow(/wrong/);
    const store = await openStore(as('crawler:p%40ss'));
    await store.setSetting('x', 'y');
    await store.close();
    await client.sendCommand([
      'ACL',
      'SETUSER',
      'reader',
      'on',
      '>r',
      '~onceover:*',
      '+@read',
      '+info',
      '+ping',
      '+hello',
      '+select',
    ]);
    const reader = await openStore(as('reader:r'));
    await expect(reader.setSetting('x', 'y')).rejects.toThrow(StoreDownError);
    await reader.close();
    await set('requirepass', 'secret');
    await expect(openStore(url)).rejects.toThrow(/asks for a password/);
    await client.sendCommand(['CONFIG', 'SET', 'requirepass', '']);
    client.destroy();
  });
});

describe('servers that are not there', () => {
  test.each([
    'redis://127.0.0.1:9',
    'postgres://127.0.0.1:9/x',
    'redis://127.0.0.1:9+postgres://127.0.0.1:9/x',
  ])('%s', async (url) => {
    await expect(openStore(url)).rejects.toThrow(/nothing listens there/);
  });
});

/** An empty database: what was there is dropped, tables and all. */
async function emptyDatabase(): Promise<string> {
  const { Client } = await import('pg');
  const client = new Client({ connectionString: postgres!.url });
  await client.connect();
  await client.query('SET client_min_messages = error; DROP SCHEMA IF EXISTS onceover CASCADE');
  await client.end();
  return postgres!.url;
}

describe.skipIf(!hasPostgres)('with PostgreSQL', () => {
  test('a database, a user or TLS that is not there is said', async () => {
    const { url } = postgres!;
    await expect(openStore(url.replace(/postgres$/, 'nowhere'))).rejects.toThrow(/no such database/);
    await expect(openStore(url.replace('onceover@', 'nobody@'))).rejects.toThrow(/user and password/);
    await expect(openStore(`${url}?sslmode=require`)).rejects.toThrow(/does not speak TLS/);
    await expect(openStore(`${url}?partitions=0`)).rejects.toThrow(/1 to 256/);
  });

  test('without fsync it is not durable, and says so', async () => {
    const store = await openStore(await emptyDatabase());
    expect(store.durable).toBe(false);
    expect(store.notes?.()).toEqual([expect.stringContaining('fsync')]);
    await store.close();
  });

  test('a database of a newer version is left as it is', async () => {
    const url = await emptyDatabase();
    await (await openStore(url)).close();
    const { Client } = await import('pg');
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query('INSERT INTO onceover.migrations (version) VALUES (99)');
    await client.end();
    await expect(openStore(url)).rejects.toThrow(/Update Onceover/);
  });

  test('dropping a window takes its table, its leases and its addresses; the next mark makes it anew', async () => {
    const store = await openStore(await emptyDatabase());
    const namespace = { ns: 'n', policy: 'p', form: 'sha256-16', addresses: true } as const;
    await store.bind(namespace);
    const round = { key: 'hour@2001-09-09T01Z', ends: 1e12 };
    const fingerprints = shake(Buffer.from('x'), 100);
    const batch = {
      namespace,
      round,
      count: 100,
      width: 16,
      fingerprints,
      refused: new Uint8Array(100),
      at: 1e12,
      now: 1e12,
      until: 2e12,
    };
    const addresses = Array<string>(100).fill('https://a.example.com/');
    await store.apply({ ...batch, verb: 'mark', addresses });
    await store.apply({ ...batch, verb: 'lease', fingerprints: shake(Buffer.from('y'), 100) });
    await store.maintain(1e12, 1e12);
    const later = performance.now() + 2 * 3_600_000;
    const clock = vi.spyOn(performance, 'now').mockReturnValue(later);
    await store.maintain(1e12, 1e12);
    clock.mockRestore();
    expect(await store.rounds('n')).toEqual([]);
    expect(store.figures()).toMatchObject({ fingerprints: 0, leases: 0 });
    const { answers } = await store.apply({ ...batch, verb: 'mark' });
    expect(answers.every((byte) => byte === 0)).toBe(true);
    await store.close();
  });

  describeStore('postgres', {
    runs: RUNS,
    open: async () => open(`${await emptyDatabase()}?partitions=2`),
    async reopen(store) {
      await store.close();
      return open(urls.get(store)!);
    },
  });
});

describe.skipIf(!hasRedis || !hasPostgres)('with both', () => {
  describeExactlyOnce(
    'redis in front of postgres',
    async () => openStore(`${await emptyRedis()}+${await emptyDatabase()}?partitions=2`),
    CROWDS,
  );
  describeStore('redis in front of postgres', {
    runs: RUNS,
    open: async () => open(`${await emptyRedis()}+${await emptyDatabase()}?partitions=2`),
    async reopen(store) {
      await store.close();
      return open(urls.get(store)!);
    },
  });
});
