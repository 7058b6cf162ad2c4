import murmurhash from 'murmurhash';

/** MurmurHash3 x86_32 (Austin Appleby) of the text's UTF-8 bytes, as an unsigned 32-bit number. */
export function murmur3(text: string, seed = 0): number {
  return murmurhash.v3(text, seed) >>> 0;
}
