import { createClient } from '@redis/client';
import { Client } from 'pg';
import { hasServer, startPostgres, startRedis } from '../service/servers.testing.ts';
import { openStore } from '../service/stores/open.ts';
import { exactRow, type Context } from './context.ts';
import type { Row } from './row.ts';
import { BATCH, batchOf, fingerprints, median, opened, quantile, startServer, timed } from './serving.ts';

const BATCHES = 60;
const BINARY = 'application/octet-stream';

/** Rows of the service on a private Redis and a private PostgreSQL; where these are not installed it says so. */
export async function* serverRows(context: Context): AsyncGenerator<Row> {
  if (hasServer('redis')) yield* redisRows(context);
  if (hasServer('postgres')) yield* postgresRows(context);
  if (hasServer('redis') && hasServer('postgres')) yield* layeredRows(context);
}

/**
 * A batch through the whole service beside what a crawler does with Redis itself from Node, over one connection: commands of one member each,
 * in one go or each after the answer to the last. Their members are whole fingerprints in hex in one set.
 */
async function* redisRows(context: Context): AsyncGenerator<Row> {
  const redis = await startRedis();
  const server = await startServer(redis.url);
  const client = createClient({ url: redis.url, RESP: 2 });
  await client.connect();
  const add = (bytes: Buffer, n: number) =>
    client.sendCommand(['SADD', 'peer', bytes.toString('hex', n * 16, (n + 1) * 16)]);
  const times = { ours: [] as number[], pipelined: [] as number[], single: [] as number[] };
  for (let n = -20; n < BATCHES * context.rounds; n++) {
    const bytes = fingerprints(BATCH);
    const others = fingerprints(BATCH);
    const ours = await timed(() => server.mark(bytes, BINARY));
    const pipelined = await timed(() => Promise.all(Array.from({ length: BATCH }, (_, n) => add(others, n))));
    const few = 100;
    const one = fingerprints(few);
    const single = await timed(async () => {
      for (let i = 0; i < few; i++) await add(one, i);
    });
    if (n < 0) continue;
    times.ours.push(ours);
    times.pipelined.push(pipelined);
    times.single.push((single * BATCH) / few);
  }
  client.destroy();
  await server.stop();
  const row = (
    name: string,
    of: (times: number[]) => number,
    peer: 'pipelined' | 'single',
    target: { least: number } | { most: number },
  ) => {
    const [own, other] = [of(times.ours), of(times[peer])];
    const isRate = 'least' in target;
    return exactRow(
      context,
      {
        name,
        set: `redis, batches of ${BATCH}`,
        unit: 'µs',
        target,
        ratioOf: isRate ? 'rate ÷ peer' : 'ours ÷ peer',
      },
      {
        ours: own / 1000,
        peer: other / 1000,
        peerName: peer === 'pipelined' ? 'SADD, pipelined' : 'SADD, one each round trip',
        ratio: isRate ? other / own : own / other,
      },
    );
  };
  yield row('HTTP batch and Redis, median', median, 'pipelined', { least: 0.8 });
  yield row('HTTP batch and Redis, median', median, 'single', { least: 8 });
  yield row('HTTP batch and Redis, p99', (list) => quantile(list, 0.99), 'pipelined', { most: 2.5 });
  await redis.stop();
  yield await redisBytes(context);
}

/** Memory of the server, with sets as full as they are before the alarm. */
async function redisBytes(context: Context): Promise<Row> {
  const redis = await startRedis();
  const client = createClient({ url: redis.url, RESP: 2 });
  await client.connect();
  const used = async () =>
    Number(/^used_memory:(\d+)/m.exec(await client.sendCommand<string>(['INFO', 'memory']))?.[1]);
  const bits = 11;
  const store = await opened(await openStore(`${redis.url}?bits=${bits}`));
  await store.apply(batchOf(fingerprints(BATCH)));
  const before = await used();
  const count = 2 ** bits * 330;
  for (let done = 0; done < count; done += 10_000) await store.apply(batchOf(fingerprints(10_000)));
  const bytes = ((await used()) - before) / count;
  await store.close();
  client.destroy();
  await redis.stop();
  return exactRow(
    context,
    {
      name: 'Redis memory per fingerprint',
      set: `${count.toLocaleString('en')}, sets of 330 below the limit of 512`,
      unit: 'B',
      target: { most: 10 },
      ratioOf: 'ours',
    },
    { ours: bytes, peerName: '', ratio: bytes },
  );
}

/** A batch beside inserts of one row each, in the same kind of table; each commit waits for the disk. */
async function* postgresRows(context: Context): AsyncGenerator<Row> {
  const postgres = await startPostgres();
  const store = await opened(await openStore(postgres.url));
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  await client.query('CREATE TABLE peer (fp uuid PRIMARY KEY, mark bigint NOT NULL)');
  const batches: number[] = [];
  const singles: number[] = [];
  for (let n = -5; n < BATCHES * context.rounds; n++) {
    const bytes = fingerprints(BATCH);
    const batch = await timed(() => store.apply(batchOf(bytes)));
    const few = 20;
    const one = fingerprints(few);
    const single = await timed(async () => {
      for (let i = 0; i < few; i++)
        await client.query('INSERT INTO peer VALUES ($1, 1) ON CONFLICT DO NOTHING', [
          one.toString('hex', i * 16, (i + 1) * 16),
        ]);
    });
    if (n < 0) continue;
    batches.push(batch / BATCH);
    singles.push(single / few);
  }
  await client.end();
  await store.close();
  await postgres.stop();
  const [ours, peer] = [median(batches), median(singles)];
  yield exactRow(
    context,
    {
      name: 'PostgreSQL per fingerprint',
      set: `transactions of ${BATCH}, fsync`,
      unit: 'µs',
      target: { least: 15 },
      ratioOf: 'rate ÷ peer',
    },
    { ours: ours / 1000, peer: peer / 1000, peerName: 'one insert each', ratio: peer / ours },
  );
}

/** What Redis in front of PostgreSQL saves of a batch whose pages are all seen. */
async function* layeredRows(context: Context): AsyncGenerator<Row> {
  const redis = await startRedis();
  const postgres = await startPostgres();
  const alone = await startServer(postgres.url);
  const both = await startServer(`${redis.url}+${postgres.url}`);
  const times = { alone: [] as number[], both: [] as number[] };
  const seen = fingerprints(BATCH);
  await both.mark(seen, BINARY);
  for (let n = -10; n < BATCHES * context.rounds; n++) {
    const ours = await timed(() => both.mark(seen, BINARY));
    const peer = await timed(() => alone.mark(seen, BINARY));
    if (n < 0) continue;
    times.both.push(ours);
    times.alone.push(peer);
  }
  await both.stop();
  await alone.stop();
  await redis.stop();
  await postgres.stop();
  const [ours, peer] = [median(times.both), median(times.alone)];
  yield exactRow(
    context,
    {
      name: 'HTTP batch of seen pages, Redis in front of PostgreSQL',
      set: `batches of ${BATCH}`,
      unit: 'µs',
      ratioOf: 'ours ÷ peer',
    },
    { ours: ours / 1000, peer: peer / 1000, peerName: 'PostgreSQL alone', ratio: ours / peer },
  );
}
