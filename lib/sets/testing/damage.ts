import { expect } from 'vitest';
import { DamagedSetError, seal, type Kind } from '../sealed.ts';
import { randomFrom } from './keys.ts';

/** Every way in which a saved buffer can be cut, lengthened or changed by accident; sampled where there are many. */
function* damaged(buffer: Uint8Array<ArrayBuffer>): Generator<Uint8Array<ArrayBuffer>> {
  const random = randomFrom(buffer.length);
  const cuts = new Set([0, 1, 3, 4, 39, 95, 96, 97, buffer.length - 1]);
  for (let i = 0; i < 20; i++) cuts.add(random() % buffer.length);
  for (const cut of cuts) if (cut < buffer.length) yield buffer.slice(0, cut);
  for (const more of [1, 8, 1000]) {
    const longer = new Uint8Array(buffer.length + more);
    longer.set(buffer);
    yield longer;
  }
  const bits = buffer.length * 8;
  for (let i = 0; i < Math.min(bits, 400); i++) {
    const bit = bits <= 400 ? i : i < 200 ? (i * 4) % bits : random() % bits;
    const flipped = buffer.slice();
    flipped[bit >> 3]! ^= 1 << (bit & 7);
    yield flipped;
  }
  yield new Uint8Array(buffer.length);
  yield new Uint8Array(buffer.length).fill(0xff);
}

/** `from` must refuse all of these, and say what it is that cannot be read. */
export async function expectRefused(
  buffer: Uint8Array<ArrayBuffer>,
  from: (buffer: Uint8Array<ArrayBuffer>) => unknown,
): Promise<void> {
  for (const wrong of damaged(buffer)) {
    const error = await attempt(() => from(wrong));
    expect(error).toBeInstanceOf(DamagedSetError);
  }
}

/** Changes of the payload by somebody who can also make the checksum right. */
export function* forged(
  kind: Kind,
  buffer: Uint8Array<ArrayBuffer>,
  count: number,
): Generator<Uint8Array<ArrayBuffer>> {
  const random = randomFrom(buffer.length + count);
  for (let i = 0; i < count; i++) {
    const forgery = buffer.slice();
    for (let changes = 1 + (random() % 3); changes > 0; changes--) {
      // Half of the changes go where the numbers are.
      const most = random() % 2 === 0 ? Math.min(160, buffer.length) : buffer.length;
      forgery[96 + (random() % Math.max(1, most - 96))] = random() % 4 === 0 ? random() : random() % 20;
    }
    yield seal(kind, forgery);
  }
}

/** The result, or the error it threw; any error but a DamagedSetError fails the test. */
export async function readForged<T>(read: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof DamagedSetError) return undefined;
    throw error;
  }
}

async function attempt(action: () => unknown): Promise<unknown> {
  try {
    await action();
    return 'accepted';
  } catch (error) {
    return error;
  }
}
