import { splitAddress } from '../address.ts';
import { splitPairs } from '../pairs.ts';
import { foldedWord, judgePairs } from '../tracking-decision.ts';
import { HARD_NAMES, HARD_PREFIXES, RANGE_ENDS, SESSION_NAMES, SOFT_NAMES } from '../tracking.ts';
import { CLASSES, IN_QUERY, isKeptEscape, spellPart } from './characters.ts';
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

/**
 * The pairs of the query at work, by their places in its text: name from `starts` to `nameEnds`, all of it to `ends`. Kept
 * between calls, because making lists costs more than filling them.
 */
let starts = new Int32Array(64);
let nameEnds = new Int32Array(64);
let ends = new Int32Array(64);
let count = 0;
/** Some pair is left out or written otherwise, so that the text is not that of a key. */
let isChanged = false;
let isSorted = true;
/** Some name needs a second look. */
let isSuspicious = false;

/**
 * Finds the pairs of the query that begins at `start`: rule 5, and of rule 6 the hard names. Returns where the query ends, or -1
 * at a character that rule 4 or 5 would write otherwise; `isSpelled` says that there is none.
 */
function findPairs(text: string, start: number, plan: Plan, isSpelled: boolean): number {
  const { does, suspects } = plan;
  const { length } = text;
  let pairStart = start;
  let nameEnd = -1;
  count = 0;
  isChanged = false;
  isSorted = true;
  isSuspicious = false;
  for (let i = start; ;) {
    let code = HASH;
    while (i < length && (code = text.charCodeAt(i)) < 128 && PLAIN[code] === 1) i++;
    if (i === length) code = HASH;
    if (code === EQUALS) {
      if (nameEnd < 0) nameEnd = i;
      i++;
    } else if (code === AMPERSAND || code === HASH) {
      let end = i;
      if (nameEnd < 0) nameEnd = i;
      else if (nameEnd === i - 1 && does.pairs) {
        end = nameEnd;
        isChanged = true;
      }
      if (does['html-entities']) {
        const at = skipEntities(text, pairStart, nameEnd);
        if (at !== pairStart) isChanged = true;
        pairStart = at;
      }
      if (pairStart === end && does.pairs) isChanged = true;
      else if (
        isSuspect(suspects, text.charCodeAt(pairStart), nameEnd - pairStart) &&
        isHard(text, pairStart, nameEnd, plan)
      )
        isChanged = true;
      else {
        if (count === starts.length) grow();
        if (isSorted && count > 0)
          isSorted = compareNames(text, starts[count - 1]!, nameEnds[count - 1]!, pairStart, nameEnd) <= 0;
        starts[count] = pairStart;
        nameEnds[count] = nameEnd;
        ends[count++] = end;
      }
      if (code === HASH) return i;
      pairStart = ++i;
      nameEnd = -1;
    } else if (code === PERCENT && isKeptEscape(text, i)) i += 3;
    else if (isSpelled) i++;
    else return -1;
  }
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

/** Where the query that begins at `start` ends, if rules 4 and 5 leave every character of it; otherwise -1. */
export function scanQuery(text: string, start: number, plan: Plan): number {
  return findPairs(text, start, plan, false);
}

/** Whether the query that was scanned last stands in its text as in a key. */
export function isLastQueryClean(): boolean {
  return !isChanged && isSorted && !isSuspicious;
}

/** Rules 6 and 7 for the query that was scanned last; empty when nothing is left. */
export function writeQuery(text: string, plan: Plan, front: Front): string {
  if (isSuspicious) {
    if (plan.builtInOnly) dropBuiltIn(text, plan, front);
    else dropJudged(text, plan, front);
  }
  if (isSorted || !plan.does.sort || count > MOST_SORTED) return writePairs(text);
  if (count <= MOST_INSERTED) {
    insertionSort(text);
    return writePairs(text);
  }
  const order = Array.from(starts.subarray(0, count), (_, index) => index);
  order.sort((a, b) => compareNames(text, starts[a]!, nameEnds[a]!, starts[b]!, nameEnds[b]!));
  return order.map((index) => text.slice(starts[index], ends[index])).join('&');
}

/** Rules 4 to 7 for the query in `text` from `start` to `end`. */
export function spellQuery(text: string, start: number, end: number, plan: Plan, front: Front): string {
  const { does } = plan;
  const query = does.percent ? spellPart(text, start, end, IN_QUERY, does.pairs) : text.slice(start, end);
  findPairs(query, 0, plan, true);
  return writeQuery(query, plan, front);
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

/** Bytes of a name to compare ignoring case: of the characters that names have, only letters differ in this bit alone. */
function folded(name: string): Uint8Array {
  return Uint8Array.from(name, (character) => character.charCodeAt(0) | 0x20);
}

/** By length, then in any order: few enough to compare one by one. */
const HARD_BY_LENGTH = Array.from({ length: 32 }, (_, length) =>
  HARD_NAMES.filter(({ name }) => name.length === length).map(({ name }) => folded(name)),
);
const PREFIXES = HARD_PREFIXES.map(({ name }) => folded(name));

/**
 * Whether a suspect goes as a hard name. Where lists and site rules may keep it, and for every other kind of name, the decision is
 * left for when all pairs are known.
 */
function isHard(text: string, start: number, end: number, { builtInOnly, does }: Plan): boolean {
  if (builtInOnly && hasHardName(text, start, end)) return does['tracking-names'];
  isSuspicious = true;
  return false;
}

function hasHardName(text: string, start: number, end: number): boolean {
  for (const prefix of PREFIXES)
    if (end - start >= prefix.length && startsWith(text, start, prefix)) return true;
  for (const name of HARD_BY_LENGTH[end - start] ?? []) if (startsWith(text, start, name)) return true;
  return false;
}

function startsWith(text: string, start: number, name: Uint8Array): boolean {
  for (let i = 0; i < name.length; i++) if ((text.charCodeAt(start + i) | 0x20) !== name[i]) return false;
  return true;
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

const SOFT = new Set(SOFT_NAMES.map(({ name }) => name));
const SESSION = new Map(SESSION_NAMES.map(({ name, value }) => [name, value ?? /^/]));

/** Rule 6 with built-in names alone, once hard names are gone. */
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
      if (does['session-names'] && SESSION.get(name)?.test(value())) isGone = true;
      else if (does['soft-names'] && policy.preset === 'broad') isGone = SOFT.has(name);
      else if (nameEnd < ends[i]! && policy.softValues.get(name)?.has(foldedWord(value()))) {
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
