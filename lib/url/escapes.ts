// RFC 3986: what may stand raw besides unreserved characters. `'` is left out where WHATWG or an engine escapes it.
const SUB_DELIMS = "!$&'()*+,;=";
export const USERINFO = `${SUB_DELIMS}:`.replace("'", '');
export const PATH = `${SUB_DELIMS}:@/`;
export const QUERY = `${SUB_DELIMS}:@/?`.replace("'", '');
export const FRAGMENT = `${SUB_DELIMS}:@/?`;

const UNRESERVED = /[A-Za-z0-9\-._~]/;
const ESCAPE_OR_OTHER = /%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~]/gu;

/**
 * The one spelling of percent escapes (rule 4): unreserved characters decoded, hex in upper case, a lone `%` written `%25`,
 * and every character escaped (as UTF-8) that is neither unreserved nor in `allowed`.
 */
export function canonicalEscapes(text: string, allowed: string): string {
  return text.toWellFormed().replace(ESCAPE_OR_OTHER, (match) => {
    if (match.length === 3 && match.startsWith('%')) {
      const char = String.fromCharCode(Number.parseInt(match.slice(1), 16));
      return UNRESERVED.test(char) ? char : match.toUpperCase();
    }
    if (allowed.includes(match)) return match;
    return match > '\x7F' ? encodeURIComponent(match) : escapeAscii(match);
  });
}

function escapeAscii(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

const BEYOND_ASCII = /(?:%[89a-f][0-9a-f])+/gi;

/** The escapes of characters beyond ASCII decoded; bytes that are not UTF-8 stay escaped. */
export function decodeBeyondAscii(text: string): string {
  return text.replace(BEYOND_ASCII, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

/**
 * Undoes one layer of percent encoding, byte by byte. Bytes above 0x7F stay escaped: the parser would write them so again,
 * and nothing has to be valid UTF-8.
 */
export function decodeOnce(text: string): string {
  return text.replace(/%([0-7][0-9A-Fa-f])/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
