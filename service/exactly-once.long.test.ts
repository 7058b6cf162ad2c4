import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { check } from './checker.ts';
import { checkKills, cuttingProxy, holds, newRun, random } from './exactly-once.testing.ts';
import { SqliteStore } from './stores/sqlite.ts';
import { serveForTest } from './testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'onceover-once-long-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([11, 12, 13])('kill -9, twelve times (seed %i)', { timeout: 300_000 }, async (seed) => {
  await checkKills(`sqlite:${join(folder, `${seed}.sqlite`)}`, seed, 12, 120);
});

test('64 clients, and half of the replies lost', { timeout: 300_000 }, async () => {
  const service = await serveForTest({ store: new SqliteStore(join(folder, 'lost.sqlite')) });
  const proxy = await cuttingProxy(service.url, 0.5, random(5));
  const run = newRun(10_000, 200);
  await Promise.all(
    Array.from({ length: 64 }, (_, n) => run.client(n, { url: proxy.url, tries: 60, pause: 1 }, 20)),
  );
  expect(proxy.cuts()).toBeGreaterThan(500);
  expect(run.history.every(({ result }) => result !== undefined)).toBe(true);
  expect(check(run.history, await holds(service.url, 10_000))).toEqual([]);
  proxy.close();
  await service.stop();
});
