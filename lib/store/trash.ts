import { decideRemoval, decideReturn } from '#lib/rounds/decide.ts';
import { end } from '#lib/rounds/rounds.ts';
import { below } from './ranges.ts';
import type { Db, Trash } from './schema.ts';
import { CommandError } from './surroundings.ts';
import { send, write } from './transaction.ts';
import { appendLog, decideIn, roundOf } from './writes.ts';

const DAY = 24 * 60 * 60_000;
/** How long what was deleted can be brought back. */
const TRASH_DAYS = 30;
/** Nobody tells an event again after so long. */
const EVENT_DAYS = 7;
/** Entries of the log that are kept for sets to be brought up to date. */
const LOG_KEPT = 50_000;

export interface Deleting {
  id: string;
  now: number;
}

export function deletePage(db: Db, space: string, key: string, { id, now }: Deleting): Promise<number> {
  return write(db, async (transaction) => {
    const round = await roundOf(transaction, space);
    const page = await transaction.objectStore('pages').get([space, key]);
    if (!round || !page) throw new CommandError('not-found', 'The page does not exist any more.');
    const { removed, log } = await decideIn(transaction, round, now, (state) => decideRemoval(state, key));
    const { visits = [], aliases = [] } = removed ?? {};
    const until = now + TRASH_DAYS * DAY;
    send(
      transaction
        .objectStore('trash')
        .put({ id, until, what: 'page', label: page.url, round, pages: [page], visits, aliases }),
    );
    return log;
  });
}

/**
 * The round leaves the list; its rows stay until the trash is emptied, so that this costs the same whatever its size. Pages of a collecting
 * scope belong to the scope and stay for good.
 */
export function deleteRound(db: Db, id: string, { id: trash, now }: Deleting): Promise<number> {
  return write(db, async (transaction) => {
    const found = await transaction.objectStore('rounds').get(id);
    if (!found) throw new CommandError('not-found', 'The round does not exist any more.');
    const round = found.state === 'ended' ? found : end(found, now);
    send(transaction.objectStore('rounds').delete(id));
    const label = `${round.number}`;
    send(
      transaction
        .objectStore('trash')
        .put({ id: trash, until: now + TRASH_DAYS * DAY, what: 'round', label, round }),
    );
    return appendLog(transaction, [{ at: now, scope: round.scope, change: 'round' }]);
  });
}

/** Brings back what was deleted, united with what came since. */
export function undo(db: Db, id: string, now: number): Promise<number> {
  return write(db, async (transaction) => {
    const trash = await transaction.objectStore('trash').get(id);
    if (!trash?.round)
      throw new CommandError('not-found', 'This was emptied from the trash already, or brought back.');
    send(transaction.objectStore('trash').delete(id));
    if (trash.what === 'round') {
      send(transaction.objectStore('rounds').put(trash.round));
      return appendLog(transaction, [{ at: now, scope: trash.round.scope, change: 'space' }]);
    }
    const [page] = trash.pages ?? [];
    const round = page && (await roundOf(transaction, page.space));
    if (!page || !round)
      throw new CommandError('not-found', 'The round of this page was deleted. Bring the round back first.');
    const { visits = [], aliases = [] } = trash;
    const { log } = await decideIn(transaction, round, now, (state) =>
      decideReturn(state, { page, visits, aliases }),
    );
    return log;
  });
}

/** Empties the trash of what is older than 30 days, forgets old event ids, and cuts the log. Small steps: others go on meanwhile. */
export async function tidy(db: Db, now: number): Promise<void> {
  const due = await db.getAllFromIndex('trash', 'until', IDBKeyRange.upperBound(now));
  for (const trash of due) await empty(db, trash);
  await deleteInSteps(db, 'events', 'at', IDBKeyRange.upperBound(now - EVENT_DAYS * DAY));
  const log = await db.get('meta', 'log');
  if (log?.id !== 'log' || log.number - log.first < 2 * LOG_KEPT) return;
  const first = log.number - LOG_KEPT;
  const transaction = db.transaction(['log', 'meta'], 'readwrite');
  const fresh = await transaction.objectStore('meta').get('log');
  send(transaction.objectStore('log').delete(IDBKeyRange.upperBound(first, true)));
  if (fresh?.id === 'log') send(transaction.objectStore('meta').put({ ...fresh, first }));
  await transaction.done;
}

async function empty(db: Db, { id, what, round }: Trash): Promise<void> {
  if (what === 'round' && round && round.space === round.id) {
    await deleteInSteps(db, 'pages', undefined, below([round.space]));
    await deleteInSteps(db, 'visits', 'round', below([round.id]));
    await db.delete('sets', below([`set:${round.space}`]));
  }
  await db.delete('trash', id);
}

const STEP = 1_000;

async function deleteInSteps(
  db: Db,
  store: 'events' | 'pages' | 'visits',
  index: 'at' | 'round' | undefined,
  range: IDBKeyRange,
): Promise<void> {
  for (;;) {
    const transaction = db.transaction(store, 'readwrite');
    const source = index === undefined ? transaction.store : transaction.store.index(index as never);
    const keys = await source.getAllKeys(range, STEP);
    for (const key of keys) send(transaction.store.delete(key));
    await transaction.done;
    if (keys.length < STEP) return;
  }
}
