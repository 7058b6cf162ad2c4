import { hostOf, pathOf, placeOf } from './address.ts';
import type { Alias, AliasTarget, Hop, Round, Scope, Visit } from './types.ts';

/**
 * Whether an original is one page with its target in this round. Derived from what was seen, never stored: so it does not matter
 * in which order it was told.
 */
export function holds(alias: Alias | undefined, round: Round, tokens: Scope['tokens'] = []): boolean {
  if (!alias || alias.undone || alias.strength === 'proposed') return false;
  const target = currentTarget(alias.targets);
  if (!target || target.to === alias.from) return false;
  if (target.evidence === 'accepted') return true;
  const { at: shownAt = -Infinity, earlier = -Infinity } = alias.shown ?? {};
  if (alias.at <= Math.max(shownAt, earlier)) return false;
  if (tokens.some((token) => hasToken(target.to, token))) return false;
  if (isSunk(alias, target, round)) return false;
  return target.strength === 'permanent' || target.round === round.id;
}

/**
 * Whether a redirect of this round led to a sink. Permanent ones never make a place a sink, but once it is one they say no more of the
 * page either, unless they only spelled the address of the sink better.
 */
export function isSunk({ from, fullFrom = from }: Alias, target: AliasTarget, round: Round): boolean {
  if (target.round !== round.id || !isSinkPlace(round, target.place)) return false;
  if (target.strength === 'proposed' || target.times <= 0) return false;
  return target.strength === 'tentative' || !isUpgrade(placeOf(fullFrom), target.place);
}

/** Whether redirects to that place say nothing of the page that leads there. */
export function isSinkPlace({ sinks = [] }: Round, place: string): boolean {
  return sinks.includes(place);
}

/** Names of parameters that carry the address to come back to. */
const RETURN =
  /^(next|back|from|ref|referr?er|r?url|goto|target|dest|destination|continue|service|callback|\w*(return|redirect)\w*)$/i;

/**
 * The key of the sink that an address belongs to, however it is come by: the bare place, or with nothing but the address to come back to.
 * Any other query may tell pages apart, so it belongs to the sink only when a redirect led there: a wrong merge would hide a page.
 */
export function sinkOf(round: Round, key: string): string | undefined {
  const place = placeOf(key);
  if (!isSinkPlace(round, place)) return undefined;
  const isBare = splitQuery(key).pairs.every((pair) => {
    return RETURN.test(nameOf(pair)) && /^=(\/|%2F|https?(:|%3A))/i.test(pair.slice(nameOf(pair).length));
  });
  return isBare ? place : undefined;
}

/** The target that counts: the latest redirect; a proposal only where there is nothing else. */
export function currentTarget(targets: AliasTarget[]): AliasTarget | undefined {
  const rank = (target: AliasTarget) => (target.strength === 'proposed' ? 0 : 1);
  return targets.reduce<AliasTarget | undefined>(
    (best, target) =>
      !best || rank(target) > rank(best) || (rank(target) === rank(best) && target.at > best.at)
        ? target
        : best,
    undefined,
  );
}

