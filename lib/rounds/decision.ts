import { sha256 } from '#lib/fingerprint/sha.ts';
import type { Policy } from '#lib/url/index.ts';
import { addressOf, partsOf, placeOf, type Addressed } from './address.ts';
import {
  currentTarget,
  effectiveChain,
  evidenceOf,
  hasToken,
  holds,
  isSink,
  isSinkPlace,
  leadPrefix,
  sinkOf,
  STUB,
  tokenBetween,
  withEvidence,
  withTargets,
  type Evidence,
} from './aliases.ts';
import { covers } from './coverage.ts';
import { addressBy, foldPage, lastHappening, restateVisit, stepVisit, type Try } from './fold.ts';
import { outcomeOf } from './outcome.ts';
import type { Draft } from './rows.ts';
import type { Alias, AliasTarget, Page, Round, Scope, Variant, Visit } from './types.ts';

/** A visit that was written, and what it was before, if it was. */
interface OneVisit {
  before: Visit | undefined;
  after: Visit;
}

/** A page that was deleted, with everything that went along. */
export interface Removed {
  page: Page;
  visits: Visit[];
  aliases: Alias[];
}

/** The newer word of the person stands, the older link and address. */
function united(before: Page, since: Page): Page {
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

/**
 * One decision under way. Visits are what happened; pages, aliases and other addresses follow from them: whoever changes a visit does it
 * through {@link putVisit}, and {@link finish} makes the rest agree.
 */
export class Decision {
  readonly draft: Draft;
  readonly #scope: string;
  readonly #round: string;
  readonly #policy: Policy;
  readonly #policyVersion: string;
  readonly #base: string | undefined;
  readonly space: string;
  /** Keys whose page row must be made again, with the one change that makes it so, if it is one. */
  readonly #unsettled = new Map<string, OneVisit | undefined>();
  readonly #bornOrGone = new Map<string, 1 | -1>();

  constructor(draft: Draft, scope: Scope, round: Round, policy: Policy) {
    this.draft = draft;
    this.#scope = scope.id;
    this.#round = round.id;
    this.#policy = policy;
    this.#policyVersion = round.policyVersion;
    this.#base = round.baseSpace;
    this.space = round.space;
    draft.want({ get: 'rounds', key: round.id }, { get: 'scopes', key: scope.id });
  }

  get round(): Round {
    return this.draft.get('rounds', this.#round)!;
  }
  get scope(): Scope {
    return this.draft.get('scopes', this.#scope)!;
  }
  /** Asks at once for what nearly every showing needs. */
  prepare(key: string, document: string): void {
    const { space } = this;
    const scope = this.#scope;
    this.draft.want(
      { list: 'visitsOfDocument', args: [space, document] },
      { list: 'visitsThrough', args: [space, document] },
      { get: 'pages', key: [space, key] },
      { get: 'aliases', key: [scope, key] },
      { list: 'variantsOf', args: [scope, key] },
      ...(this.#base === undefined ? [] : [{ get: 'pages' as const, key: [this.#base, key] }]),
    );
  }

  address(url: string): Addressed | undefined {
    const { addresses } = this.draft;
    if (!addresses.has(url)) addresses.set(url, addressOf(url, this.#policy));
    return addresses.get(url);
  }
  covers(url: string): boolean {
    return covers(this.scope, url);
  }
  page(key: string): Page | undefined {
    return this.draft.get('pages', [this.space, key]);
  }
  basePage(key: string): Page | undefined {
    return this.#base === undefined ? undefined : this.draft.get('pages', [this.#base, key]);
  }
  alias(key: string): Alias | undefined {
    return this.draft.get('aliases', [this.#scope, key]);
  }
  visitsOf(key: string): Visit[] {
    return this.draft.list('visitsOfPage', this.space, key);
  }
  visitsOfDocument(document: string): Visit[] {
    return this.draft.list('visitsOfDocument', this.space, document);
  }

  newVisit(
    { key, fullKey }: Addressed,
    about: Pick<Visit, 'event' | 'url' | 'at'> & { document?: string },
  ): Visit {
    const seq = this.draft.log({ change: 'visit', space: this.space, key });
    const ids = { seq, round: this.#round, space: this.space, scope: this.#scope, key };
    const visit: Visit = { ...ids, ...about, kind: 'return', how: 'other', signals: [], told: [] };
    return fullKey === undefined ? visit : { ...visit, shownFull: fullKey };
  }

  /** Writes a visit, and what it says of addresses and originals. */
  putVisit(before: Visit | undefined, changed: Visit): void {
    const visit = this.#judged(changed);
    this.draft.put('visits', visit);
    this.#countAddress(before, -1);
    this.#countAddress(visit, 1);
    const learned = this.#learn(before, visit);
    const moved = before && before.key !== visit.key;
    if (moved) this.#unsettle(before.key);
    this.#unsettle(visit.key, moved ? undefined : { before, after: visit });
    for (const evidence of learned) this.#findToken(evidence);
    for (const evidence of learned) this.#findSink(evidence);
  }

  dropVisit(visit: Visit): void {
    this.draft.delete('visits', visit.seq);
    this.#countAddress(visit, -1);
    this.#learn(visit, undefined);
    this.#unsettle(visit.key);
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

  /** The key under which a page is recorded in this round: its own, or that of the sink it belongs to. */
  homeOf(key: string): string {
    return sinkOf(this.round, key) ?? key;
  }

  /** Notes on a page that nobody went to why that is so; `false` where it has no row. */
  flag({ key }: Addressed, reason: 'download' | 'outside', _at: number): boolean {
    const page = this.page(this.homeOf(key));
    if (page?.state !== 'known' || page.reason === reason) return page !== undefined;
    this.draft.put('pages', { ...page, reason });
    return true;
  }

  /** Changes what a person says of a page; its row is made where there is none. Answers the key of that row. */
  say(asked: string, word: (page: Page) => Page): string {
    const alias = this.alias(asked);
    const led = holds(alias, this.round, this.scope.tokens) && !this.page(asked) ? alias!.to : asked;
    const key = this.homeOf(led);
    const page = this.page(key) ?? this.#newPage(key, this.visitsOf(key), this.alias(key));
    const base = this.basePage(key);
    const known =
      base && !this.page(key) ? { ...page, url: base.url, ...(base.title && { title: base.title }) } : page;
    this.#putPage(word(known));
    this.#unsettle(key);
    return key;
  }

  rule(from: string, accept: boolean, at: number): void {
    const alias = this.alias(from);
    if (!alias) return;
    const { undone: _, ...rest } = alias;
    const target = currentTarget(alias.targets);
    if (accept && target) {
      const accepted: AliasTarget = {
        ...target,
        strength: 'permanent',
        evidence: 'accepted',
        round: this.#round,
        at,
      };
      const next = withTargets(rest, [...alias.targets.filter(({ to }) => to !== target.to), accepted]);
      if (next) this.draft.put('aliases', next);
    } else {
      this.draft.put('aliases', { ...alias, undone: true });
    }
    this.draft.log({ change: 'alias', key: from });
    this.#move(from);
    this.#move(alias.to);
  }

  remove(key: string): Removed | undefined {
    const page = this.page(key);
    if (!page) return undefined;
    const visits = this.visitsOf(key);
    const aliases = this.draft.list('aliasesTo', this.#scope, key);
    for (const { from } of aliases) this.draft.delete('aliases', [this.#scope, from]);
    for (const visit of visits) {
      this.draft.delete('visits', visit.seq);
      this.#countAddress(visit, -1);
    }
    this.#deletePage(key);
    return { page, visits, aliases };
  }

  bringBack({ page, visits, aliases }: Removed): void {
    const since = this.page(page.key);
    for (const alias of aliases) if (!this.alias(alias.from)) this.draft.put('aliases', alias);
    for (const visit of visits) {
      this.draft.put('visits', visit);
      this.#countAddress(visit, 1);
    }
    this.#putPage(since ? united(page, since) : page);
    this.#unsettle(page.key);
    for (const { from } of aliases) this.#unsettle(from);
  }

  propose(from: Addressed, to: Addressed, evidence: 'canonical' | 'same-content', at: number): void {
    if (from.key === to.key) return;
    const before = this.alias(from.key);
    const same = before?.targets.find((target) => target.to === to.key);
    if (same || before?.undone) return;
    const target: AliasTarget = {
      to: to.key,
      toUrl: to.url,
      strength: 'proposed',
      evidence,
      round: this.#round,
      at,
      times: 0,
      firsts: 0,
      place: placeOf(to.key),
    };
    const fresh = { scope: this.#scope, from: from.key, fromUrl: from.url, ...before };
    const alias = withTargets(from.fullKey === undefined ? fresh : { ...fresh, fullFrom: from.fullKey }, [
      ...(before?.targets ?? []),
      target,
    ]);
    if (!alias) return;
    this.draft.put('aliases', alias);
    this.draft.log({ change: 'alias', key: from.key });
  }

  /** Makes pages and aliases agree with the visits. */
  finish(): void {
    for (let keys = [...this.#unsettled]; keys.length > 0; keys = [...this.#unsettled]) {
      this.#unsettled.clear();
      for (const [key, only] of keys) this.#settle(key, only);
    }
    this.#tellRoundsBasedOnThis();
  }

  /** A page row must be made again; `only`: because of this alone. */
  #unsettle(key: string, only?: OneVisit): void {
    this.#unsettled.set(key, this.#unsettled.has(key) ? undefined : only);
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
  #countAddress(visit: Visit | undefined, times: 1 | -1): void {
    if (!visit || visit.kind === 'failed' || visit.kind === 'stub') return;
    const url = visit.url.length > LONGEST_INDEXED ? `sha256:${sha256(visit.url)}` : visit.url;
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
      policyVersion: this.#policyVersion,
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
      const alias = withEvidence(this.alias(evidence.from), this.#scope, evidence, times);
      if (alias) this.draft.put('aliases', alias);
      else this.#forgetAlias(evidence.from);
      this.draft.log({ change: 'alias', key: evidence.from });
      this.#unsettle(evidence.from);
    }
    for (const [{ place, first }, times] of changes) if (first && times === -1) this.#reviewSink(place);
    return changes.flatMap(([evidence, times]) => (times === 1 ? [evidence] : []));
  }

  /** An alias without evidence goes; the row it had taken in comes back first. */
  #forgetAlias(from: string): void {
    const alias = this.alias(from);
    if (!alias) return;
    if (alias.folded && !this.page(from)) this.#putPage(alias.folded);
    this.draft.delete('aliases', [this.#scope, from]);
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
    for (const key of new Set([to, ...keys])) this.#move(key);
  }

  #findSink({ from, to, place, first }: Evidence): void {
    if (isSinkPlace(this.round, place)) return this.#unsettle(from);
    if (!first || !isSink(this.draft.leads(leadPrefix(this.#round, place)))) return;
    this.draft.put('rounds', { ...this.round, sinks: [...(this.round.sinks ?? []), place] });
    this.draft.log({ change: 'round', space: this.space });
    const keys = this.draft.list('pagesAtPlace', this.space, place).map(({ key }) => key);
    for (const key of new Set([to, place, ...keys])) this.#move(key);
  }

  /** What led there turned out to be no redirect of a page (an error page led on): then it may be no sink. */
  #reviewSink(place: string): void {
    if (!isSinkPlace(this.round, place)) return;
    const leading = this.draft.list('aliasesLeading', leadPrefix(this.#round, place));
    if (
      isSink(
        new Set(
          leading.flatMap(({ leads }) =>
            leads.filter((lead) => lead.startsWith(leadPrefix(this.#round, place))),
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
    this.#move(place);
    for (const { from } of leading) this.#unsettle(from);
  }

  /** Judges every visit of a page again, after it became clear that the page is another one, and those who lead there. */
  #move(key: string): void {
    for (const visit of this.visitsOf(key)) this.putVisit(visit, visit);
    for (const { from } of this.draft.list('aliasesTo', this.#scope, key)) this.#unsettle(from);
    this.#unsettle(key);
  }

  #settle(key: string, only: OneVisit | undefined): void {
    const { draft, space } = this;
    const base: Parameters<Draft['want']> =
      this.#base === undefined ? [] : [{ get: 'pages', key: [this.#base, key] }];
    draft.want({ get: 'pages', key: [space, key] }, { get: 'aliases', key: [this.#scope, key] }, ...base);
    const existing = this.page(key);
    const alias = this.alias(key);
    const isSimple = existing && only && !alias?.targets.some(({ firsts }) => firsts > 0);
    if (isSimple && this.#stepOn(existing, only, alias)) return;
    const visits = this.visitsOf(key);
    const facts =
      existing ?? (alias?.folded?.space === space ? alias.folded : this.#newPage(key, visits, alias));
    const tries = this.#sinkTries(alias);
    const { page, kinds } = foldPage(facts, visits, tries);
    for (const [visit, kind] of kinds) if (visit.kind !== kind) draft.put('visits', { ...visit, kind });
    const counted = visits.some(({ kind }) => kind !== 'stub') || tries.length > 0;
    const isThere =
      counted || page.linkedAt !== undefined || page.mark !== undefined || page.verdict !== undefined;
    const isFolded = this.homeOf(key) !== key;
    const shownAlias = withShown(alias, visits);
    const held = page.state !== 'visited' && holds(shownAlias, this.round, this.scope.tokens);
    if (isThere && !held && !isFolded) this.#putPage(this.#withPlace(page, key));
    else if (existing) this.#deletePage(key);
    this.#putAlias(shownAlias, held && isThere && !isFolded ? page : undefined, held);
  }

  /**
   * The usual cases, which cost the same however often the page was visited: a visit later than everything before, or the other telling of
   * the latest one. Answers whether it was one of them.
   */
  #stepOn(existing: Page, { before, after }: OneVisit, alias: Alias | undefined): boolean {
    const last = lastHappening(existing);
    let page: Page;
    if (!before && after.at >= last) {
      const step = stepVisit(existing, after);
      ({ page } = step);
      if (step.kind !== after.kind) this.draft.put('visits', { ...after, kind: step.kind });
    } else if (
      before?.kind === 'return' &&
      after.kind === 'return' &&
      before.at === last &&
      existing.visits > 1
    ) {
      page = restateVisit(existing, after);
    } else {
      return false;
    }
    this.#putPage(this.#withPlace(page, page.key));
    this.#putAlias(withShown(alias, [after]), undefined, false);
    return true;
  }

  #withPlace(page: Page, key: string): Page {
    const addresses = new Set(
      this.draft.list('variantsOf', this.#scope, key).map(({ url, fullUrl }) => fullUrl ?? url),
    );
    addresses.add(page.url);
    const placed: Page = { ...page, addresses: addresses.size };
    return isSinkPlace(this.round, key) ? { ...placed, sink: true } : placed;
  }

  #putPage(page: Page): void {
    if (!this.page(page.key)) this.#bornOrGone.set(page.key, 1);
    this.draft.put('pages', page);
  }

  #deletePage(key: string): void {
    this.#bornOrGone.set(key, -1);
    this.draft.delete('pages', [this.space, key]);
  }

  /** The row of a page that has none, from the visit or the alias that it is known by. */
  #newPage(key: string, visits: Visit[], alias: Alias | undefined): Page {
    const first = visits.toSorted((a, b) => a.at - b.at)[0];
    const hop = first?.chain?.find((each) => each.key === key);
    const fullKey =
      alias?.fullFrom ?? hop?.fullKey ?? (first?.shown === undefined ? first?.shownFull : undefined);
    const url = first ? addressBy(first) : (alias?.fromUrl ?? key);
    const source = first?.source === undefined ? undefined : this.address(first.source);
    const page: Page = {
      space: this.space,
      key,
      scope: this.#scope,
      ...partsOf(fullKey === undefined ? { key } : { key, fullKey }),
      state: 'known',
      seq: this.draft.next,
      url,
      firstSeenAt: first?.at ?? alias?.at ?? 0,
      visits: 0,
      addresses: 1,
      isNew: !this.draft.seen(this.#scope, key, this.space),
      inBase: this.basePage(key) !== undefined,
      policyVersion: this.#policyVersion,
    };
    if (fullKey !== undefined) page.fullKey = fullKey;
    if (source) page.from = source.key;
    return page;
  }

  /** Who was redirected to a sink tried and failed. */
  #sinkTries(alias: Alias | undefined): Try[] {
    return (alias?.targets ?? [])
      .filter(
        ({ firsts, round, place }) => firsts > 0 && round === this.#round && isSinkPlace(this.round, place),
      )
      .map(({ at, firsts }) => ({ at, times: firsts, outcome: { state: 'retrying', reason: 'sink' } }));
  }

  /** While an alias holds, its original has no row of its own; the alias keeps it, and counts it for the base round. */
  #putAlias(alias: Alias | undefined, folded: Page | undefined, held: boolean): void {
    if (!alias) return;
    const { folded: _, coversBase: _2, ...rest } = alias;
    const covers = held && this.basePage(alias.from) !== undefined;
    const next: Alias = { ...rest, ...(folded && { folded }), ...(covers && { coversBase: this.#round }) };
    if (JSON.stringify(next) !== JSON.stringify(this.alias(alias.from))) this.draft.put('aliases', next);
  }

  /** A telling that comes after the end of its round may still change what the next one is compared with. */
  #tellRoundsBasedOnThis(): void {
    // Nothing is based on a round that is still open.
    if (this.round.state !== 'ended' || this.#bornOrGone.size === 0) return;
    for (const { id } of this.draft.list('basedOn', this.#round)) {
      for (const [key, change] of this.#bornOrGone) {
        const round = this.draft.get('rounds', id);
        if (round) this.draft.put('rounds', { ...round, baseSize: round.baseSize + change });
        const page = this.draft.get('pages', [id, key]);
        if (page && page.inBase !== change > 0) this.draft.put('pages', { ...page, inBase: change > 0 }, id);
      }
    }
  }
}

/** A showing without redirect at an original, whatever its status, withdraws what was seen before. */
function withShown(alias: Alias | undefined, visits: Visit[]): Alias | undefined {
  const times = visits
    .filter(({ kind, error, shown }) => kind !== 'stub' && error === undefined && shown === undefined)
    .map(({ at }) => at);
  const at = Math.max(...times);
  if (!alias || at <= (alias.shownAt ?? -Infinity)) return alias;
  return { ...alias, shownAt: at };
}

const LONGEST_INDEXED = 2048;
