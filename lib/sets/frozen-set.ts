import { ByteReader, ByteWriter } from './byte-stream.ts';
import { deflate, inflate } from './deflate.ts';
import { KeyBytes, nextPending } from './key-bytes.ts';
import {
  allocateSealed,
  DamagedSetError,
  payloadOf,
  readCount,
  readHeader,
  seal,
  unseal,
  viewOf,
  type Kind,
  type Stamp,
} from './sealed.ts';
import { ABSENT, KNOWN, GONE, VISITED, type Counts, type PresentState, type State } from './states.ts';

const KIND: Kind = { name: 'FrozenSet', magic: 'OOFZ', version: 1 };
/** Keys of a block. A search reads the first keys of log2(blocks) blocks, then one block. */
const BLOCK = 16;
const MOST_BYTES = 2 ** 31 - 1;
/** Ends a key in the saved form; no byte of an encoded key is as high. */
const END = 0xff;
/** Bytes of the payload's head: number of keys, then for each of three streams its length and its deflated length. */
const HEAD = 56;

/**
 * The keys of an ended round with their states, in code-unit order, not to be changed: front coding in blocks (each key says how many
 * bytes it shares with the one before, Witten, Moffat and Bell 1999), searched in place. A key costs v + 3 bytes and a sixteenth of
 * itself, where v is what it does not share.
 */
export class FrozenSet {
  readonly size: number;
  /** Blocks, one after another: per key the shared length (not for the first of a block) and own length as varints, own bytes. */
  readonly #bytes: Uint8Array<ArrayBuffer>;
  /** Where each block starts. */
  readonly #starts: Uint32Array<ArrayBuffer>;
  /** Two states a byte, the first in the low half. */
  readonly #states: Uint8Array<ArrayBuffer>;
  readonly #wanted = new KeyBytes();

  private constructor(
    size: number,
    bytes: Uint8Array<ArrayBuffer>,
    starts: Uint32Array<ArrayBuffer>,
    states: Uint8Array<ArrayBuffer>,
  ) {
    this.size = size;
    this.#bytes = bytes;
    this.#starts = starts;
    this.#states = states;
  }

  /**
   * Freezes entries that come in ascending order of code units, as a trie lists them.
   * @throws TypeError when they do not.
   */
  static freeze(entries: Iterable<readonly [key: string, state: PresentState]>): FrozenSet {
    const writer = new BlockWriter();
    const key = new KeyBytes();
    for (const [text, state] of entries) {
      key.set(text);
      if (!writer.append(key, sharedLength(writer.last, key), state))
        throw new TypeError(`entries are not in ascending order at ${JSON.stringify(text)}`);
    }
    return writer.finish((...parts) => new FrozenSet(...parts));
  }

  get byteLength(): number {
    return this.#bytes.length + this.#starts.byteLength + this.#states.length;
  }

  has(key: string): boolean {
    return this.stateOf(key) !== ABSENT;
  }

  stateOf(key: string): State {
    this.#wanted.set(key);
    const index = this.#indexOf(this.#wanted);
    return index < 0 ? ABSENT : this.#stateAt(index);
  }

  /** How many keys that start with `prefix` are visited and known. Reads the keys below the prefix. */
  countsBelow(prefix: string): Counts {
    let visited = 0;
    let known = 0;
    for (const state of this.#below(prefix, (cursor) => this.#stateAt(cursor.index))) {
      if (state === VISITED) visited++;
      else if (state === KNOWN) known++;
    }
    return { visited, known };
  }

  /** Keys that start with `prefix`, with their states, in code-unit order; only their blocks are read. */
  entries(prefix = ''): Generator<[key: string, state: PresentState]> {
    return this.#below(prefix, (cursor) => [cursor.key.toString(), this.#stateAt(cursor.index)]);
  }

  [Symbol.iterator](): Generator<[key: string, state: PresentState]> {
    return this.entries();
  }

