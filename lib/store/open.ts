import { openDB } from 'idb';
import { migrate, SCHEMA_VERSION, type Db, type OnceoverDb } from './schema.ts';

export type StoreFault = 'newer-database' | 'blocked' | 'not-saved' | 'broken';

/** The database cannot be used; `fault` says why in a word, the message what to do, `cause` is the browser's own error. */
export class StoreError extends Error {
  readonly fault: StoreFault;
  constructor(fault: StoreFault, cause?: unknown) {
    super(ADVICE[fault], { cause });
    this.name = 'StoreError';
    this.fault = fault;
  }
}

const ADVICE: Record<StoreFault, string> = {
  'newer-database': 'The data was written by a newer version of Onceover. Update the extension to open it.',
  blocked: 'Another Onceover tab holds the data while it is upgraded. Close the other Onceover tabs.',
  'not-saved':
    'The disk is full, so nothing more can be saved. Free some space; what was seen is kept and saved then.',
  broken: 'The browser cannot open the data. Restart the browser; if that does not help, repair it in Data.',
};

/** How long an upgrade may wait for other tabs before that is said. It goes on by itself once they are closed. */
const PATIENCE = 3_000;

const opened = new Map<string, Promise<Db>>();
/** The database where nothing was ever restored. */
export const FIRST_DATABASE = 'onceover';
let current: string | Promise<string> = FIRST_DATABASE;

/**
 * The database in use; a restore fills a second one and switches (`storage.local.database`). Where its name is still being read,
 * whoever opens it waits for that.
 */
export function useDatabase(name: string | Promise<string>): void {
  current = name;
}

/** Name of the database in use. */
export async function databaseName(): Promise<string> {
  return current;
}

/**
 * The one connection of this page or worker, shared by all: a queued second open would get no `blocked` event.
 * @throws {StoreError}
 */
export async function openStore(name?: string): Promise<Db> {
  return openNamed(name ?? (await current));
}

async function openNamed(name: string): Promise<Db> {
  const opening = opened.get(name) ?? open(name);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<never>((_, refuse) => {
    timer = setTimeout(() => refuse(new StoreError('blocked')), PATIENCE);
  });
  try {
    return await Promise.race([opening, patience]);
  } finally {
    clearTimeout(timer);
  }
}

function open(name: string): Promise<Db> {
  const forget = () => {
    if (opened.get(name) === opening) opened.delete(name);
  };
  const opening = openDB<OnceoverDb>(name, SCHEMA_VERSION, {
    upgrade: (db, from, _to, transaction) => migrate(db, from, transaction),
    // Another page brings a newer version: let it, and open again when somebody asks.
    blocking: (_current, _wanted, event) => {
      forget();
      (event.target as IDBDatabase).close();
    },
    terminated: forget,
  }).catch((error: unknown) => {
    forget();
    throw storeError(error);
  });
  opened.set(name, opening);
  return opening;
}

/** The error by its own name where it is one a person can do something about; any other as it is. */
function storeError(error: unknown): unknown {
  const name = error instanceof Error || error instanceof DOMException ? error.name : '';
  if (name === 'VersionError') return new StoreError('newer-database', error);
  if (name === 'QuotaExceededError') return new StoreError('not-saved', error);
  if (name === 'UnknownError' || name === 'NotFoundError') return new StoreError('broken', error);
  return error;
}

/**
 * Does work with the open database. Where the browser closed the connection (`InvalidStateError`, or `AbortError` of the
 * transaction under way) it is opened again and the work done once more; so the work must be one transaction, or safe to repeat.
 * @throws {StoreError}
 */
export async function withStore<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const name = await current;
  const db = await openNamed(name);
  try {
    return await work(db);
  } catch (error) {
    if (!isClosed(error)) throw storeError(error);
    opened.delete(name);
    db.close();
  }
  try {
    return await work(await openNamed(name));
  } catch (error) {
    throw storeError(error);
  }
}

function isClosed(error: unknown): boolean {
  const name = error instanceof Error || error instanceof DOMException ? error.name : '';
  return name === 'InvalidStateError' || name === 'AbortError';
}

/** Closes the connection, e.g. at the end of a test. */
export async function closeStore(wanted?: string): Promise<void> {
  const name = wanted ?? (await current);
  const opening = opened.get(name);
  opened.delete(name);
  await opening?.then(
    (db) => db.close(),
    () => undefined,
  );
}
