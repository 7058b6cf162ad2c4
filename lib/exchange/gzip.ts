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
