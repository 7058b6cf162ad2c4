const AUTHORITY = /^https?:[/\\]*[^/\\?#]*/i;
/** Each letter as itself or as its escape: the parameter is matched after unreserved decoding. */
const JSESSIONID = 'jsessionid'
  .split('')
  .map((letter) => `(?:${letter}|${escapeOf(letter)}|${escapeOf(letter.toUpperCase())})`);
const SESSION = new RegExp(`;${JSESSIONID.join('')}=[^;/\\\\]*`, 'gi');

function escapeOf(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

/**
 * Rule 3, before dot segments are resolved: `;jsessionid=…` leaves the path of an absolute address that is not parsed yet
 * (`/a/..;jsessionid=1` is `/a/..`).
 */
export function dropPathSessions(text: string): string {
  if (!text.includes(';')) return text;
  const start = AUTHORITY.exec(text)?.[0].length;
  if (start === undefined) return text;
  const length = text.slice(start).search(/[?#]/);
  const end = length < 0 ? text.length : start + length;
  const path = text.slice(start, end);
  const kept = path.replace(SESSION, '');
  if (kept === path) return text;
  // A space or control that now stands at the end is still part of the path: raw, the parser would trim it.
  const rest = length < 0 ? kept.replace(/[\0-\x20]$/, escapeOf) : kept + text.slice(end);
  return text.slice(0, start) + rest;
}
