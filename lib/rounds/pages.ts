import { same } from '#lib/same.ts';
import { partsOf } from './address.ts';
import { holds, isSinkPlace, isSunk } from './aliases.ts';
import type { Context } from './context.ts';
import { addressBy, foldPage, lastHappening, restateVisit, stepVisit, type Try } from './fold.ts';
import type { Alias, AliasTarget, Page, Visit } from './types.ts';

/** A visit that was written, and what it was before, if it was. */
export interface OneVisit {
  before: Visit | undefined;
  after: Visit;
}

/** The page rows of a decision: they follow from the visits, and are made again wherever those changed. */
export class Pages {
  readonly #in: Context;
  /** Keys whose row must be made again, with the one change that makes it so, if it is one. */
  readonly #unsettled = new Map<string, OneVisit | undefined>();
  /** Whether a row was there before this decision. */
  readonly #wasThere = new Map<string, boolean>();

  constructor(context: Context) {
    this.#in = context;
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
  unsettle(key: string, only?: OneVisit): void {
    this.#unsettled.set(key, this.#unsettled.has(key) ? undefined : only);
  }

  #settle(key: string, only: OneVisit | undefined): void {
    const { draft, space } = this.#in;
    this.#in.prepareRow(key);
    const existing = this.#in.page(key);
    const alias = this.#in.alias(key);
    // An original's visits say also whether its alias holds.
    if (existing && only && !alias && this.#stepOn(existing, only)) return;
    const visits = this.#in.visitsOf(key);
    const facts =
      existing ?? (alias?.folded?.space === space ? alias.folded : this.fresh(key, visits, alias));
    const tries = this.#sinkTries(alias);
    const { page, kinds } = foldPage(facts, visits, tries);
    for (const [visit, kind] of kinds) if (visit.kind !== kind) draft.put('visits', { ...visit, kind });
    const counted = visits.some(({ kind }) => kind !== 'stub') || tries.length > 0;
    const isThere =
      counted || page.linkedAt !== undefined || page.mark !== undefined || page.verdictAt !== undefined;
    const isFolded = this.#in.homeOf(key) !== key;
    const shownAlias = withShown(alias, visits, space);
    const held = page.state !== 'visited' && holds(shownAlias, this.#in.round, this.#in.scope.tokens);
    if (isThere && !held && !isFolded) this.put(this.#withPlace(page, key));
    else if (existing) this.delete(key);
    this.#putAlias(shownAlias, held && isThere && !isFolded ? page : undefined, held);
  }

  /**
   * The usual cases, which cost the same however often the page was visited: a visit later than everything before, or the other telling of
   * the latest one. Answers whether it was one of them.
   */
  #stepOn(existing: Page, { before, after }: OneVisit): boolean {
    const last = lastHappening(existing);
    let page: Page;
    if (!before && after.at >= last) {
      const step = stepVisit(existing, after);
      ({ page } = step);
      if (step.kind !== after.kind) this.#in.draft.put('visits', { ...after, kind: step.kind });
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
    this.put(this.#withPlace(page, page.key));
    return true;
  }

  #withPlace(page: Page, key: string): Page {
    const addresses = new Set(
      this.#in.draft.list('variantsOf', this.#in.scopeId, key).map(({ url, fullUrl }) => fullUrl ?? url),
    );
    addresses.add(page.url);
    const { sink: _, ...rest } = page;
    const placed: Page = { ...rest, addresses: addresses.size };
    return isSinkPlace(this.#in.round, key) ? { ...placed, sink: true } : placed;
  }

  put(page: Page): void {
    this.#note(page.key);
    this.#in.draft.put('pages', page);
  }

  delete(key: string): void {
    this.#note(key);
    this.#in.draft.delete('pages', [this.#in.space, key]);
  }

  #note(key: string): void {
    if (!this.#wasThere.has(key)) this.#wasThere.set(key, this.#in.page(key) !== undefined);
  }

  /** The row of a page that has none, from the visit or the alias that it is known by. */
  fresh(key: string, visits: Visit[], alias: Alias | undefined): Page {
    const first = visits.toSorted((a, b) => a.at - b.at)[0];
    const hop = first?.chain?.find((each) => each.key === key);
    const fullKey =
      alias?.fullFrom ?? hop?.fullKey ?? (first?.shown === undefined ? first?.shownFull : undefined);
    const url = first ? addressBy(first) : (alias?.fromUrl ?? key);
    const source = first?.source === undefined ? undefined : this.#in.address(first.source);
    const page: Page = {
      space: this.#in.space,
      key,
      scope: this.#in.scopeId,
      ...partsOf(fullKey === undefined ? { key } : { key, fullKey }),
      state: 'known',
      seq: this.#in.draft.next,
      url,
      firstSeenAt: first?.at ?? alias?.at ?? 0,
      visits: 0,
      addresses: 1,
      isNew: !this.#in.draft.seen(this.#in.scopeId, key, this.#in.space),
      inBase: this.#in.basePage(key) !== undefined,
      policyVersion: this.#in.policyVersion,
    };
    if (fullKey !== undefined) page.fullKey = fullKey;
    if (source) page.from = source.key;
    return page;
  }

  /** Who was redirected to a sink tried and failed. */
  #sinkTries(alias: Alias | undefined): Try[] {
    return (alias?.targets ?? [])
      .map((target) => ({ at: target.at, times: this.#timesSunk(alias!, target) }))
      .filter(({ times }) => times > 0)
      .map((failed) => ({ ...failed, outcome: { state: 'retrying', reason: 'sink' } }));
  }

  /** Times an original led to a sink: as the first address of a temporary chain, or for good. */
  #timesSunk(alias: Alias, target: AliasTarget): number {
    if (!isSunk(alias, target, this.#in.round)) return 0;
    return target.strength === 'permanent' ? target.times : target.firsts;
  }

  /** While an alias holds, its original has no row of its own; the alias keeps it, and counts it for the base round. */
  #putAlias(alias: Alias | undefined, folded: Page | undefined, held: boolean): void {
    if (!alias) return;
    const { folded: _1, coversBase: _2, leftBase, ...rest } = alias;
    const isOut = leftBase === this.#in.roundId;
    // Of the base is also what an alias had taken in there, and was left here with a hint.
    const isOfBase = folded?.inBase === true || this.#in.basePage(alias.from) !== undefined;
    const covers = held && !isOut && isOfBase;
    const next: Alias = {
      ...rest,
      ...(folded && { folded }),
      ...(covers && { coversBase: this.#in.roundId }),
      ...(held && isOut && { leftBase }),
    };
    if (!held && isOut) this.returnToBase();
    if (!same(next, this.#in.alias(alias.from))) this.#in.draft.put('aliases', next);
  }

  /** A page of the base round that was one with another page is a page of its own again. */
  returnToBase(): void {
    this.resizeBase(1);
  }

  /** The base round has so many pages more, for this round. */
  resizeBase(pages: 1 | -1): void {
    const { round } = this.#in;
    this.#in.draft.put('rounds', { ...round, baseSize: round.baseSize + pages });
  }

  /** Whether a page is of the base round by this row alone: a redirect held there, and its original was left here with a hint. */
  isOfBaseAlone(page: Page): boolean {
    return page.inBase && this.#in.basePage(page.key) === undefined;
  }

  /** A telling that comes after the end of its round may still change what the next one is compared with. */
  #tellRoundsBasedOnThis(): void {
    const { draft, round, roundId } = this.#in;
    // Nothing is based on a round that is still open.
    if (round.state !== 'ended') return;
    const isThere = (key: string) => this.#in.page(key) !== undefined;
    const changed = [...this.#wasThere].filter(([key, was]) => was !== isThere(key)).map(([key]) => key);
    if (changed.length === 0) return;
    for (const { id } of draft.list('basedOn', roundId)) {
      for (const key of changed) {
        const later = draft.get('rounds', id);
        if (later) draft.put('rounds', { ...later, baseSize: later.baseSize + (isThere(key) ? 1 : -1) });
        const page = draft.get('pages', [id, key]);
        if (page && page.inBase !== isThere(key)) draft.put('pages', { ...page, inBase: isThere(key) }, id);
      }
    }
  }
}

/** A showing without redirect at an original, whatever its status, withdraws what was seen before. `visits`: all of its space. */
function withShown(alias: Alias | undefined, visits: Visit[], space: string): Alias | undefined {
  if (!alias) return alias;
  const times = visits
    .filter(({ kind, error, shown }) => kind !== 'stub' && error === undefined && shown === undefined)
    .map((visit) => visit.at);
  const before = alias.shown;
  const isSame = before?.space === space;
  const earlier = isSame ? before.earlier : latest(before?.at, before?.earlier);
  const at = latest(...times);
  const { shown: _, ...rest } = alias;
  if (at === undefined && earlier === undefined) return rest;
  return {
    ...rest,
    shown: { space, ...(at !== undefined && { at }), ...(earlier !== undefined && { earlier }) },
  };
}

function latest(...times: (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}
