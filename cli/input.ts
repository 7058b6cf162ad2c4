import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { LONGEST_LINE, readLines } from '#lib/exchange/index.ts';
import { UsageError } from './command.ts';
import type { Terminal } from './terminal.ts';

export const STDIN = '-';

/** The bytes of a file, or of stdin for `-`; gzip is undone. */
export async function* openInput(name: string, terminal: Terminal): AsyncGenerator<Uint8Array> {
  const source = name === STDIN ? terminal.stdin : createReadStream(name, { highWaterMark: 1 << 18 });
  const bytes = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  let head: Uint8Array = new Uint8Array(0);
  try {
    while (head.length < 2) {
      const next = await bytes.next();
      if (next.done) break;
      head = Buffer.concat([head, asBytes(next.value)]);
    }
    const all = rest(head, bytes);
    if (head[0] !== 0x1f || head[1] !== 0x8b) {
      yield* all;
      return;
    }
    const gunzip = createGunzip();
    const from = Readable.from(all);
    from.on('error', (error) => gunzip.destroy(error));
    for await (const chunk of from.pipe(gunzip)) yield chunk as Uint8Array;
  } catch (error) {
    throw explain(error, name);
  } finally {
    await bytes.return?.();
  }
}

async function* rest(head: Uint8Array, bytes: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  for (let next = await bytes.next(); !next.done; next = await bytes.next()) yield asBytes(next.value);
}

function asBytes(chunk: Uint8Array | string): Uint8Array {
  return typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

function explain(error: unknown, name: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const file = name === STDIN ? 'stdin' : `"${name}"`;
  if (code === 'ENOENT') return new UsageError(`There is no file ${file}.`);
  if (code === 'EISDIR') return new UsageError(`${file} is a folder, not a file.`);
  if (code === 'EACCES') return new UsageError(`${file} may not be read.`);
  if (code === 'Z_BUF_ERROR') return new UsageError(`${file} is cut off: its gzip data has no end.`);
  if (code?.startsWith('Z_')) return new UsageError(`${file} is damaged: its gzip data cannot be read.`);
  return error;
}

/** A whole small file as text, in any encoding that lists may have; its lines end in LF. @throws {UsageError} */
export async function readSmallFile(name: string, terminal: Terminal, limit = LONGEST_LINE): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of openInput(name, terminal)) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > limit) throw new UsageError(`"${name}" is larger than ${limit} bytes.`);
  }
  const all: (string | null)[] = [];
  for await (const { lines } of readLines(chunks)) all.push(...lines);
  return all.join('\n');
}
