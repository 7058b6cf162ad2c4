import type { IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import { badRequest, HttpError } from './http.ts';

/** Bytes of all bodies that are held at one time; beyond, clients are asked to wait. */
const MOST_HELD = 256 << 20;
/** `{ "items": [{ … }] }` is three deep; policies are not sent. */
const DEEPEST = 16;

let held = 0;

/**
 * The whole body, decompressed. @throws {HttpError} 413 beyond `limit` bytes (compressed or not), 415 for another encoding than
 * gzip, 429 where too many bodies are held at once
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip')
    throw new HttpError(415, 'encoding', 'Bodies may be sent plain or with Content-Encoding: gzip.');
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    const bytes = encoding === 'gzip' ? gunzip(request, limit) : request;
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      length += chunk.length;
      held += chunk.length;
      if (length > limit) throw tooLarge(limit);
      if (held > MOST_HELD)
        throw new HttpError(429, 'busy', 'Too many large requests at once; try again in a second.', {
          'Retry-After': '1',
        });
      chunks.push(chunk);
    }
    return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code?.startsWith('Z_')) throw badRequest('The gzip data of the body is damaged or cut off.');
    throw error;
  } finally {
    held -= length;
  }
}

/** Stops as soon as the limit is passed: a bomb is never unpacked as a whole. */
function gunzip(request: IncomingMessage, limit: number): AsyncIterable<Buffer> {
  const gunzip = createGunzip({ chunkSize: 1 << 16 });
  let packed = 0;
  request.on('data', (chunk: Buffer) => {
    packed += chunk.length;
    if (packed > limit) gunzip.destroy(tooLarge(limit));
  });
  request.on('error', (error) => gunzip.destroy(error));
  request.on('aborted', () => gunzip.destroy(new Error('the client went away')));
  return request.pipe(gunzip);
}

function tooLarge(limit: number): HttpError {
  const size = limit >= 1 << 20 ? `${limit >> 20} MiB` : `${limit >> 10} KiB`;
  return new HttpError(
    413,
    'too-large',
    `The body may have ${size}, also decompressed: send it in several requests.`,
  );
}

/** @throws {HttpError} 400 where the bytes are not UTF-8, not JSON or nested more than 16 deep */
export function parseJson(bytes: Buffer): unknown {
  if (depthOf(bytes) > DEEPEST) throw badRequest(`The JSON is nested more than ${DEEPEST} deep.`);
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw badRequest('The body is not JSON in UTF-8.');
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Text of a body. @throws {HttpError} 400 where it is not UTF-8 */
export function parseText(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw badRequest('The body is not UTF-8.');
  }
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPENING = 91;
const CLOSING = 93;

/** How deep arrays and objects are nested, before anything is built from them. */
function depthOf(bytes: Buffer): number {
  const { length } = bytes;
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < length; i++) {
    const byte = bytes[i]!;
    if (byte === QUOTE) {
      for (i++; i < length && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++;
    } else {
      // Brackets and braces differ in one bit.
      const bracket = byte & ~0x20;
      if (bracket === OPENING) {
        if (++depth > deepest) deepest = depth;
      } else if (bracket === CLOSING) depth--;
    }
  }
  return deepest;
}
