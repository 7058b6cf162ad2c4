import type { Failure } from '../failure.ts';
import { isFailure } from '../failure.ts';
import { splitAddress, writeAddress, writeOrigin } from '../address.ts';
import { dropPathSessions } from './path-session.ts';
import { parse, schemeOf } from './parse.ts';
import type { Policy } from '../policy.ts';
import type { Context } from './index.ts';

/** Rule 1: white space around the input goes, and a relative reference becomes an absolute address. */
export function trimAndResolve(input: string, { policy, base }: Context): string | Failure {
  const text = trim(input);
  if (base !== undefined) return resolve(text, trim(base), policy);
  return text === '' ? { reason: 'empty', detail: 'There is no address here.' } : text;
}

/** What WHATWG strips: controls and spaces at both ends, tab and line breaks anywhere. */
export function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) <= 0x20) start++;
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--;
  return text.slice(start, end).replace(/[\t\n\r]/g, '');
}

/**
 * Resolves as WHATWG does, but leaves the dot segments of the reference for the parser: a session id must leave them first.
 * The base itself is parsed at once, without its session ids.
 */
function resolve(text: string, base: string, { stripSessionIds }: Policy): string | Failure {
  const scheme = schemeOf(text);
  const baseScheme = schemeOf(base);
  // `https:a` is relative to an https base (and `https://a` never is).
  const reference =
    scheme === undefined ? text : scheme === baseScheme ? text.slice(scheme.length + 1) : undefined;
  if (reference === undefined || (scheme !== undefined && reference.startsWith('//'))) return text;
  if (baseScheme !== 'http' && baseScheme !== 'https' && baseScheme !== undefined)
    return { reason: 'unsupported-scheme', detail: `The base "${baseScheme}:" is not a web address.` };
  const parsed = parse(stripSessionIds ? dropPathSessions(base) : base);
  if (isFailure(parsed)) return { reason: 'invalid', detail: `The base cannot be used. ${parsed.detail}` };
  const address = splitAddress(parsed);
  const origin = writeOrigin(address);
  if (/^[/\\]{2}/.test(reference)) return `${address.scheme}:${reference}`;
  if (/^[/\\]/.test(reference)) return origin + reference;
  if (reference.startsWith('?')) return origin + address.path + reference;
  if (reference === '' || reference.startsWith('#'))
    return writeAddress({ ...address, fragment: undefined }) + reference;
  return origin + address.path.slice(0, address.path.lastIndexOf('/') + 1) + reference;
}
