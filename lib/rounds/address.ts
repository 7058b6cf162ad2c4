import { sha256 } from '#lib/fingerprint/sha.ts';
import { normalizeUrl, storeKey, type Policy } from '#lib/url/index.ts';

/** An address with its key, as rows need it. */
export interface Addressed {
  /** The address without userinfo and text directive. */
  url: string;
  /** What stores and sets use; `fullKey` is there where it is longer than 2,048 characters. */
  key: string;
  fullKey?: string;
}

const LONGEST = 2048;

/** Key of an address the browser saw; `undefined` for what is not a page of the web. */
export function addressOf(raw: string, policy: Policy): Addressed | undefined {
  const url = withoutSecrets(raw);
  // With a base the address is read as the browser reads it, not as pasted text.
  const normalized = url === undefined ? undefined : normalizeUrl(url, policy, url);
  if (url === undefined || !normalized?.ok) return undefined;
  const key = storeKey(normalized.key);
  return key === normalized.key ? { url, key } : { url, key, fullKey: normalized.key };
}

/** The address without userinfo and text directive, which events carry and `location` does not. */
export function withoutSecrets(raw: string): string | undefined {
  const url = URL.parse(raw);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  const directive = url.hash.search(/:(~|%7E):/i);
  const hash = directive < 0 ? url.hash : url.hash.slice(0, directive);
  return `${url.protocol}//${url.host}${url.pathname}${url.search}${hash === '#' ? '' : hash}`;
}

/** An address as an index holds it: whole, or its hash where it is long. */
export function indexedUrl(url: string): string {
  return url.length > LONGEST ? `sha256:${sha256(url)}` : url;
}

/** Host and path of a key as page rows carry them. */
export function partsOf({ key, fullKey }: { key: string; fullKey?: string }): { host: string; path: string } {
  const [, , host = '', rest = ''] = /^(https?:)\/\/([^/]*)(.*)$/s.exec(fullKey ?? key) ?? [];
  return { host, path: rest.slice(0, LONGEST) };
}

/**
 * The place of a page: its key without the query. A kept route belongs to the place (single-page applications put the page
 * there), its query does not. A key too long to be stored is its own place.
 */
export function placeOf(key: string): string {
  const [, before = key, , route = ''] = /^([^?#]*)(\?[^#]*)?(#[^?]*)?/s.exec(key) ?? [];
  return before + route;
}

/** Path of a place or key, for telling originals apart. */
export function pathOf(key: string): string {
  return /^https?:\/\/[^/]*([^?#]*)/.exec(key)?.[1] ?? key;
}

export function hostOf(key: string): string {
  return /^https?:\/\/([^/]*)/.exec(key)?.[1] ?? '';
}
