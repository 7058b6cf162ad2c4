import murmurhash from 'murmurhash';

/** Seeds of the two words of a 64-bit fingerprint. */
export const SEEDS: readonly [number, number] = [0, 0x9747b28c];

/**
 * The result of the last `hashKey`: MurmurHash3 x86_32 of the key's UTF-8 under both seeds. One shared pair, so that hashing
 * allocates nothing; read it before the next call.
 */
export const words = new Uint32Array(2);

/**
 * Hashes `key` into `words`, equal to npm `murmurhash` bit for bit. Keys are ASCII by construction, and for ASCII a code unit is a
 * byte; anything else goes to the package, after the loop: a call inside it makes the whole loop four times slower for good.
 * Algorithm: Austin Appleby, MurmurHash3_x86_32 (public domain), with one key schedule for both seeds.
 */
export function hashKey(key: string): void {
  if (encoder !== undefined) hashEncoded(key, encoder);
  else if (!hashAscii(key)) hashAny(key);
}

let encoder: TextEncoder | undefined;

/**
 * Makes `hashKey` read keys through `encodeInto` from now on: half the time in Node, four to eight times as long in Chromium, so that it
 * is for a program to say where it runs. The hashes are the same.
 */
export function readKeysWith(textEncoder: TextEncoder | undefined): void {
  encoder = textEncoder;
}

/**
 * `hashKey` for sets that know a key by its hash alone. As UTF-8 all halves of surrogate pairs are one character, so that strings that
 * differ in nothing else would be one key; here they are spelled out.
 */
export function hashKeyApart(key: string): void {
  if (encoder !== undefined) hashEncoded(key.isWellFormed() ? key : JSON.stringify(key), encoder);
  else if (!hashAscii(key)) hashAny(key.isWellFormed() ? key : JSON.stringify(key));
}

function hashAny(key: string): void {
  words[0] = murmurhash.v3(key, SEEDS[0]);
  words[1] = murmurhash.v3(key, SEEDS[1]);
}

/** False, with `words` meaningless, where the key is not ASCII. */
function hashAscii(key: string): boolean {
  const length = key.length;
  const whole = length & ~3;
  let first: number = SEEDS[0];
  let second: number = SEEDS[1];
  let units = 0;
  let k = 0;
  for (let i = 0; i < whole; i += 4) {
    const a = key.charCodeAt(i);
    const b = key.charCodeAt(i + 1);
    const c = key.charCodeAt(i + 2);
    const d = key.charCodeAt(i + 3);
    units |= a | b | c | d;
    k = Math.imul(a | (b << 8) | (c << 16) | (d << 24), 0xcc9e2d51);
    k = Math.imul((k << 15) | (k >>> 17), 0x1b873593);
    first ^= k;
    first = (Math.imul((first << 13) | (first >>> 19), 5) + 0xe6546b64) | 0;
    second ^= k;
    second = (Math.imul((second << 13) | (second >>> 19), 5) + 0xe6546b64) | 0;
  }
  if (whole < length) {
    k = 0;
    for (let i = length - 1; i >= whole; i--) {
      const a = key.charCodeAt(i);
      units |= a;
      k = (k << 8) | a;
    }
    k = Math.imul(k, 0xcc9e2d51);
    k = Math.imul((k << 15) | (k >>> 17), 0x1b873593);
    first ^= k;
    second ^= k;
  }
  words[0] = finish(first ^ length);
  words[1] = finish(second ^ length);
  return units < 0x80;
}

let encoded = new Uint8Array(4096);
let encodedWords = new Int32Array(encoded.buffer);

function hashEncoded(key: string, textEncoder: TextEncoder): void {
  if (encoded.length < key.length * 3 + 4) {
    encoded = new Uint8Array(key.length * 6 + 4096);
    encodedWords = new Int32Array(encoded.buffer, 0, encoded.length >>> 2);
  }
  const length = textEncoder.encodeInto(key, encoded).written;
  const whole = length >>> 2;
  let first: number = SEEDS[0];
  let second: number = SEEDS[1];
  let k = 0;
  for (let i = 0; i < whole; i++) {
    k = Math.imul(encodedWords[i]!, 0xcc9e2d51);
    k = Math.imul((k << 15) | (k >>> 17), 0x1b873593);
    first ^= k;
    first = (Math.imul((first << 13) | (first >>> 19), 5) + 0xe6546b64) | 0;
    second ^= k;
    second = (Math.imul((second << 13) | (second >>> 19), 5) + 0xe6546b64) | 0;
  }
  if ((length & 3) !== 0) {
    k = encodedWords[whole]! & ((1 << ((length & 3) * 8)) - 1);
    k = Math.imul(k, 0xcc9e2d51);
    k = Math.imul((k << 15) | (k >>> 17), 0x1b873593);
    first ^= k;
    second ^= k;
  }
  words[0] = finish(first ^ length);
  words[1] = finish(second ^ length);
}

function finish(h: number): number {
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
