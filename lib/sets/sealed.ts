/**
 * One saved set is one buffer: a header, then the payload. The header (little endian) is
 *
 *      0  magic, 4 ASCII bytes, one per kind of set
 *      4  version, u32
 *      8  length of the whole buffer in bytes, f64
 *     16  log number, f64      the last entry of the log that the set contains
 *     24  checksum, 2 u32      of everything else
 *     32  policy version, 64 bytes of ASCII, filled up with zeros: the policy its keys were made by
 *
 * The checksum finds accidents, not enemies: whoever reads a payload still checks every length and position in it.
 */
const HEADER = 96;
const CHECKSUM_AT = 24;
const POLICY_AT = 32;
const POLICY_LENGTH = HEADER - POLICY_AT;

/** What a saved set is up to date with; the reader replays the log from here, or rebuilds where the policy differs. */
export interface Stamp {
  readonly log: number;
  /** Version of the policy: at most 64 printable ASCII characters. */
  readonly policy: string;
}

export interface Kind {
  /** The name in error messages. */
  readonly name: string;
  /** Four ASCII characters. */
  readonly magic: string;
  readonly version: number;
}

const POLICY = new RegExp(`^[ -~]{0,${POLICY_LENGTH}}$`);
const UNSTAMPED: Stamp = { log: 0, policy: '' };

/** Thrown by every `from(buffer)`: the buffer is not what was saved. The set must be rebuilt from its source. */
export class DamagedSetError extends Error {
  override name = 'DamagedSetError';
}

/** A buffer for a payload of `length` bytes, to be filled (`payloadOf`) and then closed by `seal`. */
export function allocateSealed(length: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(HEADER + length);
}

export function payloadOf(buffer: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return buffer.subarray(HEADER);
}

/** Writes header and checksum. @throws RangeError for a stamp that cannot be written. */
export function seal(
  kind: Kind,
  buffer: Uint8Array<ArrayBuffer>,
  stamp: Stamp = UNSTAMPED,
): Uint8Array<ArrayBuffer> {
  const view = viewOf(buffer);
  for (let i = 0; i < 4; i++) view.setUint8(i, kind.magic.charCodeAt(i));
  view.setUint32(4, kind.version, true);
  view.setFloat64(8, buffer.length, true);
  view.setFloat64(16, stamp.log, true);
  if (!Number.isSafeInteger(stamp.log))
    throw new RangeError(`a log number is a whole number, not ${stamp.log}`);
  if (!POLICY.test(stamp.policy))
    throw new RangeError(`a policy version has at most 64 ASCII characters, not ${stamp.policy}`);
  for (let i = 0; i < stamp.policy.length; i++) view.setUint8(POLICY_AT + i, stamp.policy.charCodeAt(i));
  const [low, high] = checksum(buffer);
  view.setUint32(CHECKSUM_AT, low, true);
  view.setUint32(CHECKSUM_AT + 4, high, true);
  return buffer;
}

/**
 * The payload and stamp of a sealed buffer.
 * @throws DamagedSetError when it is not of this kind, of another version, cut, longer than it says, or changed.
 */
export function unseal(kind: Kind, buffer: ArrayBuffer | Uint8Array): { payload: Uint8Array; stamp: Stamp } {
  const stamp = readHeader(kind, buffer);
  const bytes = asBytes(buffer);
  const view = viewOf(bytes);
  const [low, high] = checksum(bytes);
  if (view.getUint32(CHECKSUM_AT, true) !== low || view.getUint32(CHECKSUM_AT + 4, true) !== high) {
    throw new DamagedSetError(
      `${kind.name}: the checksum does not match, the data was changed after it was saved`,
    );
  }
  return { payload: bytes.subarray(HEADER), stamp };
}

/** Whether the buffer says it is of this kind. */
export function isKind(kind: Kind, buffer: ArrayBuffer | Uint8Array): boolean {
  return String.fromCharCode(...asBytes(buffer).subarray(0, 4)) === kind.magic;
}

/** The stamp alone, without reading the payload. Same errors as `unseal`, but for the checksum. */
export function readHeader(kind: Kind, buffer: ArrayBuffer | Uint8Array): Stamp {
  const fail = (what: string): never => {
    throw new DamagedSetError(`${kind.name}: ${what}`);
  };
  const bytes = asBytes(buffer);
  if (bytes.length < HEADER) fail(`${bytes.length} bytes are too few, the header alone takes ${HEADER}`);
  const view = viewOf(bytes);
  const magic = String.fromCharCode(...bytes.subarray(0, 4));
  if (magic !== kind.magic)
    fail(`starts with ${JSON.stringify(magic)} instead of ${JSON.stringify(kind.magic)}`);
  const version = view.getUint32(4, true);
  if (version !== kind.version) fail(`has version ${version}, this program reads version ${kind.version}`);
  const length = view.getFloat64(8, true);
  if (length !== bytes.length) fail(`says it has ${length} bytes, but ${bytes.length} are here`);
  const log = view.getFloat64(16, true);
  if (!Number.isSafeInteger(log)) fail('has no valid log number');
  const policy = String.fromCharCode(...bytes.subarray(POLICY_AT, HEADER)).replace(/\0+$/, '');
  if (!POLICY.test(policy)) fail('has no valid policy version');
  return { log, policy };
}

function asBytes(buffer: unknown): Uint8Array {
  if (buffer instanceof Uint8Array) return buffer;
  // Nothing else: a number would be taken for a length to allocate.
  return buffer instanceof ArrayBuffer ? new Uint8Array(buffer) : new Uint8Array();
}

/** A number of things that fits in an array, read from a payload. @throws DamagedSetError */
export function readCount(kind: Kind, view: DataView, at: number, most: number, what: string): number {
  const count = view.getFloat64(at, true);
  if (!Number.isSafeInteger(count) || count < 0 || count > most) {
    throw new DamagedSetError(`${kind.name}: ${what} is ${count}, which is not between 0 and ${most}`);
  }
  return count;
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Four lanes of MurmurHash3's block step over 32-bit words (the lanes hide the multiplier's latency), the checksum field left out.
 * Each step is a bijection of its lane, so a change of one word is always found.
 */
function checksum(bytes: Uint8Array): [number, number] {
  const view = viewOf(bytes);
  let a = 0x243f6a88;
  let b = 0x85a308d3;
  let c = 0x13198a2e;
  let d = 0x03707344;
  const step = (h: number, k: number): number => {
    h ^= Math.imul(k, 0xcc9e2d51);
    return (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
  };
  for (let i = 0; i < CHECKSUM_AT; i += 4) a = step(a, view.getInt32(i, true));
  const start = CHECKSUM_AT + 8;
  const whole = start + ((bytes.length - start) & ~15);
  for (let i = start; i < whole; i += 16) {
    a = step(a, view.getInt32(i, true));
    b = step(b, view.getInt32(i + 4, true));
    c = step(c, view.getInt32(i + 8, true));
    d = step(d, view.getInt32(i + 12, true));
  }
  for (let i = whole; i < bytes.length; i++) a = step(a, view.getUint8(i));
  a = step(a, d);
  b = step(b, c);
  a = step(a, b);
  return [a >>> 0, step(step(b, a), c) >>> 0];
}
