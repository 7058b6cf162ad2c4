import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { ANSWER_BYTES, FRESH, INVALID, SEEN, writeAnswer } from '../answers.ts';
import { Filter } from '../filter.ts';
import { DEFAULT_FORM, widthOf, type Form } from '../forms.ts';
import { packAnswers, unpackAnswers } from '../journal.ts';
import { markState, markTime } from '../states.ts';
import {
  JOURNAL_KEPT,
  KeyReusedError,
  StoreDownError,
  StoreOpenError,
  WINDOW_GRACE,
  type Applied,
  type Batch,
  type Namespace,
  type RoundInfo,
  type Store,
  type StoreFigures,
  type StoredPage,
} from '../store.ts';
import { answerBatch } from '../verbs.ts';
import { Endings } from './endings.ts';
import { isForgotten } from './memory.ts';
import { APPLICATION, SCHEMA, SCHEMA_VERSION } from './sqlite-schema.ts';
import { SqliteSpace, type SpaceRow, type Surroundings } from './sqlite-space.ts';

/** Fingerprints read at once, to build the filter and to export. */
const PIECE = 10_000;

/** Something to be done in the next transaction. */
interface Job {
  readonly run: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One SQLite file, which this process owns alone (exclusive lock), in WAL mode with a sync at each commit. Requests that come at
 * the same time share one transaction and one sync. Each round is a table of its own, `WITHOUT ROWID`, so that a window is dropped
 * as a whole. Small things (namespaces, leases, the numbers of the rounds) are held in memory too, and read again after a
 * transaction that failed.
 */
export class SqliteStore implements Store {
  readonly name: string;
  readonly durable = true;
  readonly #db: DatabaseSync;
  readonly #filter = new Filter();
  readonly #endings: Endings;
  readonly #statements = new Map<string, StatementSync>();
  #namespaces = new Map<string, Namespace>();
  /** By namespace, then by round. */
  #spaces = new Map<string, Map<string, SqliteSpace>>();
  #redirects = new Set<string>();
  #token = 0;
  #savedToken = 0;
  #jobs: Job[] = [];
  #building: Promise<void>;
  #isClosed = false;
  /** A transaction failed, and what is in memory could not be read again yet. */
  #isStale = false;

  /**
   * @param pages SQLite's limit on the size of the file, for tests of a full disk
   * @param grace see `WINDOW_GRACE`
   * @throws {StoreOpenError}
   */
  constructor(file: string, pages?: number, grace = WINDOW_GRACE) {
    this.name = `sqlite:${file}`;
    this.#endings = new Endings(grace);
    try {
      if (file !== ':memory:' && !existsSync(file)) {
        mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        // It holds the token, and perhaps addresses.
        closeSync(openSync(file, 'a', 0o600));
      }
      this.#db = new DatabaseSync(file, { timeout: 1000 });
      this.#db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
      // Fingerprints fall all over the table: what stays in memory and in the log is written to its place once for many batches.
      this.#db.exec('PRAGMA cache_size = -262144; PRAGMA wal_autocheckpoint = 16384;');
      this.#prepareSchema(file);
      if (pages !== undefined) this.#db.exec(`PRAGMA max_page_count = ${pages}`);
      this.#load();
    } catch (error) {
      throw openError(file, error);
    }
    this.#building = this.#buildFilter();
  }

  async namespaces(): Promise<Namespace[]> {
    return [...this.#namespaces.values()];
  }

  async namespace(ns: string): Promise<Namespace | undefined> {
    return this.#namespaces.get(ns);
  }

  bind(wanted: Namespace): Promise<Namespace> {
    return this.#write(() => {
      const found = this.#namespaces.get(wanted.ns);
      if (found !== undefined) return found;
      const { ns, policy, form, addresses } = wanted;
      this.#statement('INSERT INTO namespaces VALUES (?, ?, ?, ?)').run(ns, policy, form, Number(addresses));
      this.#namespaces.set(ns, wanted);
      return wanted;
    });
  }

