import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryStore } from '../service/stores/memory.ts';
import { SqliteStore } from '../service/stores/sqlite.ts';
import { exactRow, type Context } from './context.ts';
import type { Row } from './row.ts';
import { serverRows } from './servers.ts';
import {
  BATCH,
  batchOf,
  bodyOf,
  fingerprints,
  median,
  opened,
  quantile,
  startServer,
  timed,
} from './serving.ts';

const BATCHES = 100;

/** The rows of groups/service.ts. The server runs as a process of its own, so its CPU time is its alone. */
export async function* serviceRows(context: Context): AsyncGenerator<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'onceover-bench-'));
  try {
    for (const type of ['application/octet-stream', 'application/json']) yield await cpuRow(context, type);
    yield* sqliteRows(context, folder);
    for (const kind of ['memory', 'sqlite'] as const) yield* httpRows(context, kind, folder);
    yield* serverRows(context);
    yield* growthRows(context, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// ---- Rows ----

async function cpuRow(context: Context, type: string): Promise<Row> {
  const server = await startServer('memory');
  const times: number[] = [];
  for (let round = -1; round < context.rounds; round++) {
    const bodies = Array.from({ length: BATCHES }, () => bodyOf(type, fingerprints(BATCH)));
    const before = await server.cpu();
    for (const body of bodies) await server.mark(body, type);
    if (round >= 0) times.push(((await server.cpu()) - before) / (BATCHES * BATCH));
  }
  await server.stop();
  const ours = median(times) / 1000;
  return exactRow(
    context,
    {
      name: 'server CPU per fingerprint',
      set: `memory, batches of ${BATCH}, ${type.split('/')[1]!}`,
      unit: 'µs',
      target: { most: 1 },
      ratioOf: 'ours',
    },
    { ours, peerName: '', ratio: ours },
  );
}

async function* sqliteRows(context: Context, folder: string): AsyncGenerator<Row> {
  const file = join(folder, 'alone.sqlite');
  const store = await opened(new SqliteStore(file));
  const times: number[] = [];
  const count = 500_000;
  for (let done = 0; done < count; done += BATCH)
    times.push(await timed(() => store.apply(batchOf(fingerprints(BATCH)))));
  await store.close();
  const ours = median(times) / BATCH / 1000;
  const about = {
    set: `${count.toLocaleString('en')}, transactions of ${BATCH}, a sync each`,
    ratioOf: 'ours',
  };
  yield exactRow(
    context,
    { ...about, name: 'SQLite per fingerprint', unit: 'µs', target: { most: 8 } },
    { ours, peerName: '', ratio: ours },
  );
  const bytes = statSync(file).size / count;
  yield exactRow(
    context,
    {
      ...about,
      name: 'SQLite file per fingerprint, state and time included',
      unit: 'B',
      target: { most: 36 },
    },
    { ours: bytes, peerName: '', ratio: bytes },
  );
}

async function* httpRows(context: Context, kind: 'memory' | 'sqlite', folder: string): AsyncGenerator<Row> {
  const type = 'application/octet-stream';
  const file = (name: string) => join(folder, `${name}.sqlite`);
  const store = await opened(kind === 'memory' ? new MemoryStore() : new SqliteStore(file('direct')));
  const server = await startServer(kind === 'memory' ? 'memory' : `sqlite:${file('http')}`);
  const over: number[] = [];
  const alone: number[] = [];
  for (let n = -BATCHES; n < BATCHES * context.rounds; n++) {
    const bytes = fingerprints(BATCH);
    const direct = await timed(() => store.apply(batchOf(bytes)));
    const http = await timed(() => server.mark(bytes, type));
    if (n < 0) continue;
    alone.push(direct);
    over.push(http);
  }
  await server.stop();
  await store.close();
  const about = { set: `${kind}, batches of ${BATCH}`, unit: 'µs' };
  const row = (name: string, of: (times: number[]) => number) =>
    exactRow(
      context,
      { ...about, name, ratioOf: 'ours ÷ store alone' },
      {
        ours: of(over) / 1000,
        peer: of(alone) / 1000,
        peerName: 'store alone',
        ratio: of(over) / of(alone),
      },
    );
  yield row('HTTP batch, median', median);
  yield row('HTTP batch, p99', (times) => quantile(times, 0.99));
}

/** How marking slows and what is stored grows, from 10^5 to 10^7 fingerprints in one round. */
async function* growthRows(context: Context, folder: string): AsyncGenerator<Row> {
  const size = 10_000;
  for (const kind of ['memory', 'sqlite'] as const) {
    const file = join(folder, 'growth.sqlite');
    const store = await opened(kind === 'memory' ? new MemoryStore() : new SqliteStore(file));
    let count = 0;
    let small: number | undefined;
    for (const goal of [100_000, 1_000_000, 10_000_000]) {
      let last: number[] = [];
      for (; count < goal; count += size) {
        last.push(await timed(() => store.apply(batchOf(fingerprints(size)))));
        if (last.length > 10) last = last.slice(1);
      }
      const ours = median(last) / size / 1000;
      small ??= ours;
      yield exactRow(
        context,
        {
          name: 'mark per fingerprint as the round grows',
          set: `${kind}, ${goal.toLocaleString('en')}`,
          unit: 'µs',
          ratioOf: 'ours ÷ at 100,000',
        },
        { ours, peer: small, peerName: 'at 100,000', ratio: ours / small },
      );
    }
    await store.close();
  }
}
