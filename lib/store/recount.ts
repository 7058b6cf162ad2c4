import { addCount, countAlias, countPage, countVisit, NO_COUNTERS } from '#lib/rounds/counters.ts';
import type { Counters, Page, Round } from '#lib/rounds/types.ts';
import { rowsOf } from './backup.ts';
import { withStore } from './open.ts';
import { below } from './ranges.ts';
import type { Db } from './schema.ts';

/** Counters of a round from its rows. */
export async function countRound(db: Db, { id, space, scope }: Round): Promise<Counters> {
  let counters = { ...NO_COUNTERS };
  for await (const page of rowsOf(db, 'pages', below([space])))
    counters = addCount(counters, countPage(page as unknown as Page));
  let visits = await db
    .transaction('visits')
    .store.index('round')
    .openCursor(below([id]));
  while (visits) {
    counters = addCount(counters, countVisit(visits.value));
    visits = await visits.continue();
  }
  for (const alias of await db.getAll('aliases', below([scope])))
    counters = addCount(counters, countAlias(alias, id));
  return counters;
}

/** The same in the database in use, to prove (or repair) the counters that are kept. */
export function recount(round: Round): Promise<Counters> {
  return withStore((db) => countRound(db, round));
}
