import { describe, expect, test } from 'vitest';
import { check } from './checker.ts';
import { createClock } from './clock.ts';
import { cuttingProxy, failOnDemand, holds, newRun, random, urlOf } from './exactly-once.testing.ts';
import type { Store } from './store.ts';
import { serveForTest } from './testing.ts';

/** What the checker must find of a service with an empty store, whatever store it is. @param crowds numbers of clients at once */
export function describeExactlyOnce(
  name: string,
  open: () => Promise<Store>,
  crowds: readonly number[] = [1, 2, 8, 64],
): void {
  describe(`exactly once: ${name}`, () => {
    test.each(crowds)('%i clients at once', async (clients) => {
      const service = await serveForTest({ store: await open() });
      const run = newRun(400, 40);
      const rounds = Math.ceil(96 / clients);
      await Promise.all(Array.from({ length: clients }, (_, n) => run.client(n + 1, service, rounds)));
      expect(check(run.history, await holds(service.url, 400))).toEqual([]);
      expect(run.history.every(({ result }) => result !== undefined)).toBe(true);
      await service.stop();
    });

    test('replies that are lost after the write', async () => {
      const service = await serveForTest({ store: await open() });
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
      const service = await serveForTest({ store: await open() });
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
      const failing = failOnDemand(await open(), random(3));
      const service = await serveForTest({ store: failing });
      const run = newRun(300, 20);
      await Promise.all(
        Array.from({ length: 8 }, (_, n) => run.client(n + 1, { url: service.url, tries: 2, pause: 1 }, 8)),
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
      const service = await serveForTest({ store: await open() });
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
      const store = await open();
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
}
