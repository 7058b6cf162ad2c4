import { policyVersion } from '#lib/url/index.ts';
import { partsOf } from './address.ts';
import { holds, sinkOf } from './aliases.ts';
import { NO_COUNTERS } from './counters.ts';
import type { Alias, Page, Round, Scope } from './types.ts';

/** The next round of a scope. `earlier`: its rounds so far; `base`: the one to compare with, `baseSize`: see {@link baseOf}. */
export function newRound(
  scope: Scope,
  earlier: Round[],
  { id, at, base, baseSize = 0 }: { id: string; at: number; base?: Round; baseSize?: number },
): Round {
  const last = earlier.reduce<Round | undefined>((a, b) => (a && a.number > b.number ? a : b), undefined);
  const isCollecting = scope.mode === 'collecting';
  // A collecting scope keeps the policy it began with, since all its rounds share one space.
  const kept = isCollecting ? last : undefined;
  const policy = kept?.policy ?? scope.policy;
  const round: Round = {
    id,
    scope: scope.id,
    space: isCollecting ? scope.id : id,
    number: (last?.number ?? 0) + 1,
    state: 'open',
    startedAt: at,
    baseSize,
    policy,
    policyVersion: kept?.policyVersion ?? policyVersion(policy),
    counters: { ...NO_COUNTERS },
  };
  if (base && !isCollecting) {
    round.base = base.id;
    round.baseSpace = base.space;
  }
  // Pages of a collecting scope are counted on.
  if (kept) {
    const { known, visited, retrying, gone, changed } = kept.counters;
    Object.assign(round.counters, { known, visited, retrying, gone, changed });
  }
  return round;
}

/** How many pages a round has. */
export function sizeOf({ counters: { known, visited, retrying, gone } }: Round): number {
  return known + visited + retrying + gone;
}

/**
 * Originals whose tentative alias held in the base round: in a round based on it they are left, with the old target as a hint, until
 * the link is opened again.
 */
export function hintedBy(aliases: Alias[], base: Round, tokens: Scope['tokens']): Alias[] {
  return aliases.filter(
    (alias) => alias.strength === 'tentative' && alias.round === base.id && holds(alias, base, tokens),
  );
}

/** The row of such an original in the new round. */
export function hintedPage(
  { folded, from, fullFrom, fromUrl, toUrl, at, scope }: Alias,
  round: Round,
  seq: number,
): Page {
  const { visits: _, tries: _2, mark: _3, reason: _4, ...kept } = folded ?? {};
  return {
    addresses: 1,
    isNew: true,
    url: fromUrl,
    firstSeenAt: at,
    ...kept,
    ...partsOf(fullFrom === undefined ? { key: from } : { key: from, fullKey: fullFrom }),
    ...(fullFrom !== undefined && { fullKey: fullFrom }),
    space: round.space,
    key: from,
    scope,
    state: 'known',
    seq,
    visits: 0,
    linkedAt: round.startedAt,
    hint: toUrl,
    inBase: true,
    policyVersion: round.policyVersion,
  };
}

/** Where a link leads: through the alias table, at most a few steps, and to the sink where its target is one. */
export function resolveLink(
  key: string,
  aliasOf: (key: string) => Alias | undefined,
  round: Round,
  tokens: Scope['tokens'],
): string {
  let at = key;
  for (let step = 0; step < 5; step++) {
    const alias = aliasOf(at);
    if (!alias || !holds(alias, round, tokens) || alias.to === key) break;
    at = alias.to;
  }
  return sinkOf(round, at) ?? at;
}

/** Whether the pages of a round stay as they are: it is over, and no other round shares them as in a collecting scope. */
export function isFrozen(round: Round): boolean {
  return round.state === 'ended' && round.space === round.id;
}

export function pause(round: Round, at: number, until: number | null): Round {
  if (round.state !== 'open') return { ...round, pausedUntil: until };
  return { ...round, state: 'paused', pausedUntil: until, pauses: [...(round.pauses ?? []), { from: at }] };
}

export function resume(round: Round, at: number): Round {
  if (round.state !== 'paused') return round;
  const { pausedUntil: _, ...rest } = round;
  const pauses = (round.pauses ?? []).map((each) => (each.to === undefined ? { ...each, to: at } : each));
  return { ...rest, state: 'open', pauses };
}

/** One site of a round is paused, or goes on. `host`: of any port. */
export function pauseSite(round: Round, host: string, isPaused: boolean): Round {
  const { pausedSites = [], ...rest } = round;
  const others = pausedSites.filter((each) => each !== host);
  const sites = isPaused ? [...others, host] : others;
  return sites.length > 0 ? { ...rest, pausedSites: sites } : rest;
}

/** The end of a round; frozen from then on, but for what is told late (see coverage.ts). */
export function end(round: Round, at: number): Round {
  const { state: _, pausedUntil: _2, pausedSites: _3, ...rest } = resume(round, at);
  return { ...rest, state: 'ended', endedAt: Math.max(at, round.startedAt) };
}
