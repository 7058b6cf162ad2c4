/** Lines of a file in order. `null` stands for a line that is longer than the limit and was passed over. */
export interface Lines {
  /** Number of the first line, from 1. */
  first: number;
  lines: (string | null)[];
}

/** Longest line that is kept, in bytes. */
export const LONGEST_LINE = 1 << 24;

const LF = 10;
const CR = 13;

/**
 * Lines of a text file, whoever wrote it: UTF-8 or UTF-16 (by its byte order mark, or by its NULs), ends of line LF, CR LF or CR (as
 * Python reads them), the last one with or without. Byte order marks at the start of a line are dropped. Bytes that are not UTF-8
 * become `%XX`, which is what they mean in an address, so that two different lines never become one.
 * Memory: one chunk and one line. @throws {Error} for UTF-32.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  longest = LONGEST_LINE,
): AsyncGenerator<Lines> {
  let first = 1;
  for await (const block of lineBlocks(toUtf8(chunks), longest)) {
    const lines = block.bytes === null ? [null] : splitLines(block.bytes);
    yield { first, lines };
    first += lines.length;
  }
}

/** Whole lines as bytes, as many as one chunk brought; `bytes: null` for one line above the limit. */
async function* lineBlocks(
  chunks: AsyncIterable<Uint8Array>,
  longest: number,
): AsyncGenerator<{ bytes: Uint8Array | null }> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let overlong = false;
  for await (let chunk of chunks) {
    // A CR at the very end waits for the next byte: it may be half of a CR LF.
    if (pieces.length > 0 && pieces.at(-1)?.at(-1) === CR) {
      chunk = concat([pieces.pop() ?? chunk, chunk]);
      length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    }
    const end = lastLineEnd(chunk);
    if (end === 0) {
      pieces.push(chunk);
      length += chunk.length;
    } else {
      const start = overlong || length > longest ? firstLineEnd(chunk) : 0;
      if (start > 0) yield { bytes: null };
      if (end > start) yield { bytes: concat([...(start > 0 ? [] : pieces), chunk.subarray(start, end)]) };
      overlong = false;
      pieces = end < chunk.length ? [chunk.slice(end)] : [];
      length = chunk.length - end;
    }
    if (length > longest) {
      overlong = true;
      const last = pieces.at(-1);
      pieces = last?.at(-1) === CR ? [last.slice(-1)] : [];
    }
  }
  if (overlong) yield { bytes: null };
  else if (length > 0) yield { bytes: concat(pieces) };
}

/** Where the last whole line ends (0: none does). A CR as the last byte does not count. */
function lastLineEnd(bytes: Uint8Array): number {
  const feed = bytes.lastIndexOf(LF);
  let carriage = bytes.lastIndexOf(CR);
  if (carriage === bytes.length - 1 && carriage >= 0) carriage = bytes.subarray(0, -1).lastIndexOf(CR);
  return Math.max(feed, carriage) + 1;
}

function firstLineEnd(bytes: Uint8Array): number {
  const feed = bytes.indexOf(LF);
  const carriage = bytes.indexOf(CR);
  if (carriage < 0 || (feed >= 0 && feed < carriage)) return feed + 1;
  return carriage + (feed === carriage + 1 ? 2 : 1);
}

function splitLines(bytes: Uint8Array): string[] {
  let text = decode(bytes);
  const last = text.charCodeAt(text.length - 1);
  const end = last === LF ? (text.charCodeAt(text.length - 2) === CR ? 2 : 1) : last === CR ? 1 : 0;
  if (end > 0) text = text.slice(0, -end);
  const lines = text.includes('\r') ? text.split(/\r\n|\n|\r/) : text.split('\n');
  if (text.includes('\uFEFF')) return lines.map((line) => line.replace(/^\uFEFF+/, ''));
  return lines;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return decodeEscaping(bytes);
  }
}

/** UTF-8 with every byte that belongs to no character written as `%XX`. */
function decodeEscaping(bytes: Uint8Array): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let text = '';
  let valid = 0;
  for (let at = 0; at < bytes.length;) {
    const length = characterLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    text += `${decoder.decode(bytes.subarray(valid, at))}%${(bytes[at] ?? 0).toString(16).toUpperCase()}`;
    valid = ++at;
  }
  return text + decoder.decode(bytes.subarray(valid));
}

/** Bytes of the well-formed character at `at`, 0 where there is none (Unicode 16, table 3-7). */
function characterLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  const second = bytes[at + 1] ?? 0;
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (length === 0 || second < lowest || second > highest) return 0;
  for (let more = 2; more < length; more++) if (((bytes[at + more] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

/** The bytes in UTF-8 whatever Unicode encoding they came in. */
async function* toUtf8(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Uint8Array = new Uint8Array(0);
  let encoding: string | undefined;
  let decoder: TextDecoder | undefined;
  const encoder = new TextEncoder();
  for await (const chunk of chunks) {
    let bytes = chunk;
    if (encoding === undefined) {
      head = concat([head, chunk]);
      if (head.length < 4) continue;
      encoding = detectEncoding(head);
      bytes = head;
      if (encoding !== 'utf-8') decoder = new TextDecoder(encoding, { ignoreBOM: true });
    }
    yield decoder ? encoder.encode(decoder.decode(bytes, { stream: true })) : bytes;
  }
  if (encoding === undefined && head.length > 0) {
    encoding = detectEncoding(head);
    yield encoding === 'utf-8' ? head : encoder.encode(new TextDecoder(encoding).decode(head));
  } else if (decoder) yield encoder.encode(decoder.decode());
}

function detectEncoding([a, b, c, d]: Uint8Array): string {
  const isNul = (byte: number | undefined) => byte === 0;
  if ((a === 0xff && b === 0xfe && c === 0 && d === 0) || (a === 0 && b === 0 && c === 0xfe && d === 0xff)) {
    throw new Error('The file is UTF-32. Save it as UTF-8.');
  }
  if ((a === 0xff && b === 0xfe) || (a !== undefined && !isNul(a) && isNul(b))) return 'utf-16le';
  if ((a === 0xfe && b === 0xff) || (isNul(a) && b !== undefined && !isNul(b))) return 'utf-16be';
  return 'utf-8';
}

function concat(pieces: Uint8Array[]): Uint8Array {
  if (pieces.length === 1 && pieces[0]) return pieces[0];
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
