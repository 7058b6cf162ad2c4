import type { Policy } from '#lib/url/index.ts';
import { indexedUrl, partsOf, placeOf, type Addressed } from './address.ts';
import {
  currentTarget,
  effectiveChain,
  evidenceOf,
  hasToken,
  isSink,
  isSinkPlace,
  leadPrefix,
  sinkOf,
  STUB,
  tokenBetween,
  withEvidence,
  withLatest,
  type Evidence,
} from './aliases.ts';
import { Context } from './context.ts';
import { outcomeOf } from './outcome.ts';
import { Pages } from './pages.ts';
import type { Draft } from './rows.ts';
import type { Round, Scope, Variant, Visit } from './types.ts';

/**
 * One decision under way. Visits are what happened; pages, aliases and other addresses follow from them: whoever changes a visit does it
 * through {@link putVisit}, and {@link Pages.finish} makes the rest agree.
 */
export class Decision extends Context {
  readonly pages: Pages;

  constructor(draft: Draft, scope: Scope, round: Round, policy: Policy) {
    super(draft, scope, round, policy);
    this.pages = new Pages(this);
  }

  newVisit(
    { key, fullKey }: Addressed,
    about: Pick<Visit, 'event' | 'url' | 'at'> & { document?: string },
  ): Visit {
    const seq = this.draft.log({ change: 'visit', space: this.space, key });
    const ids = { seq, round: this.roundId, space: this.space, scope: this.scopeId, key };
    const visit: Visit = { ...ids, ...about, kind: 'return', how: 'other', signals: [], told: [] };
    return fullKey === undefined ? visit : { ...visit, shownFull: fullKey };
  }

  /** Writes a visit, and what it says of addresses and originals. */
  putVisit(before: Visit | undefined, changed: Visit): void {
    const visit = this.#judged(changed);
    this.draft.put('visits', visit);
    this.countAddress(before, -1);
    this.countAddress(visit, 1);
    const learned = this.#learn(before, visit);
    const moved = before && before.key !== visit.key;
    if (moved) this.pages.unsettle(before.key);
    this.pages.unsettle(visit.key, moved ? undefined : { before, after: visit });
    for (const evidence of learned) this.#findToken(evidence);
    for (const evidence of learned) this.#findSink(evidence);
  }

  dropVisit(visit: Visit): void {
    this.draft.delete('visits', visit.seq);
    this.countAddress(visit, -1);
    this.#learn(visit, undefined);
    this.pages.unsettle(visit.key);
  }

  /** Looks again whether the showings of a document were stubs, and tells those it led to what it answered. */
  judgeDocument(document: string, told?: number): void {
    const visits = this.visitsOfDocument(document);
    const status = told ?? visits.find((visit) => visit.status !== undefined)?.status;
    for (const next of this.draft.list('visitsThrough', this.space, document)) {
      const chain = next.chain?.map((hop) =>
        hop.document === document && status ? { ...hop, status } : hop,
      );
      const isNews = next.chain?.some((hop) => hop.document === document && status && hop.status !== status);
      if (isNews && chain) this.putVisit(next, { ...next, chain });
    }
    for (const visit of this.visitsOfDocument(document)) {
      if (this.#isStub(visit) !== (visit.kind === 'stub')) this.putVisit(visit, visit);
    }
  }

  /** Where a visit belongs and what it counts as. First or return is for the page to say. */
  #judged(visit: Visit): Visit {
    const own = visit.shown ?? visit.key;
    const key = this.#homeOfVisit(visit, own);
    const { shown: _, ...rest } = visit;
    const judged: Visit = key === own ? { ...rest, key } : { ...rest, key, shown: own };
    if (outcomeOf(visit).state !== 'visited') return { ...judged, kind: 'failed' };
    if (this.#isStub(visit)) return { ...judged, kind: 'stub' };
    const wasCounted = visit.kind === 'first' || visit.kind === 'return';
    return { ...judged, kind: wasCounted ? visit.kind : 'return' };
  }

  #homeOfVisit(visit: Visit, own: string): string {
    const sink = sinkOf(this.round, own);
    if (sink !== undefined) return sink;
    const isSunk = evidenceOf(visit).some(({ first, place }) => first && isSinkPlace(this.round, place));
    if (isSunk) return placeOf(own);
    const alias = this.alias(own);
    const target = alias && !alias.undone ? currentTarget(alias.targets) : undefined;
    if (target?.evidence === 'accepted') return target.to;
    const first = effectiveChain(visit)[0]?.key;
    const isToken =
      first !== undefined && this.scope.tokens?.some((token) => hasToken(visit.shownFull ?? own, token));
    return isToken ? first : own;
  }