  /** The set as one sealed buffer: shared lengths, own bytes and states without blocks, each deflated. */
  async toBuffer(stamp?: Stamp): Promise<Uint8Array<ArrayBuffer>> {
    const shared = new ByteWriter(this.size + 16);
    const own = new ByteWriter(this.#bytes.length);
    const before = new KeyBytes();
    for (const cursor = new Cursor(this.#bytes, 0, 0, this.size); cursor.next();) {
      const same = sharedLength(before, cursor.key);
      shared.varint(same);
      own.append(cursor.key.bytes, same, cursor.key.length);
      own.byte(END);
      before.splice(same, cursor.key.bytes.subarray(same, cursor.key.length));
    }
    const streams = [shared.bytes(), own.bytes(), this.#states];
    const packed = await Promise.all(streams.map(deflate));
    const buffer = allocateSealed(packed.reduce((sum, { length }) => sum + length, HEAD));
    const payload = payloadOf(buffer);
    const view = viewOf(payload);
    view.setFloat64(0, this.size, true);
    let at = HEAD;
    for (const [i, stream] of packed.entries()) {
      view.setFloat64(8 + i * 16, streams[i]!.length, true);
      view.setFloat64(16 + i * 16, stream.length, true);
      payload.set(stream, at);
      at += stream.length;
    }
    return seal(KIND, buffer, stamp);
  }

  /** @throws DamagedSetError when the buffer is not what `toBuffer` gave. */
  static async from(buffer: ArrayBuffer | Uint8Array): Promise<FrozenSet> {
    const { payload } = unseal(KIND, buffer);
    const fail = (what: string): never => {
      throw new DamagedSetError(`${KIND.name}: ${what}`);
    };
    if (payload.length < HEAD) fail(`${payload.length} bytes are too few`);
    const view = viewOf(payload);
    const size = readCount(KIND, view, 0, Number.MAX_SAFE_INTEGER, 'the number of keys');
    const streams: Uint8Array<ArrayBuffer>[] = [];
    let at = HEAD;
    for (const [i, name] of ['shared lengths', 'keys', 'states'].entries()) {
      const length = readCount(KIND, view, 8 + i * 16, 2 ** 32, `the length of its ${name}`);
      const packed = readCount(
        KIND,
        view,
        16 + i * 16,
        payload.length - at,
        `the deflated length of its ${name}`,
      );
      streams.push(
        (await inflate(payload.slice(at, at + packed), length)) ??
          fail(`its ${name} do not inflate to ${length} bytes`),
      );
      at += packed;
    }
    if (at !== payload.length) fail(`has ${payload.length - at} bytes too many`);
    const [shared, own, states] = streams as [Uint8Array, Uint8Array, Uint8Array];
    if (shared.length < size || own.length < size || states.length !== Math.ceil(size / 2))
      fail(`has not the data of ${size} keys`);

    const writer = new BlockWriter();
    const key = new KeyBytes();
    const lengths = new ByteReader(shared);
    let start = 0;
    for (let i = 0; i < size; i++) {
      const same = lengths.varint();
      const end = own.indexOf(END, start);
      if (end < 0 || same === undefined || same > key.length) return fail(`key ${i} is incomplete`);
      key.splice(same, own.subarray(start, end));
      const state = (states[i >> 1]! >> ((i & 1) * 4)) & 15;
      if (state === ABSENT || state > GONE) fail(`key ${i} has the unknown state ${state}`);
      if (!endsAsText(key, same)) fail(`key ${i} is no text`);
      if (!writer.append(key, same, state as PresentState)) fail(`key ${i} is out of order`);
      if (writer.byteLength > MOST_BYTES) fail('takes more than 2 GiB');
      start = end + 1;
    }
    if (start !== own.length || !lengths.done) fail(`goes on after key ${size}`);
    return writer.finish((...parts) => new FrozenSet(...parts));
  }

  /** What a saved set is up to date with. @throws DamagedSetError */
  static stampOf(buffer: ArrayBuffer | Uint8Array): Stamp {
    return readHeader(KIND, buffer);
  }

  #stateAt(index: number): PresentState {
    return ((this.#states[index >> 1]! >> ((index & 1) * 4)) & 15) as PresentState;
  }

  /** At the first key that is not below `wanted`; undefined when all are. */
  #seek(wanted: KeyBytes): Cursor | undefined {
    const block = this.#blockFor(wanted);
    const cursor = new Cursor(this.#bytes, this.#starts[block] ?? 0, block * BLOCK, this.size);
    while (cursor.next()) if (compare(cursor.key, wanted) >= 0) return cursor;
    return undefined;
  }

  /** The last block whose first key is not above `wanted`; 0 when all are. */
  #blockFor(wanted: KeyBytes): number {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#firstIsAbove(middle, wanted)) high = middle;
      else low = middle;
    }
    return low;
  }

  #firstIsAbove(block: number, { bytes: wanted, length: wantedLength }: KeyBytes): boolean {
    const bytes = this.#bytes;
    const reader = new ByteReader(bytes, this.#starts[block]);
    const length = reader.varint()!;
    const most = Math.min(length, wantedLength);
    const start = reader.at;
    for (let i = 0; i < most; i++) {
      const difference = bytes[start + i]! - wanted[i]!;
      if (difference !== 0) return difference > 0;
    }
    return length > wantedLength;
  }

  /** Index of the key `wanted`, -1 for none. Compares in place: no key is put together. */
  #indexOf(wanted: KeyBytes): number {
    const block = this.#blockFor(wanted);
    const bytes = this.#bytes;
    const reader = new ByteReader(bytes, this.#starts[block] ?? 0);
    const end = Math.min(this.size, (block + 1) * BLOCK);
    // All keys so far are below the wanted one and the last shares `same` bytes with it.
    let same = 0;
    for (let index = block * BLOCK; index < end; index++) {
      const shared = index === block * BLOCK ? 0 : reader.varint()!;
      const length = reader.varint()!;
      const start = reader.at;
      reader.at += length;
      if (shared < same) return -1;
      if (shared > same) continue;
      const most = Math.min(length, wanted.length - same);
      let i = 0;
      while (i < most && bytes[start + i] === wanted.bytes[same + i]) i++;
      same += i;
      if (i === length && same === wanted.length) return index;
      if (same === wanted.length || (i < length && bytes[start + i]! > wanted.bytes[same]!)) return -1;
    }
    return -1;
  }

  *#below<T>(prefix: string, what: (cursor: Cursor) => T): Generator<T> {
    const wanted = new KeyBytes();
    wanted.set(prefix);
    const cursor = this.#seek(wanted);
    if (cursor === undefined) return;
    do {
      if (sharedLength(wanted, cursor.key) < wanted.length) return;
      yield what(cursor);
    } while (cursor.next());
  }
}

/** Reads keys one after another from the start of a block on. */
class Cursor {
  readonly key = new KeyBytes();
  index: number;
  readonly #reader: ByteReader;
  readonly #size: number;

