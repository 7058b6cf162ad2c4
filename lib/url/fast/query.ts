import { splitAddress } from '../address.ts';
import { splitPairs } from '../pairs.ts';
import { judgePairs } from '../tracking-decision.ts';
import { HARD_NAMES, HARD_PREFIXES, RANGE_ENDS, SESSION_NAMES, SOFT_NAMES } from '../tracking.ts';
import { CLASSES, IN_QUERY, isKeptEscape, spellPart } from './characters.ts';
import { ESCAPE, LONGEST_MATCHED } from './front.ts';
import type { Front, Plan } from './plan.ts';

const MOST_SORTED = 1000;

const HASH = 35;
const PERCENT = 37;
const AMPERSAND = 38;
const SEMICOLON = 59;
const EQUALS = 61;

/** 1 for what may stand in a pair of a key and means nothing there. */
const PLAIN = CLASSES.map((bits, code) =>
  (bits & IN_QUERY) !== 0 && !'&=+'.includes(String.fromCharCode(code)) ? 1 : 0,
);

/** Where the query that begins at `start` ends, if it stands there as in a key; otherwise -1. */
export function scanQuery(text: string, start: number, { suspects }: Plan): number {
  const { length } = text;
  let pairStart = start;
  let nameEnd = -1;
  let lastStart = -1;
  let lastEnd = -1;
  for (let i = start; ;) {
    let code = HASH;
    while (i < length && (code = text.charCodeAt(i)) < 128 && PLAIN[code] === 1) i++;
    if (i === length) code = HASH;
    if (code === EQUALS) {
      if (nameEnd < 0) nameEnd = i;
      i++;
    } else if (code === AMPERSAND || code === HASH) {
      if (i === pairStart || nameEnd === i - 1) return -1;
      if (nameEnd < 0) nameEnd = i;
      if (isSuspect(suspects, text.charCodeAt(pairStart), nameEnd - pairStart)) return -1;
      if (lastStart >= 0 && compareNames(text, lastStart, lastEnd, pairStart, nameEnd) > 0) return -1;
      if (code === HASH) return i;
      lastStart = pairStart;
      lastEnd = nameEnd;
      pairStart = ++i;
      nameEnd = -1;
    } else {
      if (code !== PERCENT || !isKeptEscape(text, i)) return -1;
      i += 3;
    }
  }
}

/** Whether some rule may remove a name that begins and is as long as this one. */
function isSuspect(suspects: Uint32Array, first: number, length: number): boolean {
  return (suspects[first]! & (1 << (length < 31 ? length : 31))) !== 0;
}

/** Code-unit order of two names in one text: negative, zero or positive. */
function compareNames(text: string, start1: number, end1: number, start2: number, end2: number): number {
  let a = start1;
  let b = start2;
  while (a < end1 && b < end2) {
    const difference = text.charCodeAt(a++) - text.charCodeAt(b++);
    if (difference !== 0) return difference;
  }
  return end1 - start1 - (end2 - start2);
}

/** The query from `start` on up to the first place where rules 4 or 5 would change it. */
const SPELLED = new RegExp(
  `[A-Za-z0-9\\-._~!$&()*,;=:@/?]*(?:${ESCAPE}[A-Za-z0-9\\-._~!$&()*,;=:@/?]*)*`,
  'y',
);

/** Whether rule 4 and the space of rule 5 have nothing to do between `start` and `end`. */
export function isSpelled(text: string, start: number, end: number): boolean {
  if (end - start > LONGEST_MATCHED) return false;
  SPELLED.lastIndex = start;
  return SPELLED.test(text) && SPELLED.lastIndex === end;
}

/** Rules 4 and 5 for the query in `text` from `start` to `end`, as far as they speak of single characters. */
export function spellQuery(text: string, start: number, end: number, { does }: Plan): string {
  return does.percent ? spellPart(text, start, end, IN_QUERY, does.pairs) : text.slice(start, end);
}

