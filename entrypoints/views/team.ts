import type { Page, Round } from '#lib/rounds/types.ts';
import { teamFacts, type TeamFact } from '#lib/store/team.ts';
import { teamPlace } from '#lib/team/pairing.ts';
import { loadPairing } from './service.ts';

export type { TeamFact } from '#lib/store/team.ts';

/** What others of the team saw of pages of a round, in their order; of nothing where the round takes no part. */
export async function teamFactsOf(
  round: Round,
  pages: readonly Pick<Page, 'key' | 'fullKey'>[],
): Promise<(TeamFact | undefined)[]> {
  const place = teamPlace(await loadPairing(), round);
  return place ? teamFacts(place, pages) : pages.map(() => undefined);
}
