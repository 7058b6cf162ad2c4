import { once } from 'node:events';
import { connect } from 'node:net';
import { createClient } from '@redis/client';
import { Client } from 'pg';
import { hasServer, startPostgres, startRedis } from '../service/servers.testing.ts';
import { openStore } from '../service/stores/open.ts';
import { exactRow, type Context } from './context.ts';
import type { Row, Target } from './row.ts';
import { BATCH, batchOf, fingerprints, median, opened, quantile, startServer, timed } from './serving.ts';

const BATCHES = 60;
const BINARY = 'application/octet-stream';

/** Rows of the service on a private Redis and a private PostgreSQL; where these are not installed it says so. */
export async function* serverRows(context: Context): AsyncGenerator<Row> {
  if (hasServer('redis')) yield* redisRows(context);
  if (hasServer('postgres')) yield* postgresRows(context);
  if (hasServer('redis') && hasServer('postgres')) yield* layeredRows(context);
}

/** Batches on their way at one time, on both sides. */
const IN_FLIGHT = 4;

/**
 * Batches through the whole service beside what a crawler does with Redis itself from Node: a thousand SADD in one go, by node-redis and by
 * a bare socket, which does nothing but write the commands and count the answers; and each SADD after the answer to the last. Their members
 * are whole fingerprints in hex in one set.
 */
async function* redisRows(context: Context): AsyncGenerator<Row> {
  const redis = await startRedis();
  const server = await startServer(redis.url);
  const client = createClient({ url: redis.url, RESP: 2 });
  await client.connect();
  const clients = await Promise.all(
    Array.from({ length: IN_FLIGHT }, () => createClient({ url: redis.url, RESP: 2 }).connect()),
  );
  const sockets = await Promise.all(Array.from({ length: IN_FLIGHT }, () => bareRedis(redis.url)));
  const hex = (bytes: Buffer, n: number) => bytes.toString('hex', n * 16, (n + 1) * 16);
  const piped = (bytes: Buffer, lane: number) => {
    const commands = clients[lane]!.multi();
    for (let n = 0; n < BATCH; n++) commands.addCommand(['SADD', 'piped', hex(bytes, n)]);
    return commands.execAsPipeline();
  };
  const few = BATCH / 10;
  const ways = {
    ours: (bytes: Buffer) => server.mark(bytes, BINARY),
    piped,
    bare: (bytes: Buffer, lane: number) => sockets[lane]!(bytes),
    single: async (bytes: Buffer, lane: number) => {
      for (let i = 0; i < few; i++) await clients[lane]!.sendCommand(['SADD', 'single', hex(bytes, i)]);
    },
  };
  type Way = keyof typeof ways;
  const names = Object.keys(ways) as Way[];
  const each = <T>(make: () => T) => Object.fromEntries(names.map((way) => [way, make()])) as Record<Way, T>;
  /** Of a batch: time to its answer; time until the next is answered, with others on their way; CPU of Redis. */
  const [latencies, paces, loads] = [each<number[]>(() => []), each<number[]>(() => []), each(() => 0)];
  for (let round = -5; round < (BATCHES / IN_FLIGHT) * context.rounds; round++) {
    for (let i = 0; i < names.length; i++) {
      const way = names[(i + round + 5) % names.length]!;
      const lanes = Array.from({ length: IN_FLIGHT }, () => [fingerprints(BATCH), fingerprints(BATCH)]);
      const share = way === 'single' ? few / BATCH : 1;
      const before = await redisCpu(client);
      const took: number[] = [];
      const all = await timed(() =>
        Promise.all(
          lanes.map(async (batches, lane) => {
            for (const bytes of batches) took.push(await timed(() => ways[way](bytes, lane)));
          }),
        ),
      );
      if (round < 0) continue;
      loads[way] += ((await redisCpu(client)) - before) / (2 * IN_FLIGHT * share);
      latencies[way].push(...took.map((time) => time / share));
      paces[way].push(all / (2 * IN_FLIGHT * share));
    }
  }
  for (const each of [client, ...clients]) each.destroy();
  for (const socket of sockets) socket.end();
  await server.stop();
  await redis.stop();
  const row = (name: string, peer: Way, of: (way: Way) => number, target?: Target) => {
    const [own, other] = [of('ours'), of(peer)];
    const isRate = target !== undefined && 'least' in target;
    return exactRow(
      context,
      {
        name,
        set: `redis, batches of ${BATCH}, ${IN_FLIGHT} at once`,
        unit: 'µs',
        ...(target === undefined ? {} : { target }),
        ratioOf: isRate ? 'rate ÷ peer' : 'ours ÷ peer',
      },
      {
        ours: own / 1000,
        peer: other / 1000,
        peerName: PEERS[peer],
        ratio: isRate ? other / own : own / other,
      },
    );
  };
  const pace = (way: Way) => median(paces[way]);
  const late = (way: Way) => quantile(latencies[way], 0.99);
  yield row('HTTP batch and Redis', 'piped', pace, { least: 0.8 });
  yield row('HTTP batch and Redis', 'bare', pace, { least: 0.8 });
  yield row('HTTP batch and Redis', 'single', pace, { least: 8 });
  yield row('HTTP batch and Redis, p99', 'piped', late, { most: 2.5 });
  yield row('HTTP batch and Redis, p99', 'bare', late, { most: 2.5 });
  yield row('HTTP batch, CPU of Redis', 'bare', (way) => loads[way] / paces[way].length);
  yield await redisBytes(context);
}

const PEERS = {
  ours: '',
  piped: 'SADD, pipelined by node-redis',
  bare: 'SADD, pipelined by a bare socket',
  single: 'SADD, one each round trip',
} as const;

/** Nanoseconds of CPU that the server has used. */
async function redisCpu(client: { sendCommand<T>(words: string[]): Promise<T> }): Promise<number> {
  const info = await client.sendCommand<string>(['INFO', 'cpu']);
  const field = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1]);
  return (field('used_cpu_user') + field('used_cpu_sys')) * 1e9;
}

/** Marks a batch by SADD, all written at once; an answer is four bytes (`:0` or `:1` and a line break). */
async function bareRedis(url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.setNoDelay();
  await once(socket, 'connect');
  const mark = async (bytes: Buffer): Promise<void> => {
    let text = '';
    for (let at = 0; at < bytes.length; at += 16)
      text += `*3\r\n$4\r\nSADD\r\n$4\r\nbare\r\n$32\r\n${bytes.toString('hex', at, at + 16)}\r\n`;
    socket.write(text, 'latin1');
    for (let left = (bytes.length / 16) * 4; left > 0;)
      left -= ((await once(socket, 'data')) as [Buffer])[0].length;
  };
  return Object.assign(mark, { end: () => socket.destroy() });
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
