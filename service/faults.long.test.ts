import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { check } from './checker.ts';
import { describeExactlyOnce } from './exactly-once.suite.testing.ts';
import { checkKills, holds, newRun, random, serveStore } from './exactly-once.testing.ts';
import { cuttingTunnel, sleep } from './faults.testing.ts';
import { freePort, hasServer, startPostgres, startRedis, type TestServer } from './servers.testing.ts';
import type { Store } from './store.ts';
import { describeStore } from './stores/conformance.ts';
import { openStore } from './stores/open.ts';
import { serveForTest } from './testing.ts';

// Redis and PostgreSQL stop, die, lose and answer too late while clients mark; the checker judges what the clients were told.

const PAGES = 3000;
const hasAll = hasServer('redis') && hasServer('postgres');

let redis: TestServer;
let postgres: TestServer;
beforeAll(async () => {
  // As it is run: a commit is on the disk before it is acknowledged.
  if (hasAll) postgres = await startPostgres(['max_connections=60']);
});
afterAll(() => postgres?.stop());
beforeEach(async () => {
  if (hasAll) redis = await startRedis();
});
afterEach(() => redis?.stop());

let databases = 0;
async function database(): Promise<string> {
  const { Client } = await import('pg');
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  const name = `d${databases++}`;
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return postgres.url.replace(/\/postgres$/, `/${name}?partitions=4`);
}
const layered = async () => `${redis.url}+${await database()}`;

/** Clients that mark and ask, and insist on an answer. */
function clients(run: ReturnType<typeof newRun>, urls: readonly string[], count: number, rounds: number) {
  return Promise.all(
    Array.from({ length: count }, (_, n) =>
      run.client(n + 1, { url: urls[n % urls.length]!, tries: 400, pause: 20 }, rounds),
    ),
  );
}

/** Runs clients while something happens to the servers; everything they were told must fit one set. */
async function judged(store: Store, meanwhile: () => Promise<void>, count = 16, rounds = 60): Promise<void> {
  const service = await serveForTest({ store });
  const run = newRun(PAGES, 50);
  const working = clients(run, [service.url], count, rounds);
  await sleep(200);
  await meanwhile();
  await working;
  expect(run.history.every(({ result }) => result !== undefined)).toBe(true);
  expect(check(run.history, await holds(service.url, PAGES))).toEqual([]);
  await service.stop();
}

