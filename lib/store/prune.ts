import type { Round } from '#lib/rounds/types.ts';
import { below } from './ranges.ts';
import type { Db } from './schema.ts';
import { sweepTexts } from './versions.ts';

/**
 * Deletes the texts of rounds beyond the latest `keep` of each scope. Rounds that are not over, and the rounds they are compared with, keep
 * theirs; pages, verdicts and digests stay in any case.
 */
export async function pruneTexts(
  db: Db,
  keep: number,
  alone: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<void> {
  const rounds = await db.getAll('rounds');
  const needed = new Set(rounds.flatMap((round) => neededBy(round)));
  for (const ofScope of Map.groupBy(rounds, ({ scope }) => scope).values()) {
    const old = ofScope.toSorted((a, b) => b.number - a.number).slice(keep);
    for (const { id, space } of old) {
      // A collecting scope is one space for all its rounds.
      if (space !== id || needed.has(space)) continue;
      await alone(() => db.delete('snapshots', below([space])));
    }
  }
  await sweepTexts(db, alone);
}

function neededBy({ state, space, baseSpace }: Round): string[] {
  return state === 'ended' ? [] : [space, ...(baseSpace === undefined ? [] : [baseSpace])];
}
