/**
 * A key as bytes, in a buffer that is used again. One code unit is one, two or three bytes, laid out as UTF-8 does for code points
 * (so ASCII is itself); halves of surrogate pairs are encoded alone. So every string has its own bytes, and the order of bytes is the
 * order of code units.
 */
export class KeyBytes {
  bytes = new Uint8Array(1024);
  length = 0;

  set(key: string): void {
    this.length = 0;
    this.append(key);
  }

  append(piece: string): void {
    const { length } = piece;
    this.#reserve(this.length + length);
    const { bytes } = this;
    const start = this.length;
    let units = 0;
    for (let i = 0; i < length; i++) {
      const unit = piece.charCodeAt(i);
      units |= unit;
      bytes[start + i] = unit;
    }
    this.length += length;
    if (units >= 0x80) {
      this.length = start;
      this.#appendAny(piece);
    }
  }

  /** Takes another key; how many bytes of the last one it begins with (of text beyond ASCII perhaps fewer than it could say). */
  replace(key: string): number {
    this.#reserve(key.length);
    const { bytes } = this;
    const { length } = key;
    const most = Math.min(length, this.length);
    let units = 0;
    let same = 0;
    while (same < most) {
      const unit = key.charCodeAt(same);
      if (unit !== bytes[same]) break;
      units |= unit;
      same++;
    }
    if (units >= 0x80) return this.#replaceAny(key, bytes.subarray(0, same));
    for (let i = same; i < length; i++) {
      const unit = key.charCodeAt(i);
      units |= unit;
      bytes[i] = unit;
    }
    this.length = length;
    if (units >= 0x80) return this.#replaceAny(key, bytes.subarray(0, same));
    return same;
  }

  /** `replace` where only `equal` is known to be the same, and its first ASCII bytes to be. */
  #replaceAny(key: string, equal: Uint8Array): number {
    const beyond = equal.findIndex((byte) => byte >= 0x80);
    const same = beyond < 0 ? equal.length : beyond;
    this.length = same;
    this.append(key.slice(same));
    return same;
  }

  #appendAny(piece: string): void {
    this.#reserve(this.length + piece.length * 3);
    const { bytes } = this;
    let at = this.length;
    for (let i = 0; i < piece.length; i++) {
      const unit = piece.charCodeAt(i);
      if (unit < 0x80) {
        bytes[at++] = unit;
      } else if (unit < 0x800) {
        bytes[at++] = 0xc0 | (unit >> 6);
        bytes[at++] = 0x80 | (unit & 0x3f);
      } else {
        bytes[at++] = 0xe0 | (unit >> 12);
        bytes[at++] = 0x80 | ((unit >> 6) & 0x3f);
        bytes[at++] = 0x80 | (unit & 0x3f);
      }
    }
    this.length = at;
  }

  /** Makes room for `length` bytes in all. */
  #reserve(length: number): void {
    if (length <= this.bytes.length) return;
    const larger = new Uint8Array(length * 2);
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }

  /** Appends one byte that is already encoded. */
  push(byte: number): void {
    this.#reserve(this.length + 1);
    this.bytes[this.length++] = byte;
  }

  /** Cuts to `length` bytes and appends bytes that are already encoded. */
  splice(length: number, more: Uint8Array): void {
    this.#reserve(length + more.length);
    this.bytes.set(more, length);
    this.length = length + more.length;
  }

  toString(): string {
    return decodeBytes(this.bytes, 0, this.length);
  }
}

const CHUNK = 4096;

/** The string of encoded bytes from `start` to `end`. */
export function decodeBytes(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let from = start; from < end; from += CHUNK) {
    const chunk = bytes.subarray(from, Math.min(from + CHUNK, end));
    if (chunk.some((byte) => byte >= 0x80)) return decodeAny(bytes, start, end);
    text += String.fromCharCode(...chunk);
  }
  return text;
}

function decodeAny(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let i = start; i < end;) {
    const byte = bytes[i++]!;
    if (byte < 0x80) text += String.fromCharCode(byte);
    else if (byte < 0xe0) text += String.fromCharCode(((byte & 0x1f) << 6) | (bytes[i++]! & 0x3f));
    else
      text += String.fromCharCode(((byte & 0x0f) << 12) | ((bytes[i++]! & 0x3f) << 6) | (bytes[i++]! & 0x3f));
  }
  return text;
}

/**
 * Follows bytes that should be an encoding: `pending` says what must come next (0: a new code unit). Gives the next `pending`, or -1
 * where the byte cannot stand there.
 */
export function nextPending(pending: number, byte: number): number {
  if (pending === 0) {
    if (byte < 0x80) return 0;
    if (byte >= 0xc2 && byte < 0xe0) return 1;
    if (byte >= 0xe0 && byte < 0xf0) return byte === 0xe0 ? 3 : 2;
    return -1;
  }
  if (byte < 0x80 || byte >= 0xc0 || (pending === 3 && byte < 0xa0)) return -1;
  return pending === 1 ? 0 : 1;
}
