/** Bytes written one after another, in a buffer that grows. */
export class ByteWriter {
  length = 0;
  #bytes: Uint8Array<ArrayBuffer>;

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.length++] = value;
  }

  /** Seven bits a byte, the lowest first, the high bit set in all but the last. */
  varint(value: number): void {
    for (let rest = value; ; rest >>>= 7) {
      if (rest < 0x80) {
        this.byte(rest);
        return;
      }
      this.byte((rest & 0x7f) | 0x80);
    }
  }

  append(bytes: Uint8Array, start: number, end: number): void {
    this.#reserve(end - start);
    this.#bytes.set(bytes.subarray(start, end), this.length);
    this.length += end - start;
  }

  /** A copy of what was written, without spare room. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.length);
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#bytes.length) return;
    const larger = new Uint8Array((this.length + more) * 2);
    larger.set(this.#bytes.subarray(0, this.length));
    this.#bytes = larger;
  }
}

/** Bytes read one after another. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  get done(): boolean {
    return this.at === this.#bytes.length;
  }

  /** Undefined where the bytes end within it, or it has more than 31 bits. */
  varint(): number | undefined {
    let value = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#bytes[this.at++];
      if (byte === undefined) return undefined;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return undefined;
  }

  take(length: number): Uint8Array {
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }
}
