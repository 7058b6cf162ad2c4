import type { Region } from '#lib/content/baseline.ts';
import type { Travelling } from '#lib/content/delta.ts';
import type { Threshold } from '#lib/content/live.ts';
import type { IgnoredPlace, Rules } from '#lib/content/rules.ts';
import type { Place } from '#lib/content/snapshot.ts';
import type { Watch } from '#lib/content/watch.ts';
import type { Alias, How, Page, Round, Schedule, Scope, Variant, Verdict, Visit } from '#lib/rounds/types.ts';

/**
 * Every message between the parts, on one page.
 * A request is `{ v: 1, id, type, …fields }`, the answer `{ ok: result } | { error: { code, detail } }`; both are JSON.
 * A request with the same id has one effect however often it is sent.
 */
export const PROTOCOL_VERSION = 1;

/** Name of the BroadcastChannel on which the worker says that something was written; views then read IndexedDB again. */
export const TICK_CHANNEL = 'onceover-tick';

/** Name of the lock that every transaction of the worker, and every step of an import or restore, is written under. */
export const WRITER_LOCK = 'onceover-writer';

/** Held while a restore fills a database that nobody uses yet. */
export const RESTORE_LOCK = 'onceover-restore';

/** `storage.local`: the name of the database in use, where it is not the first one. */
export const DATABASE_KEY = 'database';

/** `storage.local`: the database that was used before the last restore, `{ name, until }`. */
export const DATABASE_BEFORE_KEY = 'databaseBefore';

export interface Tick {
  /** Number of the last log entry. */
  log: number;
  /** Rounds whose rows or counters changed. */
  rounds: string[];
}

export type ErrorCode =
  /** The message is not one of these, or a field is wrong. */
  | 'bad-request'
  /** The scope, round or page it names does not exist (any more). */
  | 'not-found'
  /** Not possible in this state, e.g. a second open round of a scope. */
  | 'conflict'
  /** The site's permission is missing. */
  | 'no-permission'
  /** The disk is full or the database could not be written; what was sent is kept and tried again. */
  | 'not-saved'
  /** The database was made by a newer version of Onceover. */
  | 'newer-database'
  /** Another Onceover page holds the database while it is upgraded. */
  | 'blocked'
  | 'internal';

/** What the observer tells (entrypoints/observer.content). `event` is the documentId or its own random id plus a counter. */
export interface ObserverMessages {
  /** A document was shown (at start, and on `pageshow` from the back/forward cache). */
  document: {
    fields: {
      event: string;
      url: string;
      title: string;
      at: number;
      /** `performance.getEntriesByType('navigation')[0].responseStatus`; 0 where unknown. */
      status: number;
      restored: boolean;
      navigation: string;
      referrer: string;
    };
    result: { recorded: boolean };
  };
  /** The address was quiet for 800 ms after pushState, replaceState or a hash change. */
  route: { fields: { event: string; url: string; title: string; at: number }; result: { recorded: boolean } };
  /** The title settled later than the document. */
  title: { fields: { event: string; url: string; title: string }; result: { recorded: boolean } };
  /** A link was clicked; completes the visit it leads to with how and from where. */
  click: {
    fields: { event: string; url: string; href: string; text: string; how: How; newTab: boolean; at: number };
    result: { recorded: boolean };
  };
  /**
   * Links found on the page, absolute; at most 2,000 a message. Not sent, but counted: `collapsed` variants of others, and `refused` that
   * no browser can read as an address.
   */
  links: {
    fields: { event: string; url: string; links: string[]; collapsed: number; refused: number };
    result: { added: number };
  };
  /** What a frame of the shown page says: once it was quiet, and when it says something else while it stays open. */
  content: {
    fields: {
      event: string;
      url: string;
      /** `0`: the page itself · `0.2`: its third frame, and so on. */
      frame: string;
      text: Travelling;
      /** The first since the page was shown, rather than one while it stays open. */
      isFirst: boolean;
      busy: boolean;
      /** Address of `<link rel="canonical">`, absolute. */
      canonical?: string;
    };
    /**
     * `again`: the worker does not know what the delta is to be added to; send it whole. `rules`: the page was read by other rules than
     * those that hold for it; read it by these and send that.
     */
    result: { changed: boolean; again?: boolean; rules?: Rules };
  };
  /** The person picked a part of the page to be watched (see `pickRegion`), or with `null` gave up. */
  picked: {
    fields: { event: string; url: string; region: Region | null; label: string };
    result: { watched: boolean };
  };
}

