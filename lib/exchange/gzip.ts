/** A compressed stream that is fed by hand: `push` and `end` answer the bytes that are ready. */
export interface Compressor {
  push(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>[]>;
  end(): Promise<Uint8Array<ArrayBuffer>[]>;
}

/** gzip by the platform's CompressionStream (browsers, workers, Node). */
export function gzip(): Compressor {
  const stream = new CompressionStream('gzip');
  const writer = stream.writable.getWriter();
  let ready: Uint8Array<ArrayBuffer>[] = [];
  const pump = (async () => {
    for (const reader = stream.readable.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done || value === undefined) return;
      ready.push(value);
    }
  })();
  const take = () => {
    const taken = ready;
    ready = [];
    return taken;
  };
  return {
    async push(bytes) {
      await writer.write(bytes);
      return take();
    },
    async end() {
      await writer.close();
      await pump;
      return take();
    },
  };
}

/** Bytes of a file, with gzip undone where it is. Memory does not grow with the file. @throws {Error} where the gzip data is damaged */
export async function* gunzip(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const source = iterate(bytes);
  let head: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  while (head.length < 2) {
    const next = await source.next();
    if (next.done) break;
    const longer = new Uint8Array(head.length + next.value.length);
    longer.set(head);
    longer.set(next.value, head.length);
    head = longer;
  }
  if (head[0] !== 0x1f || head[1] !== 0x8b) {
    if (head.length > 0) yield head;
    yield* source;
    return;
  }
  const stream = new DecompressionStream('gzip');
  const writer = stream.writable.getWriter();
  const feed = (async () => {
    await writer.write(head);
    for await (const chunk of source) await writer.write(new Uint8Array(chunk));
    await writer.close();
  })();
  // The reader meets the same error.
  feed.catch(() => {});
  try {
    for (const reader = stream.readable.getReader(); ;) {
      const { done, value } = await reader.read();
      if (done || value === undefined) return;
      yield value;
    }
  } catch {
    throw new Error('The gzip data of the file is damaged or cut off.');
  }
}

async function* iterate(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* bytes;
}
