import type { ProviderJson } from './imported.ts';
import { isSlow } from './slow-patterns.ts';

/** Something of the file that is not used, with the reason. */
export interface ImportProblem {
  /** Empty when it is about the whole file. */
  readonly provider: string;
  readonly field: string;
  readonly pattern?: string;
  readonly problem:
    | 'not-a-rule-file'
    | 'too-large'
    | 'wrong-type'
    | 'unknown-field'
    | 'not-an-expression'
    | 'too-slow'
    | 'not-checked';
  readonly detail: string;
}

export interface ClearUrlsImport {
  /** For the field `imported` of a policy. */
  readonly providers: Record<string, ProviderJson>;
  readonly problems: readonly ImportProblem[];
}

/** In characters; the real file has some 200,000. */
const LARGEST = 2_000_000;
/** A file that takes longer is hostile; what was not reached is switched off. */
const MOST_MS = 30_000;

const LISTS = ['rules', 'referralMarketing', 'rawRules', 'exceptions', 'redirections'] as const;
type List = (typeof LISTS)[number];

/** What the file may say besides and means nothing for keys. */
const IGNORED = ['completeProvider', 'forceRedirection', 'methods', 'resourceTypes'];

/**
 * Reads a ClearURLs `data.min.json` (https://docs.clearurls.xyz/latest/specs/rules/). Never throws: what cannot be used is
 * left out and named. An expression that is slow is switched off; where it would make an exception or choose the addresses,
 * the whole provider, because without it more would be removed than the file says. `now` is a clock in milliseconds.
 */
export function importClearUrls(text: string, now: () => number): ClearUrlsImport {
  const problems: ImportProblem[] = [];
  const whole = (problem: ImportProblem['problem'], detail: string): ClearUrlsImport => ({
    providers: {},
    problems: [{ provider: '', field: '', problem, detail }],
  });
  if (text.length > LARGEST)
    return whole('too-large', `The file has ${text.length} characters; at most ${LARGEST} are read.`);
  const file = parseJson(text);
  const providers = isObject(file) ? file['providers'] : undefined;
  if (!isObject(providers))
    return whole('not-a-rule-file', 'This is not a ClearURLs rule file: it has no object "providers".');
  const end = now() + MOST_MS;
  const read = Object.entries(providers).flatMap(([name, provider]): [string, ProviderJson][] => {
    const used = readProvider(name, provider, { problems, now, end });
    return used === undefined ? [] : [[name, used]];
  });
  return { providers: Object.fromEntries(read), problems };
}

interface Reading {
  readonly problems: ImportProblem[];
  readonly now: () => number;
  readonly end: number;
}

function readProvider(provider: string, json: unknown, reading: Reading): ProviderJson | undefined {
  const note = (field: string, problem: ImportProblem['problem'], detail: string): undefined => {
    reading.problems.push({ provider, field, problem, detail });
  };
  if (provider === '__proto__') return note('', 'wrong-type', 'This name cannot be used.');
  if (!isObject(json)) return note('', 'wrong-type', 'A provider must be an object.');
  for (const field of Object.keys(json))
    if (field !== 'urlPattern' && !LISTS.includes(field as List) && !IGNORED.includes(field))
      note(field, 'unknown-field', 'Unknown, and not used.');
  const { urlPattern } = json;
  if (typeof urlPattern !== 'string')
    return note('urlPattern', 'wrong-type', 'Must be a text; the provider is switched off.');
  if (!isUsable(urlPattern, provider, 'urlPattern', reading)) return undefined;
  const read: ProviderJson = { urlPattern };
  for (const field of LISTS) {
    const list = json[field];
    if (list === undefined) continue;
    if (!Array.isArray(list)) {
      note(field, 'wrong-type', 'Must be a list.');
      if (field === 'exceptions') return undefined;
      continue;
    }
    const patterns: string[] = [];
    for (const pattern of list as unknown[]) {
      if (typeof pattern !== 'string') note(field, 'wrong-type', 'Must hold texts.');
      else if (isUsable(pattern, provider, field, reading)) {
        patterns.push(pattern);
        continue;
      }
      if (field === 'exceptions') return undefined;
    }
    read[field] = patterns;
  }
  return read;
}

/** Whether the expression compiles and is fast, as it will be used. */
function isUsable(
  pattern: string,
  provider: string,
  field: List | 'urlPattern',
  { problems, now, end }: Reading,
): boolean {
  const isName = field === 'rules' || field === 'referralMarketing';
  const switchedOff = field === 'urlPattern' || field === 'exceptions' ? 'the provider' : 'it';
  const refuse = (problem: ImportProblem['problem'], detail: string) => {
    problems.push({
      provider,
      field,
      pattern,
      problem,
      detail: `${detail}; ${switchedOff} is switched off.`,
    });
    return false;
  };
  const expression = compile(isName ? `^(?:${pattern})$` : pattern);
  if (expression === undefined) return refuse('not-an-expression', 'Not a regular expression');
  if (now() > end) return refuse('not-checked', 'The file took too long before this was reached');
  return isSlow(expression, now) ? refuse('too-slow', 'Takes too long on some addresses') : true;
}

function compile(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'i');
  } catch {
    return undefined;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
