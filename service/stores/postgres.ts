import { randomUUID } from 'node:crypto';
import { ANSWER_BYTES, FRESH, INVALID, SEEN, writeAnswer } from '../answers.ts';
import { widthOf, type Form } from '../forms.ts';
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
import { answerBatch, MOST_HOPS, type Lease } from '../verbs.ts';
import { Endings } from './endings.ts';
import { codeOf, type Connection, type Database } from './postgres-connection.ts';
import { MIGRATIONS, SCHEMA_NAME, tableFor } from './postgres-schema.ts';
import { BatchSpace, leaseKeyOf, namesOf, type Learned } from './postgres-space.ts';

const PIECE = 10_000;
/** How long a namespace is remembered; only whether it keeps addresses may change. */
const NAMESPACE_KEPT = 1_000;
const SLOTS = 64;
/** "undefined_table": another service dropped the window. */
const NO_TABLE = '42P01';

/** A round: its number names its table. */
export interface SpaceId {
  readonly id: number;
  readonly width: number;
}

/** Marks that are known already, by the hex digits of their fingerprints. */
export type KnownMarks = ReadonlyMap<string, number>;
const NOTHING: KnownMarks = new Map();

/**
 * PostgreSQL: the unique key of a fingerprint decides. Several services may work on one database. Each batch is a transaction of its own that
 * takes rows in the order of their fingerprints, leases before marks, so that two never wait for each other.
 */
export class PostgresStore implements Store {
  readonly name: string;
  readonly #database: Database;
  readonly #partitions: number;
  readonly #endings = new Endings(WINDOW_GRACE);
  readonly #windows = new Map<number, object>();
  readonly #namespaces = new Map<string, { bound: Namespace; until: number }>();
  readonly #spaces = new Map<string, SpaceId>();
  #incarnation: { connects: number; name: string } | undefined;
  #fingerprints = 0;
  #leases = 0;

  constructor(database: Database, partitions: number) {
    this.#database = database;
    this.#partitions = partitions;
    this.name = database.name;
  }

  get durable(): boolean {
    return this.#database.isDurable;
  }

