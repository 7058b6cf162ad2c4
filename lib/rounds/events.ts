import type { Hop, How, Signal, Teller } from './types.ts';

/**
 * What the edge (the worker's listeners) tells the recorder. Addresses are raw; userinfo and text directives are cut off here
 * if they were not before. Told twice with the same `id`, an event has one effect.
 */
export type CaptureEvent =
  Shown | Failed | Unshown | StatusLearned | TitleSettled | Clicked | LinksFound | ContentRead;

interface Told {
  id: string;
  url: string;
  /** When it happened (not when it was told), ms since the epoch. */
  at: number;
  tab?: number;
}

/** What is known of why a page was opened. */
interface Cause {
  how?: How;
  /** Address of the page it was opened from. */
  source?: string;
  linkText?: string;
}

/** A document or a settled route was shown, in the outermost, active frame. */
export interface Shown extends Told, Cause {
  type: 'shown';
  by: Teller;
  /** The browser's documentId (the observer's messages carry it as `sender.documentId`), or another word both tellers share. */
  document: string;
  /**
   * `start`: the document was loaded · `restore`: it came back from the back/forward cache (`pageshow`) · `back`: the browser
   * committed it as `forward_back` and cannot tell which of the two · `route`: its address changed and was quiet for 800 ms.
   */
  moment: Signal['moment'];
  title?: string;
  /** HTTP status; 0 or absent where unknown. */
  status?: number;
  /** Addresses before this one, first asked for first. */
  chain?: Hop[];
}

/** A navigation that failed; `url` is the address first asked for, `error` the browser's word, e.g. `net::ERR_TIMED_OUT`. */
export interface Failed extends Told, Cause {
  type: 'failed';
  error: string;
}

/** The browser kept the page it had: a download, or an answer without content. */
export interface Unshown extends Told, Cause {
  type: 'unshown';
}

/** The status of a document became known (`webRequest`, or an observer that started late). */
export interface StatusLearned extends Told {
  type: 'status';
  document: string;
  status: number;
}

/** The title settled after the page was told. */
export interface TitleSettled extends Told {
  type: 'title';
  document: string;
  title: string;
}

/** A click told after its navigation: completes a visit already recorded; `recorded` is false where there is none (yet). */
export interface Clicked extends Told {
  type: 'click';
  href: string;
  text: string;
  how: How;
}

/** Absolute addresses of links on a page. */
export interface LinksFound extends Told {
  type: 'links';
  links: string[];
  /** Addresses that the observer took for variants of others and did not send. */
  collapsed?: number;
  /** Links of the web that cannot be read as an address. */
  refused?: number;
}

/** Digests of what the page says (lib/content), and its canonical link. */
export interface ContentRead extends Told {
  type: 'content';
  document?: string;
  digest: string;
  maskedDigest: string;
  blocks: number;
  canonical?: string;
  /** By space: whether it says something else than the version it is compared with, where that was looked at; else digests decide. */
  changed?: Record<string, boolean>;
}
