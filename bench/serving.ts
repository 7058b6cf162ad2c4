import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Batch, Store } from '../service/store.ts';

// What the rows of the service are measured with.

export const BATCH = 1000;
const TOKEN = 'bench';

const NAMESPACE = { ns: 'bench', policy: '1-bench', form: 'sha256-16', addresses: false } as const;

export async function opened(store: Store): Promise<Store> {
  await store.bind(NAMESPACE);
  return store;
}

export const fingerprints = (count: number): Buffer => randomBytes(count * 16);

export function batchOf(bytes: Buffer): Batch {
  const count = bytes.length / 16;
  const now = Date.now();
  return {
    namespace: NAMESPACE,
    round: { key: 'all', ends: null },
    verb: 'mark',
    count,
    width: 16,
    fingerprints: bytes,
    refused: new Uint8Array(count),
    at: now,
    now,
    until: now,
  };
}

export function bodyOf(type: string, bytes: Buffer): Buffer {
  if (type === 'application/octet-stream') return bytes;
  const items = Array.from({ length: bytes.length / 16 }, (_, n) => ({
    url_fp: bytes.toString('hex', n * 16, (n + 1) * 16),
  }));
  return Buffer.from(JSON.stringify({ items }));
}

export async function startServer(store: string) {
  const program = join(import.meta.dirname, '..', 'cli', 'onceover.cjs');
  const child = spawn(process.execPath, [program, 'serve', '--json', '--port', '0', '--store', store], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ONCEOVER_TOKEN: TOKEN },
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { address } = JSON.parse(line) as { address: string };
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const agent = new Agent({ keepAlive: true });
  return {
    /** Nanoseconds of CPU that the process has used. */
    async cpu(): Promise<number> {
      const text = await (await fetch(`${address}/metrics`, { headers })).text();
      return Number(/^onceover_cpu_seconds_total (\S+)/m.exec(text)?.[1]) * 1e9;
    },
    /** By the plain client of Node: `fetch` takes as long as the service does. */
    mark(body: Buffer, type: string): Promise<void> {
      return new Promise((resolve, reject) => {
        const call = request(`${address}/v1/ns/bench/mark`, {
          agent,
          method: 'POST',
          headers: { ...headers, 'Content-Type': type, 'Content-Length': body.length },
        });
        call.on('error', reject);
        call.on('response', (response) => {
          response.on('error', reject);
          response.resume();
          response.on('end', () => {
            if (response.statusCode === 200) resolve();
            else reject(new Error(`the service answers ${response.statusCode}`));
          });
        });
        call.end(body);
      });
    },
    async stop(): Promise<void> {
      agent.destroy();
      child.kill('SIGTERM');
      await once(child, 'close');
    },
  };
}

/** Nanoseconds. */
export async function timed(run: () => Promise<unknown>): Promise<number> {
  const since = process.hrtime.bigint();
  await run();
  return Number(process.hrtime.bigint() - since);
}

export function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

export const median = (times: readonly number[]): number => quantile(times, 0.5);
