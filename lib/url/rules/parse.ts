import type { Failure } from '../failure.ts';
import { isDisputed, withComposedHost } from './unicode-host.ts';

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)$/;
const EMPTY_LABEL = /^\.|\.\.|\.$/;
const AUTHORITY = /^(https?:\/\/(?:[^/?#@]*@)?)(\[[^\]]*\]|[^/?#:]*)/;
// Some engines also read escapes and invisible characters in and after the brackets.
const RAW_IPV6 = /^https?:[/\\]*(?:[^/\\?#]*@)?\[[0-9a-f:.]+\](?::\d*)?(?:[/\\?#]|$)/i;

/** The scheme of a trimmed text in lower case, or undefined when it has none. */
export function schemeOf(text: string): string | undefined {
  return SCHEME.exec(text)?.[1]?.toLowerCase();
}

/**
 * Rule 3: an absolute address as the WHATWG parser writes it, without one trailing dot of the host. Engines differ in which
 * hosts they let through, so the host must be of the characters that all of them agree on.
 */
export function parse(text: string): string | Failure {
  const scheme = schemeOf(text);
  if (scheme === undefined) return invalid('It has no scheme. Write it whole, as in https://example.com/.');
  if (scheme !== 'http' && scheme !== 'https')
    return {
      reason: 'unsupported-scheme',
      detail: `"${scheme}:" is not a web address; only http and https are.`,
    };
  const composed = withComposedHost(text);
  const href = URL.parse(composed)?.href;
  if (href === undefined) return invalid('No browser could open it: its host or port is wrong.');
  const [before = '', start = '', host = ''] = AUTHORITY.exec(href) ?? [];
  if (host.startsWith('[') && !RAW_IPV6.test(text))
    return invalid('An IPv6 address must be written in plain characters.');
  const name = host.endsWith('.') ? host.slice(0, -1) : host;
  if (!HOST.test(name) || EMPTY_LABEL.test(name) || (name.includes('xn--') && isDisputed(composed)))
    return invalid(`"${host}" is not a host name.`);
  return start + name + href.slice(before.length);
}

function invalid(detail: string): Failure {
  return { reason: 'invalid', detail };
}
