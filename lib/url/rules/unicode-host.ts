// Where engines differ on hosts with letters beyond ASCII, measured on random hosts in Node 24 and Chromium 156.
import { decodeBeyondAscii } from '../escapes.ts';

const RAW_HOST = /^(https?:[/\\]*(?:[^/\\?#]*@)?)([^/\\?#:]*)/i;
const BEYOND_ASCII = /[^\0-\x7f]|%[89a-f]/i;

/** The text with the host in normal form C and its UTF-8 escapes decoded: not every engine composes in the right order. */
export function withComposedHost(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text;
  const [whole, before, host] = RAW_HOST.exec(text) ?? [];
  if (whole === undefined || before === undefined || host === undefined || !BEYOND_ASCII.test(host))
    return text;
  return before + decodeBeyondAscii(host).normalize('NFC') + text.slice(whole.length);
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Hebrew and Arabic letters, then also their vowel signs, digits and `-`, and joiners before a letter. */
const RIGHT_TO_LEFT_LABEL =
  /^[\u05d0-\u05ea\u0620-\u064a\u0671-\u06d3](?:[\u05b0-\u05bd\u05d0-\u05ea\u0620-\u0669\u0671-\u06d3\u06f0-\u06f9\d-]|[\u200c\u200d](?=[\u0620-\u064a\u0671-\u06d3]))*(?<!-)$/u;
const LEFT_TO_RIGHT_LABEL = /^(?!xn--)\p{L}(?:[\p{L}\p{Nd}\p{M}_-]*[\p{L}\p{Nd}\p{M}])?$/iu;

/**
 * Whether engines may disagree on the host of a text: a label that begins with a combining mark, or right-to-left letters. With
 * those, some engines hold every label to RFC 5893 (a letter first, no sign last) and some only the right-to-left ones, and they
 * know other characters. All agree on plain Hebrew and Arabic between labels that keep the rule; the rest has to be given as `xn--`,
 * as browsers give it.
 */
export function isDisputed(text: string): boolean {
  const raw = RAW_HOST.exec(text)?.[2] ?? '';
  const host = raw.normalize('NFKC');
  const labels = host.replace(/[.。]$/, '').split(/[.。]/);
  if (labels.some((label) => /^\p{M}/u.test(label))) return true;
  if (!RIGHT_TO_LEFT.test(host)) return false;
  if (host !== raw) return true;
  return !labels.every((label) =>
    (RIGHT_TO_LEFT.test(label) ? RIGHT_TO_LEFT_LABEL : LEFT_TO_RIGHT_LABEL).test(label),
  );
}
