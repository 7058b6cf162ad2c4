const AUTHORITY = /^https?:[/\\]*[^/\\?#]*/i;
/** Each letter as itself or as its escape: the parameter is matched after unreserved decoding. */
const JSESSIONID = 'jsessionid'
  .split('')
  .map((letter) => `(?:${letter}|${escapeOf(letter)}|${escapeOf(letter.toUpperCase())})`);
const SESSION = new RegExp(`;${JSESSIONID.join('')}=[^;/\\\\]*`, 'gi');

function escapeOf(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16)}`;
}

/**
 * Rule 3, before dot segments are resolved: `;jsessionid=…` leaves the path of an absolute address that is not parsed yet
 * (`/a/..;jsessionid=1` is `/a/..`).
 */
export function dropPathSessions(text: string): string {
  const start = AUTHORITY.exec(text)?.[0].length;
  if (start === undefined) return text;
  const length = text.slice(start).search(/[?#]/);
  const end = length < 0 ? text.length : start + length;
  return text.slice(0, start) + text.slice(start, end).replace(SESSION, '') + text.slice(end);
}
