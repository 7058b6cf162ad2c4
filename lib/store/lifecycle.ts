import { addCount, countPage } from '#lib/rounds/counters.ts';
import { holds } from '#lib/rounds/aliases.ts';
import { indexed } from '#lib/rounds/rows.ts';
import { end, hintedBy, hintedPage, newRound, pause, sizeOf } from '#lib/rounds/rounds.ts';
import type { Alias, Round, Scope } from '#lib/rounds/types.ts';
import { dueWindow, endOfWindow } from '#lib/rounds/windows.ts';
import type { Tick } from '#lib/protocol.ts';
import { below } from './ranges.ts';
import type { Db, WriteTransaction } from './schema.ts';
import type { Surroundings } from './surroundings.ts';
import { send, write } from './transaction.ts';
import { appendLog } from './writes.ts';

/** Writes the next round of a scope, with the rows that it begins with. */
export async function putNewRound(
  transaction: WriteTransaction,
  scope: Scope,
  { id, at, base, window }: { id: string; at: number; base: Round | undefined; window?: Round['window'] },
): Promise<{ round: Round; log: number }> {
  const earlier = await transaction
    .objectStore('rounds')
    .index('scope')
    .getAll(below([scope.id]));
  const comparable = base && scope.mode === 'inspecting' ? base : undefined;
  const bare = newRound(scope, earlier, comparable ? { id, at, base: comparable } : { id, at });
  const begun = comparable
    ? await baseOf(transaction, scope, comparable, bare)
    : { baseSize: 0, hinted: [], merged: [] };
  const number = await appendLog(transaction, [
    { at, scope: scope.id, change: 'round', space: bare.space },
    ...begun.hinted.map(({ from }) => {
      return {
        at,
        scope: scope.id,
        change: 'page' as const,
        space: bare.space,
        key: from,
        state: 'known' as const,
      };
    }),
  ]);
  let round: Round = { ...bare, baseSize: begun.baseSize, ...(window && { window }) };
  for (const [index, alias] of begun.hinted.entries()) {
    const page = hintedPage(alias, round, number - begun.hinted.length + 1 + index);
    send(transaction.objectStore('pages').put(indexed(page)));
    round = { ...round, counters: addCount(round.counters, countPage(page)) };
  }
  for (const alias of begun.merged)
    send(transaction.objectStore('aliases').put({ ...alias, leftBase: round.id }));
  send(transaction.objectStore('rounds').put(round));
  const { policy, policyVersion: version } = round;
  send(transaction.objectStore('policies').put({ scope: scope.id, version, policy, at }));
  return { round, log: number };
}

/**
 * What a round is compared with: the rows of its base, and the originals of tentative aliases that held there. Rows whose key has become an
 * original of another page for good are that page.
 */
async function baseOf(
  transaction: WriteTransaction,
  scope: Scope,
  base: Round,
  round: Round,
): Promise<{ baseSize: number; hinted: Alias[]; merged: Alias[] }> {
  const aliases = await transaction.objectStore('aliases').getAll(below([scope.id]));
  const pages = transaction.objectStore('pages');
  const hasRow = async ({ from }: Alias) => (await pages.getKey([base.space, from])) !== undefined;
  const hinted = hintedBy(aliases, base, scope.tokens);
  const lasting = aliases.filter((alias) => holds(alias, round, scope.tokens));
  const hintedRows = await Promise.all(hinted.map(hasRow));
  const lastingRows = await Promise.all(lasting.map(hasRow));
  const merged = lasting.filter((_, index) => lastingRows[index]);
  const added = hintedRows.filter((row) => !row).length;
  return { baseSize: sizeOf(base) + added - merged.length, hinted, merged };
}

/** Ends the round of the window that is over and opens the next one, if that is due. */
export function openNextWindow(
  db: Db,
  id: string,
  { now, randomId, offset = () => 0, faults }: Surroundings,
): Promise<Tick | undefined> {
  return write(
    db,
    async (transaction) => {
      const scope = await transaction.objectStore('scopes').get(id);
      const last = (
        await transaction
          .objectStore('rounds')
          .index('scope')
          .openCursor(below([id]), 'prev')
      )?.value;
      const window = scope?.schedule && dueWindow(scope.schedule, last, now(), offset, scope.scheduledAt);
      if (!scope?.schedule || !window) return undefined;
      let base = last;
      let { start } = window;
      if (last && last.state !== 'ended') {
        // It ends with its own window, even if nobody was there until much later.
        base = end(last, Math.min(endOfWindow(scope.schedule, last, offset, scope.scheduledAt), start));
        start = Math.max(start, base.endedAt ?? start);
        send(transaction.objectStore('rounds').put(base));
      }
      const begun = await putNewRound(transaction, scope, {
        id: randomId(),
        at: start,
        base,
        window: { ...window, start },
      });
      // Who paused did not mean to go on by the clock.
      const until = last?.state === 'paused' ? (last.pausedUntil ?? null) : undefined;
      if (until !== undefined) send(transaction.objectStore('rounds').put(pause(begun.round, start, until)));
      return { log: begun.log, rounds: [begun.round.id, ...(base ? [base.id] : [])] };
    },
    { durability: 'strict', faults },
  );
}
