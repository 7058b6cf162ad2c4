import { CLASSES, IN_PATH, isKeptEscape, spellPart } from './characters.ts';
import type { Plan } from './plan.ts';

const HASH = 35;
const PERCENT = 37;
const DOT = 46;
const SLASH = 47;
const SEMICOLON = 59;
const QUESTION = 63;

/** Where the path that begins at `start` ends, if it stands there as in a key; otherwise -1. */
export function scanPath(text: string, start: number, { does }: Plan): number {
  const { length } = text;
  let i = start;
  let last = 0;
  for (; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code === DOT) {
      if (last === SLASH && isDotSegment(text, i)) return -1;
    } else if (code === SEMICOLON) {
      // Perhaps `;jsessionid=`.
      if ((text.charCodeAt(i + 1) | 32) === 106) return -1;
    } else if (code === PERCENT) {
      if (!isKeptEscape(text, i)) return -1;
      i += 2;
    } else if (code > 127 || (CLASSES[code]! & IN_PATH) === 0) {
      if (code === QUESTION || code === HASH) break;
      return -1;
    }
    last = code;
  }
  if (does['strip-slash'] && last === SLASH && i > start + 1) return -1;
  return does['strip-index'] && indexFileAt(text, i) >= 0 ? -1 : i;
}

/** Whether the dot at this place begins a segment `.` or `..`. */
function isDotSegment(text: string, at: number): boolean {
  const end = text.charCodeAt(at + 1) === DOT ? at + 2 : at + 1;
  const code = end < text.length ? text.charCodeAt(end) : SLASH;
  return code === SLASH || code === QUESTION || code === HASH;
}

/** The end of the path that begins at `start`: at `?` or `#`. */
export function pathEnd(text: string, start: number): number {
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUESTION || code === HASH) return i;
  }
  return text.length;
}

/** Rules 3 and 4 for the path in `text` from `start` to `end`. */
export function spellPath(text: string, start: number, end: number, { does }: Plan): string {
  let path = does.percent ? spellPart(text, start, end, IN_PATH, false) : text.slice(start, end);
  if (does['path-session'] && path.includes(';')) path = path.replace(/;jsessionid=[^;/]*/gi, '');
  if (does.parse && path.includes('/.')) path = withoutDots(path);
  return does['strip-slash'] || does['strip-index']
    ? stripEnd(path, does['strip-slash'], does['strip-index'])
    : path;
}

/** Resolves `.` and `..` as WHATWG does, once their escaped spellings are decoded. */
function withoutDots(path: string): string {
  const segments = path.split('/');
  const kept: string[] = [];
  for (let i = 1; i < segments.length; i++) {
    const segment = segments[i]!;
    if (segment !== '.' && segment !== '..') {
      kept.push(segment);
      continue;
    }
    if (segment === '..') kept.pop();
    if (i === segments.length - 1) kept.push('');
  }
  return `/${kept.join('/')}`;
}

/** Slashes and index files at the end of the path, until there is none. */
function stripEnd(path: string, slash: boolean, index: boolean): string {
  let end = path.length;
  for (let before = -1; before !== end;) {
    before = end;
    if (slash) while (end > 1 && path.charCodeAt(end - 1) === SLASH) end--;
    const at = index ? indexFileAt(path, end) : -1;
    if (at >= 0) end = at;
  }
  return path.slice(0, end);
}

const LONGEST_INDEX_FILE = 'default.html'.length;
const INDEX_FILES = new Set(
  ['index', 'default'].flatMap((name) =>
    ['html', 'htm', 'php', 'jsp', 'asp', 'aspx'].map((ending) => `${name}.${ending}`),
  ),
);

/** Where the index file begins with which the path that ends at `end` ends, or -1. */
function indexFileAt(text: string, end: number): number {
  const at = text.lastIndexOf('/', end - 1) + 1;
  return end - at <= LONGEST_INDEX_FILE && INDEX_FILES.has(text.slice(at, end).toLowerCase()) ? at : -1;
}
