import type { Bytes } from './reader.ts';

/**
 * The text of a file in pieces, for formats without lines. UTF-8, or UTF-16 by its byte order mark; the mark is dropped. Bytes that
 * are no text become U+FFFD, and an address with U+FFFD is refused later, so that no two become one.
 */
export async function* decodeText(bytes: Bytes): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let head: Uint8Array = new Uint8Array(0);
  for await (const chunk of bytes) {
    let piece = chunk;
    if (decoder === undefined) {
      piece = new Uint8Array(head.length + chunk.length);
      piece.set(head);
      piece.set(chunk, head.length);
      head = piece;
      if (head.length < 2) continue;
      decoder = new TextDecoder(encodingOf(head));
    }
    yield decoder.decode(piece, { stream: true });
  }
  if (decoder === undefined) decoder = new TextDecoder();
  else head = new Uint8Array(0);
  yield decoder.decode(head);
}

function encodingOf([a, b]: Uint8Array): string {
  if ((a === 0xff && b === 0xfe) || (a !== 0 && b === 0)) return 'utf-16le';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b !== 0)) return 'utf-16be';
  return 'utf-8';
}