  /** Brings the schema to this version. @throws {StoreOpenError} */
  async load(): Promise<this> {
    await this.#database.transact(async ({ ask, change }) => {
      // One service at a time.
      await ask('SELECT pg_advisory_xact_lock(1333162545)');
      const [schema] = await ask('SELECT FROM pg_namespace WHERE nspname = $1', [SCHEMA_NAME]);
      if (schema === undefined) await change(`CREATE SCHEMA ${SCHEMA_NAME}`);
      await change(
        'CREATE TABLE IF NOT EXISTS onceover.migrations (version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())',
      );
      const [row] = await ask<{ version: number }>(
        'SELECT coalesce(max(version), 0) AS version FROM onceover.migrations',
      );
      const { version } = row!;
      if (version > MIGRATIONS.length)
        throw new StoreOpenError(
          `The database at ${this.name} has the layout ${version}, and this version of Onceover knows ${MIGRATIONS.length}. Update Onceover.`,
        );
      for (const [index, step] of MIGRATIONS.slice(version).entries()) {
        for (const statement of step.split(';').filter((text) => text.trim() !== '')) await change(statement);
        await change('INSERT INTO onceover.migrations (version) VALUES ($1)', [version + index + 1]);
      }
    });
    await this.#refresh();
    return this;
  }

  async namespaces(): Promise<Namespace[]> {
    return this.#database.use(({ ask }) =>
      ask<Row<Namespace>>('SELECT ns, policy, form, addresses FROM onceover.namespaces ORDER BY ns'),
    );
  }

  async namespace(ns: string): Promise<Namespace | undefined> {
    const known = this.#namespaces.get(ns);
    if (known !== undefined && known.until > performance.now()) return known.bound;
    const [bound] = await this.#database.use(({ ask }) =>
      ask<Row<Namespace>>('SELECT ns, policy, form, addresses FROM onceover.namespaces WHERE ns = $1', [ns]),
    );
    if (bound !== undefined) this.#namespaces.set(ns, { bound, until: performance.now() + NAMESPACE_KEPT });
    return bound;
  }

  async bind(wanted: Namespace): Promise<Namespace> {
    const found = await this.namespace(wanted.ns);
    if (found !== undefined) return found;
    const { ns, policy, form, addresses } = wanted;
    await this.#database.transact(({ change }) =>
      change('INSERT INTO onceover.namespaces VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING', [
        ns,
        policy,
        form,
        addresses,
      ]),
    );
    return (await this.namespace(ns)) ?? wanted;
  }

  async keepAddresses(ns: string, on: boolean): Promise<void> {
    await this.#database.transact(async ({ change }) => {
      await change('UPDATE onceover.namespaces SET addresses = $2 WHERE ns = $1', [ns, on]);
      if (!on)
        await change(
          'DELETE FROM onceover.addresses WHERE space IN (SELECT id FROM onceover.spaces WHERE ns = $1)',
          [ns],
        );
    });
    this.#namespaces.delete(ns);
  }

  apply(batch: Batch): Promise<Applied> {
    return this.applyKnowing(batch, NOTHING);
  }

  /** The same, where marks of some pages are known: they are not asked for again. */
  async applyKnowing(batch: Batch, known: KnownMarks, learned?: Learned): Promise<Applied> {
    for (;;) {
      const space = await this.#findSpace(batch);
      try {
        if (batch.verb === 'is_seen') return await this.#look(batch, space, known, learned);
        const opened = space ?? (await this.#makeSpace(batch));
        return await this.#decide(batch, opened, known, learned);
      } catch (error) {
        if (codeOf(error) !== NO_TABLE) throw error;
        this.#spaces.delete(spaceKey(batch));
      }
    }
  }

  async addRedirects(
    { ns, form }: Namespace,
    from: Buffer,
    to: Buffer,
    refused: Uint8Array,
  ): Promise<Buffer> {
    const width = widthOf(form);
    const answers = Buffer.alloc(refused.length * ANSWER_BYTES);
    const cut = (bytes: Buffer, index: number) => bytes.subarray(index * width, (index + 1) * width);
    const wanted = new Map<string, { fp: Buffer; target: Buffer; index: number }[]>();
    for (const [index, reason] of refused.entries()) {
      if (reason !== 0) {
        writeAnswer(answers, index, INVALID, reason, 0, 0);
        continue;
      }
      const fp = cut(from, index);
      const name = fp.toString('hex');
      wanted.set(name, [...(wanted.get(name) ?? []), { fp, target: cut(to, index), index }]);
    }
    const names = [...wanted.keys()].sort();
    const last = names.map((name) => wanted.get(name)!.at(-1)!);
    const before = await this.#database.transact(async ({ ask, change }) => {
      const fps = last.map(({ fp }) => fp);
      const rows = await ask<{ fp: Buffer; target: Buffer }>(
        'SELECT fp, target FROM onceover.redirects WHERE ns = $1 AND fp = ANY($2::bytea[]) ORDER BY fp FOR UPDATE',
        [ns, fps],
      );
      await change(
        `INSERT INTO onceover.redirects SELECT $1, fp, target FROM unnest($2::bytea[], $3::bytea[]) AS v (fp, target) ORDER BY fp
         ON CONFLICT (ns, fp) DO UPDATE SET target = excluded.target`,
        [ns, fps, last.map(({ target }) => target)],
      );
      return new Map(rows.map(({ fp, target }) => [fp.toString('hex'), target]));
    });
    for (const [name, items] of wanted) {
      let known = before.get(name);
      for (const { target, index } of items) {
        writeAnswer(answers, index, known?.equals(target) === true ? SEEN : FRESH, 0, 0, 0);
        known = target;
      }
    }
    return answers;
  }

  async rounds(ns: string): Promise<RoundInfo[]> {
    const rows = await this.#database.use(({ ask }) =>
      ask<{ round: string; ends: string | null; count: string }>(
        `SELECT round, ends, coalesce((SELECT sum(count) FROM onceover.counts WHERE space = id), 0) AS count
         FROM onceover.spaces WHERE ns = $1 ORDER BY id`,
        [ns],
      ),
    );
    return rows.map(({ round, ends, count }) => ({
      key: round,
      ends: ends === null ? null : Number(ends),
      count: Number(count),
    }));
  }

  async *pages(ns: string, round: string): AsyncGenerator<StoredPage[]> {
    const space = await this.findSpace(ns, round);
    if (space === undefined) return;
    const { id, width } = space;
    const bytes = width === 16 ? 'uuid_send(f.fp)' : 'f.fp';
    let after: Buffer | undefined;
    for (;;) {
      const from =
        after === undefined
          ? ''
          : `WHERE f.fp > ${width === 16 ? "encode($2::bytea, 'hex')::uuid" : '$2::bytea'}`;
      const values = after === undefined ? [id] : [id, after];
      const rows = await this.#database
        .use(({ ask }) =>
          ask<{ fp: Buffer; mark: string; url: string | null }>(
            `SELECT p.*, a.url FROM (SELECT ${bytes} AS fp, f.mark FROM onceover.f${id} f ${from} ORDER BY f.fp LIMIT ${PIECE}) p
             LEFT JOIN onceover.addresses a ON a.space = $1 AND a.fp = p.fp ORDER BY p.fp`,
            values,
          ),
        )
        .catch((error: unknown) => {
          // The window was dropped meanwhile.
          if (codeOf(error) === NO_TABLE) return [];
          throw error;
        });
      if (rows.length === 0) return;
      yield rows.map(({ fp, mark, url }) => {
        const page = { fingerprint: fp, at: markTime(Number(mark)), state: markState(Number(mark)) };
        return url === null ? page : { ...page, url };
      });
      after = rows.at(-1)!.fp;
    }
  }

  async maintain(wall: number, steady: number): Promise<void> {
    await this.#database.use(({ change }) =>
      change('DELETE FROM onceover.journal WHERE at < $1', [steady - JOURNAL_KEPT]),
    );
    // What `isForgotten` says of a lease.
    await this.#database.transact(({ change }) =>
      change('DELETE FROM onceover.leases WHERE greatest(until, retry_at) < $1', [steady - 3_600_000]),
    );
    const rows = await this.#database.use(({ ask }) =>
      ask<{ id: number; ends: string }>('SELECT id, ends FROM onceover.spaces WHERE ends IS NOT NULL'),
    );
    for (const { id, ends } of rows) {
      const window = this.#windows.get(id) ?? {};
      this.#windows.set(id, window);
      if (this.#endings.isOver(window, Number(ends), wall)) await this.#drop(id);
    }
    await this.#refresh();
  }

  async setting(name: string): Promise<string | undefined> {
    const [row] = await this.#database.use(({ ask }) =>
      ask<{ value: string }>('SELECT value FROM onceover.settings WHERE name = $1', [name]),
    );
    return row?.value;
  }

  async setSetting(name: string, value: string): Promise<void> {
    await this.#database.transact(({ change }) =>
      change(
        'INSERT INTO onceover.settings VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
        [name, value],
      ),
    );
  }

  async check(): Promise<void> {
    await this.setSetting('checked', String(Date.now()));
  }

  notes(): string[] {
    return this.durable
      ? []
      : ['The PostgreSQL runs with fsync = off: what it acknowledges may be lost. Set fsync = on.'];
  }

  figures(): StoreFigures {
    return { fingerprints: this.#fingerprints, leases: this.#leases, queue: this.#database.waiting };
  }

  async close(): Promise<void> {
    await this.#database.close();
  }

  /** The round, where it was written to. */
  async findSpace(ns: string, round: string): Promise<SpaceId | undefined> {
    const known = this.#spaces.get(`${ns} ${round}`);
    if (known !== undefined) return known;
    const [row] = await this.#database.use(({ ask }) =>
      ask<{ id: number; form: Form }>(
        'SELECT id, form FROM onceover.spaces JOIN onceover.namespaces USING (ns) WHERE ns = $1 AND round = $2',
        [ns, round],
      ),
    );
    if (row === undefined) return undefined;
    const space = { id: row.id, width: widthOf(row.form) };
    this.#spaces.set(`${ns} ${round}`, space);
    return space;
  }

  /** Names this state of the database: another after a failover or a restore, which may have taken back what was committed. */
  async incarnation(): Promise<string> {
    const { connects } = this.#database;
    if (this.#incarnation?.connects !== connects)
      this.#incarnation = { connects, name: await this.#readIncarnation() };
    return this.#incarnation.name;
  }

  async #readIncarnation(): Promise<string> {
    try {
      const [row] = await this.#database.use(({ ask }) =>
        ask<{ name: string }>(
          `SELECT concat_ws('-', (SELECT system_identifier FROM pg_control_system()),
             substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8),
             (SELECT oid FROM pg_database WHERE datname = current_database()),
             'onceover.settings'::regclass::oid) AS name`,
        ),
      );
      return row!.name;
    } catch (error) {
      if (error instanceof StoreDownError) throw error;
      // A managed server that does not tell: this process trusts only what it learns itself, anew with each connection.
      return randomUUID();
    }
  }

  /** The marks of a round, in pieces. */
  async *marks({ id, width }: SpaceId): AsyncGenerator<ReadonlyMap<string, number>> {
    let after: string | Buffer = width === 16 ? '00000000-0000-0000-0000-000000000000' : Buffer.alloc(0);
    for (let isFirst = true; ; isFirst = false) {
      const rows = await this.#database.use(({ ask }) =>
        ask<{ fp: string | Buffer; mark: string }>(
          `SELECT fp, mark FROM onceover.f${id} WHERE fp ${isFirst ? '>=' : '>'} $1 ORDER BY fp LIMIT ${PIECE}`,
          [after],
        ),
      );
      if (rows.length === 0) return;
      after = rows.at(-1)!.fp;
      yield new Map(
        rows.map(({ fp, mark }) => [typeof fp === 'string' ? nameOf(fp) : fp.toString('hex'), Number(mark)]),
      );
    }
  }

  // ---- A batch ----

  #findSpace({ namespace, round }: Batch): Promise<SpaceId | undefined> {
    return this.findSpace(namespace.ns, round.key);
  }

  /** Makes the round with its table; who comes second meets what the first made. */
  async #makeSpace(batch: Batch): Promise<SpaceId> {
    const { namespace, round, width } = batch;
    await this.#database.transact(async ({ ask, change }) => {
      const [row] = await ask<{ id: number }>(
        'INSERT INTO onceover.spaces (ns, round, ends) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING id',
        [namespace.ns, round.key, round.ends],
      );
      if (row === undefined) return;
      for (const statement of tableFor(row.id, width, this.#partitions).split(';\n')) await change(statement);
    });
    const space = await this.#findSpace(batch);
    if (space === undefined) throw new StoreDownError('PostgreSQL: the round was dropped meanwhile');
    return space;
  }

  /** Answers questions. Leases are read before marks: what was leased and is committed in between is seen then. */
  async #look(
    batch: Batch,
    space: SpaceId | undefined,
    known: KnownMarks,
    learned?: Learned,
  ): Promise<Applied> {
    const marks = new Map(known);
    const leases = new Map<string, Lease>();
    const redirects = new Map<string, Buffer>();
    const names = namesOf(batch).filter((name) => !known.has(name));
    if (space !== undefined && names.length > 0) {
      await this.#database.use(async (connection) => {
        const [leased] = await Promise.all([
          readLeases(connection, space, names, ''),
          readMarks(connection, space, names, marks),
        ]);
        for (const [key, lease] of leased) leases.set(key, lease);
        learn(learned, names, marks);
        await this.#followRedirects(connection, batch, space, names, marks, redirects);
      });
    }
    return {
      answers: answerBatch(new BatchSpace({ marks, leases, redirects }, batch.width), batch, noToken),
      replayed: false,
    };
  }

  /** Decides a batch in one transaction. */
  #decide(batch: Batch, space: SpaceId, known: KnownMarks, learned?: Learned): Promise<Applied> {
    let leaseChange = 0;
    let inserted = 0;
    const decided = this.#database.transact(async (connection): Promise<Applied> => {
      const { journal, verb } = batch;
      const names = namesOf(batch).filter((name) => !known.has(name));
      const marks = new Map(known);
      const redirects = new Map<string, Buffer>();
      const earlier = journal === undefined ? undefined : this.#reserve(connection, batch);
      let locking: Promise<Map<string, Lease>> = Promise.resolve(new Map());
      let placeholders = 0;
      if (verb !== 'lease') locking = readLeases(connection, space, names, 'FOR UPDATE');
      // All questions are on their way; a failed one is met below.
      locking.catch(() => {});
      const replay = await earlier;
      if (replay !== undefined) return replay;
      let tokens: number[] = [];
      let open: string[] = [];
      if (verb === 'lease') {
        await readMarks(connection, space, names, marks);
        open = names.filter((name) => !marks.has(name));
        // A row for each, so that there is something to lock.
        placeholders = await connection.change(
          `INSERT INTO onceover.leases SELECT $1, fp, 0, 0, 0 FROM unnest($2::bytea[]) AS v (fp) ORDER BY fp ON CONFLICT DO NOTHING`,
          [space.id, open.map(bytesOf)],
        );
        locking = readLeases(connection, space, open, 'FOR UPDATE');
        await Promise.all([locking, readMarks(connection, space, open, marks)]);
        await this.#followRedirects(connection, batch, space, open, marks, redirects);
        tokens = await takeTokens(connection, open.length);
      } else if (verb !== 'mark' && verb !== 'import') {
        await Promise.all([locking, readMarks(connection, space, names, marks)]);
      }
      const leases = await locking;
      learn(learned, names, marks);
      const own = new Map<string, number>();
      for (;;) {
        const free = tokens.values();
        const changed = new BatchSpace({ marks, leases, redirects }, batch.width);
        const answers = answerBatch(changed, batch, () => free.next().value!);
        const wanted = [...changed.inserts.keys()].filter((name) => !own.has(name)).sort();
        const taken = await this.#insert(connection, space, wanted, changed.inserts, own);
        const before = new Map(marks);
        if (taken.length > 0) await readMarks(connection, space, taken, marks);
        const updated = [...changed.updates.keys()].sort();
        if (taken.length === 0 && updated.length > 0) {
          await readMarks(connection, space, updated, marks, 'FOR UPDATE');
        }
        learn(learned, taken, marks);
        // Somebody else was first with some of them: what that means for the batch is decided anew.
        if (taken.length > 0 || updated.some((name) => marks.get(name) !== before.get(name))) continue;
        inserted = own.size;
        leaseChange = placeholders;
        leaseChange -= await this.#write(connection, batch, space, changed, open);
        if (journal !== undefined)
          await connection.change('UPDATE onceover.journal SET answers = $2 WHERE key = $1', [
            journal.key,
            packAnswers(answers),
          ]);
        for (const [name, mark] of changed.inserts) learned?.marks.set(name, mark);
        for (const [name, mark] of changed.updates) learned?.changed.set(name, mark);
        return { answers, replayed: false };
      }
    });
    return decided.then((applied) => {
      this.#fingerprints += inserted;
      this.#leases += leaseChange;
      return applied;
    });
  }

  /** Takes the journal's key for this request. @returns the answers of the request that had it before @throws {KeyReusedError} */
  async #reserve({ ask, change }: Connection, { journal, now }: Batch): Promise<Applied | undefined> {
    const { key, digest } = journal!;
    const isNew = await change(
      'INSERT INTO onceover.journal (key, digest, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [key, digest, now],
    );
    if (isNew === 1) return undefined;
    const [row] = await ask<{ digest: Buffer; answers: Buffer | null }>(
      'SELECT digest, answers FROM onceover.journal WHERE key = $1',
      [key],
    );
    if (row === undefined) throw new StoreDownError('PostgreSQL: the journal was forgotten just now');
    if (!row.digest.equals(digest)) throw new KeyReusedError();
    return { answers: unpackAnswers(row.answers!), replayed: true };
  }

  /** Adds marks, and notes in `own` which of them are this transaction's. @returns those that somebody else had */
  async #insert(
    { ask }: Connection,
    { id, width }: SpaceId,
    names: readonly string[],
    marks: ReadonlyMap<string, number>,
    own: Map<string, number>,
  ): Promise<string[]> {
    if (names.length === 0) return [];
    const rows = await ask<{ fp: string }>(
      `WITH new AS (
         INSERT INTO onceover.f${id} SELECT fp, mark FROM unnest($1::${typeOf(width)}[], $2::bigint[]) AS v (fp, mark) ORDER BY fp
         ON CONFLICT DO NOTHING RETURNING fp
       ), counted AS (
         INSERT INTO onceover.counts SELECT $3, $4, count(*) FROM new HAVING count(*) > 0
         ON CONFLICT (space, slot) DO UPDATE SET count = counts.count + excluded.count
       ) SELECT ${textOf(width)} AS fp FROM new`,
      [
        names.map(valueOf(width)),
        names.map((name) => marks.get(name)!),
        id,
        Math.floor(Math.random() * SLOTS),
      ],
    );
    for (const { fp } of rows) own.set(nameOf(fp), marks.get(nameOf(fp))!);
    return rows.length === names.length ? [] : names.filter((name) => !own.has(name));
  }

  /** Writes what else the batch changes. @param places kept for leases @returns how many leases and places are gone */
  async #write(
    { ask, change }: Connection,
    { namespace }: Batch,
    { id, width }: SpaceId,
    { updates, leases, addresses }: BatchSpace,
    places: readonly string[],
  ): Promise<number> {
    if (updates.size > 0)
      await change(
        `UPDATE onceover.f${id} f SET mark = v.mark FROM unnest($1::${typeOf(width)}[], $2::bigint[]) AS v (fp, mark) WHERE f.fp = v.fp`,
        [[...updates.keys()].map(valueOf(width)), [...updates.values()]],
      );
    const set = [...leases.changes].filter((change): change is [string, Lease] => change[1] !== undefined);
    if (set.length > 0)
      await change(
        `UPDATE onceover.leases l SET token = v.token, until = v.until, retry_at = v.retry_at
         FROM unnest($2::bytea[], $3::bigint[], $4::bigint[], $5::bigint[]) AS v (fp, token, until, retry_at)
         WHERE l.space = $1 AND l.fp = v.fp`,
        [
          id,
          set.map(([key]) => Buffer.from(key, 'latin1')),
          set.map(([, lease]) => lease.token),
          set.map(([, lease]) => lease.until),
          set.map(([, lease]) => lease.retryAt),
        ],
      );
    let dropped = 0;
    const ended = [...leases.changes].filter(([, lease]) => lease === undefined);
    if (ended.length > 0)
      dropped += await change('DELETE FROM onceover.leases WHERE space = $1 AND fp = ANY($2::bytea[])', [
        id,
        ended.map(([key]) => Buffer.from(key, 'latin1')),
      ]);
    // Places that were kept for pages which got no lease: they turned out to be seen.
    const given = new Set(set.map(([key]) => Buffer.from(key, 'latin1').toString('hex')));
    const unused = places.filter((name) => !given.has(name));
    if (unused.length > 0)
      dropped += await change(
        'DELETE FROM onceover.leases WHERE space = $1 AND token = 0 AND fp = ANY($2::bytea[])',
        [id, unused.map(bytesOf)],
      );
    if (addresses.size > 0) {
      const [kept] = await ask<{ addresses: boolean }>(
        'SELECT addresses FROM onceover.namespaces WHERE ns = $1 FOR SHARE',
        [namespace.ns],
      );
      if (kept?.addresses === true)
        await change(
          `INSERT INTO onceover.addresses SELECT $1, fp, url FROM unnest($2::bytea[], $3::text[]) AS v (fp, url) ORDER BY fp
           ON CONFLICT DO NOTHING`,
          [id, [...addresses.keys()].map(bytesOf), [...addresses.values()]],
        );
    }
    return dropped;
  }

  /** Reads where unseen pages lead, and the marks there. */
  async #followRedirects(
    connection: Connection,
    { namespace }: Batch,
    space: SpaceId,
    names: readonly string[],
    marks: Map<string, number>,
    redirects: Map<string, Buffer>,
  ): Promise<void> {
    let open = names.filter((name) => !marks.has(name));
    for (let hops = 0; hops < MOST_HOPS && open.length > 0; hops++) {
      const rows = await connection.ask<{ fp: Buffer; target: Buffer }>(
        'SELECT fp, target FROM onceover.redirects WHERE ns = $1 AND fp = ANY($2::bytea[])',
        [namespace.ns, open.map(bytesOf)],
      );
      for (const { fp, target } of rows) redirects.set(fp.toString('hex'), target);
      const targets = [
        ...new Set(
          rows
            .filter(({ target }) => target.length === space.width)
            .map(({ target }) => target.toString('hex')),
        ),
      ].filter((name) => !marks.has(name));
      await readMarks(connection, space, targets, marks);
      open = targets.filter((name) => !marks.has(name) && !redirects.has(name));
    }
  }

  async #drop(id: number): Promise<void> {
    await this.#database.transact(async ({ change }) => {
      await change("SET LOCAL lock_timeout = '2s'");
      if ((await change('DELETE FROM onceover.spaces WHERE id = $1', [id])) === 0) return;
      await change(`DROP TABLE onceover.f${id}`);
      for (const table of ['counts', 'leases', 'addresses'])
        await change(`DELETE FROM onceover.${table} WHERE space = $1`, [id]);
    });
    this.#windows.delete(id);
    for (const [key, space] of this.#spaces) if (space.id === id) this.#spaces.delete(key);
  }

  /** Reads the figures, which other services change too. */
  async #refresh(): Promise<void> {
    const [row] = await this.#database.use(({ ask }) =>
      ask<{ fingerprints: string; leases: string }>(
        `SELECT (SELECT coalesce(sum(count), 0) FROM onceover.counts) AS fingerprints, (SELECT count(*) FROM onceover.leases) AS leases`,
      ),
    );
    this.#fingerprints = Number(row!.fingerprints);
    this.#leases = Number(row!.leases);
  }
}

