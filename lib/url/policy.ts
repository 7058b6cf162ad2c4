import { sha256 } from '#lib/fingerprint/sha.ts';
import { isFailure } from './failure.ts';
import { splitAddress } from './address.ts';
import { canonicalEscapes, PATH } from './escapes.ts';
import type { Provider, ProviderJson } from './imported.ts';
import { withoutEntities } from './rules/html-entities.ts';
import { parse } from './rules/parse.ts';
import { withoutWww } from './rules/strip-www.ts';
import { bySpecificity } from './sites.ts';
import type { SiteRule } from './sites.ts';
import { SOFT_VALUES } from './tracking.ts';
import type { SoftValueName } from './tracking.ts';
import { foldedWord, keyText } from './tracking-decision.ts';

/** Counts up when a change of the built-in rules or names changes keys. */
export const RULES_VERSION = '1';

export type Preset = 'strict' | 'standard' | 'broad';

export interface SiteRuleJson {
  /** The site and everything below it. */
  host: string;
  /** Pattern over the whole path, `*` = any characters. */
  path?: string;
  remove?: readonly string[];
  keep?: readonly string[];
  fragment?: 'keep' | 'drop';
}

/** A policy as people write it and as it is stored. Every field is optional. */
export interface PolicyJson {
  preset?: Preset;
  removeParams?: readonly string[];
  keepParams?: readonly string[];
  siteRules?: readonly SiteRuleJson[];
  softValues?: { from?: readonly string[]; ref?: readonly string[] };
  /** ClearURLs providers by name. */
  imported?: Readonly<Record<string, ProviderJson>>;
  routeQueryTracking?: boolean;
  stripSessionIds?: boolean;
  unwrapRedirects?: boolean;
  mergeSchemes?: boolean;
  stripWww?: boolean;
  stripTrailingSlash?: boolean;
  stripIndexFiles?: boolean;
  htmlEntities?: boolean;
  /** What `policyVersion` said when the policy was stored; it is not part of what it says. */
  version?: string;
}

const SWITCHES = {
  routeQueryTracking: false,
  stripSessionIds: true,
  unwrapRedirects: false,
  mergeSchemes: false,
  stripWww: false,
  stripTrailingSlash: false,
  stripIndexFiles: false,
  htmlEntities: false,
} as const;

export type Switch = keyof typeof SWITCHES;

/** A policy that was checked, with every name and host in the form that it has in a key. */
export interface Policy extends Readonly<Record<Switch, boolean>> {
  readonly preset: Preset;
  readonly removeParams: ReadonlySet<string>;
  readonly keepParams: ReadonlySet<string>;
  /** Most specific first. */
  readonly siteRules: readonly SiteRule[];
  readonly imported: readonly Provider[];
  /** Some site rule keeps fragments. */
  readonly keepsFragments: boolean;
  /** Attribution words by soft name, in lower case. */
  readonly softValues: ReadonlyMap<string, ReadonlySet<string>>;
}

/** A policy that cannot be used. `place` says where, as in `siteRules[2].host`. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError';
  readonly place: string;

  constructor(place: string, problem: string) {
    super(place === '' ? `The policy ${problem}` : `Policy field "${place}" ${problem}`);
    this.place = place;
  }
}

/** @throws {PolicyError} naming the first field that is unknown or has the wrong type. */
export function compilePolicy(json: unknown): Policy {
  const fields = readObject(json, '', FIELDS);
  const switches = Object.fromEntries(
    Object.entries(SWITCHES).map(([name, byDefault]) => [name, readBoolean(fields[name], name) ?? byDefault]),
  ) as Record<Switch, boolean>;
  const preset = readChoice(fields['preset'], 'preset', ['strict', 'standard', 'broad']) ?? 'standard';
  const keyName = (name: string) => nameInKey(name, switches.htmlEntities);
  const keyNames = (value: unknown, place: string) => new Set(readTexts(value, place).map(keyName));
  const siteRules = readArray(fields['siteRules'], 'siteRules').map((rule, index) =>
    compileSiteRule(rule, `siteRules[${index}]`, switches, keyNames),
  );
  if (fields['version'] !== undefined) readText(fields['version'], 'version');
  return {
    ...switches,
    preset,
    removeParams: keyNames(fields['removeParams'], 'removeParams'),
    keepParams: keyNames(fields['keepParams'], 'keepParams'),
    siteRules: siteRules.toSorted(bySpecificity),
    keepsFragments: siteRules.some(({ fragment }) => fragment === 'keep'),
    softValues: compileSoftValues(fields['softValues']),
    imported: compileImported(fields['imported'], preset),
  };
}

/** `<rules version>-<first 8 hex of the SHA-256 of the policy's canonical JSON>`; its own `version` field does not count. */
export function policyVersion(json: PolicyJson): string {
  return `${RULES_VERSION}-${sha256(canonicalJson({ ...json, version: undefined })).slice(0, 8)}`;
}

const FIELDS = [
  'preset',
  'removeParams',
  'keepParams',
  'siteRules',
  'softValues',
  'imported',
  'version',
  ...Object.keys(SWITCHES),
];

