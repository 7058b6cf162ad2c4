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

/** `first`: the page became visited in its space · `return`: it was visited already · `failed`: a try that did not show it. */
export type VisitKind = 'first' | 'return' | 'failed';

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
}

/** Counts that are written in the same transaction as the rows they count. */
export interface Counters {
  /** Visits of kind `first` or `return`. */
  visits: number;
  /** Visits of kind `return` that came by another address or again: repeats. */
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
  baseSize: number;
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
  /** Reason word for `retrying` or a flag worth a sentence, e.g. `no-access`, `sink`, `captcha`, `login`. */
  reason?: string;
  /** The page is where many others are redirected to (a login or error page). */
  sink?: boolean;
  firstSeenAt: number;
  firstVisitAt?: number;
  lastVisitAt?: number;
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
  verdict?: Verdict;
  note?: string;
  policyVersion: string;
}

/** One showing (or failed try) of a page. */
export interface Visit {
  seq?: number;
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
  chain?: { url: string; kind: 'server' | 'client' | 'script'; status?: number }[];
  /** Address of the page it was opened from. */
  source?: string;
  /** Text of the link that was clicked, cut at 200 characters. */
  linkText?: string;
  status?: number;
  error?: string;
  tab?: number;
  document?: string;
  /** Who told it: the browser's navigation event, the observer, or both. */
  told: ('browser' | 'observer')[];
}

/** One original address of a page. */
export interface Variant {
  scope: string;
  key: string;
  url: string;
  firstSeenAt: number;
  lastSeenAt: number;
  /** Times it was shown. */
  visits: number;
  how: How;
  policyVersion: string;
}

/** An original key known to lead to a final key. */
export interface Alias {
  scope: string;
  from: string;
  to: string;
  strength: 'permanent' | 'tentative';
  /** What showed it. */
  evidence: 'redirect' | 'client-redirect' | 'accepted';
  /** The round it was seen in; a tentative alias holds there only. */
  round: string;
  fromUrl: string;
  toUrl: string;
  at: number;
  /** The person took it back: it is not learned again. */
  undone?: boolean;
}
