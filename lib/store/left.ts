import type { Round } from '#lib/rounds/types.ts';
import type { Db } from './schema.ts';
import { send } from './transaction.ts';

/** A mark is of no use any more when so many rows were written since. */
const MOST_KEYS = 2_000;

/** Whether the page of that key is left now. */
export type IsLeft = (key: string) => Promise<boolean>;

/**
 * Below which key nothing is left in a round, as far as somebody has looked; nothing where nobody has, or it cannot be told any more. A
 * round walked by key has its visited pages in front: without this every look at what is left would pass over all of them. The mark says up
 * to which entry of the log it holds, and every key that was named since is looked at itself, whatever was written of it.
 */
export async function leftFrom(db: Db, round: Round, isLeft: IsLeft): Promise<string | undefined> {
  const [mark, log] = await Promise.all([db.get('meta', idOf(round)), db.get('meta', 'log')]);
  if (mark === undefined || !('key' in mark) || log?.id !== 'log') return undefined;
  if (mark.log > log.number || log.first > mark.log + 1) return undefined;
  const entries = await db.getAll('log', IDBKeyRange.lowerBound(mark.log, true), MOST_KEYS + 1);
  const named = new Set<string>();
  for (const { scope, change, space, key, keys = [] } of entries) {
    if (scope !== round.scope) continue;
    const isAnywhere = space === undefined || space === round.space || space === round.baseSpace;
    // Rows without a name, or other sites and tokens: anything may be left.
    if ((change === 'space' && isAnywhere) || change === 'scope') return undefined;
    for (const one of key === undefined ? keys : [key, ...keys]) if (one < mark.key) named.add(one);
  }
  if (entries.length > MOST_KEYS || named.size > MOST_KEYS) return undefined;
  // The first by key that is left again.
  for (const key of [...named].sort()) if (await isLeft(key)) return key;
  return mark.key;
}

/** Keeps the first key that is left, as of now, for the next look. To be called under the writer's lock. */
export async function keepLeftFrom(
  db: Db,
  round: Round,
  find: () => Promise<string | undefined>,
): Promise<void> {
  const before = await db.get('meta', 'log');
  const key = await find();
  if (key === undefined || before?.id !== 'log') return;
  const transaction = db.transaction('meta', 'readwrite', { durability: 'relaxed' });
  send(transaction.store.put({ id: idOf(round), key, log: before.number }));
  await transaction.done;
}

const idOf = ({ space }: Round): `left:${string}` => `left:${space}`;