function compileSiteRule(
  json: unknown,
  place: string,
  switches: Record<Switch, boolean>,
  keyNames: (value: unknown, place: string) => Set<string>,
): SiteRule {
  const fields = readObject(json, place, ['host', 'path', 'remove', 'keep', 'fragment']);
  const path = fields['path'] === undefined ? undefined : readText(fields['path'], `${place}.path`);
  if (path !== undefined && !/^[/*]/.test(path))
    throw new PolicyError(`${place}.path`, 'must start with "/" or "*": it is compared with the whole path.');
  return {
    host: hostInKey(readText(fields['host'], `${place}.host`), `${place}.host`, switches.stripWww),
    path: path === undefined ? undefined : canonicalEscapes(path, PATH),
    remove: keyNames(fields['remove'], `${place}.remove`),
    keep: keyNames(fields['keep'], `${place}.keep`),
    fragment: readChoice(fields['fragment'], `${place}.fragment`, ['keep', 'drop']),
  };
}

function compileSoftValues(json: unknown): Map<string, Set<string>> {
  const names = Object.keys(SOFT_VALUES) as SoftValueName[];
  const fields = json === undefined ? {} : readObject(json, 'softValues', names);
  return new Map(
    names.map((name) => {
      const words = [...SOFT_VALUES[name], ...readTexts(fields[name], `softValues.${name}`)];
      return [name, new Set(words.map((word) => foldedWord(keyText(word))))];
    }),
  );
}

const PROVIDER_FIELDS = [
  'urlPattern',
  'rules',
  'referralMarketing',
  'rawRules',
  'exceptions',
  'redirections',
  'completeProvider',
  'forceRedirection',
];

function compileImported(json: unknown, preset: Preset): Provider[] {
  if (json === undefined) return [];
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new PolicyError('imported', 'must be an object.');
  return Object.entries(json).map(([name, provider]: [string, unknown]) => {
    const place = `imported.${name}`;
    const fields = readObject(provider, place, PROVIDER_FIELDS);
    readBoolean(fields['completeProvider'], `${place}.completeProvider`);
    readBoolean(fields['forceRedirection'], `${place}.forceRedirection`);
    const patterns = (field: string, flags = 'i', write = (source: string) => source) =>
      readTexts(fields[field], `${place}.${field}`).map((source, index) =>
        readPattern(write(source), `${place}.${field}[${index}]`, flags),
      );
    const names = (field: string) => patterns(field, 'i', (source) => `^(?:${source})$`);
    const referral = names('referralMarketing');
    return {
      name,
      url: readPattern(readText(fields['urlPattern'], `${place}.urlPattern`), `${place}.urlPattern`, 'i'),
      exceptions: patterns('exceptions'),
      names: preset === 'broad' ? [...names('rules'), ...referral] : names('rules'),
      raw: patterns('rawRules', 'gi'),
      redirections: patterns('redirections'),
    };
  });
}

function readPattern(source: string, place: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch {
    throw new PolicyError(place, 'is not a regular expression.');
  }
}

/** A raw `&`, `=` or `#` in a name can only mean the escaped one: raw it would end the name. */
function nameInKey(name: string, htmlEntities: boolean): string {
  const text = keyText(name.replace(/[&=#]/g, encodeURIComponent));
  return htmlEntities ? withoutEntities(text) : text;
}

function hostInKey(host: string, place: string, stripWww: boolean): string {
  const text = host.startsWith('[') ? host : host.replace(/:\d+$/, '');
  const parsed = /[\s/\\?#@]/.test(host) || text !== host ? undefined : parse(`http://${host}/`);
  if (parsed === undefined || isFailure(parsed))
    throw new PolicyError(
      place,
      `must be a host such as example.com (it covers its subdomains), without scheme, port, path or *.`,
    );
  const name = splitAddress(parsed).host;
  return stripWww ? withoutWww(name) : name;
}

function readObject(value: unknown, place: string, known: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new PolicyError(place, 'must be an object.');
  for (const name of Object.keys(value))
    if (!known.includes(name))
      throw new PolicyError(
        place === '' ? name : `${place}.${name}`,
        `is unknown. Known are: ${known.join(', ')}.`,
      );
  return value as Record<string, unknown>;
}

function readArray(value: unknown, place: string): unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new PolicyError(place, 'must be a list.');
  return value;
}

function readTexts(value: unknown, place: string): string[] {
  return readArray(value, place).map((text, index) => readText(text, `${place}[${index}]`));
}

function readText(value: unknown, place: string): string {
  if (typeof value !== 'string') throw new PolicyError(place, 'must be a text.');
  return value;
}

function readBoolean(value: unknown, place: string): boolean | undefined {
  if (value !== undefined && typeof value !== 'boolean')
    throw new PolicyError(place, 'must be true or false.');
  return value;
}

function readChoice<Choice extends string>(
  value: unknown,
  place: string,
  choices: readonly Choice[],
): Choice | undefined {
  if (value !== undefined && !choices.includes(value as Choice))
    throw new PolicyError(place, `must be one of: ${choices.join(', ')}.`);
  return value as Choice | undefined;
}

/** JSON with sorted keys and without white space; undefined fields are absent. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
