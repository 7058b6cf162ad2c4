import { Pool, type PoolClient, type QueryResultRow } from 'pg';
import { StoreDownError, StoreOpenError } from '../store.ts';

const PATIENCE = 5_000;
/** A batch of 10,000 on a slow disk takes its time. */
const QUERY_PATIENCE = 10_000;
const CONNECTIONS = 8;
const LEAST_VERSION = 13;
/** Deadlock and failed serialization: nothing was done, and it may be tried again. */
const TRY_AGAIN = new Set(['40P01', '40001']);
const MOST_TRIES = 5;

export interface Connection {
  /** Sends at once; answers come in the order of the questions. */
  readonly ask: <T extends QueryResultRow>(sql: string, values?: readonly unknown[]) => Promise<T[]>;
  /** The same, for what changes rows. @returns how many */
  readonly change: (sql: string, values?: readonly unknown[]) => Promise<number>;
}

/** A pool of connections to one PostgreSQL. */
export class Database {
  /** Without user, password and parameters. */
  readonly name: string;
  readonly #pool: Pool;
  #begin = 'BEGIN';
  /** Connections made so far: a new one may lead to another server. */
  connects = 0;
  /** Whether a commit is on the disk of the server. */
  isDurable = true;

  private constructor(url: URL) {
    this.name = `postgres://${url.host}${url.pathname}`;
    const connectionString = withTlsModes(url).href;
    this.#pool = new Pool({
      connectionString,
      max: CONNECTIONS,
      connectionTimeoutMillis: PATIENCE,
      query_timeout: QUERY_PATIENCE,
      application_name: 'onceover',
      pipeline: true,
      keepAlive: true,
    });
    this.#pool.on('connect', (client) => {
      this.connects++;
      // Each question that meets a broken connection says so; it may break again while it is put away.
      client.on('error', () => {});
    });
    // One that breaks while nobody uses it is replaced at the next use.
    this.#pool.on('error', () => {});
  }

  /** @throws {StoreOpenError} that says what to do */
  static async open(url: URL): Promise<Database> {
    const database = new Database(url);
    try {
      await database.#check();
      return database;
    } catch (error) {
      await database.close();
      throw openError(database.name, error);
    }
  }

  /** Questions that need no transaction, on one connection. @throws {StoreDownError} */
  use<T>(run: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#with(async (client) => run(asking(client)));
  }

  /**
   * Runs a transaction; after a deadlock once more. @throws {StoreDownError}; then nothing was done, or (where the connection broke at the
   * end) perhaps all of it
   */
  async transact<T>(run: (connection: Connection) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#with(async (client) => {
          try {
            // What follows does not wait for it: if it fails, that fails too.
            const begun = client.query(this.#begin);
            begun.catch(() => {});
            const value = await run(asking(client));
            await begun;
            await client.query('COMMIT');
            return value;
          } catch (error) {
            if (!isBroken(error)) await client.query('ROLLBACK');
            throw error;
          }
        });
      } catch (error) {
        if (tries === MOST_TRIES || !TRY_AGAIN.has(codeOf(error))) throw error;
      }
    }
  }

  async close(): Promise<void> {
    await this.#pool.end().catch(() => {});
  }

  /** Connections that are waited for. */
  get waiting(): number {
    return this.#pool.waitingCount;
  }

  async #with<T>(run: (client: PoolClient) => Promise<T>): Promise<T> {
    let client: PoolClient;
    try {
      client = await this.#pool.connect();
    } catch (error) {
      throw new StoreDownError(`PostgreSQL: ${(error as Error).message}`, { cause: error });
    }
    let mustEnd = false;
    try {
      return await run(client);
    } catch (error) {
      mustEnd = isBroken(error);
      throw asStoreError(error);
    } finally {
      client.release(mustEnd);
    }
  }

  async #check(): Promise<void> {
    const [facts] = await this.use(({ ask }) =>
      ask<{ version: string; standby: boolean; fsync: string; commit: string }>(
        `SELECT current_setting('server_version') AS version, pg_is_in_recovery() AS standby,
           current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit`,
      ),
    );
    const { version, standby, fsync, commit } = facts!;
    if (Number.parseInt(version, 10) < LEAST_VERSION)
      throw new StoreOpenError(
        `The PostgreSQL at ${this.name} is version ${version}, and ${LEAST_VERSION} or newer is needed: update it.`,
      );
    if (standby)
      throw new StoreOpenError(
        `The PostgreSQL at ${this.name} is a standby, which takes no writes: name its primary.`,
      );
    // A commit that is acknowledged before it is written would make this store volatile.
    const sync = commit === 'off' ? '; SET LOCAL synchronous_commit = on' : '';
    // A service that stops in mid-transaction must not hold its locks.
    this.#begin = `BEGIN; SET LOCAL idle_in_transaction_session_timeout = '15s'${sync}`;
    this.isDurable = fsync === 'on';
  }
}

