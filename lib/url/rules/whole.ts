import { decodeOnce } from '../escapes.ts';
import type { Context } from './index.ts';
import { trim } from './trim.ts';

const ENCODED_SCHEME = /^https?(?:%((?:25)*)3a|:%((?:25)*)2f%(?:25)*2f)/i;

/** Nobody encodes as often as this; a hostile text could take minutes. */
const MOST_LAYERS = 100;

/**
 * Rule 2: an address that was percent-encoded as a whole is decoded, as many times as its first escape says. The encoded
 * address ends at the first raw `?`, `&` or `#`, which no encoder of whole addresses leaves raw; what follows was never
 * encoded with it and stays as it is.
 */
export function decodeWhole(text: string, { pasted }: Context): string {
  const match = pasted ? ENCODED_SCHEME.exec(text) : null;
  if (match === null) return text;
  const layers = (match[1] ?? match[2] ?? '').length / 2 + 1;
  if (layers > MOST_LAYERS) return text;
  const rest = text.search(/[?&#]/);
  let encoded = rest < 0 ? text : text.slice(0, rest);
  for (let layer = 0; layer < layers; layer++) encoded = decodeOnce(encoded);
  return trim(rest < 0 ? encoded : encoded + text.slice(rest));
}