/** Where and how a round starts. */
export interface StartRound {
  /** An existing scope, or a new one by the sites it covers. */
  scope:
    | { id: string }
    | {
        name: string;
        origins: string[];
        paths?: string[];
        mode?: Scope['mode'];
        /** What it begins with; the worker puts the preset of Options there. */
        policy?: Record<string, unknown>;
      };
  /** The round to compare with: `last`, a round's id, or `none`. */
  base: string;
}

/** Of a watch: limits of its live values (all of them), notifications, and when they are not shown (minutes of the day). */
export interface WatchSettings {
  thresholds?: Threshold[];
  /** Needs the permission `notifications`, which the view asks for at the click. */
  notify?: boolean;
  quietHours?: Watch['quietHours'] | null;
}

/** What the views ask for (popup, side panel, dashboard). */
export interface CommandMessages {
  startRound: { fields: StartRound; result: { round: Round } };
  /** The wish is kept for 5 minutes; the round starts in `permissions.onAdded`, since a popup dies with its own prompt. */
  wishRound: { fields: StartRound; result: Record<string, never> };
  pauseRound: { fields: { round: string; until: number | null }; result: { round: Round } };
  /** One site (a host, whatever its port) is not recorded, or is again, while the rest of the round goes on. */
  pauseSite: { fields: { round: string; host: string; paused: boolean }; result: { round: Round } };
  resumeRound: { fields: { round: string }; result: { round: Round } };
  endRound: { fields: { round: string }; result: { round: Round } };
  /**
   * The next page left (with `retry`: to be tried again), asked at the moment it is opened; opens it in the tab when `open` is set.
   * With `host` only of that site, with `prefix` (which needs `host`) only where the path begins so.
   */
  nextUnvisited: {
    fields: {
      round: string;
      open: boolean;
      tab?: number;
      retry?: boolean;
      host?: string;
      prefix?: string;
    };
    result: { page: Page | null };
  };
  setVerdict: {
    fields: { space: string; key: string; verdict: Verdict | null; note?: string };
    result: { page: Page };
  };
  /**
   * By hand: visited, known (not visited), or retrying because of a captcha or a login page. `null` takes the marking back: the page is what
   * its visits say, which may be no page at all. `at`: when it was marked, where an older marking comes back (now).
   */
  markPage: {
    fields: {
      space: string;
      key: string;
      state: 'visited' | 'known' | 'retrying' | null;
      reason?: 'captcha' | 'login';
      at?: number;
    };
    result: { page: Page | null };
  };
  updateScope: {
    fields: {
      scope: string;
      name?: string;
      origins?: string[];
      paths?: string[];
      mode?: Scope['mode'];
      /** Acts from the next round on; a collecting scope keeps the policy it began with. */
      policy?: Record<string, unknown>;
      /** `null`: rounds start by hand. */
      schedule?: Schedule | null;
    };
    result: { scope: Scope };
  };
  /** Takes an alias back (it is not learned again), or makes a proposal one; `null` takes that word back: what was seen decides. */
  setAlias: { fields: { scope: string; from: string; accept: boolean | null }; result: { alias: Alias } };
  deletePage: { fields: { space: string; key: string }; result: { undo: string } };
  deleteRound: { fields: { round: string }; result: { undo: string } };
  /** Watches a page of a scope, or a part of it; a page may have several watches. */
  addWatch: {
    fields: { scope: string; url: string; label?: string; region?: Region } & WatchSettings;
    result: { watch: Watch };
  };
  /** `null` takes a setting away. */
  changeWatch: { fields: { watch: string; label?: string } & WatchSettings; result: { watch: Watch } };
  removeWatch: { fields: { watch: string }; result: { undo: string } };
  /**
   * The person looked: what changes from now on is news. With `seen` up to the version of that number only (`null`: none), which takes
   * an earlier "seen" back.
   */
  seenWatch: { fields: { watch: string; seen?: number | null }; result: { watch: Watch } };
  /** The changes of a page were seen; its `changeSeenAt` says when. `seen: false` takes that back. */
  seenPage: { fields: { space: string; key: string; seen?: boolean }; result: { page: Page } };
  /** A doubtful version (a loading shell, an error page) is what the page says. */
  acceptVersion: { fields: { space: string; key: string; seq: number }; result: Record<string, never> };
  /** Every change (or only numbers) at this place is noise: on the page, or without `key` on all pages of the scope. */
  ignoreBlock: { fields: { scope: string; key?: string; place: IgnoredPlace }; result: { rule: string } };
  /** What is read and masked, see lib/content/rules.ts; in place of the rule with that id where it is given. */
  setContentRule: {
    fields: { scope: string; key?: string; rules: Rules; rule?: string };
    result: { rule: string };
  };
  /** Also takes `ignoreBlock` back. */
  removeContentRule: { fields: { rule: string }; result: { undo: string } };
  /** Lets the person pick a part of the page that this tab shows, to be watched. */
  pickRegion: { fields: { tab: number }; result: { picking: boolean } };
  /** Brings the block to the eye on the page that this tab shows, with a highlight. */
  jumpToBlock: { fields: { tab: number; place: Place; text: string }; result: { found: boolean } };
  /** Takes a deletion back by the id it answered. */
  undo: { fields: { undo: string }; result: Record<string, never> };
  /** The links of a page that have a mark in its rounds (`at`: which), one look-up a batch. `team`: only others saw it. */
  lookup: {
    fields: { url: string; links: string[] };
    result: { marked: { at: number; state: Page['state']; changed: boolean; team?: true }[] };
  };
  /** What the tooltip of a mark says, in the language the person chose. */
  tip: { fields: { shape: MarkShape }; result: { words: string } };
  /** Sends what waits for the service and fetches what the team saw; answers once that was tried. */
  syncTeam: { fields: Record<string, never>; result: Record<string, never> };
  /** Queues all pages of a round that are visited or gone for the service; what it knows already changes nothing. */
  queueRound: { fields: { round: string }; result: { queued: number } };
  /** Deletes everything, for good: databases, kept backups, storage and permissions. */
  deleteAll: { fields: Record<string, never>; result: Record<string, never> };
  /** A restore has filled another database: use it from now on. Answered at once, since who asks holds the writer's lock. */
  useDatabase: { fields: { name: string }; result: Record<string, never> };
  health: {
    fields: Record<string, never>;
    result: { database: 'ok' | 'newer' | 'blocked' | 'full' | 'broken'; pending: number; detail: string };
  };
}

export type Messages = ObserverMessages & CommandMessages;
/** The shapes of marks on pages. */
export type MarkShape = 'visited' | 'changed' | 'retrying' | 'gone' | 'team';

export type MessageType = keyof Messages;
export type Request<T extends MessageType = MessageType> = {
  [K in T]: { v: typeof PROTOCOL_VERSION; id: string; type: K } & Messages[K]['fields'];
}[T];
export type Answer<T extends MessageType = MessageType> =
  { ok: Messages[T]['result'] } | { error: { code: ErrorCode; detail: string } };

/** What a *why* view shows of a page; read from IndexedDB by lib/store. */
export interface PageDetails {
  page: Page;
  /** Its other addresses. */
  variants: Variant[];
  /** Originals that lead here and hold in this round, and where this page itself leads (a hint or a proposal). */
  aliases: Alias[];
  /** Originals that would lead here: proposed, or taken back by the person. */
  apart: Alias[];
  /** The latest 200, newest first. */
  visits: Visit[];
}