/**
 * The pairs of the query at work, by their places in its text: name from `starts` to `nameEnds`, all of it to `ends`. Kept
 * between calls, because making lists costs more than filling them.
 */
let starts = new Int32Array(64);
let nameEnds = new Int32Array(64);
let ends = new Int32Array(64);
let count = 0;

/** Rules 5 to 7 for a spelled query; empty when nothing is left. */
export function pickPairs(text: string, start: number, end: number, plan: Plan, front: Front): string {
  const { does, suspects } = plan;
  count = 0;
  let isSuspicious = false;
  let isSorted = true;
  for (let from = start; from <= end;) {
    let nameEnd = from;
    let code = AMPERSAND;
    while (nameEnd < end && (code = text.charCodeAt(nameEnd)) !== EQUALS && code !== AMPERSAND) nameEnd++;
    let pairEnd = nameEnd;
    if (nameEnd < end && code === EQUALS) {
      pairEnd = text.indexOf('&', nameEnd);
      if (pairEnd < 0 || pairEnd > end) pairEnd = end;
    }
    const pairStart = does['html-entities'] ? skipEntities(text, from, nameEnd) : from;
    from = pairEnd + 1;
    if (does.pairs) {
      if (nameEnd === pairEnd - 1) pairEnd = nameEnd;
      if (pairStart === pairEnd) continue;
    }
    if (isSuspect(suspects, text.charCodeAt(pairStart), nameEnd - pairStart)) {
      if (plan.builtInOnly && does['tracking-names'] && hasHardPrefix(text, pairStart, nameEnd)) continue;
      isSuspicious = true;
    }
    if (count > 0 && isSorted)
      isSorted = compareNames(text, starts[count - 1]!, nameEnds[count - 1]!, pairStart, nameEnd) <= 0;
    if (count === starts.length) grow();
    starts[count] = pairStart;
    nameEnds[count] = nameEnd;
    ends[count++] = pairEnd;
  }
  if (isSuspicious) {
    if (plan.builtInOnly) dropBuiltIn(text, plan, front);
    else dropJudged(text, plan, front);
  }
  if (isSorted || !does.sort || count > MOST_SORTED) return writePairs(text);
  if (count <= MOST_INSERTED) {
    insertionSort(text);
    return writePairs(text);
  }
  const order = Array.from(starts.subarray(0, count), (_, index) => index);
  order.sort((a, b) => compareNames(text, starts[a]!, nameEnds[a]!, starts[b]!, nameEnds[b]!));
  return order.map((index) => text.slice(starts[index], ends[index])).join('&');
}

function grow(): void {
  const longer = (list: Int32Array<ArrayBuffer>) => {
    const copy = new Int32Array(list.length * 2);
    copy.set(list);
    return copy;
  };
  starts = longer(starts);
  nameEnds = longer(nameEnds);
  ends = longer(ends);
}

/** Neighbours that were neighbours are cut out together. */
function writePairs(text: string): string {
  let written = '';
  for (let i = 0; i < count;) {
    const from = starts[i]!;
    let to = ends[i++]!;
    while (i < count && starts[i] === to + 1) to = ends[i++]!;
    written = written === '' ? text.slice(from, to) : `${written}&${text.slice(from, to)}`;
  }
  return written;
}

/** Behind every leading `amp;`. */
function skipEntities(text: string, start: number, end: number): number {
  let at = start;
  while (
    at + 4 <= end &&
    text.charCodeAt(at + 3) === SEMICOLON &&
    text.slice(at, at + 3).toLowerCase() === 'amp'
  )
    at += 4;
  return at;
}

/** Rule 6 with lists and site rules: the decision of the rule itself. */
function dropJudged(text: string, { policy, does }: Plan, { text: front }: Front): void {
  const pairs = Array.from(
    starts.subarray(0, count),
    (start, index) => splitPairs(text.slice(start, ends[index]))[0]!,
  );
  const address = splitAddress(front);
  const situation = { address, run: { policy, providers: [] }, identified: address.path !== '/' };
  const removers = judgePairs(pairs, situation);
  drop((index) => removers[index] !== undefined && does[removers[index]]);
}