type Row<T> = { -readonly [name in keyof T]: T[name] };

const spaceKey = ({ namespace, round }: Batch): string => `${namespace.ns} ${round.key}`;

const noToken = (): never => {
  throw new Error('A question takes no token.');
};

// ---- Fingerprints as PostgreSQL takes and gives them ----

const typeOf = (width: number): string => (width === 16 ? 'uuid' : 'bytea');
const textOf = (width: number): string => (width === 16 ? 'fp::text' : "encode(fp, 'hex')");
const bytesOf = (name: string): Buffer => Buffer.from(name, 'hex');
const valueOf =
  (width: number) =>
  (name: string): string | Buffer =>
    width === 16 ? name : bytesOf(name);
const nameOf = (text: string): string => text.replaceAll('-', '');

/** Reads marks into a map; pages that have none stay out of it. */
async function readMarks(
  { ask }: Connection,
  { id, width }: SpaceId,
  names: readonly string[],
  into: Map<string, number>,
  lock: '' | 'FOR UPDATE' = '',
): Promise<void> {
  if (names.length === 0) return;
  const rows = await ask<{ name: string; mark: string }>(
    `SELECT ${textOf(width)} AS name, mark FROM onceover.f${id} WHERE fp = ANY($1::${typeOf(width)}[])${lock === '' ? '' : ` ORDER BY fp ${lock}`}`,
    [names.map(valueOf(width))],
  );
  for (const { name, mark } of rows) into.set(nameOf(name), Number(mark));
}

