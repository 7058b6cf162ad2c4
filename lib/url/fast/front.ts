// An escape that a key keeps: upper-case hex, not of an unreserved character.
const ESCAPE = '%(?:[89A-F][0-9A-F]|[01][0-9A-F]|2[0-9A-CF]|3[A-F]|40|5[B-E]|60|7[BCDF])';
// No label may need the parser (`xn--`), and the last may not look like a number.
const HOST = '(?:(?!xn--)[a-z0-9_-]+\\.)*(?!xn--)[a-z_-][a-z0-9_-]*';
// Four digits are no default port and never too large.
const PORT = '(?::[1-9]\\d{3})?';
const IN_PATH = "[A-Za-z0-9\\-_~!$&'()*+,=:@/]*";
// `;` may begin a session id, a dot after a slash a dot segment: left to the thorough scan.
const PATH = `\\/${IN_PATH}(?:(?:(?<!\\/)\\.|${ESCAPE})${IN_PATH})*`;

const FRONT = new RegExp(`https?:\\/\\/${HOST}${PORT}${PATH}`, 'y');

/** Compiled expressions read short texts faster than loops; what they keep for going back has no room for very long ones. */
const LONGEST_MATCHED = 4096;

/**
 * How far scheme, host, port and path stand as in a key while no switch of rule 4 is on; 0 when not even the host does. If the
 * path goes on there, it has to be scanned otherwise.
 */
export function scanFront(text: string): number {
  if (text.length > LONGEST_MATCHED) return 0;
  FRONT.lastIndex = 0;
  return FRONT.test(text) ? FRONT.lastIndex : 0;
}
