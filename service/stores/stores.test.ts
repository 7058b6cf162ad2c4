import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { answerAt } from '../answers.ts';
import { StoreDownError, StoreOpenError, type Batch } from '../store.ts';
import { describeStore } from './conformance.ts';
import { Endings } from './endings.ts';
import { MemoryStore } from './memory.ts';
import { openStore } from './open.ts';
import { APPLICATION } from './sqlite-schema.ts';
import { SqliteStore } from './sqlite.ts';
import { FingerprintTable } from './table.ts';

const folder = mkdtempSync(join(tmpdir(), 'onceover-stores-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = () => join(folder, `${files++}.sqlite`);

describeStore('memory', { open: async () => new MemoryStore() });

const paths = new WeakMap<object, string>();
function openFile(file: string): SqliteStore {
  const store = new SqliteStore(file);
  paths.set(store, file);
  return store;
}
describeStore('sqlite', {
  open: async () => openFile(newFile()),
  async reopen(store) {
    await store.close();
    return openFile(paths.get(store)!);
  },
});

describe('sqlite', () => {
  const namespace = { ns: 'n', policy: 'p', form: 'sha256-16', addresses: false } as const;
  const mark = (from: number, count: number): Batch => {
    const fingerprints = Buffer.alloc(count * 16);
    for (let i = 0; i < count; i++) fingerprints.writeUInt32BE(((from + i) * 2654435761) >>> 0, i * 16);
    const round = { key: 'all', ends: null };
    const items = { count, width: 16, fingerprints, refused: new Uint8Array(count) };
    return { namespace, round, verb: 'mark', ...items, at: 1e12, now: 1e12, until: 1e12 };
  };
  const freshIn = (answers: Buffer) =>
    Array.from({ length: answers.length / 16 }, (_, index) => answerAt(answers, index)).filter(
      ({ result }) => result === 'fresh',
    ).length;

  test('a full disk: nothing of the transaction is done, and it goes on when there is room', async () => {
    const file = newFile();
    const store = new SqliteStore(file, 40);
    await store.bind(namespace);
    let acknowledged = 0;
    let failed: unknown;
    for (let from = 0; failed === undefined && from < 100_000; from += 1000) {
      try {
        const { answers } = await store.apply(mark(from, 1000));
        expect(freshIn(answers)).toBe(1000);
        acknowledged += 1000;
      } catch (error) {
        failed = error;
      }
    }
    expect(failed).toBeInstanceOf(StoreDownError);
    expect(acknowledged).toBeGreaterThan(0);
    expect(await store.rounds('n')).toMatchObject([{ count: acknowledged }]);
    await expect(store.check().then(() => store.apply(mark(acknowledged, 1000)))).rejects.toThrow(
      StoreDownError,
    );
    // What was acknowledged is still answered.
    const asked = await store.apply({ ...mark(0, acknowledged + 1000), verb: 'is_seen' });
    expect(freshIn(asked.answers)).toBe(1000);
    await store.close();
    const roomy = new SqliteStore(file);
    const { answers } = await roomy.apply(mark(acknowledged, 1000));
    expect(freshIn(answers)).toBe(1000);
    expect(await roomy.rounds('n')).toMatchObject([{ count: acknowledged + 1000 }]);
    await roomy.close();
  });

  test('the filter is built from the truth, counts what it saves, and never says no to what is there', async () => {
    const file = newFile();
    let store = new SqliteStore(file);
    await store.bind(namespace);
    for (let from = 0; from < 30_000; from += 10_000) await store.apply(mark(from, 10_000));
    await store.close();
    store = new SqliteStore(file);
    // Not ready yet: the tables answer.
    expect(store.figures().filter?.ready).toBe(false);
    const early = await store.apply({ ...mark(0, 10_000), verb: 'is_seen' });
    expect(freshIn(early.answers)).toBe(0);
    const during = store.apply(mark(30_000, 10_000));
    await store.filterBuilt();
    await during;
    expect(store.figures().filter?.ready).toBe(true);
    const all = await store.apply({ ...mark(0, 40_000), verb: 'is_seen' });
    expect(freshIn(all.answers)).toBe(0);
    const absent = await store.apply({ ...mark(50_000, 40_000), verb: 'is_seen' });
    expect(freshIn(absent.answers)).toBe(40_000);
    const { filter, fingerprints } = store.figures();
    expect(fingerprints).toBe(40_000);
    expect(filter!.negatives).toBeGreaterThan(39_000);
    expect(filter!.falsePositives).toBe(40_000 - filter!.negatives);
    await store.close();
  });

  test('one process owns the file', async () => {
    const file = newFile();
    const store = new SqliteStore(file);
    expect(() => new SqliteStore(file)).toThrow(/another program has it open/);
    await store.close();
    await new SqliteStore(file).close();
  });

  test('its file is for its owner alone', async () => {
    const file = newFile();
    const store = new SqliteStore(file);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0);
    await store.close();
  });

  test('a file of another kind, program or version is refused and left as it is', () => {
    const text = newFile();
    writeFileSync(text, 'These are my notes. '.repeat(300));
    expect(() => new SqliteStore(text)).toThrow(/no SQLite database/);
    const foreign = newFile();
    const db = new DatabaseSync(foreign);
    db.exec('CREATE TABLE mine (x)');
    db.close();
    expect(() => new SqliteStore(foreign)).toThrow(/another program/);
    const newer = newFile();
    const store = new DatabaseSync(newer);
    store.exec(`PRAGMA application_id = ${APPLICATION}; PRAGMA user_version = 9; CREATE TABLE x (y)`);
    store.close();
    expect(() => new SqliteStore(newer)).toThrow(/Update Onceover/);
    expect(() => new SqliteStore(folder)).toThrow(StoreOpenError);
  });

  test('a window that is over is dropped as a whole', async () => {
    const endings = new Endings(100, () => clock);
    let clock = 0;
    const window = {};
    expect(endings.isOver(window, null, 1e15)).toBe(false);
    expect(endings.isOver(window, 1000, 999)).toBe(false);
    expect(endings.isOver(window, 1000, 1000)).toBe(false);
    clock = 99;
    expect(endings.isOver(window, 1000, 2000)).toBe(false);
    // The wall clock jumped a year ahead and was set right again.
    expect(endings.isOver(window, 1000, 999)).toBe(false);
    clock = 150;
    expect(endings.isOver(window, 1000, 1000)).toBe(false);
    clock = 250;
    expect(endings.isOver(window, 1000, 1000)).toBe(true);
  });

  test('dropping a window takes its table, its leases and its addresses', async () => {
    const file = newFile();
    const store = new SqliteStore(file, undefined, 0);
    await store.bind({ ...namespace, addresses: true });
    const round = { key: 'hour@2001-09-09T01Z', ends: 1e12 };
    await store.apply({ ...mark(0, 100), round, addresses: Array(100).fill('https://a.example.com/') });
    await store.apply({ ...mark(100, 10), round, verb: 'lease', until: 2e12 });
    await store.apply(mark(0, 5));
    await store.maintain(1e12, 1e12);
    await store.maintain(1e12, 1e12);
    expect(await store.rounds('n')).toEqual([{ key: 'all', ends: null, count: 5 }]);
    expect(store.figures()).toMatchObject({ fingerprints: 5, leases: 0 });
    await store.close();
    const db = new DatabaseSync(file);
    const count = (sql: string) => db.prepare(sql).get()?.['n'];
    expect(count("SELECT count(*) AS n FROM sqlite_schema WHERE name GLOB 'f[0-9]*'")).toBe(1);
    expect(count('SELECT count(*) AS n FROM leases')).toBe(0);
    expect(count('SELECT count(*) AS n FROM addresses')).toBe(0);
    db.close();
  });
});

describe('openStore', () => {
  test.each([
    'redis',
    'redis:',
    'sqlite',
    'sqlite:',
    'memory:',
    '',
    'mysql://user:secret@db/x',
    'redis://user:secret@host:port/',
    'redis://user:secret@127.0.0.1/queue',
    'redis://user:secret@127.0.0.1/?bits=40',
    'redis://user:secret@127.0.0.1/?shards=4',
  ])('refuses %s', async (url) => {
    const problem = await openStore(url).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(problem).toBeInstanceOf(StoreOpenError);
    expect(String(problem)).not.toContain('secret');
  });
});

test('the table is a map, whatever the fingerprints', () => {
  const table = new FingerprintTable(20, 8);
  const model = new Map<string, number>();
  for (let n = 0; n < 5000; n++) {
    const bytes = Buffer.alloc(22);
    bytes.writeUInt32LE(n % 1700, 2 + (n % 4) * 4);
    table.set(bytes, 2, n + 1);
    model.set(bytes.subarray(2).toString('latin1'), n + 1);
  }
  expect(table.size).toBe(model.size);
  for (const [key, mark] of model) expect(table.get(Buffer.from(key, 'latin1'), 0)).toBe(mark);
  const sorted = table.sorted();
  expect(sorted).toHaveLength(model.size);
  for (let i = 1; i < sorted.length; i++)
    expect(Buffer.compare(sorted[i - 1]!.fingerprint, sorted[i]!.fingerprint)).toBe(-1);
});