  /** Whether a client redirect to another key replaced the document at once, without anybody using it. */
  #isStub(visit: Visit): boolean {
    const { document } = visit;
    if (document === undefined || outcomeOf(visit).state !== 'visited' || (visit.status ?? 0) >= 400)
      return false;
    const own = visit.shown ?? visit.key;
    return this.draft.list('visitsThrough', this.space, document).some((next) => {
      const hop = next.chain?.find((each) => each.document === document);
      const left =
        next.chain?.slice(next.chain.indexOf(hop!) + 1).find(({ at }) => at !== undefined)?.at ?? next.at;
      const isSame = (next.shown ?? next.key) === own || next.document === document;
      return hop?.kind === 'client' && !hop.input && !isSame && Math.abs(left - visit.at) <= STUB;
    });
  }

  /** Original addresses: one row each, with the number of showings that had it. */
  countAddress(visit: Visit | undefined, times: 1 | -1): void {
    if (!visit || visit.kind === 'failed' || visit.kind === 'stub') return;
    const url = indexedUrl(visit.url);
    const { scope, key, at, how } = visit;
    const before = this.draft.get('variants', [scope, key, url]);
    const visits = (before?.visits ?? 0) + times;
    if (visits <= 0) return this.draft.delete('variants', [scope, key, url]);
    const variant: Variant = {
      scope,
      key,
      url,
      firstSeenAt: Math.min(before?.firstSeenAt ?? at, at),
      lastSeenAt: Math.max(before?.lastSeenAt ?? at, at),
      visits,
      how: before?.how ?? how,
      policyVersion: this.policyVersion,
    };
    this.draft.put('variants', url === visit.url ? variant : { ...variant, fullUrl: visit.url });
  }

  /** Takes what a visit showed of originals before, and adds what it shows now; answers what is new. */
  #learn(before: Visit | undefined, after: Visit | undefined): Evidence[] {
    const old = before ? evidenceOf(before) : [];
    const fresh = after ? evidenceOf(after) : [];
    const idOf = ({ from, to, strength, first, at }: Evidence) =>
      JSON.stringify([from, to, strength, first, at]);
    const same = new Set(old.map(idOf).filter((id) => fresh.some((each) => idOf(each) === id)));
    // What is new first: an alias that only gets another time must not go in between.
    const changes = [
      ...fresh.filter((each) => !same.has(idOf(each))).map((each) => [each, 1] as const),
      ...old.filter((each) => !same.has(idOf(each))).map((each) => [each, -1] as const),
    ];
    for (const [evidence, times] of changes) {
      const isGone =
        times === -1 && !fresh.some(({ from, to }) => from === evidence.from && to === evidence.to);
      const counted = withEvidence(this.alias(evidence.from), this.scopeId, evidence, times);
      const alias = isGone && counted ? withLatest(counted, evidence.to, this.#latestOf(evidence)) : counted;
      if (alias) this.draft.put('aliases', alias);
      else this.#forgetAlias(evidence.from);
      this.draft.log({ change: 'alias', key: evidence.from });
      this.pages.unsettle(evidence.from);
    }
    for (const [{ place, first }, times] of changes) if (first && times === -1) this.#reviewSink(place);
    return changes.flatMap(([evidence, times]) => (times === 1 ? [evidence] : []));
  }

  /** When the same redirect was last seen in this space, by other visits than one that proved to be none. */
  #latestOf({ from, to, place }: Evidence): number | undefined {
    const visits = [...new Set([to, place, from])].flatMap((key) => this.visitsOf(key));
    const times = visits.flatMap(evidenceOf).filter((each) => each.from === from && each.to === to);
    return times.length === 0 ? undefined : Math.max(...times.map(({ at }) => at));
  }

  /** An alias without evidence goes; the row it had taken in comes back first. */
  #forgetAlias(from: string): void {
    const alias = this.alias(from);
    if (!alias) return;
    if (alias.folded && !this.page(from)) this.pages.put(alias.folded);
    if (alias.leftBase === this.roundId) this.pages.returnToBase();
    this.draft.delete('aliases', [this.scopeId, from]);
  }

  #findToken({ from, to, place }: Evidence): void {
    const known = this.scope.tokens ?? [];
    const others = (this.alias(from)?.targets ?? []).filter((target) => target.to !== to && target.times > 0);
    const token = others
      .map((target) => tokenBetween(to, target.to, known))
      .find((each) => each !== undefined);
    if (!token) return;
    this.draft.put('scopes', { ...this.scope, tokens: [...known, token] });
    this.draft.log({ change: 'scope' });
    const { host } = partsOf({ key: place });
    const pages = this.draft.list('pagesOfHost', this.space, host);
    const keys = pages.filter(({ key, fullKey = key }) => hasToken(fullKey, token)).map(({ key }) => key);
    for (const key of new Set([to, ...keys])) this.move(key);
  }

  #findSink({ from, to, place, first }: Evidence): void {
    if (isSinkPlace(this.round, place)) return this.pages.unsettle(from);
    if (!first || !isSink(this.draft.leads(leadPrefix(this.roundId, place)))) return;
    this.draft.put('rounds', { ...this.round, sinks: [...(this.round.sinks ?? []), place] });
    this.draft.log({ change: 'round', space: this.space });
    const keys = this.draft.list('pagesAtPlace', this.space, place).map(({ key }) => key);
    for (const key of new Set([to, place, ...keys])) this.move(key);
    // Also who leads elsewhere by now.
    const leading = this.draft.list('aliasesLeading', leadPrefix(this.roundId, place));
    for (const { from } of leading) this.pages.unsettle(from);
  }

  /** What led there turned out to be no redirect of a page (an error page led on): then it may be no sink. */
  #reviewSink(place: string): void {
    if (!isSinkPlace(this.round, place)) return;
    const leading = this.draft.list('aliasesLeading', leadPrefix(this.roundId, place));
    if (
      isSink(
        new Set(
          leading.flatMap(({ leads }) =>
            leads.filter((lead) => lead.startsWith(leadPrefix(this.roundId, place))),
          ),
        ),
      )
    )
      return;
    this.draft.put('rounds', {
      ...this.round,
      sinks: (this.round.sinks ?? []).filter((sink) => sink !== place),
    });
    this.draft.log({ change: 'round', space: this.space });
    this.move(place);
    for (const { from } of leading) this.pages.unsettle(from);
  }

  /** Judges every visit of a page again, after it became clear that the page is another one, and those who lead there. */
  move(key: string): void {
    for (const visit of this.visitsOf(key)) {
      this.putVisit(visit, visit);
      for (const { from } of evidenceOf(visit)) this.pages.unsettle(from);
    }
    for (const { from } of this.draft.list('aliasesTo', this.scopeId, key)) this.pages.unsettle(from);
    this.pages.unsettle(key);
  }
}
