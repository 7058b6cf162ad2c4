import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LocalJournal } from './local-journal.ts';
import { StoreDownError, type Store } from './store.ts';
import { MemoryStore } from './stores/memory.ts';
import { serveForTest, type TestService } from './testing.ts';

let folder: string;
let file: string;
let store: Store;
let isAway: boolean;
let service: TestService;

/** A store that can be away. */
function leaving(): Store {
  return new Proxy<Store>(new MemoryStore(), {
    get(target, name: keyof Store) {
      const value: unknown = target[name];
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (isAway && name !== 'close' && name !== 'figures')
          return Promise.reject(new StoreDownError('away'));
        return (value as (...args: unknown[]) => unknown).apply(target, args);
      };
    },
  });
}

async function serve(): Promise<void> {
  const journal = await LocalJournal.open(store, file);
  service = await serveForTest({ store, journal, limits: { drainEvery: 20 } });
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'onceover-journal-'));
  file = join(folder, 'journal');
  isAway = false;
  store = leaving();
  await serve();
});
afterEach(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

const choose = (ns: string, journal = true) =>
  service.ask(`/v1/ns/${ns}`, { method: 'PUT', body: { journal } });
const page = (n: number) => ({ url: `https://a.example.com/${n}` });
const mark = (ns: string, numbers: number[], key?: string) =>
  service.ask(`/v1/ns/${ns}/mark`, {
    body: { items: numbers.map(page) },
    ...(key !== undefined && { headers: { 'Idempotency-Key': key } }),
  });
const seen = async (ns: string, numbers: number[]) => {
  const { items } = await service.json(`/v1/ns/${ns}/is_seen`, { items: numbers.map(page) });
  return (items as { result: string }[]).map(({ result }) => result);
};
const drained = () => vi.waitFor(() => expect(statSync(file).size).toBe(0), { timeout: 5_000 });

test('keeps marks while the store is away, and gives their answers later', async () => {
  await choose('kept');
  expect(((await (await mark('kept', [1])).json()) as { items: unknown[] }).items).toHaveLength(1);
  isAway = true;
  const answer = await mark('kept', [1, 2, 2], 'k');
  expect(answer.status).toBe(202);
  expect(await answer.json()).toEqual({ kept: 3, detail: expect.stringContaining('Idempotency-Key') });
  expect(readFileSync(file, 'utf8')).not.toContain('a.example.com');
  // Nobody else is answered anything.
  expect((await mark('other', [1])).status).toBe(503);
  const question = await service.ask('/v1/ns/kept/is_seen', { body: { items: [page(2)] } });
  expect(question.status).toBe(503);
  isAway = false;
  await drained();
  expect(await seen('kept', [1, 2, 3])).toEqual(['seen', 'seen', 'fresh']);
  const again = await mark('kept', [1, 2, 2], 'k');
  expect(again.headers.get('Idempotency-Replayed')).toBe('true');
  const { items } = (await again.json()) as { items: { result: string }[] };
  expect(items.map(({ result }) => result)).toEqual(['seen', 'fresh', 'seen']);
});

test('the time is that of the mark, not of the return', async () => {
  await choose('kept');
  await mark('kept', [1]);
  isAway = true;
  const before = Date.now();
  await mark('kept', [2]);
  const after = Date.now();
  await new Promise((done) => setTimeout(done, 50));
  isAway = false;
  await drained();
  const { items } = await service.json('/v1/ns/kept/is_seen', { items: [page(2)] });
  const [{ first_at: at }] = items as [{ first_at: number }];
  expect(at).toBeGreaterThanOrEqual(before);
  expect(at).toBeLessThanOrEqual(after);
});

test('survives the end of the process, at any byte of the last line', async () => {
  await choose('kept');
  await mark('kept', [0]);
  isAway = true;
  await mark('kept', [1]);
  const whole = statSync(file).size;
  await mark('kept', [2]);
  const more = statSync(file).size;
  await service.stop();
  // As if nobody had heard that the second line was kept: half of it is as good as nothing, and what follows stands.
  truncateSync(file, whole + Math.floor((more - whole) / 2));
  isAway = false;
  await serve();
  isAway = true;
  await mark('kept', [3]);
  isAway = false;
  await drained();
  expect(await seen('kept', [1, 2, 3])).toEqual(['seen', 'fresh', 'seen']);
});

test('takes only its own policy, and nothing once it is turned off', async () => {
  await choose('kept');
  isAway = true;
  const other = { items: [{ url_fp: 'a'.repeat(32) }], policy: '9-other' };
  const refused = await service.ask('/v1/ns/kept/mark', { body: other });
  expect(refused.status).toBe(202);
  isAway = false;
  await drained();
  const described = await service.json('/v1/ns/kept');
  expect((described['rounds'] as { count: number }[]).every(({ count }) => count === 0)).toBe(true);
  await choose('kept', false);
  isAway = true;
  expect((await mark('kept', [1])).status).toBe(503);
  isAway = false;
});

test('a service without a journal says so', async () => {
  const plain = await serveForTest();
  const answer = await plain.ask('/v1/ns/a', { method: 'PUT', body: { journal: true } });
  expect(answer.status).toBe(409);
  expect(await answer.json()).toMatchObject({ error: { code: 'no-journal' } });
  await plain.stop();
});
