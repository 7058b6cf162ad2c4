import { decideRemoval, decideReturn } from '#lib/rounds/decide.ts';
import { addCount, countPage } from '#lib/rounds/counters.ts';
import { indexed } from '#lib/rounds/rows.ts';
import { end } from '#lib/rounds/rounds.ts';
import { watchSpace, type ContentRule } from '#lib/content/watch.ts';
import { below } from './ranges.ts';
import type { Db, Trash, WriteTransaction } from './schema.ts';
import { CommandError } from './surroundings.ts';
import { send, write } from './transaction.ts';
import { appendLog, decideIn, roundOf } from './writes.ts';

const DAY = 24 * 60 * 60_000;
/** How long what was deleted can be brought back, in ms. */
export const TRASH_MS = 30 * DAY;
/** Nobody tells an event again after so long. */
const EVENT_DAYS = 7;
/** Entries of the log that are kept for sets to be brought up to date. */
const LOG_KEPT = 50_000;

export interface Deleting {
  id: string;
  now: number;
}

export async function deletePage(
  transaction: WriteTransaction,
  { space, key }: { space: string; key: string },
  { id, now }: Deleting,
): Promise<void> {
  const round = await roundOf(transaction, space);
  const page = await transaction.objectStore('pages').get([space, key]);
  if (!round || !page) throw new CommandError('not-found', 'The page does not exist any more.');
  const { removed } = await decideIn(transaction, round, now, (state) => decideRemoval(state, key));
  const { visits = [], aliases = [] } = removed ?? {};
  const until = now + TRASH_MS;
  send(
    transaction
      .objectStore('trash')
      .put({ id, until, what: 'page', label: page.url, round, pages: [page], visits, aliases }),
  );
}

/**
 * The round leaves the list; its rows stay until the trash is emptied, so that this costs the same whatever its size. Pages of a collecting
 * scope belong to the scope and stay for good.
 */
export async function deleteRound(
  transaction: WriteTransaction,
  id: string,
  { id: trash, now }: Deleting,
): Promise<void> {
  const found = await transaction.objectStore('rounds').get(id);
  if (!found) throw new CommandError('not-found', 'The round does not exist any more.');
  const round = found.state === 'ended' ? found : end(found, now);
  send(transaction.objectStore('rounds').delete(id));
  const label = `${round.number}`;
  send(
    transaction.objectStore('trash').put({ id: trash, until: now + TRASH_MS, what: 'round', label, round }),
  );
  await appendLog(transaction, [{ at: now, scope: round.scope, change: 'round' }]);
}

/** Brings back what was deleted, united with what came since; links of an import came back before ({@link bringBackLinks}). */
export async function undo(
  transaction: WriteTransaction,
  id: string,
  now: number,
): Promise<{ rule?: ContentRule }> {
  const trash = await transaction.objectStore('trash').get(id);
  if (trash?.watch) {
    send(transaction.objectStore('trash').delete(id));
    send(transaction.objectStore('watches').put(trash.watch));
    await appendLog(transaction, [{ at: now, scope: trash.watch.scope, change: 'scope' }]);
    return {};
  }
  if (trash?.rule) {
    send(transaction.objectStore('trash').delete(id));
    send(transaction.objectStore('contentRules').put(trash.rule));
    await appendLog(transaction, [{ at: now, scope: trash.rule.scope, change: 'scope' }]);
    return { rule: trash.rule };
  }
  if (!trash?.round)
    throw new CommandError('not-found', 'This was emptied from the trash already, or brought back.');
  send(transaction.objectStore('trash').delete(id));
  if (trash.what !== 'page') {
    if (trash.what === 'round') send(transaction.objectStore('rounds').put(trash.round));
    await appendLog(transaction, [{ at: now, scope: trash.round.scope, change: 'space' }]);
    return {};
  }
  const [page] = trash.pages ?? [];
  const round = page && (await roundOf(transaction, page.space));
  if (!page || !round)
    throw new CommandError('not-found', 'The round of this page was deleted. Bring the round back first.');
  const { visits = [], aliases = [] } = trash;
  await decideIn(transaction, round, now, (state) => decideReturn(state, { page, visits, aliases }));
  return {};
}

/** All ids of the parts of a taken back import. */
const partsOf = (id: string): IDBKeyRange => IDBKeyRange.bound(`part:${id}:`, `part:${id}:\uffff`);

/** The rows of an import that was taken back, a part at a time: each is in the trash or in its round, never in both or neither. */
export async function bringBackLinks(db: Db, id: string, now: number): Promise<void> {
  for (const part of await db.getAllKeys('trash', partsOf(id))) {
    await write(db, async (transaction) => {
      const pages = transaction.objectStore('pages');
      const trash = await transaction.objectStore('trash').get(part);
      const [first] = trash?.pages ?? [];
      const round = first && (await roundOf(transaction, first.space));
      if (!trash || !round)
        throw new CommandError(
          'not-found',
          'The round of these links was deleted. Bring the round back first.',
        );
      if (round.state === 'ended')
        throw new CommandError(
          'conflict',
          'The round of these links has ended. Import them into a new round.',
        );
      const there = await Promise.all(
        (trash.pages ?? []).map(({ space, key }) => pages.getKey([space, key])),
      );
      const missing = (trash.pages ?? []).filter((_, index) => there[index] === undefined);
      let { counters } = round;
      for (const page of missing) {
        counters = addCount(counters, countPage(page));
        send(pages.put(indexed(page)));
      }
      send(transaction.objectStore('rounds').put({ ...round, counters }));
      send(transaction.objectStore('trash').delete(part));
      await appendLog(transaction, [{ at: now, scope: round.scope, change: 'space', space: round.space }]);
    });
  }
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

async function empty(db: Db, { id, what, round, watch }: Trash): Promise<void> {
  if (watch) {
    await db.delete('snapshots', below([watchSpace(watch.id)]));
    await db.delete('live', below([watchSpace(watch.id)]));
  }
  if (what === 'round' && round && round.space === round.id) {
    await deleteInSteps(db, 'pages', undefined, below([round.space]));
    await deleteInSteps(db, 'visits', 'round', below([round.id]));
    await db.delete('snapshots', below([round.space]));
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
