import type { Loaded, Writes } from '#lib/rounds/rows.ts';
import { isDone, isTogether, markOf, outgoingOf, teamFingerprint, type Outgoing } from '#lib/team/outbox.ts';
import type { TeamPlace } from '#lib/team/pairing.ts';
import { withStore } from './open.ts';
import { pagesOf } from './read.ts';
import type { OutboxBatch, WriteTransaction } from './schema.ts';
import { send } from './transaction.ts';

/** More entries than this do not wait: the oldest make room, and can be queued again from the pages. */
const MOST_WAITING = 100_000;
/** Entries of one request. */
const MOST_IN_BATCH = 1_000;
/** How many entries are looked through for those that go together. */
const LOOKED_AT = 4_000;

/** Queues what a decision has to tell the team, in the decision's own transaction. */
export async function queueDecision(
  transaction: WriteTransaction,
  writes: Writes,
  loaded: Loaded,
  place: TeamPlace,
  at: number,
): Promise<void> {
  const { outgoing, failed } = outgoingOf(writes, loaded, place, at);
  for (const page of failed) {
    const fp = teamFingerprint(page);
    const { ns, round, policy } = place;
    const known = await transaction.objectStore('team').get([ns, round, fp]);
    if (!known?.lease) continue;
    const { lease, ...rest } = known;
    // A time of the past would be refused.
    const retryAt = Math.max(page.tries?.nextAt ?? 0, at + 1);
    const item = { url_fp: fp, token: lease.token, retry_at: retryAt };
    outgoing.push({ ns, round, policy, verb: 'release', at, item });
    send(transaction.objectStore('team').put(rest));
  }
  if (outgoing.length > 0) await queue(transaction, outgoing);
}

/** Appends to the outbox and keeps it within its limit. */
async function queue(
  transaction: Pick<WriteTransaction, 'objectStore'>,
  outgoing: Outgoing[],
): Promise<void> {
  const outbox = transaction.objectStore('outbox');
  // The key is made by the store.
  for (const entry of outgoing) send(outbox.add(entry as Outgoing & { seq: number }));
  const last = (await outbox.openKeyCursor(undefined, 'prev'))?.key ?? 0;
  const first = (await outbox.openKeyCursor())?.key ?? 0;
  // Numbers are counted up one by one, so there are at most so many between them.
  if (last - first >= MOST_WAITING) send(outbox.delete(IDBKeyRange.upperBound(last - MOST_WAITING)));
}

/** Queues every page of a round that is visited or gone; answers how many. What the service knows already it answers so. */
export async function queueRound(space: string, place: TeamPlace, at: number): Promise<number> {
  let after: string | null = null;
  let queued = 0;
  do {
    const { rows, next }: Awaited<ReturnType<typeof pagesOf>> = await pagesOf(space, { after, limit: 1_000 });
    const outgoing = rows.filter(isDone).map((page) => markOf(page, place, at));
    await withStore(async (db) => {
      const transaction = db.transaction(['outbox'], 'readwrite') as unknown as WriteTransaction;
      if (outgoing.length > 0) await queue(transaction, outgoing);
      await transaction.done;
    });
    queued += outgoing.length;
    after = next;
  } while (after !== null);
  return queued;
}

export interface ReadyBatch {
  batch: OutboxBatch;
  entries: (Outgoing & { seq: number })[];
}

/** The batch that is under way, or the next one; nothing where nothing waits. The oldest entry says what goes with it. */
export function nextBatch(id: string): Promise<ReadyBatch | undefined> {
  return withStore(async (db) => {
    const transaction = db.transaction(['outbox', 'batches'], 'readwrite');
    const outbox = transaction.objectStore('outbox');
    const batches = transaction.objectStore('batches');
    const [begun] = await batches.getAll(undefined, 1);
    let ready: ReadyBatch | undefined;
    if (begun) {
      const found = await Promise.all(begun.seqs.map((seq) => outbox.get(seq)));
      const entries = found.filter((entry) => entry !== undefined);
      // Entries that made room are gone: what is left is another request and needs another key.
      if (entries.length === begun.seqs.length) ready = { batch: begun, entries };
      else await batches.delete(begun.id);
    }
    if (!ready) {
      const waiting = await outbox.getAll(undefined, LOOKED_AT);
      const [oldest] = waiting;
      if (oldest) {
        const entries = waiting.filter((entry) => isTogether(entry, oldest)).slice(0, MOST_IN_BATCH);
        const batch = { id, seqs: entries.map(({ seq }) => seq), tries: 0, nextAt: 0 };
        await batches.put(batch);
        ready = { batch, entries };
      }
    }
    await transaction.done;
    return ready;
  });
}

