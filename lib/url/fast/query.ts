import { splitAddress } from '../address.ts';
import { splitPairs } from '../pairs.ts';
import { judgePairs } from '../tracking-decision.ts';
import type { Remover } from '../tracking-decision.ts';
import { HARD_NAMES, HARD_PREFIXES, RANGE_ENDS, SESSION_NAMES, SOFT_NAMES } from '../tracking.ts';
import { CLASSES, IN_QUERY, isKeptEscape, spellPart } from './characters.ts';
import type { Place, Plan } from './plan.ts';

const MOST_SORTED = 1000;

const HASH = 35;
const PERCENT = 37;
const AMPERSAND = 38;
const PLUS = 43;
const EQUALS = 61;

/** Where the query that begins at `start` ends, if it stands there as in a key; otherwise -1. */
export function scanQuery(text: string, start: number, { suspects }: Plan): number {
  const { length } = text;
  let pairStart = start;
  let nameEnd = -1;
  let lastStart = -1;
  let lastEnd = -1;
  for (let i = start; ; i++) {
    const code = i < length ? text.charCodeAt(i) : HASH;
    if (code === AMPERSAND || code === HASH) {
      if (i === pairStart || nameEnd === i - 1) return -1;
      if (nameEnd < 0) nameEnd = i;
      if (isSuspect(suspects, text.charCodeAt(pairStart), nameEnd - pairStart)) return -1;
      if (lastStart >= 0 && !isSorted(text, lastStart, lastEnd, pairStart, nameEnd)) return -1;
      if (code === HASH) return i;
      lastStart = pairStart;
      lastEnd = nameEnd;
      pairStart = i + 1;
      nameEnd = -1;
    } else if (code === EQUALS) {
      if (nameEnd < 0) nameEnd = i;
    } else if (code === PERCENT) {
      if (!isKeptEscape(text, i)) return -1;
      i += 2;
    } else if (code > 127 || (CLASSES[code]! & IN_QUERY) === 0 || code === PLUS) return -1;
  }
}

/** Whether some rule may remove a name that begins and is as long as this one. */
function isSuspect(suspects: Uint32Array, first: number, length: number): boolean {
  return (suspects[first]! & (1 << (length < 31 ? length : 31))) !== 0;
}

/** Whether the first name comes before the second, or is the same. */
function isSorted(text: string, start1: number, end1: number, start2: number, end2: number): boolean {
  let a = start1;
  let b = start2;
  while (a < end1 && b < end2) {
    const difference = text.charCodeAt(a++) - text.charCodeAt(b++);
    if (difference !== 0) return difference < 0;
  }
  return end1 - start1 <= end2 - start2;
}

/** Rules 4 to 7 for the query in `text` from `start` to `end`; empty when nothing is left. */
export function spellQuery(text: string, start: number, end: number, plan: Plan, place: Place): string {
  const { does, suspects } = plan;
  const query = does.percent ? spellPart(text, start, end, IN_QUERY, does.pairs) : text.slice(start, end);
  const names: string[] = [];
  const pairs: string[] = [];
  let suspicious = false;
  for (let from = 0; from <= query.length;) {
    let to = query.indexOf('&', from);
    if (to < 0) to = query.length;
    let nameEnd = query.indexOf('=', from);
    if (nameEnd < 0 || nameEnd > to) nameEnd = to;
    let nameStart = from;
    if (does['html-entities']) nameStart = skipEntities(query, from, nameEnd);
    from = to + 1;
    if (does.pairs) {
      if (nameEnd === to - 1) to = nameEnd;
      if (to === nameStart) continue;
    }
    if (nameStart < nameEnd)
      suspicious ||= isSuspect(suspects, query.charCodeAt(nameStart), nameEnd - nameStart);
    else suspicious ||= isSuspect(suspects, EQUALS, 0);
    names.push(query.slice(nameStart, nameEnd));
    pairs.push(query.slice(nameStart, to));
  }
  if (suspicious) dropPairs(names, pairs, plan, place);
  if (does.sort && names.length <= MOST_SORTED) sortByName(names, pairs);
  return pairs.join('&');
}

