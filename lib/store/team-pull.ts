import { readLines } from '#lib/exchange/lines.ts';
import type { TeamAnswer, TeamClient } from '#lib/team/client.ts';
import { teamFingerprint } from '#lib/team/outbox.ts';
import { TEAM_FORM, type TeamPlace } from '#lib/team/pairing.ts';
import { pagesOf } from './read.ts';
import type { TeamPage } from './schema.ts';
import { keepTeam } from './team.ts';

/** Rounds of more pages are not fetched whole: it is asked for the pages that are known here. */
const MOST_FETCHED = 200_000;
/** Rows of one transaction, and items of one request. */
const CHUNK = 500;

type Client = Pick<TeamClient, 'namespace' | 'exportRound' | 'batch'>;

/**
 * Fetches what the team saw in a round, and keeps it. Answers how many pages that are. `space`: where the pages known here are;
 * `isWanted`: whether the service is still the one that is paired, asked before anything is kept.
 * What came before an error stays: each line is a fact of its own.
 * @throws {TeamError}
 */
export async function pullRound(
  client: Client,
  place: TeamPlace,
  { space, isWanted = () => true }: { space: string; isWanted?: () => boolean },
): Promise<number> {
  const namespace = await client.namespace(place.ns);
  const count = namespace?.rounds.find(({ round }) => round === place.round)?.count ?? 0;
  // Fingerprints of another policy mean other pages.
  if (count === 0 || namespace?.policy !== place.policy || namespace.form !== TEAM_FORM) return 0;
  if (count <= MOST_FETCHED) await fetchAll(client, place, isWanted);
  else await askForKnown(client, place, { space, isWanted });
  return count;
}

async function fetchAll(client: Client, place: TeamPlace, isWanted: () => boolean): Promise<void> {
  let pages: Omit<TeamPage, 'ns' | 'round'>[] = [];
  for await (const { lines } of readLines(await client.exportRound(place.ns, place.round), 1 << 20)) {
    for (const line of lines) {
      const page = readPage(line);
      if (page) pages.push(page);
      if (pages.length < CHUNK) continue;
      if (!isWanted()) return;
      await keepTeam(place, pages);
      pages = [];
    }
  }
  if (pages.length > 0 && isWanted()) await keepTeam(place, pages);
}

/** A line of the service's own format that is a page; nothing for its head, its end and what is damaged. */
function readPage(line: string | null): Omit<TeamPage, 'ns' | 'round'> | undefined {
  let value: { url_fp?: unknown; first_at?: unknown; state?: unknown } | null;
  try {
    value = JSON.parse(line ?? '') as typeof value;
  } catch {
    return undefined;
  }
  const { url_fp: fp, first_at: at, state } = value ?? {};
  if (typeof fp !== 'string' || !/^[0-9a-f]{32}$/.test(fp)) return undefined;
  if (typeof at !== 'number' || !Number.isSafeInteger(at) || Math.abs(at) > 8.64e15) return undefined;
  return { fp, at, state: state === 'gone' ? 'gone' : 'visited' };
}

async function askForKnown(
  client: Client,
  place: TeamPlace,
  { space, isWanted }: { space: string; isWanted: () => boolean },
): Promise<void> {
  let after: string | null = null;
  do {
    const { rows, next }: Awaited<ReturnType<typeof pagesOf>> = await pagesOf(space, {
      after,
      limit: CHUNK,
    });
    await askTeam(client, place, rows.map(teamFingerprint));
    after = next;
  } while (after !== null && isWanted());
}

/** Asks whether the team saw pages, and keeps what it did; the answers in order. @throws {TeamError} */
export async function askTeam(
  client: Pick<TeamClient, 'batch'>,
  { ns, round, policy }: TeamPlace,
  fps: readonly string[],
): Promise<TeamAnswer[]> {
  if (fps.length === 0) return [];
  const items = fps.map((fp) => ({ url_fp: fp }));
  const answers = await client.batch('is_seen', ns, { items, round, policy, form: TEAM_FORM });
  const seen = answers.flatMap((answer, index) => {
    // A page that leads to a seen one has no time of its own.
    if (answer.result !== 'seen' || answer.first_at === undefined) return [];
    return [{ fp: fps[index]!, at: answer.first_at, state: answer.state ?? ('visited' as const) }];
  });
  if (seen.length > 0) await keepTeam({ ns, round }, seen);
  return answers;
}