describe.skipIf(!hasAll)('faults', () => {
  describeExactlyOnce('redis', async () => openStore(`${redis.url}?bits=8`));
  describeExactlyOnce('redis in groups', async () => openStore(`${redis.url}?groups=16`));
  describeStore('redis in groups', {
    isTimeless: true,
    hasOwnClock: true,
    // The first 8 bits choose the set, bytes 2 to 9 are the member.
    decides: (bit) => bit < 8 || (bit >= 16 && bit < 80),
    open: async () => openStore(`${redis.url}?bits=8&groups=8`),
  });
  describeExactlyOnce('postgres', async () => openStore(await database()));

  test('Redis stands still, and goes on', async () => {
    await judged(await openStore(redis.url), async () => {
      for (const ms of [300, 7000]) {
        redis.signal('SIGSTOP');
        await sleep(ms);
        redis.signal('SIGCONT');
        await sleep(300);
      }
    });
  });

  test('Redis alone dies: it answers as a new store, never seen for what is gone', async () => {
    const service = await serveForTest({ store: await openStore(redis.url) });
    const before = newRun(PAGES, 50);
    await clients(before, [service.url], 8, 20);
    expect(check(before.history, await holds(service.url, PAGES))).toEqual([]);
    redis.signal('SIGKILL');
    const response = await service.ask('/v1/ns/n/mark', {
      body: { items: [{ url: 'https://a.example.com/' }] },
    });
    expect(response.status).toBe(503);
    expect((await service.ask('/readyz')).status).toBe(503);
    await redis.restart();
    const after = newRun(PAGES, 50);
    await clients(after, [service.url], 8, 20);
    expect(check(after.history, await holds(service.url, PAGES))).toEqual([]);
    await service.stop();
  });

  test('Redis in front stands still or dies: PostgreSQL answers', async () => {
    await judged(await openStore(await layered()), async () => {
      redis.signal('SIGSTOP');
      await sleep(2000);
      redis.signal('SIGCONT');
      await sleep(300);
      redis.signal('SIGKILL');
      await sleep(300);
      await redis.restart();
      await sleep(300);
      redis.signal('SIGKILL');
    });
  });

  test('a failover to an empty Redis: nothing is answered wrongly, and it is filled again', async () => {
    const store = await openStore(await layered());
    const service = await serveForTest({ store });
    const run = newRun(PAGES, 50);
    await clients(run, [service.url], 8, 30);
    const working = clients(run, [service.url], 8, 60);
    await sleep(200);
    redis.signal('SIGKILL');
    await redis.restart();
    await working;
    expect(check(run.history, await holds(service.url, PAGES))).toEqual([]);
    const { createClient } = await import('@redis/client');
    const client = createClient({ url: redis.url, RESP: 2 });
    await client.connect();
    await client.sendCommand(['FLUSHALL']);
    await store.maintain(Date.now(), Date.now());
    await (store as unknown as { filled(): Promise<void> }).filled();
    const [round] = await store.rounds('n');
    expect(round!.count).toBeGreaterThan(1000);
    // All pages, and the note that it was filled.
    expect(await client.sendCommand(['DBSIZE'])).toBe(round!.count + 1);
    client.destroy();
    expect(check(run.history, await holds(service.url, PAGES))).toEqual([]);
    await service.stop();
  });

  test('another database behind the same Redis: what Redis knows of the first is not asked', async () => {
    const one = await openStore(await layered());
    const first = await serveForTest({ store: one });
    const items = { items: [{ url: 'https://a.example.com/' }] };
    await first.json('/v1/ns/n/mark', items);
    await first.json('/v1/ns/n/is_seen', items);
    await first.stop();
    const second = await serveForTest({ store: await openStore(await layered()) });
    expect(await second.json('/v1/ns/n/mark', items)).toEqual({ items: [{ result: 'fresh' }] });
    await second.stop();
  });

  test.each(['postgres', 'both'])('PostgreSQL dies (%s): every acknowledged mark is there', async (kind) => {
    const store = await openStore(kind === 'both' ? await layered() : await database());
    await judged(store, async () => {
      for (let n = 0; n < 3; n++) {
        postgres.signal('SIGKILL');
        await sleep(100);
        await postgres.restart();
        await sleep(500);
      }
    });
  });

  test('PostgreSQL stands still, and goes on', async () => {
    await judged(await openStore(await database()), async () => {
      postgres.signal('SIGSTOP');
      await sleep(1500);
      postgres.signal('SIGCONT');
    });
  });

  test.each(['redis', 'postgres', 'both'])('the service is killed in mid-batch (%s)', async (kind) => {
    const url = kind === 'redis' ? redis.url : kind === 'postgres' ? await database() : await layered();
    await checkKills(url, 21, 8, 60);
  });

  test.each(['redis', 'postgres'])('replies of %s are lost after the write', async (kind) => {
    const server = kind === 'redis' ? redis : postgres;
    const tunnel = await cuttingTunnel(server.port, 0.2, random(9));
    const url = (kind === 'redis' ? redis.url : await database()).replace(
      `:${server.port}`,
      `:${tunnel.port}`,
    );
    await judged(await openStore(url), async () => {
      tunnel.cut(true);
      await sleep(4000);
      tunnel.cut(false);
    });
    expect(tunnel.cuts()).toBeGreaterThan(2);
    tunnel.close();
  });

  test('batches in opposite orders from 64 clients: no deadlock, each page fresh once', async () => {
    const url = await database();
    const stores = await Promise.all([openStore(url), openStore(url)]);
    const services = await Promise.all(stores.map((store) => serveForTest({ store })));
    const urls = Array.from({ length: 400 }, (_, n) => ({ url: `https://a.example.com/${n}` }));
    const fresh: number[] = [];
    await Promise.all(
      Array.from({ length: 64 }, async (_, n) => {
        for (let round = 0; round < 4; round++) {
          const verb = n % 4 === 3 ? 'lease' : 'mark';
          const items = n % 2 === 0 ? urls : urls.toReversed();
          const state = n % 3 === 0 ? { state: 'gone' } : {};
          const answer = await services[n % 2]!.json(`/v1/ns/n/${verb}`, {
            items: items.map((item) => ({ ...item, ...state })),
            round: `r${round}`,
            lease_ms: 60_000,
          });
          const answers = answer['items'] as { result: string }[];
          if (verb === 'mark')
            fresh[round] = (fresh[round] ?? 0) + answers.filter(({ result }) => result === 'fresh').length;
        }
      }),
    );
    expect(fresh).toEqual([400, 400, 400, 400]);
    const { Client } = await import('pg');
    const client = new Client({ connectionString: url.replace(/\?.*/, '') });
    await client.connect();
    // The server tells of them a little later.
    await sleep(1500);
    const { rows } = await client.query(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(rows).toEqual([{ deadlocks: '0' }]);
    await client.end();
    await Promise.all(services.map((service) => service.stop()));
  });

  test.each(['redis', 'both'])('two instances on one store are restarted in turn (%s)', async (kind) => {
    const url = kind === 'redis' ? redis.url : await layered();
    const ports = [await freePort(), await freePort()];
    const children = await Promise.all(ports.map((port) => serveStore(url, port)));
    const run = newRun(PAGES, 50);
    const addresses = ports.map((port) => `http://127.0.0.1:${port}`);
    const working = clients(run, addresses, 16, 60);
    for (const [n, port] of [...ports.entries(), ...ports.entries()]) {
      await sleep(400);
      children[n]!.kill('SIGTERM');
      const [code] = (await once(children[n]!, 'close')) as [number];
      expect(code).toBe(0);
      children[n] = await serveStore(url, port);
    }
    await working;
    expect(run.history.every(({ result }) => result !== undefined)).toBe(true);
    expect(check(run.history, await holds(addresses[0]!, PAGES))).toEqual([]);
    for (const child of children) {
      child.kill('SIGTERM');
      await once(child, 'close');
    }
  });
});
