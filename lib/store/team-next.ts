import type { Page, Round } from '#lib/rounds/types.ts';
import type { TeamClient } from '#lib/team/client.ts';
import { teamFingerprint } from '#lib/team/outbox.ts';
import { TEAM_FORM, type TeamPlace } from '#lib/team/pairing.ts';
import { isOpen } from './commands.ts';
import { pagesOf, type PageFilter } from './read.ts';
import { askTeam } from './team-pull.ts';
import { keepTeam, teamRows } from './team.ts';

/** Pages that are looked at for one that nobody else has. */
const LOOKED_AT = 50;
/** Leases that are tried: between question and lease somebody else may come. */
const TRIES = 3;

/**
 * The first page left that nobody of the team saw or is at, leased to us; nothing where there is none among the first. `except`: keys
 * that are passed over.
 * @throws {TeamError} and whatever the client rejects with
 */
export async function leaseNext(
  client: Pick<TeamClient, 'batch'>,
  round: Round,
  place: TeamPlace,
  {
    filter,
    now,
    except = [],
  }: { filter: Pick<PageFilter, 'host' | 'prefix'>; now: number; except?: readonly string[] },
): Promise<Page | undefined> {
  const { rows } = await pagesOf(round.space, { left: true, ...filter, limit: LOOKED_AT });
  const wanted = rows.filter((page) => isOpen(page) && !except.includes(page.key));
  const pages = wanted.map((page) => ({ page, fp: teamFingerprint(page) }));
  const known = await teamRows(
    place,
    pages.map(({ fp }) => fp),
  );
  const ours = pages[known.findIndex((row) => row?.lease !== undefined && row.lease.until > now)];
  if (ours) return ours.page;
  const open = pages.filter((_, index) => known[index]?.at === undefined);
  const answers = await askTeam(
    client,
    place,
    open.map(({ fp }) => fp),
  );
  const free = open.filter((_, index) => answers[index]?.result === 'fresh');
  const { ns, round: name, policy } = place;
  for (const { page, fp } of free.slice(0, TRIES)) {
    const request = { items: [{ url_fp: fp }], round: name, policy, form: TEAM_FORM };
    const [answer] = await client.batch('lease', ns, request);
    if (answer?.result !== 'fresh' || answer.token === undefined) continue;
    await keepTeam(place, [{ fp, lease: { token: answer.token, until: answer.until ?? now } }]);
    return page;
  }
  return undefined;
}
