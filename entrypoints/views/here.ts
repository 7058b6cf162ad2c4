import { browser } from 'wxt/browser';
import type { Page, Round, Scope } from '#lib/rounds/types.ts';
import { covers } from '#lib/rounds/coverage.ts';
import { pagesOf } from '#lib/store/read.ts';
import { loadOverview, pageAt, pageKeyOf } from './reading.ts';
import { isAllowed } from './start.ts';
import { siteOf, type Site } from './site.ts';
import { teamFactsOf, type TeamFact } from './team.ts';

/** The round that is shown. */
export interface RoundModel {
  round: Round;
  scope: Scope;
  base: Round | undefined;
  /** All open rounds one can switch to, this one included. */
  others: { round: Round; scope: Scope }[];
  thisPage: { page: Page | undefined; team: TeamFact | undefined };
  /** The page that "next unvisited" would open now. */
  next: Page | undefined;
}

/** What a round on this site would be. */
export interface StartModel {
  host: string;
  pattern: string;
  /** Nobody ever started a round. */
  firstRun: boolean;
  /** The browser would not ask any more. */
  allowed: boolean;
  /** The scope that has this site, and its latest round to compare with. */
  scope: Scope | undefined;
  last: Round | undefined;
}

export interface Here {
  site: Site;
  tab: number | undefined;
  round: RoundModel | undefined;
  start: StartModel | undefined;
}

interface Subject {
  tab: number | undefined;
  url: string | undefined;
}

/**
 * What the popup is about: the active tab; opened in a tab of its own, `?tab=ID`, or `?url=` where the browser tells no
 * address (it does so only after a click on the button, or for allowed sites).
 */
async function subjectOf(search: string): Promise<Subject> {
  const params = new URLSearchParams(search);
  const id = params.get('tab');
  const url = params.get('url') ?? undefined;
  if (id === null && url !== undefined) return { tab: undefined, url };
  const tab =
    id === null
      ? (await browser.tabs.query({ active: true, currentWindow: true }))[0]
      : await browser.tabs.get(Number(id)).catch(() => undefined);
  return { tab: tab?.id, url: tab?.url ?? url };
}

/** What popup and side panel show of a tab. `chosen` is the round a person switched to. */
export async function loadHere(search: string, chosen: string | undefined): Promise<Here> {
  const [subject, { scopes, rounds }] = await Promise.all([subjectOf(search), loadOverview()]);
  const site = siteOf(subject.url);
  const open = rounds.flatMap((round) => {
    const scope = scopes.find(({ id }) => id === round.scope);
    return scope && round.state !== 'ended' ? [{ round, scope }] : [];
  });
  const here = site.kind === 'web' ? open.filter(({ scope }) => covers(scope, site.url)) : open;
  const shown = here.find(({ round }) => round.id === chosen) ?? here[0];
  return {
    site,
    tab: subject.tab,
    round: shown && (await loadRound(shown, here, rounds, site)),
    start: shown || site.kind !== 'web' ? undefined : await loadStart(site, scopes, rounds),
  };
}

async function loadRound(
  { round, scope }: { round: Round; scope: Scope },
  others: RoundModel['others'],
  rounds: Round[],
  site: Site,
): Promise<RoundModel> {
  const [thisPage, left] = await Promise.all([
    loadThisPage(round, scope, site),
    pagesOf(round.space, { compare: 'left', limit: 1 }),
  ]);
  const base = rounds.find(({ id }) => id === round.base);
  return { round, scope, base, others, thisPage, next: left.rows[0] };
}

async function loadThisPage(round: Round, scope: Scope, site: Site): Promise<RoundModel['thisPage']> {
  if (site.kind !== 'web') return { page: undefined, team: undefined };
  const page = await pageAt(round, scope, site.url);
  const asked = page ?? pageKeyOf(round, site.url);
  const [team] = asked ? await teamFactsOf(round, [asked]) : [];
  return { page, team };
}

async function loadStart(
  site: Site & { kind: 'web' },
  scopes: Scope[],
  rounds: Round[],
): Promise<StartModel> {
  const scope = scopes.find((one) => covers(one, site.url));
  const last = scope && rounds.find((round) => round.scope === scope.id);
  const allowed = await isAllowed(scope?.origins ?? [site.pattern]);
  return { host: site.host, pattern: site.pattern, firstRun: rounds.length === 0, allowed, scope, last };
}
