import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from 'idb';
import type { Doubt } from '#lib/content/baseline.ts';
import type { Tracks } from '#lib/content/live.ts';
import type { Coverage } from '#lib/content/snapshot.ts';
import type { ContentRule, Watch } from '#lib/content/watch.ts';
import type { Alias, Page, Round, Scope, Variant, Visit } from '#lib/rounds/types.ts';
import { indexed } from '#lib/rounds/rows.ts';
import type { Outgoing } from '#lib/team/outbox.ts';

/** Version of the layout below; each change adds a step to {@link migrations}. */
export const SCHEMA_VERSION = 5;

/** Every write appends one entry; its number is counted in the same transaction. */
export interface LogEntry {
  seq: number;
  at: number;
  scope: string;
  /**
   * `page`: a page has `state` now · `known`: these links became known · `deleted`: the page left its space · `space`: sets must be built
   * again from the rows, those of `space` or of the whole scope (a round came back, keys were made again) · `round`, `scope`, `alias`,
   * `visit`, `download`: something else was written, of the pages with these keys where there are any.
   */
  change: 'page' | 'known' | 'deleted' | 'space' | 'round' | 'scope' | 'alias' | 'visit' | 'download';
  space?: string;
  key?: string;
  keys?: string[];
  state?: Page['state'];
  changed?: boolean;
  url?: string;
}

/** What was deleted, kept for 30 days. */
export interface Trash {
  id: string;
  until: number;
  /** `links`: an import that was taken back; its rows are in parts of their own, `part:` + id + number. */
  what: 'page' | 'round' | 'links' | 'watch' | 'rule';
  /** For the list of what can be brought back. */
  label: string;
  round?: Round;
  pages?: Page[];
  visits?: Visit[];
  aliases?: Alias[];
  variants?: Variant[];
  watch?: Watch;
  rule?: ContentRule;
}

/** A text of a page, once for all snapshots; long ones as deflated UTF-8. `hash` is the `exact` of its blocks (lib/content/hash.ts). */
export type StoredText = { hash: string } & ({ text: string } | { bytes: Uint8Array<ArrayBuffer> });

/**
 * What one frame of a page said at a time. All frames of a page that were read together have one `seq`: a version of the page, numbered
 * from 1 within its space.
 */
export interface StoredSnapshot {
  space: string;
  key: string;
  /** `0`: the page itself · `0.2`: its third frame, and so on. */
  frame: string;
  seq: number;
  /** When this was read first, and last; and how often it was read and found the same. */
  at: number;
  until: number;
  looks: number;
  /** Id of the document and its address: what was read while one page was shown. */
  showing: string;
  /** Without noise rules of its own; all other hashes are made again by the rules that hold when it is read. */
  digest: string;
  coverage: Coverage;
  count: number;
  /** Hashes of its texts in their order, 8 bytes each. */
  hashes: Uint8Array<ArrayBuffer>;
  /** Their places, as deflated JSON; and texts whose hash another text has. */
  places: Uint8Array<ArrayBuffer>;
  /** Characters of all its texts. */
  size: number;
  /** Why this is no baseline, until the person says it is one. */
  doubt?: Doubt;
  /** It differs from the version before in numbers only. */
  numbers?: true;
  /** Hash of the rules by which the page was read, if they are not the usual ones: only what was read alike can be compared. */
  readBy?: string;
}

/** Numbers of a page that change by themselves, over the last looks. */
export interface LiveNumbers {
  scope: string;
  key: string;
  at: number;
  tracks: Tracks;
}

/** A saved filter or set, in parts. */
export interface SavedSet {
  /** `bloom:` + scope or `trie:` + space. */
  owner: string;
  shard: number;
  log: number;
  policyVersion: string;
  /** Keys deleted since it was built: the filter keeps their bits until it is built again. */
  deleted?: number;
  bytes: Uint8Array<ArrayBuffer>;
}