/** Whether a key has that parameter, at that host. */
export function hasToken(key: string, { host, name }: { host: string; name: string }): boolean {
  const match = /^https?:\/\/([^/]*)\/[^?#]*\?([^#]*)/.exec(key);
  return match?.[1] === host && match[2]!.split('&').some((pair) => pair.split('=', 1)[0] === name);
}

/** A client redirect within this time makes the document it left a stub. */
export const STUB = 5_000;

/**
 * The addresses of a chain that led on by themselves. An error page did not, nor a document that somebody used or looked at for
 * more than five seconds: what came before belongs to that document.
 */
export function effectiveChain(visit: Pick<Visit, 'chain' | 'at'>): Hop[] {
  const chain = visit.chain ?? [];
  const leftAt = (index: number) => chain.slice(index + 1).find(({ at }) => at !== undefined)?.at ?? visit.at;
  const stopped = chain.findLastIndex(
    (hop, index) =>
      (hop.status ?? 0) >= 400 ||
      (hop.kind === 'client' &&
        (hop.input === true || (hop.at !== undefined && leftAt(index) - hop.at > STUB))),
  );
  return chain.slice(stopped + 1);
}

/** What one visit shows of one original. */
export type Evidence = Pick<
  AliasTarget,
  'to' | 'toUrl' | 'strength' | 'evidence' | 'round' | 'at' | 'place'
> & {
  from: string;
  fullFrom?: string;
  fromUrl: string;
  /** It was the first address of a temporary chain, at another place: this counts towards a sink. */
  first: boolean;
};

/** Every address of a chain is an alias of the key that was shown, as permanent as the weakest hop. */
export function evidenceOf(visit: Visit): Evidence[] {
  if (visit.kind === 'stub') return [];
  const chain = effectiveChain(visit);
  const to = visit.shown ?? visit.key;
  const strength = isPermanent(chain, visit.shownFull ?? to) ? 'permanent' : 'tentative';
  const evidence = chain.some(({ kind }) => kind === 'client') ? 'client-redirect' : 'redirect';
  const place = placeOf(to);
  const seen = new Set<string>([to]);
  const found: Evidence[] = [];
  for (const [index, { key, fullKey, url }] of chain.entries()) {
    if (key === undefined || seen.has(key)) continue;
    seen.add(key);
    const first = index === 0 && strength === 'tentative' && placeOf(key) !== place;
    const { round, at } = visit;
    const one: Evidence = {
      from: key,
      fromUrl: url,
      to,
      toUrl: visit.url,
      strength,
      evidence,
      round,
      at,
      place,
      first,
    };
    found.push(fullKey === undefined ? one : { ...one, fullFrom: fullKey });
  }
  return found;
}

/** 301 and 308 where the status is known; a better spelling of the same path at the end of the chain, whatever the status. */
function isPermanent(chain: Hop[], final: string): boolean {
  const keys = [...chain.map(({ key = '', fullKey = key }) => fullKey), final];
  return chain.every((hop, index) => {
    if (hop.kind === 'server' && (hop.status === 301 || hop.status === 308)) return true;
    return keys.slice(index, -1).every((key, later) => isUpgrade(key, keys[index + later + 1]!));
  });
}

/** http to https, or a slash at the end that came or went, and nothing else. */
function isUpgrade(from: string, to: string): boolean {
  const spelling = (key: string) => key.replace(/^https?:/, '').replace(/^([^?#]*?)\/?(?=[?#]|$)/, '$1');
  return spelling(from) === spelling(to) && !(from.startsWith('https:') && to.startsWith('http:'));
}

const MOST_TARGETS = 16;

/** An alias with one more (`times` 1) or one less (-1) visit as evidence; `undefined` where nothing is left. */
export function withEvidence(
  before: Alias | undefined,
  scope: string,
  seen: Evidence,
  times: 1 | -1,
): Alias | undefined {
  const { from, fullFrom, fromUrl, first, ...about } = seen;
  const same = before?.targets.find(({ to }) => to === seen.to);
  // Of several rounds the latest counts; what comes late from an older one only adds to the number.
  const latest = same && same.times > 0 && same.round !== about.round && same.at > about.at ? same : about;
  const target: AliasTarget = {
    ...about,
    round: latest.round,
    at: Math.max(about.at, same?.times ? same.at : 0),
    strength: same?.strength === 'permanent' ? 'permanent' : about.strength,
    evidence: same?.evidence === 'accepted' ? 'accepted' : about.evidence,
    times: (same?.times ?? 0) + times,
    ...(same?.seen && { seen: times > 0 ? seenSince(same.seen, about) : same.seen }),
    firsts: (same?.round === latest.round ? same.firsts : 0) + (first && latest === about ? times : 0),
  };
  const others = (before?.targets ?? []).filter(({ to }) => to !== seen.to);
  const alias = { scope, from, fromUrl, ...before, ...(fullFrom !== undefined && { fullFrom }) };
  return withTargets(alias, target.times > 0 ? [...others, target] : others);
}

/** What was seen of an accepted target, with a redirect that came after. */
function seenSince(
  seen: NonNullable<AliasTarget['seen']>,
  { strength, evidence, round, at }: Pick<Evidence, 'strength' | 'evidence' | 'round' | 'at'>,
): NonNullable<AliasTarget['seen']> {
  return {
    strength: seen.strength === 'permanent' ? 'permanent' : strength,
    evidence,
    round,
    at: Math.max(seen.at, at),
  };
}

/** An alias whose redirect to `to` was last seen then; as it was where that is not known. */
export function withLatest(alias: Alias, to: string, at: number | undefined): Alias {
  if (at === undefined) return alias;
  const targets = alias.targets.map((target) => (target.to === to ? { ...target, at } : target));
  return withTargets(alias, targets) ?? alias;
}

/** An alias with these targets: the latest is the one that counts. */
export function withTargets(
  alias: Pick<Alias, 'scope' | 'from' | 'fromUrl'> & Partial<Alias>,
  all: AliasTarget[],
): Alias | undefined {
  const targets = all.toSorted((a, b) => b.at - a.at).slice(0, MOST_TARGETS);
  const current = currentTarget(targets);
  if (!current) return undefined;
  const { to, toUrl, strength, evidence, round, at } = current;
  return { ...alias, to, toUrl, strength, evidence, round, at, targets, leads: leadsOf(alias.from, targets) };
}

/**
 * Who counts towards a sink, as text for an index: round and place, then the original's path where it is on the same host (`=`), the
 * whole original where it is not (`+`).
 */
function leadsOf(from: string, targets: AliasTarget[]): string[] {
  return targets
    .filter(({ firsts }) => firsts > 0)
    .map(({ round, place }) => {
      const sameHost = hostOf(from) === hostOf(place);
      return leadPrefix(round, place) + (sameHost ? `=${pathOf(from)}` : `+${from}`);
    });
}

export function leadPrefix(round: string, place: string): string {
  return `${round}\n${place}\n`;
}

/** Two different paths of the same host, or five originals of other hosts (short links), that lead to one place. */
export function isSink(leads: Iterable<string>): boolean {
  const kinds = [...leads].map((lead) => lead[lead.lastIndexOf('\n') + 1]);
  return kinds.filter((kind) => kind === '=').length >= 2 || kinds.filter((kind) => kind === '+').length >= 5;
}

/** The temporary token that two targets of one original differ by: one random value of one parameter, and nothing else. */
export function tokenBetween(
  one: string,
  other: string,
  known: NonNullable<Scope['tokens']>,
): { host: string; name: string } | undefined {
  const host = hostOf(one);
  const ignored = new Set(known.filter((token) => token.host === host).map(({ name }) => name));
  const [a, b] = [splitQuery(one), splitQuery(other)];
  if (a.rest !== b.rest) return undefined;
  const pairsOf = (pairs: string[]) => pairs.filter((pair) => !ignored.has(nameOf(pair)));
  const [left, right] = [pairsOf(a.pairs), pairsOf(b.pairs)];
  if (left.length !== right.length) return undefined;
  const differing = left.flatMap((pair, index) =>
    pair === right[index] ? [] : [[pair, right[index]!] as const],
  );
  const [pair] = differing;
  if (!pair || differing.length > 1) return undefined;
  const [x, y] = pair;
  const name = nameOf(x);
  if (name !== nameOf(y) || !isRandom(x.slice(name.length + 1)) || !isRandom(y.slice(name.length + 1)))
    return undefined;
  return { host, name };
}

function splitQuery(key: string): { rest: string; pairs: string[] } {
  const [, before = '', query = '', after = ''] = /^([^?#]*)(?:\?([^#]*))?(.*)$/s.exec(key) ?? [];
  return { rest: `${before}\n${after}`, pairs: query === '' ? [] : query.split('&') };
}

function nameOf(pair: string): string {
  return pair.split('=', 1)[0]!;
}

function isRandom(value: string): boolean {
  return /^(?=.*\d)(?=.*[A-Za-z])[\w-]{10,}$/.test(value);
}
