import type { BackupStore, Row } from './backup.ts';

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string';
/** Milliseconds since the epoch that `Date` can show. */
const time: Check = (value) => typeof value === 'number' && Math.abs(value) <= 8.64e15;
const count: Check = (value) => Number.isSafeInteger(value);
const flag: Check = (value) => typeof value === 'boolean';
const bytes: Check = (value) => value instanceof Uint8Array;
const digest: Check = (value) => typeof value === 'string' && /^[0-9a-f]{16}$/.test(value);
const list: Check = (value) => Array.isArray(value);
const object: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const oneOf =
  (...words: string[]): Check =>
  (value) =>
    typeof value === 'string' && words.includes(value);
/** Only what could have been recorded: http(s), no userinfo. */
const address: Check = (value) => {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
};
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

/**
 * What a row must have before it may enter the database (types of lib/rounds/types.ts). Fields that are not named here are kept:
 * views never trust them to be markup or addresses.
 */
const ROWS: Record<BackupStore, Record<string, Check>> = {
  meta: {},
  scopes: {
    id: text,
    name: text,
    origins: list,
    paths: list,
    mode: oneOf('inspecting', 'collecting'),
    policy: object,
    policyVersion: text,
    createdAt: time,
  },
  policies: { scope: text, version: text },
  rounds: {
    id: text,
    scope: text,
    space: text,
    number: count,
    state: oneOf('open', 'paused', 'ended'),
    startedAt: time,
    endedAt: optional(time),
    base: optional(text),
    counters: object,
    policy: object,
    policyVersion: text,
  },
  pages: {
    space: text,
    key: text,
    fullKey: optional(text),
    scope: text,
    host: text,
    path: text,
    state: oneOf('known', 'visited', 'retrying', 'gone'),
    seq: count,
    url: address,
    usable: optional(address),
    title: optional(text),
    note: optional(text),
    status: optional(count),
    firstSeenAt: time,
    firstVisitAt: optional(time),
    lastVisitAt: optional(time),
    visits: count,
    addresses: count,
    isNew: flag,
    inBase: flag,
    changed: optional(flag),
    verdict: optional(oneOf('ok', 'problem', 'skip')),
    from: optional(text),
    policyVersion: text,
  },
  visits: {
    event: text,
    round: text,
    space: text,
    key: text,
    scope: text,
    kind: oneOf('first', 'return', 'failed'),
    at: time,
    url: address,
    source: optional(text),
  },
  variants: { scope: text, key: text, url: address, firstSeenAt: time, lastSeenAt: time, visits: count },
  aliases: {
    scope: text,
    from: text,
    to: text,
    fromUrl: address,
    toUrl: address,
    strength: oneOf('permanent', 'tentative', 'proposed'),
    targets: list,
    at: time,
  },
  texts: { hash: digest, text: optional(text), bytes: optional(bytes) },
  snapshots: {
    space: text,
    key: text,
    frame: text,
    seq: count,
    at: time,
    until: time,
    looks: count,
    showing: text,
    digest: text,
    coverage: object,
    count,
    size: count,
    hashes: bytes,
    places: bytes,
  },
  watches: {
    id: text,
    scope: text,
    key: text,
    url: address,
    label: text,
    region: optional(object),
    thresholds: optional(list),
    notify: flag,
    createdAt: time,
    state: oneOf('waiting', 'same', 'changed', 'not-found', 'busy'),
    unseen: flag,
  },
  contentRules: { id: text, scope: text, key: optional(text), at: time, rules: object },
};

/** The first thing wrong with a row, in words; `null` where nothing is. */
export function rowProblem(store: BackupStore, row: Row): string | null {
  for (const [field, check] of Object.entries(ROWS[store])) {
    if (!check(row[field]))
      return `field "${field}" is ${row[field] === undefined ? 'missing' : 'not what it must be'}.`;
  }
  return null;
}
