import { fingerprint } from '#lib/fingerprint/index.ts';
import type { Loaded, Table, Writes } from '#lib/rounds/rows.ts';
import type { Alias, Page } from '#lib/rounds/types.ts';
import type { Key } from '#lib/url/index.ts';
import { TEAM_FORM, type TeamPlace } from './pairing.ts';

/** An item of a request, as the service takes it (docs/service.md). */
export type TeamItem =
  | { url_fp: string; url?: string; state?: 'gone' }
  | { from_fp: string; to_fp: string; permanent: true }
  | { url_fp: string; token: number; retry_at: number };

/** What waits to be told to the service. It never changes: a request that is sent again must be the same. */
export interface Outgoing {
  ns: string;
  round: string;
  policy: string;
  verb: 'mark' | 'redirects' | 'release';
  at: number;
  item: TeamItem;
}

/** The fingerprint under which the service knows a page. */
export function teamFingerprint({ key, fullKey }: { key: string; fullKey?: string | undefined }): string {
  return fingerprint((fullKey ?? key) as Key, TEAM_FORM);
}

/** A page that was visited or is gone, as a mark. */
export function markOf(page: Page, { ns, round, policy, addresses }: TeamPlace, at: number): Outgoing {
  const item: TeamItem = {
    url_fp: teamFingerprint(page),
    ...(addresses && { url: page.url }),
    ...(page.state === 'gone' && { state: 'gone' as const }),
  };
  return { ns, round, policy, verb: 'mark', at, item };
}

export const isDone = ({ state }: Pick<Page, 'state'>): boolean => state === 'visited' || state === 'gone';

/**
 * What a decision has to tell the team: pages that became visited or gone, permanent redirects that were learned, and pages that were
 * tried and failed (`failed`), which are to be released where they were leased. `loaded` has the rows as they were.
 */
export function outgoingOf(
  writes: Writes,
  loaded: Loaded,
  place: TeamPlace,
  at: number,
): { outgoing: Outgoing[]; failed: Page[] } {
  const before = (table: Table, key: [string, string]): unknown => {
    const question = { get: table, key };
    return loaded.has(question) ? loaded.answer(question) : undefined;
  };
  const outgoing: Outgoing[] = [];
  const failed: Page[] = [];
  for (const { table, row } of writes.puts) {
    if (table === 'pages') {
      const old = before('pages', [row.space, row.key]) as Page | undefined;
      if (isDone(row) && old?.state !== row.state) outgoing.push(markOf(row, place, at));
      if (row.state === 'retrying' && row.tries?.count !== old?.tries?.count) failed.push(row);
    }
    if (table === 'aliases') {
      const item = redirectOf(row);
      const old = before('aliases', [row.scope, row.from]) as Alias | undefined;
      if (item && (!old || !isSame(redirectOf(old), item)))
        outgoing.push({
          ns: place.ns,
          round: place.round,
          policy: place.policy,
          verb: 'redirects',
          at,
          item,
        });
    }
  }
  return { outgoing, failed };
}

/** Only what the server itself said is for good: what a person accepted, or a log-in page, would hide pages from others. */
function redirectOf(alias: Alias): { from_fp: string; to_fp: string; permanent: true } | undefined {
  const target = alias.targets.find(({ to }) => to === alias.to);
  if (alias.undone || target?.strength !== 'permanent' || target.evidence !== 'redirect') return undefined;
  // A target too long to be a key of the store is known by its hash alone, of which no fingerprint can be made.
  if (alias.to.startsWith('sha256:')) return undefined;
  const from_fp = teamFingerprint({ key: alias.from, fullKey: alias.fullFrom });
  return { from_fp, to_fp: teamFingerprint({ key: alias.to }), permanent: true };
}

const isSame = (a: ReturnType<typeof redirectOf>, b: ReturnType<typeof redirectOf>): boolean =>
  a?.from_fp === b?.from_fp && a?.to_fp === b?.to_fp;

/** Where requests stand in the way of each other least: entries of one namespace, round, policy and verb make a batch. */
export const isTogether = (a: Outgoing, b: Outgoing): boolean =>
  a.ns === b.ns && a.round === b.round && a.policy === b.policy && a.verb === b.verb;

const FIRST_PAUSE = 2_000;
export const LONGEST_PAUSE = 15 * 60_000;

/**
 * How long to wait after so many tries that failed, in ms: doubling from 2 s to 15 min, of which the upper half is by chance (`random` in
 * [0, 1)), so that extensions that lost the service together do not come back together.
 */
export function pauseAfter(tries: number, random: number): number {
  const whole = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** Math.min(20, tries - 1));
  return Math.round(whole / 2 + (whole / 2) * random);
}
