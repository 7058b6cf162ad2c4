import type { Addressed } from '#lib/rounds/address.ts';
import { holds } from '#lib/rounds/aliases.ts';
import { addCount, countPage } from '#lib/rounds/counters.ts';
import { covers } from '#lib/rounds/coverage.ts';
import type { Page, Round, Scope } from '#lib/rounds/types.ts';
import { addKnown } from './links.ts';
import { withStore } from './open.ts';
import { Sets } from './sets.ts';
import { CommandError } from './surroundings.ts';
import { send, write } from './transaction.ts';
import { TRASH_MS } from './trash.ts';
import { appendLog, countUp } from './writes.ts';

/** A link of a file as a row may be made of it. */
export type ImportLink = Addressed & { title?: string };

/** Where a link stands in a round: `known` is seen, to be tried again or gone; `outside` is beyond its scope. */
export type Place = 'new' | 'known' | 'visited' | 'outside';

/** Links of one step: others write in between, and a step told again passes over what is there. */
export const IMPORT_STEP = 500;

/** Longest chain of aliases that is followed, as `resolveLink` does. */
const MOST_STEPS = 5;

/** Where each link stands; reads only. */
export function placesOf(round: Round, scope: Scope, links: ImportLink[]): Promise<Place[]> {
  return withStore((db) => {
    const transaction = db.transaction(['pages', 'aliases']);
    const rowOf = (key: string) => transaction.objectStore('pages').get([round.space, key]);
    const placeOf = async ({ url, key }: ImportLink): Promise<Place> => {
      if (!covers(scope, url)) return 'outside';
      let home = key;
      for (let step = 0; step < MOST_STEPS; step++) {
        const alias = await transaction.objectStore('aliases').get([scope.id, home]);
        if (!alias || alias.to === key || !holds(alias, round, scope.tokens)) break;
        home = alias.to;
      }
      const page = await rowOf(home);
      if (page) return page.state === 'visited' ? 'visited' : 'known';
      return home === key ? 'new' : 'known';
    };
    return Promise.all(links.map(placeOf));
  });
}

/**
 * Writes links as known rows of an open round, one step of at most {@link IMPORT_STEP}; answers the keys of those that were new. To be
 * called under the writer's lock. Answers nothing where the round no longer takes links.
 */
export async function addLinks(
  round: Round,
  links: ImportLink[],
  { at, now }: { at: number; now: () => number },
): Promise<{ keys: string[]; log: number } | undefined> {
  const byKey = new Map<string, ImportLink>();
  for (const link of links) if (!byKey.has(link.key)) byKey.set(link.key, link);
  // Without a set in memory the rows themselves say what was seen before.
  const about = { at, from: undefined, sets: new Sets(), around: { now } };
  const written = await withStore((db) => addKnown(db, round.id, [...byKey.values()], about));
  return written && { keys: written.entries.flatMap(({ keys = [] }) => keys), log: written.log };
}

/** Counts lines that could not be imported, for Diagnostics. To be called under the writer's lock. */
export function countRefused(by: 'import' | 'paste', lines: number): Promise<void> {
  return withStore((db) =>
    write(db, (transaction) =>
      countUp(transaction.objectStore('meta'), (counts) => (counts.refused[by] += lines)),
    ),
  );
}

/** What was taken back of an import, so that it can be brought back. */
export interface TakenBack {
  id: string;
  label: string;
  at: number;
}

/** Rows of one part of the trash. */
const PART = 2_000;

/**
 * Takes an import back in steps, into the trash: its rows that nobody has visited or judged since. `keys` are those `addLinks` answered,
 * `at` what it was told. `alone` runs a step under the writer's lock. Answers how many rows left.
 * @throws {CommandError} where the round has ended
 */
export async function takeBackLinks(
  round: Round,
  keys: string[],
  about: TakenBack,
  alone: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<number> {
  let removed = 0;
  for (let from = 0; from < keys.length; from += PART) {
    const some = keys.slice(from, from + PART);
    removed += await alone(() => takeBackPart(round, some, about, from / PART));
  }
  return removed;
}

function takeBackPart(
  round: Round,
  keys: string[],
  { id, label, at }: TakenBack,
  part: number,
): Promise<number> {
  return withStore((db) =>
    write(db, async (transaction) => {
      const pages = transaction.objectStore('pages');
      const current = await transaction.objectStore('rounds').get(round.id);
      const rows = await Promise.all(keys.map((key) => pages.get([round.space, key])));
      const gone = rows.filter((page): page is Page => page !== undefined && isUntouched(page, at));
      if (current?.state === 'ended')
        throw new CommandError('conflict', 'The round has ended, so its links stay as they are.');
      if (!current || gone.length === 0) return 0;
      let { counters } = current;
      for (const page of gone) {
        counters = addCount(counters, countPage(page), -1);
        send(pages.delete([page.space, page.key]));
      }
      send(transaction.objectStore('rounds').put({ ...current, counters }));
      const until = at + TRASH_MS;
      const trash = transaction.objectStore('trash');
      send(trash.put({ id, until, what: 'links', label, round: current }));
      send(trash.put({ id: `part:${id}:${part}`, until, what: 'links', label, pages: gone }));
      await appendLog(transaction, [{ at, scope: round.scope, change: 'space', space: round.space }]);
      return gone.length;
    }),
  );
}

function isUntouched(page: Page, at: number): boolean {
  const { state, visits, tries, mark, verdictAt, linkedAt, from } = page;
  const isJudged = mark !== undefined || verdictAt !== undefined || tries !== undefined;
  return state === 'known' && visits === 0 && !isJudged && from === undefined && linkedAt === at;
}
