import { splitAddress } from '#lib/url/address.ts';
import { FRAGMENT, PATH, QUERY } from '#lib/url/escapes.ts';

/** Why an address is left out of a file. `limit`: the target format or tool cannot take it. */
export type Refusal = 'unsupported-scheme' | 'invalid' | 'limit';

export type SafeAddress =
  { ok: true; url: string; host: string; origin: string } | { ok: false; reason: Refusal };

const HOST = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])$/;

/**
 * The one gate before a file that leaves Onceover. What comes out is absolute http(s), printable ASCII without space, `"`, `<`,
 * `>`, `\`, `^`, `` ` ``, `{`, `|`, `}`, and without userinfo; so it starts no spreadsheet formula, no option and no second line in any
 * tool. Only characters that RFC 3986 forbids are escaped, so the address keeps its key and the server gets the same request.
 */
export function safeAddress(address: string, fragment: 'keep' | 'drop' = 'keep'): SafeAddress {
  const parsed = URL.parse(address);
  if (parsed === null) return { ok: false, reason: 'invalid' };
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')
    return { ok: false, reason: 'unsupported-scheme' };
  if (!HOST.test(parsed.hostname)) return { ok: false, reason: 'invalid' };
  const { path, query, fragment: hash } = splitAddress(parsed.href);
  let url = parsed.origin + escapeForbidden(path, PATH);
  if (query !== undefined) url += `?${escapeForbidden(query, QUERY)}`;
  if (hash !== undefined && fragment === 'keep') url += `#${escapeForbidden(hash, FRAGMENT)}`;
  return { ok: true, url, host: parsed.host, origin: parsed.origin };
}

const ESCAPE_OR_OTHER = /%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~]/gu;

function escapeForbidden(text: string, allowed: string): string {
  return text.toWellFormed().replace(ESCAPE_OR_OTHER, (match) => {
    if (match.length === 3 && match.startsWith('%')) return match;
    return allowed.includes(match) ? match : percentEncode(match);
  });
}

/** Escapes more than RFC 3986 asks for: tools that cut addresses at `characters` get them as `%XX`. */
export function escapeAlso(url: string, characters: RegExp): string {
  return url.replace(characters, percentEncode);
}

function percentEncode(character: string): string {
  let encoded = '';
  for (const byte of new TextEncoder().encode(character)) {
    encoded += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return encoded;
}