/** Behind every leading `amp;`. */
function skipEntities(query: string, start: number, end: number): number {
  let at = start;
  while (at + 4 <= end && query.charCodeAt(at + 3) === 59 && query.slice(at, at + 3).toLowerCase() === 'amp')
    at += 4;
  return at;
}

type Kind = 'hard' | 'session' | 'session-value' | 'soft';

const KINDS = new Map<string, Kind>([
  ...SOFT_NAMES.map(({ name }) => [name, 'soft'] as const),
  ...SESSION_NAMES.map(({ name, value }) => [name, value ? 'session-value' : 'session'] as const),
  ...HARD_NAMES.map(({ name }) => [name, 'hard'] as const),
]);
const SESSION_VALUES = new Map(SESSION_NAMES.map(({ name, value }) => [name, value]));

/** Rule 6: takes out of both lists what it removes. */
function dropPairs(names: string[], pairs: string[], plan: Plan, place: Place): void {
  const removers = plan.builtInOnly ? judgeBuiltIn(names, pairs, plan, place) : judge(pairs, plan, place);
  let kept = 0;
  for (let i = 0; i < names.length; i++) {
    const remover = removers[i];
    if (remover !== undefined && plan.does[remover]) continue;
    names[kept] = names[i]!;
    pairs[kept++] = pairs[i]!;
  }
  names.length = kept;
  pairs.length = kept;
}

/** With lists and site rules the decision is the one of rule 6 itself. */
function judge(pairs: readonly string[], { policy }: Plan, { origin, path }: Place): (Remover | undefined)[] {
  return judgePairs(
    pairs.map((pair) => splitPairs(pair)[0]!),
    { address: splitAddress(origin + path), run: { policy, providers: [] }, identified: path !== '/' },
  );
}

function judgeBuiltIn(
  names: readonly string[],
  pairs: readonly string[],
  { policy }: Plan,
  place: Place,
): (Remover | undefined)[] {
  const removers: (Remover | undefined)[] = [];
  let marks = 0;
  let isRange = false;
  let isIdentified = place.path !== '/';
  for (let i = 0; i < names.length; i++) {
    const name = names[i]!.toLowerCase();
    const value = () => pairs[i]!.slice(name.length + 1);
    const kind =
      KINDS.get(name) ?? (HARD_PREFIXES.some((prefix) => name.startsWith(prefix.name)) ? 'hard' : undefined);
    let remover: Remover | undefined;
    if (kind === 'hard') remover = 'tracking-names';
    else if (kind === 'session' || (kind === 'session-value' && SESSION_VALUES.get(name)?.test(value())))
      remover = policy.stripSessionIds ? 'session-names' : undefined;
    else if (kind === 'soft' && policy.preset === 'broad') remover = 'soft-names';
    else if (kind === 'soft' && policy.softValues.get(name)?.has(value().toLowerCase())) {
      removers.push('soft-names');
      marks++;
      continue;
    } else if (RANGE_ENDS.includes(name)) isRange = true;
    removers.push(remover);
    if (remover === undefined) isIdentified = true;
  }
  if (marks > 0)
    for (let i = 0; i < names.length; i++) {
      if (policy.preset === 'broad' || removers[i] !== 'soft-names') continue;
      if (policy.preset === 'strict' || !isIdentified || (isRange && names[i]!.length === 4))
        removers[i] = undefined;
    }
  return removers;
}

/** Rule 7, both lists together. Most queries are short, and many are sorted. */
function sortByName(names: string[], pairs: string[]): void {
  if (names.length > 20) {
    const order = names
      .map((_, index) => index)
      .sort((a, b) => (names[a]! < names[b]! ? -1 : names[a]! > names[b]! ? 1 : a - b));
    const sorted = order.map((index) => pairs[index]!);
    for (let i = 0; i < pairs.length; i++) pairs[i] = sorted[i]!;
    return;
  }
  for (let i = 1; i < names.length; i++) {
    const name = names[i]!;
    const pair = pairs[i]!;
    let at = i;
    while (at > 0 && names[at - 1]! > name) {
      names[at] = names[at - 1]!;
      pairs[at] = pairs[--at]!;
    }
    names[at] = name;
    pairs[at] = pair;
  }
}