/** An answer to an entry: of a mark, when it was seen first and how; `own` where that was here. */
export interface Settled {
  seen?: { fp: string; at: number; state: 'visited' | 'gone'; own: boolean };
}

/** The batch was acknowledged: its entries are gone, and what was answered is kept, in one transaction. */
export function settleBatch({ batch, entries }: ReadyBatch, answers: Settled[]): Promise<void> {
  return withStore(async (db) => {
    const transaction = db.transaction(['outbox', 'batches', 'team'], 'readwrite');
    const team = transaction.objectStore('team');
    if ((await transaction.objectStore('batches').getKey(batch.id)) !== undefined) {
      for (const seq of batch.seqs) send(transaction.objectStore('outbox').delete(seq));
      send(transaction.objectStore('batches').delete(batch.id));
      for (const [index, { ns, round }] of entries.entries()) {
        const seen = answers[index]?.seen;
        if (!seen) continue;
        const { fp, at, state, own } = seen;
        const known = await team.get([ns, round, fp]);
        const isOwn = own || known?.own === true;
        send(
          team.put({
            ns,
            round,
            fp,
            at: known?.own ? (known.at ?? at) : at,
            state,
            ...(isOwn && { own: true }),
          }),
        );
      }
    }
    await transaction.done;
  });
}

/** The try failed: the next one is not before `nextAt`. */
export function postponeBatch(batch: OutboxBatch, nextAt: number): Promise<void> {
  return changeBatch(batch.id, { ...batch, tries: batch.tries + 1, nextAt });
}

/** The next try need not wait any longer. */
export function hurryBatch(): Promise<void> {
  return withStore(async (db) => {
    const transaction = db.transaction('batches', 'readwrite');
    for (const batch of await transaction.store.getAll())
      send(transaction.store.put({ ...batch, nextAt: 0 }));
    await transaction.done;
  });
}

/** The batch is too much for the service: half of it is another one. A single entry that cannot be sent is dropped. */
export async function halveBatch({ batch, entries }: ReadyBatch, id: string): Promise<void> {
  if (entries.length <= 1) return settleBatch({ batch, entries }, []);
  const seqs = batch.seqs.slice(0, Math.ceil(batch.seqs.length / 2));
  await changeBatch(batch.id, { id, seqs, tries: 0, nextAt: 0 });
}

/** The key of the batch was used for something else: the same entries under another one. */
export function renameBatch(batch: OutboxBatch, id: string): Promise<void> {
  return changeBatch(batch.id, { ...batch, id });
}

function changeBatch(id: string, changed: OutboxBatch): Promise<void> {
  return withStore(async (db) => {
    const transaction = db.transaction('batches', 'readwrite');
    if ((await transaction.store.getKey(id)) !== undefined) {
      if (id !== changed.id) send(transaction.store.delete(id));
      send(transaction.store.put(changed));
    }
    await transaction.done;
  });
}

export interface OutboxState {
  /** Entries that wait. */
  waiting: number;
  /** Failed tries of the batch under way. */
  tries: number;
  /** When the next try may be; 0: now. */
  nextAt: number;
}

export function outboxState(): Promise<OutboxState> {
  return withStore(async (db) => {
    const [waiting, [batch]] = await Promise.all([db.count('outbox'), db.getAll('batches', undefined, 1)]);
    return { waiting, tries: batch?.tries ?? 0, nextAt: batch?.nextAt ?? 0 };
  });
}

/** Forgets the service: what waits for it, and what it said. */
export function forgetTeam(): Promise<void> {
  return withStore(async (db) => {
    const stores = ['outbox', 'batches', 'team'] as const;
    const transaction = db.transaction(stores, 'readwrite');
    for (const store of stores) send(transaction.objectStore(store).clear());
    await transaction.done;
  });
}