/** Leases by `leaseKey`; places that are kept for leases to come are none. */
async function readLeases(
  { ask }: Connection,
  { id }: SpaceId,
  names: readonly string[],
  lock: '' | 'FOR UPDATE',
): Promise<Map<string, Lease>> {
  if (names.length === 0) return new Map();
  const rows = await ask<{ fp: Buffer; token: string; until: string; retry_at: string }>(
    `SELECT fp, token, until, retry_at FROM onceover.leases WHERE space = $1 AND fp = ANY($2::bytea[]) ORDER BY fp ${lock}`,
    [id, names.map(bytesOf)],
  );
  return new Map(
    rows
      .filter(({ token }) => token !== '0')
      .map(({ fp, token, until, retry_at }) => [
        leaseKeyOf(fp),
        { token: Number(token), until: Number(until), retryAt: Number(retry_at) },
      ]),
  );
}

async function takeTokens({ ask }: Connection, count: number): Promise<number[]> {
  if (count === 0) return [];
  const rows = await ask<{ token: string }>(
    "SELECT nextval('onceover.fence') AS token FROM generate_series(1, $1::integer)",
    [count],
  );
  return rows.map(({ token }) => Number(token));
}

function learn(
  learned: Learned | undefined,
  names: readonly string[],
  marks: ReadonlyMap<string, number>,
): void {
  if (learned === undefined) return;
  for (const name of names) {
    const mark = marks.get(name);
    if (mark !== undefined) learned.marks.set(name, mark);
  }
}