  keepAddresses(ns: string, on: boolean): Promise<void> {
    return this.#write(() => {
      const found = this.#namespaces.get(ns);
      if (found === undefined) return;
      this.#statement('UPDATE namespaces SET addresses = ? WHERE ns = ?').run(Number(on), ns);
      this.#namespaces.set(ns, { ...found, addresses: on });
      if (!on)
        this.#statement('DELETE FROM addresses WHERE space IN (SELECT id FROM spaces WHERE ns = ?)').run(ns);
    });
  }

  async apply(batch: Batch): Promise<Applied> {
    if (batch.verb === 'is_seen') return this.#read(() => this.#answer(batch, undefined));
    return this.#write(() => {
      const { journal } = batch;
      if (journal === undefined) return this.#answer(batch, this.#openSpace(batch));
      const row = this.#statement('SELECT digest, answers FROM journal WHERE key = ?').get(journal.key);
      if (row !== undefined) {
        if (!journal.digest.equals(row['digest'] as Uint8Array)) throw new KeyReusedError();
        return { answers: unpackAnswers(row['answers'] as Uint8Array), replayed: true };
      }
      const applied = this.#answer(batch, this.#openSpace(batch));
      this.#statement('INSERT INTO journal (key, digest, answers, at) VALUES (?, ?, ?, ?)').run(
        journal.key,
        journal.digest,
        packAnswers(applied.answers),
        batch.now,
      );
      return applied;
    });
  }

  addRedirects({ ns, form }: Namespace, from: Buffer, to: Buffer, refused: Uint8Array): Promise<Buffer> {
    return this.#write(() => {
      const width = widthOf(form);
      const answers = Buffer.alloc(refused.length * ANSWER_BYTES);
      const known = this.#statement('SELECT target FROM redirects WHERE ns = ? AND fp = ?');
      const set = this.#statement('INSERT OR REPLACE INTO redirects VALUES (?, ?, ?)');
      for (const [index, reason] of refused.entries()) {
        if (reason !== 0) {
          writeAnswer(answers, index, INVALID, reason, 0, 0);
          continue;
        }
        const fp = from.subarray(index * width, (index + 1) * width);
        const target = to.subarray(index * width, (index + 1) * width);
        const before = known.get(ns, fp)?.['target'] as Uint8Array | undefined;
        const isKnown = before !== undefined && target.equals(before);
        if (!isKnown) set.run(ns, fp, target);
        writeAnswer(answers, index, isKnown ? SEEN : FRESH, 0, 0, 0);
      }
      this.#redirects.add(ns);
      return answers;
    });
  }

  async rounds(ns: string): Promise<RoundInfo[]> {
    const spaces = this.#spaces.get(ns)?.values() ?? [];
    return Array.from(spaces, ({ round, ends, count }) => ({ key: round, ends, count }));
  }

  async *pages(ns: string, round: string): AsyncGenerator<StoredPage[]> {
    let after: Uint8Array = Buffer.alloc(0);
    for (;;) {
      const space = this.#spaces.get(ns)?.get(round);
      if (space === undefined) return;
      const last = after;
      const rows = this.#read(() =>
        this.#statement(
          `SELECT f.fp, f.mark, a.url FROM ${space.table} f LEFT JOIN addresses a ON a.space = ? AND a.fp = f.fp
           WHERE f.fp > ? ORDER BY f.fp LIMIT ${PIECE}`,
        ).all(space.id, last),
      );
      if (rows.length === 0) return;
      const pages = rows.map((row): StoredPage => {
        const mark = row['mark'] as number;
        const url = row['url'] as string | null;
        const page = {
          fingerprint: Buffer.from(row['fp'] as Uint8Array),
          at: markTime(mark),
          state: markState(mark),
        };
        return url === null ? page : { ...page, url };
      });
      after = pages.at(-1)!.fingerprint;
      yield pages;
    }
  }

  async maintain(wall: number, steady: number): Promise<void> {
    await this.#write(() => {
      this.#statement('DELETE FROM journal WHERE at < ?').run(steady - JOURNAL_KEPT);
      for (const spaces of this.#spaces.values()) {
        for (const [round, space] of spaces) {
          for (const [key, lease] of space.leases.entries())
            if (isForgotten(lease, steady)) space.leases.delete(key);
          if (!this.#endings.isOver(space, space.ends, wall)) continue;
          spaces.delete(round);
          this.#drop(space);
        }
      }
    });
    // What dropped rounds left in the filter makes it say "maybe" more often.
    if (this.#filter.ready && this.#filter.size > 2 * this.#count() + 1_000_000)
      this.#building = this.#buildFilter();
  }

  async setting(name: string): Promise<string | undefined> {
    return this.#statement('SELECT value FROM settings WHERE name = ?').get(name)?.['value'] as
      string | undefined;
  }

  setSetting(name: string, value: string): Promise<void> {
    return this.#write(() => {
      this.#statement('INSERT OR REPLACE INTO settings VALUES (?, ?)').run(name, value);
    });
  }

  async check(): Promise<void> {
    await this.setSetting('checked', String(Date.now()));
  }

  figures(): StoreFigures {
    let leases = 0;
    for (const spaces of this.#spaces.values())
      for (const space of spaces.values()) leases += space.leases.size;
    return { fingerprints: this.#count(), leases, queue: this.#jobs.length, filter: this.#filter.figures };
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#runJobs();
    await this.#building;
    this.#db.close();
  }

  /** Resolves when the filter holds everything; until then the store answers without it. */
  filterBuilt(): Promise<void> {
    return this.#building;
  }

  // ---- Answers ----

  #answer(batch: Batch, space: SqliteSpace | undefined): Applied {
    const known = space ?? this.#spaces.get(batch.namespace.ns)?.get(batch.round.key);
    const asked = known ?? new SqliteSpace(NO_ROW, this.#surroundings(batch.namespace.ns));
    return { answers: answerBatch(asked, batch, () => ++this.#token), replayed: false };
  }

  /** The space of a batch; its table is made where there is none. */
  #openSpace({ namespace: { ns }, round }: Batch): SqliteSpace {
    const rounds = this.#spaces.get(ns) ?? new Map<string, SqliteSpace>();
    this.#spaces.set(ns, rounds);
    const found = rounds.get(round.key);
    if (found !== undefined) return found;
    const { lastInsertRowid } = this.#statement(
      'INSERT INTO spaces (ns, round, ends, count) VALUES (?, ?, ?, 0)',
    ).run(ns, round.key, round.ends);
    const row = { id: Number(lastInsertRowid), round: round.key, ends: round.ends, count: 0 };
    const space = new SqliteSpace(row, this.#surroundings(ns));
    this.#db.exec(`CREATE TABLE ${space.table} (fp BLOB PRIMARY KEY, mark INTEGER NOT NULL) WITHOUT ROWID`);
    rounds.set(round.key, space);
    return space;
  }

  #surroundings(ns: string): Surroundings {
    return {
      width: widthOf(this.#namespaces.get(ns)?.form ?? DEFAULT_FORM),
      filter: this.#filter,
      statement: (sql: string) => this.#statement(sql),
      redirect: (fingerprint: Buffer) =>
        this.#redirects.has(ns)
          ? (this.#statement('SELECT target FROM redirects WHERE ns = ? AND fp = ?').get(ns, fingerprint)?.[
              'target'
            ] as Uint8Array | undefined)
          : undefined,
    };
  }

  #drop(space: SqliteSpace): void {
    this.#db.exec(`DROP TABLE ${space.table}`);
    for (const table of ['addresses', 'leases'])
      this.#statement(`DELETE FROM ${table} WHERE space = ?`).run(space.id);
    this.#statement('DELETE FROM spaces WHERE id = ?').run(space.id);
    for (const sql of this.#statements.keys())
      if (sql.includes(`${space.table} `)) this.#statements.delete(sql);
  }

  #count(): number {
    let count = 0;
    for (const spaces of this.#spaces.values()) for (const space of spaces.values()) count += space.count;
    return count;
  }

  // ---- Transactions ----

  #read<T>(run: () => T): T {
    try {
      this.#reload();
      return run();
    } catch (error) {
      throw down(error);
    }
  }

  /** Runs in the next transaction; resolves when that is committed. */
  #write<T>(run: () => T): Promise<T> {
    if (this.#isClosed) return Promise.reject(new StoreDownError('The store is closed.'));
    return new Promise((resolve, reject) => {
      if (this.#jobs.length === 0) setImmediate(() => this.#runJobs());
      this.#jobs.push({ run, resolve: resolve as (value: unknown) => void, reject });
    });
  }

  /** All jobs that wait, in one transaction: they are acknowledged together, or none is. */
  #runJobs(): void {
    const jobs = this.#jobs;
    if (jobs.length === 0) return;
    this.#jobs = [];
    const done: (() => void)[] = [];
    try {
      this.#reload();
      this.#db.exec('BEGIN IMMEDIATE');
      for (const { run, resolve, reject } of jobs) {
        try {
          const value = run();
          done.push(() => resolve(value));
        } catch (error) {
          // It says so before it changes anything.
          if (!(error instanceof KeyReusedError)) throw error;
          done.push(() => reject(error));
        }
      }
      this.#saveNumbers();
      this.#db.exec('COMMIT');
    } catch (error) {
      this.#undo();
      const problem = down(error);
      for (const { reject } of jobs) reject(problem);
      return;
    }
    for (const tell of done) tell();
  }

  #saveNumbers(): void {
    for (const spaces of this.#spaces.values()) for (const space of spaces.values()) space.save();
    if (this.#token === this.#savedToken) return;
    this.#statement('INSERT OR REPLACE INTO settings VALUES (?, ?)').run('fence', String(this.#token));
    this.#savedToken = this.#token;
  }

  #undo(): void {
    const token = this.#token;
    this.#isStale = true;
    try {
      this.#reload();
    } catch {
      // The disk does not answer at all: what comes next tries again, or fails as well.
    }
    // A token that nobody got is not given again either.
    this.#token = Math.max(this.#token, token);
  }

  /** Makes memory what the file says, after a transaction that failed. */
  #reload(): void {
    if (!this.#isStale) return;
    if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
    this.#load();
    this.#isStale = false;
  }

  // ---- Opening ----

  #prepareSchema(file: string): void {
    const version = this.#db.prepare('PRAGMA user_version').get()?.['user_version'];
    const tables = this.#db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.['n'];
    if (version === 0 && tables === 0) {
      this.#db.exec(`BEGIN; ${SCHEMA}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT;`);
      return;
    }
    const application = this.#db.prepare('PRAGMA application_id').get()?.['application_id'];
    if (application !== APPLICATION)
      throw new StoreOpenError(`"${file}" is a database of another program. Name another file.`);
    if (version !== SCHEMA_VERSION)
      throw new StoreOpenError(
        `"${file}" has the layout ${String(version)}, and this version of Onceover reads ${SCHEMA_VERSION}. Update Onceover.`,
      );
  }

  /** Reads what is held in memory, the filter aside. */
  #load(): void {
    this.#statements.clear();
    const namespaces = this.#db.prepare('SELECT * FROM namespaces').all();
    this.#namespaces = new Map(
      namespaces.map((row) => {
        const ns = row['ns'] as string;
        const bound = { ns, policy: row['policy'] as string, form: row['form'] as Form };
        return [ns, { ...bound, addresses: row['addresses'] === 1 }];
      }),
    );
    const byId = new Map<number, SqliteSpace>();
    this.#spaces = new Map();
    for (const row of this.#db.prepare('SELECT * FROM spaces').all()) {
      const ns = row['ns'] as string;
      const space = new SqliteSpace(row as unknown as SpaceRow, this.#surroundings(ns));
      byId.set(space.id, space);
      const rounds = this.#spaces.get(ns) ?? new Map<string, SqliteSpace>();
      this.#spaces.set(ns, rounds.set(space.round, space));
    }
    for (const row of this.#db.prepare('SELECT * FROM leases').all()) {
      const lease = {
        token: row['token'] as number,
        until: row['until'] as number,
        retryAt: row['retry_at'] as number,
      };
      byId
        .get(row['space'] as number)
        ?.leases.load(Buffer.from(row['fp'] as Uint8Array).toString('latin1'), lease);
    }
    const redirected = this.#db.prepare('SELECT DISTINCT ns FROM redirects').all();
    this.#redirects = new Set(redirected.map((row) => row['ns'] as string));
    const fence = this.#db.prepare("SELECT value FROM settings WHERE name = 'fence'").get();
    this.#token = Number(fence?.['value'] ?? 0);
    this.#savedToken = this.#token;
  }

  /** Builds the filter from the tables, piece by piece, while the store answers without it; what is marked meanwhile is added too. */
  async #buildFilter(): Promise<void> {
    this.#filter.reset(this.#count());
    for (const spaces of this.#spaces.values()) {
      for (const { id, table } of spaces.values()) {
        let after: Uint8Array = Buffer.alloc(0);
        for (;;) {
          const last = after;
          if (this.#isClosed) return;
          const rows = this.#piece(table, last);
          for (const row of rows) {
            after = row['fp'] as Uint8Array;
            this.#filter.add(id, Buffer.from(after.buffer, after.byteOffset, after.byteLength), 0);
          }
          if (rows.length < PIECE) break;
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
    }
    this.#filter.ready = true;
  }

  /** Empty where the round was dropped meanwhile. */
  #piece(table: string, after: Uint8Array): Record<string, unknown>[] {
    try {
      return this.#statement(`SELECT fp FROM ${table} WHERE fp > ? ORDER BY fp LIMIT ${PIECE}`).all(after);
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('no such table')) return [];
      throw error;
    }
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) this.#statements.set(sql, (statement = this.#db.prepare(sql)));
    return statement;
  }
}

const NO_ROW: SpaceRow = { id: 0, round: '', ends: null, count: 0 };

function down(error: unknown): StoreDownError {
  const { message } = error as Error;
  return new StoreDownError(`SQLite: ${message}`, { cause: error });
}

function openError(file: string, error: unknown): Error {
  if (error instanceof StoreOpenError) return error;
  const { message } = error as Error;
  const advice = /locked|busy/i.test(message)
    ? 'another program has it open: one service owns its file alone'
    : /not a database|malformed/i.test(message)
      ? `it is no SQLite database or a damaged one (${message}): name another file`
      : message;
  return new StoreOpenError(`"${file}" cannot be opened: ${advice}.`);
}
