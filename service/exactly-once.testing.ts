import { createInterface } from 'node:readline';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { check, type Observed } from './checker.ts';
import { ServiceClient } from './client.ts';
import { freePort } from './servers.testing.ts';
import { StoreDownError, type Batch, type Store } from './store.ts';
import { TOKEN } from './testing.ts';

/** Numbers that anybody can repeat (mulberry32). */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const urlOf = (page: number) => `https://a.example.com/${page}`;

export interface Run {
  readonly history: Observed[];
  /** Marks and asks for pages 0 … `pages - 1`, repeats within a batch included, until `rounds` batches are answered or lost. */
  client(seed: number, to: { url: string; tries?: number; pause?: number }, rounds: number): Promise<void>;
}

export function newRun(pages: number, size: number): Run {
  const history: Observed[] = [];
  return {
    history,
    async client(seed, { url, tries = 5, pause = 5 }, rounds) {
      const next = random(seed);
      const service = new ServiceClient({ url, token: TOKEN, tries, pause });
      for (let round = 0; round < rounds; round++) {
        const verb = next() < 0.8 ? 'mark' : 'is_seen';
        const numbers = Array.from({ length: size }, () => Math.floor(next() * pages));
        const asked = performance.now();
        const items = numbers.map((page) => ({ url: urlOf(page) }));
        const answers = await service.batch(verb, 'n', { items }).catch(() => undefined);
        const answered = answers === undefined ? Infinity : performance.now();
        for (const [index, page] of numbers.entries()) {
          const result = answers?.[index]?.result as 'fresh' | 'seen' | undefined;
          history.push({ verb, page: String(page), asked, answered, result });
        }
      }
    },
  };
}

/** Which pages the service holds now. */
export async function holds(url: string, pages: number): Promise<(page: string) => boolean> {
  const items = Array.from({ length: pages }, (_, page) => ({ url: urlOf(page) }));
  const answers = await new ServiceClient({ url, token: TOKEN }).batch('is_seen', 'n', { items });
  return (page) => answers[Number(page)]?.result === 'seen';
}

/** Kills the process again and again while clients mark, and checks every answer they got. */
export async function checkKills(store: string, seed: number, most: number, rounds: number): Promise<void> {
  const pages = 1500;
  const run = newRun(pages, 100);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const next = random(seed);
  let child = await serveStore(store, port);
  const clients = Array.from({ length: 4 }, (_, n) =>
    run.client(seed + n, { url, tries: 400, pause: 20 }, rounds),
  );
  let kills = 0;
  for (; kills < most; kills++) {
    await new Promise((resolve) => setTimeout(resolve, 30 + next() * 100));
    child.kill('SIGKILL');
    await once(child, 'close');
    child = await serveStore(store, port);
  }
  await Promise.all(clients);
  const answered = run.history.filter(({ result }) => result !== undefined);
  expect({ kills, answered: answered.length }).toEqual({ kills: most, answered: 4 * rounds * 100 });
  expect(check(run.history, await holds(url, pages))).toEqual([]);
  child.kill('SIGTERM');
  const [code] = (await once(child, 'close')) as [number];
  expect(code).toBe(0);
}

// ---- What gets in the way ----

/** Forwards requests; now and then it cuts the client off when the first byte of the answer comes, so the write was done. */
export async function cuttingProxy(target: string, share: number, next: () => number) {
  let cuts = 0;
  const sockets = new Set<{ destroy(): void }>();
  const proxy: Server = createServer((client) => {
    const server = connect(Number(new URL(target).port), '127.0.0.1');
    sockets.add(client).add(server);
    for (const socket of [client, server]) socket.on('error', () => {});
    // The service knows itself by its own name only.
    client.on('data', (data: Buffer) => {
      const own = data.toString('latin1').replace(/^host: .*$/im, `Host: ${new URL(target).host}`);
      server.write(Buffer.from(own, 'latin1'));
    });
    server.on('data', (data: Buffer) => {
      if (next() >= share) return client.write(data);
      cuts++;
      client.destroy();
      return server.destroy();
    });
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cuts: () => cuts,
    close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}

/** A store whose writes fail half of the time until it is well: before anything is done, as a full disk does. */
export function failOnDemand(store: Store, next: () => number): Store & { isWell: boolean } {
  const failing = {
    isWell: false,
    apply(batch: Batch) {
      if (!failing.isWell && next() < 0.5)
        return Promise.reject(new StoreDownError('no space left on device'));
      return store.apply(batch);
    },
  };
  return new Proxy(store, {
    get(target, name) {
      if (name in failing) return failing[name as keyof typeof failing];
      const value = target[name as keyof Store] as unknown;
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
    set(_, name, value) {
      if (name === 'isWell') failing.isWell = value as boolean;
      return true;
    },
  }) as Store & { isWell: boolean };
}

/** `onceover serve` as a process of its own, when it accepts connections. */
export async function serveStore(store: string, port: number): Promise<ChildProcess> {
  const program = join(import.meta.dirname, '..', 'cli', 'onceover.cjs');
  const words = ['serve', '--json', '--store', store, '--port', String(port)];
  const child = spawn(process.execPath, [program, ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ONCEOVER_TOKEN: TOKEN },
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  expect(JSON.parse(line)).toMatchObject({ address: `http://127.0.0.1:${port}`, token: TOKEN });
  return child;
}
