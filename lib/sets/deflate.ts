/** Raw deflate (RFC 1951) by the platform's streams (browsers, workers, Node). */
export async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new CompressionStream('deflate-raw');
  const writer = stream.writable.getWriter();
  const written = Promise.all([writer.write(bytes), writer.close()]);
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream.readable.getReader();
  for (let step = await reader.read(); step.value !== undefined; step = await reader.read()) {
    chunks.push(step.value);
    length += step.value.length;
  }
  await written;
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

/** One byte of deflate makes at most this many: a repeated match of 258 bytes takes two bits. */
const MOST_RATIO = 1032;

/**
 * What was deflated, known to have `length` bytes; undefined when it has not, or is no deflate stream. Takes no more memory than
 * `length`, nor any for a length that so few bytes cannot make.
 */
export async function inflate(
  bytes: Uint8Array<ArrayBuffer>,
  length: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (length > bytes.length * MOST_RATIO) return undefined;
  const stream = new DecompressionStream('deflate-raw');
  const writer = stream.writable.getWriter();
  // A damaged stream fails on both sides; the reader is the one that is listened to.
  writer.write(bytes).catch(() => undefined);
  writer.close().catch(() => undefined);
  const all = new Uint8Array(length);
  let at = 0;
  const reader = stream.readable.getReader();
  try {
    for (let step = await reader.read(); step.value !== undefined; step = await reader.read()) {
      if (at + step.value.length > length) {
        await reader.cancel();
        return undefined;
      }
      all.set(step.value, at);
      at += step.value.length;
    }
  } catch {
    return undefined;
  }
  return at === length ? all : undefined;
}
