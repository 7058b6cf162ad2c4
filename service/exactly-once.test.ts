import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { check, type Observed } from './checker.ts';
import { createClock } from './clock.ts';
import {
  checkKills,
  cuttingProxy,
  failOnDemand,
  holds,
  newRun,
  random,
  urlOf,
} from './exactly-once.testing.ts';
import type { Store } from './store.ts';
import { MemoryStore } from './stores/memory.ts';
import { SqliteStore } from './stores/sqlite.ts';
import { serveForTest } from './testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'onceover-once-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = () => join(folder, `${files++}.sqlite`);

describe('the checker finds', () => {
  const at = (
    verb: 'mark' | 'is_seen',
    asked: number,
    answered: number,
    result?: 'fresh' | 'seen',
  ): Observed => ({
    verb,
    page: 'p',
    asked,
    answered,
    result,
  });
  test.each([
    ['two that are fresh', [at('mark', 0, 1, 'fresh'), at('mark', 2, 3, 'fresh')], true],
    ['none that is fresh', [at('mark', 0, 1, 'seen')], true],
    ['a mark that is gone', [at('mark', 0, 1, 'fresh')], false],
    ['a page that nobody marked', [at('is_seen', 0, 1, 'fresh')], true],
    ['fresh after seen', [at('mark', 0, 1, 'fresh'), at('is_seen', 2, 3, 'fresh')], true],
    ['seen before any mark', [at('is_seen', 0, 1, 'seen'), at('mark', 2, 3, 'fresh')], true],
    [
      'fresh after another mark was answered',
      [at('mark', 0, 1, 'seen'), at('mark', 2, 3, 'fresh'), at('mark', 0, Infinity)],
      true,
    ],
  ])('%s', (_, history, isPresent) => {
    expect(check(history, () => isPresent)).not.toEqual([]);
  });
  test('no fault where there is none', () => {
    const history = [
      at('is_seen', 0, 1, 'fresh'),
      at('mark', 0, 5, 'seen'),
      at('mark', 1, 4, 'fresh'),
      at('mark', 2, Infinity),
      at('is_seen', 3, 9, 'fresh'),
      at('is_seen', 6, 7, 'seen'),
    ];
    expect(check(history, () => true)).toEqual([
      // Asked before anybody knew, answered later: a call that took long.
    ]);
  });
});

describe.each([
  ['memory', () => new MemoryStore()],
  ['sqlite', () => new SqliteStore(newFile())],
] as [string, () => Store][])('%s', (_, open) => {
  test.each([1, 2, 8, 64])('%i clients at once', async (clients) => {
    const service = await serveForTest({ store: open() });
    const run = newRun(400, 40);
    const rounds = Math.ceil(96 / clients);
    await Promise.all(Array.from({ length: clients }, (_, n) => run.client(n + 1, service, rounds)));
    expect(check(run.history, await holds(service.url, 400))).toEqual([]);
    expect(run.history.every(({ result }) => result !== undefined)).toBe(true);
    await service.stop();
  });

  test('replies that are lost after the write', async () => {
    const service = await serveForTest({ store: open() });
    const proxy = await cuttingProxy(service.url, 0.4, random(7));
    const run = newRun(300, 20);
    await Promise.all(
      Array.from({ length: 8 }, (_, n) => run.client(n + 1, { url: proxy.url, tries: 30, pause: 1 }, 6)),
    );
    expect(proxy.cuts()).toBeGreaterThan(10);
    expect(run.history.every(({ result }) => result !== undefined)).toBe(true);
    expect(check(run.history, await holds(service.url, 300))).toEqual([]);
    proxy.close();
    await service.stop();
  });

  test('without a key a lost reply is a lost page: the checker sees it', async () => {
    const service = await serveForTest({ store: open() });
    const items = [{ url: urlOf(1) }];
    // The first reply is lost, the second request is a new one.
    await service.json('/v1/ns/n/mark', { items });
    const [answer] = (await service.json('/v1/ns/n/mark', { items }))['items'] as { result: 'seen' }[];
    const history = [{ verb: 'mark', page: '1', asked: 0, answered: 1, result: answer?.result } as const];
    expect(check(history, await holds(service.url, 2))).toEqual([
      '1: no mark was answered fresh, and no answer was lost',
    ]);
    await service.stop();
  });

  test('a store that fails on demand: 503, nothing half done, nothing made up', async () => {
    const failing = failOnDemand(open(), random(3));
    const service = await serveForTest({ store: failing });
    const run = newRun(300, 20);
    await Promise.all(
      Array.from({ length: 8 }, (_, n) => run.client(n + 1, { url: service.url, tries: 3, pause: 1 }, 8)),
    );
    failing.isWell = true;
    expect(run.history.some(({ result }) => result === undefined)).toBe(true);
    expect(check(run.history, await holds(service.url, 300))).toEqual([]);
    failing.isWell = false;
    const response = await service.ask('/v1/ns/n/mark', { body: { items: [{ url: urlOf(1) }] } });
    expect([200, 503]).toContain(response.status);
    await service.stop();
  });

  test('a stop answers what it was asked, and drops nothing', async () => {
    const service = await serveForTest({ store: open() });
    const run = newRun(200, 20);
    const working = Array.from({ length: 16 }, (_, n) =>
      run.client(n + 1, { url: service.url, tries: 1 }, 30),
    );
    await new Promise((resolve) => setTimeout(resolve, 60));
    await service.stop();
    await Promise.all(working);
    const acknowledged = run.history.filter(({ result }) => result !== undefined);
    expect(acknowledged.length).toBeGreaterThan(0);
    // The memory of the process is gone, so what was acknowledged is looked at in the history alone.
    expect(check(run.history, () => true).filter((fault) => !fault.includes('nobody marked'))).toEqual([]);
  });

  test('jumps of the wall clock', async () => {
    let wall = Date.UTC(2026, 2, 1, 23, 59);
    let monotonic = 0;
    const clock = createClock(
      () => wall,
      () => monotonic,
    );
    const store = open();
    const service = await serveForTest({ store, clock });
    const mark = async (page: number) => {
      const body = { items: [{ url: urlOf(page) }], round: 'day' };
      return ((await service.json('/v1/ns/n/mark', body))['items'] as { result: string }[])[0]!.result;
    };
    expect(await mark(1)).toBe('fresh');
    wall += 2 * 60_000;
    expect(await mark(1)).toBe('fresh');
    expect(await mark(1)).toBe('seen');
    // Back over midnight, a year ahead and back again: each day keeps what was marked in it.
    wall -= 2 * 60_000;
    expect(await mark(1)).toBe('seen');
    wall += 365 * 86_400_000;
    expect(await mark(1)).toBe('fresh');
    await store.maintain(clock.wall(), clock.steady());
    wall -= 365 * 86_400_000;
    expect(await mark(1)).toBe('seen');
    // A lease ends by the time that passes, not by the clock that is set back.
    const lease = async () => {
      const body = { items: [{ url: urlOf(2) }], lease_ms: 60_000 };
      return ((await service.json('/v1/ns/n/lease', body))['items'] as { result: string }[])[0]!.result;
    };
    expect(await lease()).toBe('fresh');
    wall -= 3_600_000;
    monotonic += 30_000;
    expect(await lease()).toBe('leased');
    monotonic += 31_000;
    expect(await lease()).toBe('fresh');
    await service.stop();
  });
});

test('kill -9 in mid-batch: every acknowledged mark is there, and a replay gets its answers', async () => {
  await checkKills(newFile(), 1, 2, 12);
});