/** What Data > Diagnostics counts, over all scopes. */
export interface Diagnostics {
  events: number;
  /** Events that were told again with the same id. */
  repeated: number;
  /** Addresses that no key could be made of, by source. */
  refused: { page: number; import: number; paste: number };
  /** Links that the observer took for variants of others on the same page, and did not send. */
  collapsed: number;
  downloads: number;
  /** Questions the filter answered with "never", with "maybe", and with a "maybe" that was wrong. */
  filterNo: number;
  filterMaybe: number;
  filterWrong: number;
  /** Decisions, and the ms they took altogether. */
  decisions: number;
  decisionMs: number;
  setsRebuilt: number;
}

export type Meta =
  | { id: 'log'; number: number; /** First entry that still exists. */ first: number }
  | ({ id: 'diagnostics' } & Diagnostics)
  /** No page of the space below this key is left, as of that entry of the log (see left.ts). */
  | { id: `left:${string}`; key: string; log: number };

/** Entries of the outbox that are sent together until they are acknowledged; `id` is the `Idempotency-Key` of every try. */
export interface OutboxBatch {
  id: string;
  seqs: number[];
  /** Tries that failed, and when the next one may be. */
  tries: number;
  nextAt: number;
}

/** What the service says of a page in a round of the team: a shown fact, of which no page becomes visited here. */
export interface TeamPage {
  ns: string;
  round: string;
  fp: string;
  /** When it was first seen; absent where there is only a lease. */
  at?: number;
  state?: 'visited' | 'gone';
  /** It was marked from here first. */
  own?: boolean;
  /** It is ours to fetch until then. */
  lease?: { token: number; until: number };
}

export interface OnceoverDb extends DBSchema {
  scopes: { key: string; value: Scope };
  rounds: { key: string; value: Round; indexes: { scope: [string, number]; base: string; state: string } };
  pages: {
    key: [string, string];
    value: Page;
    indexes: {
      state: [string, string, string];
      place: [string, string, string, string];
      seq: [string, number];
      scopeKey: [string, string, string];
      digest: [string, string];
      changed: [string, string];
      new: [string, string];
    };
  };
  visits: {
    key: number;
    value: Visit;
    indexes: {
      page: [string, string, number];
      round: [string, number];
      event: string;
      document: [string, number];
      through: string;
    };
  };
  variants: { key: [string, string, string]; value: Variant };
  aliases: {
    key: [string, string];
    value: Alias;
    indexes: { to: [string, string]; leads: string; round: string };
  };
  events: {
    key: string;
    /** `answer`: what a command answered, of one that changed something. */
    value: { id: string; at: number; changed?: boolean; answer?: unknown };
    indexes: { at: number };
  };
  policies: {
    key: [string, string];
    value: { scope: string; version: string; policy: Record<string, unknown>; at: number };
  };
  texts: { key: string; value: StoredText };
  snapshots: {
    key: [string, string, string, number];
    value: StoredSnapshot;
  };
  live: { key: [string, string]; value: LiveNumbers };
  watches: { key: string; value: Watch; indexes: { page: [string, string] } };
  contentRules: { key: string; value: ContentRule; indexes: { scope: string } };
  sets: { key: [string, number]; value: SavedSet };
  outbox: { key: number; value: Outgoing & { seq: number } };
  batches: { key: string; value: OutboxBatch };
  team: { key: [string, string, string]; value: TeamPage };
  trash: { key: string; value: Trash; indexes: { until: number } };
  log: { key: number; value: LogEntry };
  meta: { key: string; value: Meta };
}

export type StoreName = StoreNames<OnceoverDb>;
export type Db = IDBPDatabase<OnceoverDb>;
export type WriteTransaction = IDBPTransaction<OnceoverDb, StoreName[], 'readwrite'>;
type Upgrade = IDBPTransaction<OnceoverDb, StoreName[], 'versionchange'>;

