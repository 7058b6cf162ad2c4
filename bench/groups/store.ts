import { deleteDB, openDB, type IDBPDatabase } from 'idb';
import { BloomFilter, KNOWN, RoundSet, VISITED } from '../../lib/sets/index.ts';
import type { CaptureEvent } from '../../lib/rounds/events.ts';
import { closeStore, openStore, useDatabase } from '../../lib/store/open.ts';
import { knownPage } from '../../lib/rounds/links.ts';
import { Recorder } from '../../lib/store/recorder.ts';
import { exactRow, timedRow, type Context, type Group } from '../context.ts';
import { makeList, urlsOf } from '../lists.ts';
import type { Work } from '../measure.ts';
import type { Row } from '../row.ts';

/** What the product keeps in IndexedDB, in the browser that keeps it. */
export const store: Group = {
  name: 'store',
  engines: ['chromium'],
  async *run(context) {
    yield await keepFilter(context);
    yield await writeVisits(context);
    yield await storeLinks(context);
    yield await wake(context);
  },
};

/** A filter for a million keys of which ten are new: the changed shards beside the whole. */
async function keepFilter(context: Context): Promise<Row> {
  const db = await openSets('bench-filter');
  const urls = urlsOf(makeList('shop', 400_000));
  const filter = new BloomFilter({ capacity: 1_000_000, errorRate: 0.001 });
  for (const url of urls.slice(0, 300_000)) filter.add(url);
  await db.put('sets', filter.toBuffer(), 'whole');
  filter.markSaved();
  let next = 300_000;
  const change = () => {
    for (let i = 0; i < 10; i++) filter.add(urls[next++]!);
  };
  const shards: Work = {
    name: 'changed shards',
    operations: 1,
    prepare: () => {
      change();
      return async () => {
        const transaction = db.transaction('sets', 'readwrite', { durability: 'relaxed' });
        const puts = filter.dirtyShards().map((shard) => transaction.store.put(filter.shard(shard), shard));
        await Promise.all([...puts, transaction.store.put(filter.header(), -1), transaction.done]);
        filter.markSaved();
      };
    },
  };
  const whole: Work = {
    name: 'whole filter',
    operations: 1,
    prepare: () => {
      change();
      return async () => {
        const transaction = db.transaction('sets', 'readwrite', { durability: 'relaxed' });
        await Promise.all([transaction.store.put(filter.toBuffer(), 'whole'), transaction.done]);
        filter.markSaved();
      };
    },
  };
  const row = await timedRow(
    { ...context, rounds: 9 },
    {
      name: 'keep a changed filter (10 keys)',
      unit: 'ms',
      set: '1M shop',
      target: { most: 0.3 },
      ratioOf: 'ours ÷ whole filter',
    },
    { ours: shards, peers: [whole] },
  );
  db.close();
  await deleteDB('bench-filter');
  return row;
}

/** Visits through the product's recorder, a hundred in a transaction beside one. */
async function writeVisits(context: Context): Promise<Row> {
  useDatabase('bench-visits');
  await deleteDB('bench-visits');
  let ids = 0;
  const recorder = new Recorder({ now: () => 1_700_000_000_000 + ids, randomId: () => `id-${ids++}` });
  const site = 'https://shop.example.com';
  await recorder.commands.startRound({ scope: { name: 'Bench', origins: [`${site}/*`] }, base: 'none' });
  const visit = (): CaptureEvent => {
    const number = ids++;
    return {
      type: 'shown',
      id: `e${number}`,
      by: 'browser',
      document: `d${number}`,
      moment: 'start',
      url: `${site}/item/${number}`,
      at: 1_700_000_000_000 + number,
    };
  };
  const hundred: Work = {
    name: '100 a transaction',
    operations: 100,
    prepare: () => {
      const events = Array.from({ length: 100 }, visit);
      return () => recorder.recordAll(events);
    },
  };
  const single: Work = {
    name: 'one a transaction',
    operations: 20,
    prepare: () => {
      const events = Array.from({ length: 20 }, visit);
      return async () => {
        for (const event of events) await recorder.record(event);
      };
    },
  };
  const row = await timedRow(
    { ...context, rounds: 9 },
    {
      name: 'write visits',
      unit: 'µs',
      set: 'one site',
      target: { most: 0.2 },
      ratioOf: 'ours ÷ one a transaction',
    },
    { ours: hundred, peers: [single] },
  );
  await closeStore();
  await deleteDB('bench-visits');
  return row;
}

