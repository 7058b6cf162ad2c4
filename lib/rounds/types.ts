/**
 * The words of the product as types. Ids are `crypto.randomUUID`, times are milliseconds since the epoch.
 * A *space* is where duplicates are looked for: the id of the round (inspecting) or of the scope (collecting).
 */

/** `known`: a link was seen, nobody went · `visited`: a result was shown · `retrying`: tried and failed · `gone`: 404 or 410. */
export type PageState = 'known' | 'visited' | 'retrying' | 'gone';

/** What the inspector says of a page. */
export type Verdict = 'ok' | 'problem' | 'skip';

/** How a page came to be shown. */
export type How = 'link' | 'typed' | 'form' | 'reload' | 'script' | 'back' | 'bookmark' | 'other';

/**
 * `first`: the page became visited in its space · `return`: it was visited already · `failed`: a try that did not show it ·
 * `stub`: a client redirect replaced it at once, so it does not count.
 */
export type VisitKind = 'first' | 'return' | 'failed' | 'stub';

/** When a scope opens its rounds by itself, by the clock on the wall: every day at an hour, or every so many hours from midnight. */
export type Schedule = { every: 'day'; hour: number } | { every: 'hours'; hours: number };

export interface Scope {
  id: string;
  name: string;
  /** Match patterns whose hosts the person agreed to, e.g. `https://shop.example.com/*`. */
  origins: string[];
  /** Path patterns (`*` = any characters) that pages must match; empty: every path. */
  paths: string[];
  /** `inspecting`: every round starts fresh · `collecting`: a page once and for all. */
  mode: 'inspecting' | 'collecting';
  /** The policy as the person wrote it (see lib/url/policy.ts), and its version. */
  policy: Record<string, unknown>;
  policyVersion: string;
  createdAt: number;
  /** Opens a round by itself whenever a window begins. */
  schedule?: Schedule;
  /** When the schedule was set: it opens its first round at the next edge of a window. */
  scheduledAt?: number;
  /** Parameters known to be temporary tokens: they never tell two targets of a redirect apart. */
  tokens?: { host: string; name: string }[];
}

/** Counts that are written in the same transaction as the rows they count. */
export interface Counters {
  /** Visits of kind `first` or `return`. */
  visits: number;
  /** Visits of kind `return`: repeats. */
  duplicates: number;
  /** Tries that failed. */
  failed: number;
  known: number;
  visited: number;
  retrying: number;
  gone: number;
  /** Pages whose content differs from the base round. */
  changed: number;
  /** Of the base round's pages: how many are visited, retrying or gone here. `left = baseSize - their sum`. */
  baseVisited: number;
  baseRetrying: number;
  baseGone: number;
}

export interface Round {
  id: string;
  scope: string;
  /** Where this round's duplicates are looked for: `id` when inspecting, the scope's id when collecting. */
  space: string;
  /** 1, 2, 3 … within the scope. */
  number: number;
  state: 'open' | 'paused' | 'ended';
  /** While paused: when recording goes on by itself; `null`: until the person says so or the browser restarts. */
  pausedUntil?: number | null;
  startedAt: number;
  endedAt?: number;
  /** The round to compare with, and how many pages it had when this one started. */
  base?: string;
  baseSpace?: string;
  baseSize: number;
  /** The window of the scope's schedule that this round is; `end` is exclusive. */
  window?: { start: number; end: number };
  /** When recording stopped and went on; the last one has no `to` while it is paused. */
  pauses?: { from: number; to?: number }[];
  /** Hosts (of any port) that are not recorded for now, while the rest of the round is. */
  pausedSites?: string[];
  /** Places (origin and path) that are sinks in this round; each is one page under that key. */
  sinks?: string[];
  policy: Record<string, unknown>;
  policyVersion: string;
  counters: Counters;
}

export interface Tries {
  count: number;
  lastAt: number;
  /** When another try is suggested. */
  nextAt: number;
  status?: number;
  /** The browser's error word, e.g. `net::ERR_CONNECTION_REFUSED`. */
  error?: string;
}

/**
 * `no-access`: 401 or 403 · `sink`: redirected to a sink · `too-many-redirects` · `captcha`, `login`: marked by hand ·
 * `download`: a link that gives a file or nothing · `outside`: leads out of the scope.
 */
export type Reason =
  'no-access' | 'sink' | 'too-many-redirects' | 'captcha' | 'login' | 'download' | 'outside';

