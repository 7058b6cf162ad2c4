import { createClient } from '@redis/client';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { hasServer, startPostgres, startRedis } from '../service/servers.testing.ts';
import { openStore } from '../service/stores/open.ts';
import type { Store } from '../service/store.ts';
import { BloomFilter, FingerprintSet, RadixTrie } from '../lib/sets/index.ts';
import { exactRow, type Context } from './context.ts';
import { makeList, urlsOf } from './lists.ts';
import { heapOf } from './memory.ts';
import type { Row } from './row.ts';
import { batchOf, fingerprints, opened } from './serving.ts';

/** Items of one transaction or script. */
const BATCH = 10_000;

/** The measured table of docs/scale.md: what a page costs in each part that plays a size. */
export async function* sizesRows(context: Context): AsyncGenerator<Row> {
  yield* setRows(context);
  for (const count of [1e4, 1e6]) yield* trieRows(context, count);
  for (const count of [1e4, 1e6, 1e7]) yield* fingerprintRows(context, count);
  for (const count of [1e6, 1e7]) yield* bloomRows(context, count);
  yield* sqliteRows(context, 1e6);
  if (hasServer('redis')) for (const count of [1e6, 1e7]) yield* redisRows(context, count);
  if (hasServer('postgres')) yield* postgresRows(context, 1e6);
}

async function* setRows(context: Context): AsyncGenerator<Row> {
  for (const count of [1e4, 1e6]) {
    const list = makeList('shop', count);
    const bytes = await heapOf(context, () => new Set(urlsOf(list)));
    if (bytes !== undefined) yield bytesRow(context, 'Set of strings', count, bytes);
  }
}

function* trieRows(context: Context, count: number): Generator<Row> {
  const urls = urlsOf(makeList('shop', count));
  const trie = new RadixTrie();
  yield timeRow(context, 'RadixTrie', count, () => urls.forEach((url) => trie.insert(url)));
  yield bytesRow(context, 'RadixTrie', count, trie.byteLength);
}

/** Numbered addresses: what is stored does not depend on what they say. */
const address = (n: number): string => `https://shop.example.com/item/${n}`;

function* fingerprintRows(context: Context, count: number): Generator<Row> {
  const set = new FingerprintSet();
  yield timeRow(context, 'FingerprintSet', count, () => {
    for (let n = 0; n < count; n++) set.add(address(n));
  });
  yield bytesRow(context, 'FingerprintSet', count, set.byteLength);
}

function* bloomRows(context: Context, count: number): Generator<Row> {
  const filter = new BloomFilter({ capacity: count, errorRate: 0.001 });
  yield timeRow(context, 'BloomFilter', count, () => {
    for (let n = 0; n < count; n++) filter.add(address(n));
  });
  yield bytesRow(context, 'BloomFilter', count, filter.bits / 8);
  let wrong = 0;
  const asked = 1e6;
  for (let n = 0; n < asked; n++) if (filter.has(address(count + n))) wrong++;
  yield row(context, 'BloomFilter, false yes', count, 'rate', wrong / asked);
}

async function* sqliteRows(context: Context, count: number): AsyncGenerator<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'onceover-sizes-'));
  const file = join(folder, 'seen.sqlite');
  const store = await opened(await openStore(`sqlite:${file}`));
  yield await markRow(context, 'sqlite', count, store);
  yield row(
    context,
    'sqlite, Bloom filter in memory',
    count,
    'bytes per page',
    (store.figures().filter?.bytes ?? 0) / count,
  );
  await store.close();
  yield bytesRow(context, 'sqlite, file', count, statSync(file).size);
  rmSync(folder, { recursive: true });
}

/** 65,536 sets would be as full at 10^8 as 8,192 are at 1.25 × 10^7. */
async function* redisRows(context: Context, count: number): AsyncGenerator<Row> {
  const redis = await startRedis(['--set-max-intset-entries', '4096']);
  const client = createClient({ url: redis.url, RESP: 2 });
  await client.connect();
  const used = async () =>
    Number(/^used_memory:(\d+)/m.exec(await client.sendCommand<string>(['INFO', 'memory']))?.[1]);
  const store = await opened(await openStore(redis.url));
  await store.apply(batchOf(fingerprints(1)));
  const before = await used();
  yield await markRow(context, 'redis', count, store);
  yield bytesRow(context, 'redis, memory of the server', count, (await used()) - before);
  await store.close();
  client.destroy();
  await redis.stop();
}

async function* postgresRows(context: Context, count: number): AsyncGenerator<Row> {
  const postgres = await startPostgres();
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  const store = await opened(await openStore(postgres.url));
  yield await markRow(context, 'postgres', count, store);
  const { rows } = await client.query<{ bytes: string }>(
    `SELECT sum(pg_total_relation_size(c.oid)) AS bytes FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
     WHERE nspname = 'onceover' AND relname ~ '^f[0-9]+_[0-9]+$' AND relkind = 'r'`,
  );
  yield bytesRow(context, 'postgres, table and key', count, Number(rows[0]!.bytes));
  await client.end();
  await store.close();
  await postgres.stop();
}

/** Random fingerprints, marked over the store's own interface. */
async function markRow(context: Context, name: string, count: number, store: Store): Promise<Row> {
  const since = performance.now();
  for (let done = 0; done < count; done += BATCH) await store.apply(batchOf(fingerprints(BATCH)));
  return row(context, name, count, 'µs per page', ((performance.now() - since) * 1000) / count);
}

function timeRow(context: Context, name: string, count: number, run: () => unknown): Row {
  const since = performance.now();
  run();
  return row(context, name, count, 'µs per page', ((performance.now() - since) * 1000) / count);
}

function bytesRow(context: Context, name: string, count: number, bytes: number): Row {
  return row(context, name, count, 'bytes per page', bytes / count);
}

function row(context: Context, name: string, count: number, unit: string, ours: number): Row {
  const set = `${count.toLocaleString('en')} pages`;
  return exactRow(context, { name, set, unit, ratioOf: 'ours' }, { ours, peerName: '', ratio: ours });
}