/** New links of a page, as many as one message carries, beside the bare rows in one transaction. */
async function storeLinks(context: Context): Promise<Row> {
  useDatabase('bench-links');
  await deleteDB('bench-links');
  let ids = 0;
  const recorder = new Recorder({ now: () => 1_700_000_000_000 + ids, randomId: () => `id-${ids++}` });
  const site = 'https://shop.example.com';
  const { round } = await recorder.commands.startRound({
    scope: { name: 'Bench', origins: [`${site}/*`] },
    base: 'none',
  });
  const LINKS = 2000;
  const some = () => Array.from({ length: LINKS }, () => `${site}/item/${ids++}?utm_source=list`);
  const ours: Work = {
    name: 'a message of 2,000',
    operations: LINKS,
    prepare: () => {
      const links = some();
      const event: CaptureEvent = { type: 'links', id: `l${ids++}`, url: `${site}/`, at: Date.now(), links };
      return async () => {
        const { added } = await recorder.record(event);
        if (added !== LINKS) throw new Error(`${added} links were added`);
      };
    },
  };
  const rows: Work = {
    name: 'bare rows',
    operations: LINKS,
    prepare: () => {
      const links = some();
      return async () => {
        const db = await openStore();
        const transaction = db.transaction('pages', 'readwrite', { durability: 'relaxed' });
        const about = { round, space: 'bare', at: 1, inBase: false, isNew: true, from: `${site}/` };
        for (const url of links) {
          const address = { url, key: url.split('?')[0]! };
          const page = knownPage(address, { ...round, space: 'bare' }, { ...about, seq: ids++ });
          transaction.store.add(page).catch(() => undefined);
        }
        await transaction.done;
      };
    },
  };
  const row = await timedRow(
    context,
    {
      name: 'store known links',
      unit: 'µs',
      set: 'one page',
      target: { most: 2 },
      ratioOf: 'ours ÷ bare rows',
    },
    { ours, peers: [rows] },
  );
  await closeStore();
  await deleteDB('bench-links');
  return row;
}

/** A space of a million pages when the worker wakes: from an unopened database to the states of 500 links. */
async function wake(context: Context): Promise<Row> {
  const urls = urlsOf(makeList('shop', 1_000_000));
  const set = new RoundSet();
  const filter = new BloomFilter({ capacity: urls.length, errorRate: 0.001 });
  for (const [i, url] of urls.entries()) {
    set.insert(url, i % 2 === 0 ? VISITED : KNOWN);
    if (i % 2 === 0) filter.add(url);
  }
  const db = await openSets('bench-wake');
  const saved = db.transaction('sets', 'readwrite');
  void saved.store.put(set.toBuffer(), 'set');
  void saved.store.put(filter.header(), 'filter');
  for (let i = 0; i < filter.shardCount; i++) void saved.store.put(filter.shard(i), i);
  await saved.done;
  db.close();
  const links = urls.slice(0, 500).map((url, i) => (i % 3 === 0 ? `${url}?new` : url));
  const times: number[] = [];
  for (let round = 0; round < context.rounds; round++) {
    const start = performance.now();
    const again = await openSets('bench-wake');
    const [bytes, header, shards] = await Promise.all([
      again.get('sets', 'set') as Promise<Uint8Array>,
      again.get('sets', 'filter') as Promise<Uint8Array>,
      again.getAll('sets', IDBKeyRange.bound(0, Infinity)) as Promise<Uint8Array[]>,
    ]);
    BloomFilter.fromShards(header, shards);
    const states = RoundSet.from(bytes).statesOf(links);
    times.push(performance.now() - start);
    if (states.filter((state) => state !== 0).length !== 333)
      throw new Error('the saved set answers wrongly');
    again.close();
  }
  await deleteDB('bench-wake');
  const median = times.sort((a, b) => a - b)[times.length >> 1]!;
  return exactRow(
    context,
    {
      name: 'first answer after wake',
      set: '1M shop, 500 links',
      unit: 'ms',
      target: { most: 300 },
      ratioOf: 'ours',
    },
    { ours: median, peerName: '', ratio: median },
  );
}

function openSets(name: string): Promise<IDBPDatabase> {
  return openDB(name, 1, { upgrade: (db) => void db.createObjectStore('sets') });
}
