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
    yield* growthRows(context, 'memory', [100_000, 1_000_000, 10_000_000]);
    yield* growthRows(context, 'sqlite', [100_000, 1_000_000]);
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
  let used = 0;
  for (let done = 0; done < count; done += BATCH) {
    const batch = batchOf(fingerprints(BATCH));
    const before = process.cpuUsage();
    times.push(await timed(() => store.apply(batch)));
    const { user, system } = process.cpuUsage(before);
    used += user + system;
  }
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
  const cpu = used / count;
  yield exactRow(
    context,
    { ...about, name: 'SQLite per fingerprint, CPU alone', unit: 'µs', target: { most: 8 } },
    { ours: cpu, peerName: '', ratio: cpu },
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

/**
 * How marking slows as a round grows, in CPU time: by the clock the figures of a busy machine say nothing. Each is the mean over the batches
 * since the one before, so that tables which grow and logs which are written to their place are in it.
 */
export async function* growthRows(
  context: Context,
  kind: 'memory' | 'sqlite',
  goals: readonly number[],
): AsyncGenerator<Row> {
  const size = 10_000;
  const folder = mkdtempSync(join(tmpdir(), 'onceover-bench-'));
  try {
    const store = await opened(
      kind === 'memory' ? new MemoryStore() : new SqliteStore(join(folder, 'growth.sqlite')),
    );
    await store.apply(batchOf(fingerprints(size)));
    let count = size;
    let small: number | undefined;
    for (const goal of goals) {
      const from = count;
      let used = 0;
      for (; count < goal; count += size) {
        const batch = batchOf(fingerprints(size));
        const before = process.cpuUsage();
        await store.apply(batch);
        const { user, system } = process.cpuUsage(before);
        used += user + system;
      }
      const ours = used / (goal - from);
      small ??= ours;
      yield exactRow(
        context,
        {
          name: 'CPU of a mark as the round grows',
          set: `${kind}, up to ${goal.toLocaleString('en')}`,
          unit: 'µs',
          ratioOf: `ours ÷ up to ${goals[0]!.toLocaleString('en')}`,
        },
        { ours, peer: small, peerName: `up to ${goals[0]!.toLocaleString('en')}`, ratio: ours / small },
      );
    }
    await store.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
}