function asking(client: PoolClient): Connection {
  return {
    ask: async <T extends QueryResultRow>(sql: string, values: readonly unknown[] = []) =>
      (await client.query<T>(sql, [...values])).rows,
    change: async (sql, values = []) => (await client.query(sql, [...values])).rowCount ?? 0,
  };
}

/** `sslmode` means what it means to libpq. */
function withTlsModes(url: URL): URL {
  const own = new URL(url.href);
  if (own.searchParams.has('sslmode') && !own.searchParams.has('uselibpqcompat'))
    own.searchParams.set('uselibpqcompat', 'true');
  return own;
}

export const codeOf = (error: unknown): string => {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  return cause === undefined ? '' : codeOf(cause);
};

const isSql = (error: unknown): boolean => /^[0-9A-Z]{5}$/.test(codeOf(error));

/** Whether nothing more can be asked on this connection. */
const isBroken = (error: unknown): boolean =>
  isSql(error) ? /^(?:08|57|XX)/.test(codeOf(error)) : error instanceof Error && isConnectionError(error);

/** Out of room, of connections or of memory; shut down; read-only; broken off: the store is down. All else is as it is. */
function asStoreError(error: unknown): unknown {
  if (error instanceof StoreDownError || !(error instanceof Error)) return error;
  const isDown = isSql(error) ? /^(?:08|25|40|53|55|57|58|XX)/.test(codeOf(error)) : isConnectionError(error);
  return isDown ? new StoreDownError(`PostgreSQL: ${error.message}`, { cause: error }) : error;
}

const isConnectionError = (error: Error): boolean =>
  /^E[A-Z]+$/.test(codeOf(error)) ||
  /connection|timeout|not queryable|terminated|closed/i.test(error.message);

function openError(name: string, error: unknown): StoreOpenError {
  if (error instanceof StoreOpenError) return error;
  const { message } = error as Error;
  const text = `${codeOf(error)} ${message}`;
  const advice = ADVICE.find(([pattern]) => pattern.test(text))?.[1] ?? message;
  return new StoreOpenError(`PostgreSQL at ${name}: ${advice}`, { cause: error });
}

const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, 'nothing listens there. Start it, or correct host and port in --store.'],
  [/ENOTFOUND|EAI_AGAIN/, 'there is no such host. Correct it in --store.'],
  [
    /28P01|28000|SASL|password/,
    'it does not take this user and password. Write them as postgres://USER:PASSWORD@HOST/DATABASE, with %40 for @.',
  ],
  [/3D000/, 'there is no such database. Make it with createdb, or name another in --store.'],
  [
    /42501/,
    'the user may not make the schema "onceover". Have its owner run: CREATE SCHEMA onceover AUTHORIZATION USER.',
  ],
  [/does not support SSL/i, 'it does not speak TLS: leave out sslmode, or set ssl = on there.'],
  [
    /certificate|self-signed|altname|ERR_TLS/i,
    'its certificate is not trusted. Name the authority with sslrootcert=FILE, and the host as the certificate does.',
  ],
  [
    /53300|too many/i,
    `it has no connection left; this service uses up to ${CONNECTIONS}. Raise max_connections.`,
  ],
  [/timeout|ETIMEDOUT|ECONNRESET|terminated/i, 'it does not answer. Check host, port and firewall.'],
];
