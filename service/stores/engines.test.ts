import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasServer, startPostgres, startRedis, type TestServer } from '../servers.testing.ts';
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
    decides: (bit: number) => bit < 8 || (bit >= 16 && bit < 80),
  } as const;
  describeStore('redis', { ...compact, open: async () => openStore(`${await emptyRedis()}?bits=8`) });
  describeStore('redis in groups', {
    ...compact,
    open: async () => openStore(`${await emptyRedis()}?bits=8&groups=8`),
  });
  describeStore('redis with plain sets', {
    isTimeless: true,
    hasOwnClock: true,
    open: async () => openStore(await emptyRedis(), { redisPrefix: 'crawl' }),
  });
  test('is volatile, and says so', async () => {
    const store = await openStore(await emptyRedis());
    expect(store.durable).toBe(false);
    await store.close();
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
  describeStore('postgres', {
    open: async () => open(`${await emptyDatabase()}?partitions=2`),
    async reopen(store) {
      await store.close();
      return open(urls.get(store)!);
    },
  });
});

describe.skipIf(!hasRedis || !hasPostgres)('with both', () => {
  describeStore('redis in front of postgres', {
    open: async () => open(`${await emptyRedis()}+${await emptyDatabase()}?partitions=2`),
    async reopen(store) {
      await store.close();
      return open(urls.get(store)!);
    },
  });
});
