import { BACKUP_STORES, type BackupStore, type Row } from '#lib/exchange/backup.ts';
import { watchSpace } from '#lib/content/watch.ts';
import { openStore } from './open.ts';
import type { Db, StoreName } from './schema.ts';

const BATCH = 1_000;

/**
 * Every row of a backup, store by store, pages in the order in which they entered their space; memory does not grow with them. Rows of
 * rounds in the trash are left out.
 */
export async function* backupRows(): AsyncGenerator<{ store: BackupStore; row: Row }> {
  const db = await openStore();
  const [rounds, scopes, watches] = await Promise.all([
    db.getAllKeys('rounds'),
    db.getAllKeys('scopes'),
    db.getAllKeys('watches'),
  ]);
  const isKept = new Set<unknown>([...rounds, ...scopes, ...watches.map(watchSpace)]);
  for (const store of BACKUP_STORES) {
    const rows = store === 'pages' ? pagesInOrder(db) : rowsOf(db, store);
    for await (const row of rows) {
      // A page or snapshot belongs to its space, a visit to its round.
      const owner = store === 'visits' ? row['round'] : row['space'];
      if (owner === undefined || isKept.has(owner)) yield { store, row };
    }
  }
}

/** Number of the last log entry: whether a backup is of one moment is seen by it. */
export async function logNumber(): Promise<number> {
  const row = await (await openStore()).get('meta', 'log');
  return row?.id === 'log' ? row.number : 0;
}

/** Does work that reads everything so that it reads one moment: again and alone, where something was written meanwhile. */
export async function atOneMoment<T>(
  work: () => Promise<T>,
  alone: <R>(work: () => Promise<R>) => Promise<R>,
): Promise<T> {
  const before = await logNumber();
  const result = await work();
  return (await logNumber()) === before ? result : alone(work);
}

/** All rows of a store by primary key, or those in a range of it. */
export async function* rowsOf(db: Db, store: StoreName, within?: IDBKeyRange): AsyncGenerator<Row> {
  let range = within;
  for (;;) {
    const transaction = db.transaction(store);
    const [keys, rows] = await Promise.all([
      transaction.store.getAllKeys(range as never, BATCH),
      transaction.store.getAll(range as never, BATCH),
    ]);
    yield* rows as unknown as Row[];
    if (rows.length < BATCH) return;
    const last = keys.at(-1);
    range = within
      ? IDBKeyRange.bound(last, within.upper, true, within.upperOpen)
      : IDBKeyRange.lowerBound(last, true);
  }
}

/** Two pages may have one number, so a batch begins with the last number of the one before and passes over what was in it. */
async function* pagesInOrder(db: Db): AsyncGenerator<Row> {
  let range: IDBKeyRange | undefined;
  let given = new Set<string>();
  for (let limit = BATCH; ;) {
    const rows = await db.getAllFromIndex('pages', 'seq', range, limit);
    const fresh = rows.filter(({ key }) => !given.has(key));
    yield* fresh as unknown as Row[];
    const last = rows.at(-1);
    if (!last || rows.length < limit) return;
    // More pages of one number than fit: a larger batch.
    limit = fresh.length === 0 ? limit * 2 : BATCH;
    const tied = rows.filter(({ space, seq }) => space === last.space && seq === last.seq);
    given = new Set(tied.map(({ key }) => key));
    range = IDBKeyRange.lowerBound([last.space, last.seq]);
  }
}
