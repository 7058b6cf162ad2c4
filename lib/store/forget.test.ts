import { deleteDB } from 'idb';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Round } from '#lib/rounds/types.ts';
import { countHost, forgetHost, knownHosts } from './forget.ts';
import { closeStore, useDatabase, withStore } from './open.ts';
import { getRound } from './read.ts';
import { recount } from './recount.ts';
import { Recorder } from './recorder.ts';
import { FAULTS, repair } from './repair.ts';
import type { StoreName } from './schema.ts';

const HOST = 'secret.example.com';
const OTHER = 'https://shop.example.com';
const SECRET = `https://${HOST}`;

let at = 1_700_000_000_000;
let ids = 0;
let name = '';
let recorder: Recorder;
let round: Round;

const options = () => ({
  now: at,
  alone: <T>(work: () => Promise<T>) => work(),
  signal: new AbortController().signal,
  onProgress: () => undefined,
});

async function show(url: string, more: object = {}): Promise<void> {
  at += 1_000;
  const id = `e${(ids += 1)}`;
  const shown = { type: 'shown', id, at, by: 'browser', document: `d${ids}`, moment: 'start', url } as const;
  await recorder.record({ ...shown, ...more });
}

beforeEach(async () => {
  useDatabase((name = `forget-${(ids += 1)}`));
  recorder = new Recorder({ now: () => at, randomId: () => `id-${(ids += 1)}` });
  const origins = [`${OTHER}/*`, `${SECRET}/*`];
  const start = async (scope: object) =>
    (await recorder.commands.startRound({ scope: scope as { id: string }, base: 'last' })).round;
  const walk = async () => {
    await show(`${OTHER}/a`);
    await show(`${SECRET}/b?utm_source=mail`, { source: `${OTHER}/a` });
    await show(`${OTHER}/c`, { source: `${SECRET}/b`, how: 'link', linkText: 'See C' });
    await show(`${OTHER}/d`, { chain: [{ url: `${SECRET}/go`, kind: 'server', status: 301 }] });
    await show(`${SECRET}/login`, { chain: [{ url: `${OTHER}/e`, kind: 'server', status: 302 }] });
    await recorder.record({
      type: 'links',
      id: `l${(ids += 1)}`,
      at,
      url: `${SECRET}/b`,
      links: [`${OTHER}/f`, `${SECRET}/g`, `${SECRET}/${'x'.repeat(3_000)}`],
    });
  };
  round = await start({ name: 'Both', origins });
  await walk();
  await show(`${SECRET}/deleted`);
  await recorder.commands.deletePage({ space: round.space, key: `${SECRET}/deleted` });
  await recorder.commands.endRound({ round: round.id });
  round = await start({ id: round.scope });
  await walk();
  await recorder.saveSets();
});
afterEach(async () => {
  await closeStore(name);
  await deleteDB(name);
});

/** Everything that is stored, as text; saved sets as the letters in their bytes. */
async function everything(): Promise<string> {
  const db = await withStore(async (db) => db);
  const stores = [...db.objectStoreNames] as StoreName[];
  const rows = await Promise.all(stores.map((store) => db.getAll(store)));
  const sets = await db.getAll('sets');
  return JSON.stringify(rows) + sets.map(({ bytes }) => new TextDecoder('latin1').decode(bytes)).join();
}

it('leaves nothing of the host anywhere, and everything else as it was', async () => {
  expect(await knownHosts()).toEqual([HOST, 'shop.example.com']);
  const counted = await countHost(HOST, options());
  expect(counted).toMatchObject({ trash: 1 });
  expect(counted.pages).toBe(4);
  expect(counted.links).toBe(4);
  expect(counted.visits).toBeGreaterThanOrEqual(4);
  expect(counted.mentions).toBeGreaterThan(0);
  const pages = await withStore((db) => db.getAll('pages'));
  expect(await everything()).toContain(HOST);

  expect(await forgetHost(HOST, options())).toEqual(counted);
  const left = await everything();
  // Its place in the project is the person's own word, not something that was recorded.
  const scope = JSON.stringify(`${SECRET}/*`);
  expect(left.replaceAll(scope, '')).not.toContain(HOST);
  const kept = await withStore((db) => db.getAll('pages'));
  const others = pages.filter(({ host }) => host !== HOST);
  expect(kept.map(({ key }) => key)).toEqual(expect.arrayContaining(others.map(({ key }) => key)));
  // The original of a redirect into the host is a page that was tried, or not there at all.
  expect(kept.every(({ host }) => host === 'shop.example.com')).toBe(true);
  expect(await knownHosts()).toEqual(['shop.example.com']);
  expect(await countHost(HOST, options())).toEqual(
    Object.fromEntries(Object.keys(counted).map((n) => [n, 0])),
  );
});

it('leaves true counts, and stores without a fault', async () => {
  await forgetHost(HOST, options());
  const now = (await getRound(round.id))!;
  expect(now.counters).toEqual(await recount(now));
  const { found } = await repair(options());
  expect(found).toEqual(Object.fromEntries(FAULTS.map((fault) => [fault, 0])));
  // Recording goes on.
  await show(`${SECRET}/b`);
  await show(`${OTHER}/new`);
  const after = (await getRound(round.id))!;
  expect(after.counters.visited).toBe(now.counters.visited + 2);
  expect(after.counters).toEqual(await recount(after));
});

it('stopped half-way, does the rest when it is run again', async () => {
  const stop = new AbortController();
  const half = forgetHost(HOST, {
    ...options(),
    signal: stop.signal,
    onProgress: () => stop.abort(new Error('enough')),
  });
  await expect(half).rejects.toThrow('enough');
  await forgetHost(HOST, options());
  expect((await everything()).replaceAll(JSON.stringify(`${SECRET}/*`), '')).not.toContain(HOST);
  const now = (await getRound(round.id))!;
  expect(now.counters).toEqual(await recount(now));
});
