import type { State } from '#lib/rounds/decide.ts';
import { Loaded, type Writes } from '#lib/rounds/rows.ts';
import type { Round } from '#lib/rounds/types.ts';
import { teamPlace, type Pairing } from '#lib/team/pairing.ts';
import { decideWith } from './answers.ts';
import { queueDecision } from './outbox.ts';
import { below } from './ranges.ts';
import { NO_DIAGNOSTICS } from './read.ts';
import type { Diagnostics, LogEntry, Meta, WriteTransaction } from './schema.ts';
import { CommandError } from './surroundings.ts';
import { send } from './transaction.ts';

/** Sends the writes of a decision with its log entries, which it answers as they were numbered. */
export function apply(
  transaction: WriteTransaction,
  { puts, deletes, entries }: Writes,
  { scope, at, number }: { scope: string; at: number; number: number },
): LogEntry[] {
  for (const { table, row } of puts) send(transaction.objectStore(table).put(row));
  for (const { table, key } of deletes) send(transaction.objectStore(table).delete(key as never));
  const logged = entries.map((entry, index): LogEntry => ({ seq: number + 1 + index, at, scope, ...entry }));
  for (const entry of logged) send(transaction.objectStore('log').add(entry));
  return logged;
}

function countsOf(row: Meta | undefined): Diagnostics {
  return { ...structuredClone(NO_DIAGNOSTICS), ...(row?.id === 'diagnostics' ? row : {}) };
}

/** Adds to the counts of Diagnostics, in the same transaction. */
export async function countUp(
  meta: {
    get: (id: string) => Promise<Meta | undefined>;
    put: (row: Meta) => Promise<unknown>;
  },
  change: (counts: Diagnostics) => void,
): Promise<void> {
  const row = await meta.get('diagnostics');
  const counts: Diagnostics = {
    ...structuredClone(NO_DIAGNOSTICS),
    ...(row?.id === 'diagnostics' ? row : {}),
  };
  change(counts);
  send(meta.put({ ...counts, id: 'diagnostics' }));
}

/** The log's number and the counts of Diagnostics while a transaction is under way: read once, written once. */
export interface Book {
  /** Number of the last entry before this transaction. */
  before: number;
  readonly number: number;
  logged: LogEntry[];
  count: (change: (counts: Diagnostics) => void) => void;
  close: () => void;
}

export async function openBook(transaction: WriteTransaction): Promise<Book> {
  const meta = transaction.objectStore('meta');
  const [log, counted] = await Promise.all([meta.get('log'), meta.get('diagnostics')]);
  const before = log?.id === 'log' ? log.number : 0;
  const first = log?.id === 'log' ? log.first : 1;
  const counts = countsOf(counted);
  const logged: LogEntry[] = [];
  let isCounted = false;
  return {
    before,
    logged,
    get number() {
      return before + logged.length;
    },
    count: (change) => {
      isCounted = true;
      change(counts);
    },
    close: () => {
      if (logged.length > 0) send(meta.put({ id: 'log', number: before + logged.length, first }));
      if (isCounted) send(meta.put({ ...counts, id: 'diagnostics' }));
    },
  };
}

/** Appends entries to the log; answers the number of the last one. */
export async function appendLog(
  transaction: WriteTransaction,
  entries: Omit<LogEntry, 'seq'>[],
): Promise<number> {
  const log = await transaction.objectStore('meta').get('log');
  const first = log?.id === 'log' ? log.first : 1;
  let number = log?.id === 'log' ? log.number : 0;
  for (const entry of entries) {
    number += 1;
    send(transaction.objectStore('log').add({ seq: number, ...entry }));
  }
  send(transaction.objectStore('meta').put({ id: 'log', number, first }));
  return number;
}

/** The round that writes to a space; the latest where several share it. */
export async function roundOf(transaction: WriteTransaction, space: string): Promise<Round | undefined> {
  const own = await transaction.objectStore('rounds').get(space);
  if (own) return own;
  return (
    await transaction
      .objectStore('rounds')
      .index('scope')
      .openCursor(below([space]), 'prev')
  )?.value;
}

/** Decides in a transaction with the state that commands need; answers the number of the last log entry. `pairing`: the team is told. */
export async function decideIn<T extends { writes: Writes }>(
  transaction: WriteTransaction,
  round: Round,
  now: number,
  decide: (state: State) => T,
  pairing?: Pairing,
): Promise<T & { log: number }> {
  const scope = await transaction.objectStore('scopes').get(round.scope);
  const log = await transaction.objectStore('meta').get('log');
  if (!scope) throw new CommandError('not-found', 'The project of this page does not exist any more.');
  const first = log?.id === 'log' ? log.first : 1;
  const number = log?.id === 'log' ? log.number : 0;
  const loaded = new Loaded();
  const decided = await decideWith(
    transaction,
    () => decide({ scope, round, loaded, nextSeq: number + 1 }),
    loaded,
  );
  const logged = apply(transaction, decided.writes, { scope: scope.id, at: now, number });
  const place = teamPlace(pairing, round);
  if (place) await queueDecision(transaction, decided.writes, loaded, place, now);
  const last = number + logged.length;
  send(transaction.objectStore('meta').put({ id: 'log', number: last, first }));
  return { ...decided, log: last };
}