/** One key in one space. */
export interface Page {
  space: string;
  /** The key, or `sha256:` + hex where the key is longer than 2,048 characters; then `fullKey` has it. */
  key: string;
  fullKey?: string;
  scope: string;
  host: string;
  /** Path, query and kept fragment of the key, cut at 2,048 characters (for the index). */
  path: string;
  state: PageState;
  /** Order in which pages entered their space. */
  seq: number;
  /** First original address, as it was really seen, without userinfo: what is opened and exported. */
  url: string;
  /** Latest address that worked, where it is not `url`. */
  usable?: string;
  title?: string;
  status?: number;
  /** Why it is `retrying`, or a flag worth a sentence. */
  reason?: Reason;
  /** The page is where many others are redirected to (a login or error page). */
  sink?: boolean;
  firstSeenAt: number;
  firstVisitAt?: number;
  lastVisitAt?: number;
  /** A link to it was seen, when first; without one (and without tries) a page that was not shown has no row. */
  linkedAt?: number;
  /** Where its redirect led in an earlier round: a hint only. */
  hint?: string;
  /** The latest marking by hand. */
  mark?: { state: 'visited' | 'known' | 'retrying'; reason?: 'captcha' | 'login'; at: number };
  /** Visits in this space (first + returns). */
  visits: number;
  /** Other addresses of this page seen in the scope (see Variant); counts `url` too. */
  addresses: number;
  /** Never visited in the scope before this space. */
  isNew: boolean;
  /** The base round has this page. */
  inBase: boolean;
  tries?: Tries;
  /** Key of the page whose link or click led here first. */
  from?: string;
  /** Content digests of the last baseline (see lib/content), and whether they differ from the base round's. */
  digest?: string;
  maskedDigest?: string;
  changed?: boolean;
  /** Its space, where it changed: for the index of what changed, which tells no `true` apart. */
  changedIn?: string;
  /** Its space, where it was visited (or tried) and the base round does not have it: for the index of what is new. */
  newIn?: string;
  digestAt?: number;
  /** When the person saw what changed. */
  changeSeenAt?: number;
  verdict?: Verdict;
  note?: string;
  verdictAt?: number;
  policyVersion: string;
}

/** What somebody told of a showing: who, when, and whether the document began, came back or changed its route. */
export interface Signal {
  by: Teller;
  /** `back`: the browser went back, which may show a document again or load a new one; the observer knows. */
  moment: 'start' | 'restore' | 'back' | 'route';
  at: number;
  how?: How;
  title?: string;
  /** Where it was another address of the page than that of the visit. */
  url?: string;
}

export type Teller = 'browser' | 'observer';

/** An address before the one shown, and how it led on. */
export interface Hop {
  url: string;
  /** `server`: an HTTP redirect · `client`: the document led on by itself (meta refresh, script). */
  kind: 'server' | 'client';
  /** HTTP status, where known. */
  status?: number;
  /** Of a client redirect: the document that led on, when it was shown, and whether somebody clicked or typed in it. */
  document?: string;
  at?: number;
  input?: boolean;
  /** Filled in by the recorder. */
  key?: string;
  fullKey?: string;
}

/** One showing (or failed try) of a page. */
export interface Visit {
  seq: number;
  /** The event that told it first; the same showing told twice is one visit. */
  event: string;
  round: string;
  space: string;
  key: string;
  scope: string;
  kind: VisitKind;
  how: How;
  at: number;
  /** The address shown, without userinfo. */
  url: string;
  /** Addresses before it, first asked for first; `kind` says how each led on. */
  chain?: Hop[];
  /** Documents of the chain that led on by themselves (for the index). */
  through?: string[];
  /** Key of the address shown, where the page has another one (a sink, or the original of a temporary token). */
  shown?: string;
  shownFull?: string;

  /** Address of the page it was opened from. */
  source?: string;
  /** Text of the link that was clicked, cut at 200 characters. */
  linkText?: string;
  status?: number;
  error?: string;
  tab?: number;
  document?: string;
  /** Everything that was told of this showing, in order of time. */
  signals: Signal[];
  /** Who told it: the browser's navigation event, the observer, or both. */
  told: Teller[];
}

/** One original address of a page. */
export interface Variant {
  scope: string;
  key: string;
  /** The address, or `sha256:` + hex where it is longer than 2,048 characters; then `fullUrl` has it. */
  url: string;
  fullUrl?: string;
  firstSeenAt: number;
  lastSeenAt: number;
  /** Times it was shown. */
  visits: number;
  how: How;
  policyVersion: string;
}

/** Where an original led, by every redirect that was seen. */
export interface AliasTarget {
  to: string;
  toUrl: string;
  strength: 'permanent' | 'tentative' | 'proposed';
  /** What showed it; `canonical` and `same-content` make proposals only, until a person accepts them. */
  evidence: 'redirect' | 'client-redirect' | 'accepted' | 'canonical' | 'same-content';
  round: string;
  at: number;
  /** Redirects seen; 0 for a proposal. */
  times: number;
  /** Of these: it was the first address of a temporary chain. */
  firsts: number;
  /** Origin and path of the target: what sinks are judged by. */
  place: string;
  /** Of an accepted one: what had been seen before the person accepted it. */
  seen?: Pick<AliasTarget, 'strength' | 'evidence' | 'round' | 'at'>;
}

/** An original key known to lead to a final key: the latest target, with all that were seen. */
export interface Alias {
  scope: string;
  from: string;
  fullFrom?: string;
  fromUrl: string;
  to: string;
  toUrl: string;
  strength: AliasTarget['strength'];
  evidence: AliasTarget['evidence'];
  /** The round it was seen in; a tentative alias holds there only. */
  round: string;
  at: number;
  /** The person took it back: it is not learned again. */
  undone?: boolean;
  targets: AliasTarget[];
  /** When the original was last shown itself, without a redirect: this withdraws what was seen before. `earlier`: in other spaces. */
  shown?: { space: string; at?: number; earlier?: number };
  /** For the index of sinks: round, place and path of the original (see lib/rounds/aliases.ts). */
  leads: string[];
  /** The page row that the original had before the alias took its place. */
  folded?: Page;
  /** Round in which the original is a page of the base round and counted as visited through this alias. */
  coversBase?: string;
  /** Round whose base has the original as a page, but which was one with its target already when the round began. */
  leftBase?: string;
}
