/** Nothing to do: printable ASCII words with single spaces. Most texts of most pages. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;
const ASCII = /^[\0-\x7f]*$/;

/**
 * Drawn as nothing: soft hyphen, zero width space, word joiner, byte order mark, bidi marks, embeddings and isolates, variation
 * selectors 15 and 16. ZWJ and ZWNJ stay: emoji, Indic scripts and Persian mean something else without them.
 */
const INVISIBLE =
  /(?:[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]|\ufe0e|\ufe0f)+/g;

/** Space separators (Unicode category Zs), tabs and line ends. */
const SPACES = /[\p{Zs}\t-\r\x85\u2028\u2029]+/gu;

/** A line end of the source between two characters of a script that is written without spaces. */
const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]`;
const UNSPACED_BREAK = new RegExp(String.raw`(?<=${UNSPACED})[ \t]*[\n\r]\s*(?=${UNSPACED})`, 'gu');

/**
 * Normal form of a block's text, before hashing: well-formed NFC, invisible characters dropped, every run of spaces one space,
 * trimmed. Idempotent. `keepSpaces` keeps runs of spaces (lines of a `pre` under its rule) and trims the end only.
 */
export function normalForm(raw: string, keepSpaces = false): string {
  if (PLAIN.test(raw)) return raw;
  let text = raw;
  if (!ASCII.test(text)) {
    text = text.toWellFormed().replace(INVISIBLE, '').normalize('NFC');
    if (!keepSpaces) text = text.replace(UNSPACED_BREAK, '');
  }
  return keepSpaces ? text.trimEnd() : text.replace(SPACES, ' ').trim();
}
