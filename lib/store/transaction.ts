import type { FailOnDemand } from './faults.ts';
import type { Db, StoreName, WriteTransaction } from './schema.ts';

/** The stores a decision reads and writes. */
const DECISION_STORES: StoreName[] = [
  'scopes',
  'rounds',
  'pages',
  'visits',
  'variants',
  'aliases',
  'events',
  'policies',
  'outbox',
  'team',
  'watches',
  'contentRules',
  'trash',
  'log',
  'meta',
];

/**
 * Runs work in one readwrite transaction and answers once it is complete; any error takes everything back. The work must await nothing
 * but requests of this transaction.
 */
export async function write<T>(
  db: Db,
  work: (transaction: WriteTransaction) => Promise<T>,
  {
    durability = 'relaxed',
    faults,
  }: { durability?: IDBTransactionDurability; faults?: FailOnDemand | undefined } = {},
): Promise<T> {
  const transaction = db.transaction(DECISION_STORES, 'readwrite', { durability }) as WriteTransaction;
  // Looked at below; it must not count as unhandled before.
  const done = transaction.done.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  try {
    const result = await work(transaction);
    breakOnDemand(db, transaction, faults);
    const failed = await done;
    if (failed) throw failed.error;
    return result;
  } catch (error) {
    abort(transaction);
    await done;
    // Requests of an aborted transaction all say "aborted"; why it was is said once.
    throw transaction.error ?? error;
  }
}

function abort(transaction: WriteTransaction): void {
  try {
    transaction.abort();
  } catch {
    // It is over already.
  }
}

function breakOnDemand(db: Db, transaction: WriteTransaction, faults: FailOnDemand | undefined): void {
  const fault = faults?.take();
  if (fault === 'quota') throw new DOMException('made by a test', 'QuotaExceededError');
  if (fault === 'write') throw new DOMException('made by a test', 'UnknownError');
  if (fault === 'close') {
    db.close();
    abort(transaction);
  }
}

/** A transaction over the same stores that only reads, for decisions whose writes are not wanted. */
export function reading(db: Db): WriteTransaction {
  return db.transaction(DECISION_STORES, 'readonly') as unknown as WriteTransaction;
}

/** Sends a write without waiting for it: the end of the transaction tells whether all went well. */
export function send(request: Promise<unknown>): void {
  request.catch(() => undefined);
}

/** Waits for something else without losing the transaction, which ends as soon as no request is under way. */
export async function holdOpen(transaction: WriteTransaction, wait: void | Promise<void>): Promise<void> {
  if (!wait) return;
  const waiting = { over: false };
  void wait.then(() => (waiting.over = true));
  // It can only be used in the turn of one of its own requests, so going on must wait for one too.
  do await transaction.objectStore('meta').get('log');
  while (!waiting.over);
}