/** Step n leads from version n to n + 1; every step of the past stays, since databases of any age are opened. */
const migrations: ((db: Db, upgrade: Upgrade) => void)[] = [
  (db) => {
    db.createObjectStore('scopes', { keyPath: 'id' });
    const rounds = db.createObjectStore('rounds', { keyPath: 'id' });
    rounds.createIndex('scope', ['scope', 'number']);
    rounds.createIndex('base', 'base');
    rounds.createIndex('state', 'state');
    // Each index ends with the key, so that it is a total order and a list can go on after any row.
    const pages = db.createObjectStore('pages', { keyPath: ['space', 'key'] });
    pages.createIndex('state', ['space', 'state', 'key']);
    pages.createIndex('place', ['space', 'host', 'path', 'key']);
    pages.createIndex('seq', ['space', 'seq']);
    pages.createIndex('scopeKey', ['scope', 'key', 'space']);
    pages.createIndex('digest', ['space', 'maskedDigest']);
    const visits = db.createObjectStore('visits', { keyPath: 'seq' });
    visits.createIndex('page', ['space', 'key', 'at']);
    visits.createIndex('round', ['round', 'seq']);
    visits.createIndex('event', 'event');
    visits.createIndex('document', ['document', 'at']);
    visits.createIndex('through', 'through', { multiEntry: true });
    db.createObjectStore('variants', { keyPath: ['scope', 'key', 'url'] });
    const aliases = db.createObjectStore('aliases', { keyPath: ['scope', 'from'] });
    aliases.createIndex('to', ['scope', 'to']);
    aliases.createIndex('leads', 'leads', { multiEntry: true });
    aliases.createIndex('round', 'round');
    db.createObjectStore('events', { keyPath: 'id' }).createIndex('at', 'at');
    db.createObjectStore('policies', { keyPath: ['scope', 'version'] });
    db.createObjectStore('texts', { keyPath: 'hash' });
    db.createObjectStore('snapshots', { keyPath: ['space', 'key', 'frame', 'seq'] });
    db.createObjectStore('sets', { keyPath: ['owner', 'shard'] });
    db.createObjectStore('outbox', { keyPath: 'seq', autoIncrement: true });
    db.createObjectStore('trash', { keyPath: 'id' }).createIndex('until', 'until');
    db.createObjectStore('log', { keyPath: 'seq' });
    db.createObjectStore('meta', { keyPath: 'id' });
  },
  (db) => {
    db.createObjectStore('batches', { keyPath: 'id' });
    db.createObjectStore('team', { keyPath: ['ns', 'round', 'fp'] });
  },
  (db) => {
    db.createObjectStore('live', { keyPath: ['scope', 'key'] });
    db.createObjectStore('watches', { keyPath: 'id' }).createIndex('page', ['scope', 'key']);
    db.createObjectStore('contentRules', { keyPath: 'id' }).createIndex('scope', 'scope');
  },
  (_db, upgrade) => {
    const pages = upgrade.objectStore('pages');
    pages.createIndex('changed', ['changedIn', 'key']);
    void (async () => {
      // The upgrade goes on as long as one of its requests is under way.
      for (let cursor = await pages.openCursor(); cursor; cursor = await cursor.continue())
        if (cursor.value.changed) void cursor.update(indexed(cursor.value));
    })();
  },
  (_db, upgrade) => {
    const pages = upgrade.objectStore('pages');
    pages.createIndex('new', ['newIn', 'key']);
    void (async () => {
      for (let from: [string, string] | undefined; ;) {
        const rows = await pages.getAll(from && IDBKeyRange.lowerBound(from, true), 1_000);
        for (const page of rows) if (indexed(page) !== page) void pages.put(indexed(page));
        const last = rows.at(-1);
        if (!last) return;
        from = [last.space, last.key];
      }
    })();
  },
];

/** Brings a database of an older version (0: an empty one) to {@link SCHEMA_VERSION}. */
export function migrate(db: Db, from: number, upgrade: Upgrade): void {
  for (const step of migrations.slice(from)) step(db, upgrade);
}