  constructor(bytes: Uint8Array, start: number, index: number, size: number) {
    this.#reader = new ByteReader(bytes, start);
    this.index = index - 1;
    this.#size = size;
  }

  next(): boolean {
    if (this.index + 1 >= this.#size) return false;
    this.index++;
    const shared = this.index % BLOCK === 0 ? 0 : this.#reader.varint()!;
    this.key.splice(shared, this.#reader.take(this.#reader.varint()!));
    return true;
  }
}

/** Writes keys in ascending order into blocks. */
class BlockWriter {
  readonly #bytes = new ByteWriter(1024);
  readonly #starts: number[] = [];
  readonly #states = new ByteWriter(64);
  /** The key written last. */
  readonly last = new KeyBytes();
  #size = 0;
  #half = 0;

  /**
   * `same` is how many bytes the key shares with the last one. False, and nothing written, when that is not so or the key is not
   * above the last one.
   */
  append(key: KeyBytes, same: number, state: PresentState): boolean {
    const { last } = this;
    const above = key.length > same && (same === last.length || key.bytes[same]! > last.bytes[same]!);
    if (this.#size > 0 && !above) return false;
    const first = this.#size % BLOCK === 0;
    const shared = first ? 0 : same;
    if (first) this.#starts.push(this.#bytes.length);
    else this.#bytes.varint(shared);
    this.#bytes.varint(key.length - shared);
    this.#bytes.append(key.bytes, shared, key.length);
    if (this.#size % 2 === 0) this.#half = state;
    else this.#states.byte(this.#half | (state << 4));
    last.splice(same, key.bytes.subarray(same, key.length));
    this.#size++;
    return true;
  }

  get byteLength(): number {
    return this.#bytes.length;
  }

  finish<T>(
    make: (
      size: number,
      bytes: Uint8Array<ArrayBuffer>,
      starts: Uint32Array<ArrayBuffer>,
      states: Uint8Array<ArrayBuffer>,
    ) => T,
  ): T {
    if (this.#size % 2 === 1) this.#states.byte(this.#half);
    return make(this.#size, this.#bytes.bytes(), new Uint32Array(this.#starts), this.#states.bytes());
  }
}

function sharedLength(a: KeyBytes, b: KeyBytes): number {
  const most = Math.min(a.length, b.length);
  let same = 0;
  while (same < most && a.bytes[same] === b.bytes[same]) same++;
  return same;
}

function compare(a: KeyBytes, b: KeyBytes): number {
  const same = sharedLength(a, b);
  if (same === a.length || same === b.length) return a.length - b.length;
  return a.bytes[same]! - b.bytes[same]!;
}

/** Whether a key is text, known that the key before it is and shares `same` bytes. */
function endsAsText({ bytes, length }: KeyBytes, same: number): boolean {
  // From the start of the last code unit that the shared bytes touch.
  let at = Math.max(0, same - 1);
  while (at > 0 && bytes[at]! >= 0x80 && bytes[at]! < 0xc0) at--;
  let pending = 0;
  while (at < length && pending >= 0) pending = nextPending(pending, bytes[at++]!);
  return pending === 0;
}