function drop(isGone: (index: number) => boolean | undefined): void {
  const before = count;
  count = 0;
  for (let i = 0; i < before; i++) {
    if (isGone(i)) continue;
    starts[count] = starts[i]!;
    nameEnds[count] = nameEnds[i]!;
    ends[count++] = ends[i]!;
  }
}

const PREFIX_LENGTH = 4;
const PREFIXES = HARD_PREFIXES.map(({ name }) => packPrefix(name, 0));

/** Four characters in one number, letters in lower case. */
function packPrefix(text: string, at: number): number {
  return (
    ((text.charCodeAt(at) | 32) << 24) ^
    ((text.charCodeAt(at + 1) | 32) << 16) ^
    ((text.charCodeAt(at + 2) | 32) << 8) ^
    (text.charCodeAt(at + 3) | 32)
  );
}

/** Every hard prefix has four characters, so one comparison tells. */
function hasHardPrefix(text: string, start: number, end: number): boolean {
  return end - start >= PREFIX_LENGTH && PREFIXES.includes(packPrefix(text, start));
}

const HARD = new Set(HARD_NAMES.map(({ name }) => name));
const SOFT = new Set(SOFT_NAMES.map(({ name }) => name));
const SESSION = new Map(SESSION_NAMES.map(({ name, value }) => [name, value ?? /^/]));

/** Rule 6 with built-in names alone. */
function dropBuiltIn(text: string, { policy, does, suspects }: Plan, front: Front): void {
  const gone: boolean[] = [];
  const marks: number[] = [];
  let isIdentified = !front.isRoot;
  for (let i = 0; i < count; i++) {
    const start = starts[i]!;
    const nameEnd = nameEnds[i]!;
    let isGone = false;
    if (isSuspect(suspects, text.charCodeAt(start), nameEnd - start)) {
      const name = text.slice(start, nameEnd).toLowerCase();
      const value = () => text.slice(nameEnd + 1, ends[i]);
      if (HARD.has(name) || hasHardPrefix(text, start, nameEnd)) isGone = does['tracking-names'];
      else if (does['session-names'] && SESSION.get(name)?.test(value())) isGone = true;
      else if (does['soft-names'] && policy.preset === 'broad') isGone = SOFT.has(name);
      else if (policy.softValues.get(name)?.has(value().toLowerCase())) {
        marks.push(i);
        continue;
      }
    }
    gone[i] = isGone;
    isIdentified ||= !isGone;
  }
  if (marks.length > 0 && does['soft-names'] && policy.preset === 'standard' && isIdentified) {
    const isRange = hasRangeEnd(text);
    for (const i of marks) gone[i] = !isRange || nameEnds[i]! - starts[i]! !== 'from'.length;
  }
  drop((index) => gone[index]);
}

/** Nothing built in removes such a pair, so it stays if it is there. */
function hasRangeEnd(text: string): boolean {
  for (let i = 0; i < count; i++)
    if (RANGE_ENDS.includes(text.slice(starts[i], nameEnds[i]).toLowerCase())) return true;
  return false;
}

const MOST_INSERTED = 20;

/** Rule 7 for the few pairs that most queries have. */
function insertionSort(text: string): void {
  for (let i = 1; i < count; i++) {
    const start = starts[i]!;
    const nameEnd = nameEnds[i]!;
    const end = ends[i]!;
    let at = i;
    for (; at > 0 && compareNames(text, starts[at - 1]!, nameEnds[at - 1]!, start, nameEnd) > 0; at--) {
      starts[at] = starts[at - 1]!;
      nameEnds[at] = nameEnds[at - 1]!;
      ends[at] = ends[at - 1]!;
    }
    starts[at] = start;
    nameEnds[at] = nameEnd;
    ends[at] = end;
  }
}
