import { placeOf, type Addressed } from './address.ts';
import { currentTarget, holds, withTargets } from './aliases.ts';
import type { Decision } from './decision.ts';
import type { Alias, AliasTarget, Page, Visit } from './types.ts';

/** A page that was deleted, with everything that went along. */
export interface Removed {
  page: Page;
  visits: Visit[];
  aliases: Alias[];
}

/** Notes on a page that nobody went to why that is so; `false` where it has no row. */
export function flag(decision: Decision, { key }: Addressed, reason: 'download' | 'outside'): boolean {
  const page = decision.page(decision.homeOf(key));
  if (page?.state !== 'known' || page.reason === reason) return page !== undefined;
  decision.draft.put('pages', { ...page, reason });
  return true;
}

/** Changes what a person says of a page; its row is made where there is none. Answers the key of that row. */
export function say(decision: Decision, asked: string, word: (page: Page) => Page): string {
  const alias = decision.alias(asked);
  const led =
    holds(alias, decision.round, decision.scope.tokens) && !decision.page(asked) ? alias!.to : asked;
  const key = decision.homeOf(led);
  const page = decision.page(key) ?? decision.pages.fresh(key, decision.visitsOf(key), decision.alias(key));
  const base = decision.basePage(key);
  const known =
    base && !decision.page(key) ? { ...page, url: base.url, ...(base.title && { title: base.title }) } : page;
  decision.pages.put(word(known));
  decision.pages.unsettle(key);
  return key;
}

export function rule(decision: Decision, from: string, accept: boolean | null, at: number): void {
  const alias = decision.alias(from);
  if (!alias) return;
  const { undone: _, ...rest } = alias;
  const target = currentTarget(alias.targets);
  if (accept === null) {
    const next = withTargets(rest, alias.targets.map(asSeen));
    if (next) decision.draft.put('aliases', next);
  } else if (accept && target) {
    const { strength, evidence, round, at: seenAt } = target;
    const accepted: AliasTarget = {
      ...target,
      strength: 'permanent',
      evidence: 'accepted',
      round: decision.roundId,
      at,
      seen: target.seen ?? { strength, evidence, round, at: seenAt },
    };
    const next = withTargets(rest, [...alias.targets.filter(({ to }) => to !== target.to), accepted]);
    if (next) decision.draft.put('aliases', next);
  } else {
    decision.draft.put('aliases', { ...alias, undone: true });
  }
  decision.draft.log({ change: 'alias', key: from });
  decision.move(from);
  decision.move(alias.to);
}

/** A target without the word of a person. */
function asSeen({ seen, ...target }: AliasTarget): AliasTarget {
  return { ...target, ...seen };
}

export function remove(decision: Decision, key: string): Removed | undefined {
  const page = decision.page(key);
  if (!page) return undefined;
  const visits = decision.visitsOf(key);
  const aliases = decision.draft.list('aliasesTo', decision.scopeId, key);
  for (const { from } of aliases) decision.draft.delete('aliases', [decision.scopeId, from]);
  for (const visit of visits) {
    decision.draft.delete('visits', visit.seq);
    decision.countAddress(visit, -1);
  }
  if (decision.pages.isOfBaseAlone(page)) decision.pages.resizeBase(-1);
  decision.pages.delete(key);
  return { page, visits, aliases };
}

export function bringBack(decision: Decision, { page, visits, aliases }: Removed): void {
  const since = decision.page(page.key);
  for (const alias of aliases) if (!decision.alias(alias.from)) decision.draft.put('aliases', alias);
  for (const visit of visits) {
    decision.draft.put('visits', visit);
    decision.countAddress(visit, 1);
  }
  if (!since && decision.pages.isOfBaseAlone(page)) decision.pages.resizeBase(1);
  decision.pages.put(since ? united(page, since) : page);
  decision.pages.unsettle(page.key);
  for (const { from } of aliases) decision.pages.unsettle(from);
}

export function propose(
  decision: Decision,
  from: Addressed,
  to: Addressed,
  evidence: 'canonical' | 'same-content',
  at: number,
): void {
  if (from.key === to.key) return;
  const before = decision.alias(from.key);
  const same = before?.targets.find((target) => target.to === to.key);
  if (same || before?.undone) return;
  const target: AliasTarget = {
    to: to.key,
    toUrl: to.url,
    strength: 'proposed',
    evidence,
    round: decision.roundId,
    at,
    times: 0,
    firsts: 0,
    place: placeOf(to.key),
  };
  const fresh = { scope: decision.scopeId, from: from.key, fromUrl: from.url, ...before };
  const alias = withTargets(from.fullKey === undefined ? fresh : { ...fresh, fullFrom: from.fullKey }, [
    ...(before?.targets ?? []),
    target,
  ]);
  if (!alias) return;
  decision.draft.put('aliases', alias);
  decision.draft.log({ change: 'alias', key: from.key });
}

/** The newer word of the person stands, the older link and address. */
export function united(before: Page, since: Page): Page {
  const newer = (before.verdictAt ?? 0) > (since.verdictAt ?? 0) ? before : since;
  const { verdict: _, note: _2, verdictAt: _3, ...rest } = { ...before, ...since };
  const linkedAt = Math.min(before.linkedAt ?? Infinity, since.linkedAt ?? Infinity);
  return {
    ...rest,
    ...(linkedAt < Infinity && { linkedAt }),
    ...(newer.verdict && { verdict: newer.verdict }),
    ...(newer.note !== undefined && { note: newer.note }),
    ...(newer.verdictAt !== undefined && { verdictAt: newer.verdictAt }),
    url: before.url,
    seq: before.seq,
    firstSeenAt: Math.min(before.firstSeenAt, since.firstSeenAt),
    isNew: before.isNew,
  };
}
