import { FRAGMENT, PATH, QUERY, USERINFO } from '../escapes.ts';

/** Bits of `CLASSES`: where an ASCII character may stand raw in a key. */
const UNRESERVED = 1;
export const IN_USERINFO = 2;
export const IN_PATH = 4;
export const IN_QUERY = 8;
export const IN_FRAGMENT = 16;
/** Lower-case letters, digits, `-` and `_`; the dot between labels is asked for by itself. */
export const IN_HOST = 32;

/** What each ASCII character is; `%` is nothing, because what follows decides. */
export const CLASSES = new Uint8Array(128);

mark(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~',
  UNRESERVED | IN_USERINFO | IN_PATH | IN_QUERY | IN_FRAGMENT,
);
mark(USERINFO, IN_USERINFO);
mark(PATH, IN_PATH);
mark(QUERY, IN_QUERY);
mark(FRAGMENT, IN_FRAGMENT);
mark('abcdefghijklmnopqrstuvwxyz0123456789-_', IN_HOST);

function mark(characters: string, bit: number): void {
  for (let i = 0; i < characters.length; i++) CLASSES[characters.charCodeAt(i)]! |= bit;
}

const HEX = Array.from({ length: 256 }, (_, byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`);

/** The value of a hex digit, or -1. */
function hexValue(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

/** Whether `%` at this place begins an escape that a key keeps: two upper-case hex digits, not of an unreserved character. */
export function isKeptEscape(text: string, at: number): boolean {
  if (at + 2 >= text.length) return false;
  const high = text.charCodeAt(at + 1);
  const low = text.charCodeAt(at + 2);
  const byte = (hexValue(high) << 4) | hexValue(low);
  return byte >= 0 && high < 97 && low < 97 && (byte > 127 || (CLASSES[byte]! & UNRESERVED) === 0);
}

/** Rule 4 for `text` from `start` to `end`; `spaces` writes a raw `+` as `%20`. */
export function spellPart(
  text: string,
  start: number,
  end: number,
  allowed: number,
  spaces: boolean,
): string {
  let spelled = '';
  let from = start;
  let i = start;
  while (i < end) {
    const code = text.charCodeAt(i);
    if (code < 128 && (CLASSES[code]! & allowed) !== 0 && !(spaces && code === 43)) {
      i++;
      continue;
    }
    if (code === 37 && i + 2 < end && isKeptEscape(text, i)) {
      i += 3;
      continue;
    }
    spelled += text.slice(from, i);
    if (code === 37) {
      const byte =
        i + 2 < end ? (hexValue(text.charCodeAt(i + 1)) << 4) | hexValue(text.charCodeAt(i + 2)) : -1;
      if (byte < 0) spelled += '%25';
      else
        spelled += byte < 128 && (CLASSES[byte]! & UNRESERVED) !== 0 ? String.fromCharCode(byte) : HEX[byte];
      i += byte < 0 ? 1 : 3;
    } else if (code === 43 && spaces) {
      spelled += '%20';
      i++;
    } else if (code < 0x80) {
      spelled += HEX[code];
      i++;
    } else {
      const point = text.codePointAt(i)!;
      spelled += utf8(point);
      i += point > 0xffff ? 2 : 1;
    }
    from = i;
  }
  return from === start ? text.slice(start, end) : spelled + text.slice(from, end);
}

function utf8(point: number): string {
  if (point < 0x800) return HEX[0xc0 | (point >> 6)]! + HEX[0x80 | (point & 63)]!;
  if (point >= 0xd800 && point <= 0xdfff) return '%EF%BF%BD';
  if (point < 0x10000)
    return HEX[0xe0 | (point >> 12)]! + HEX[0x80 | ((point >> 6) & 63)]! + HEX[0x80 | (point & 63)]!;
  return (
    HEX[0xf0 | (point >> 18)]! +
    HEX[0x80 | ((point >> 12) & 63)]! +
    HEX[0x80 | ((point >> 6) & 63)]! +
    HEX[0x80 | (point & 63)]!
  );
}
