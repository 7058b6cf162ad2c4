import * as fc from 'fast-check';
import { GONE, KNOWN, RETRYING, VISITED, type PresentState } from '../states.ts';

/** Keys that meet each other: few characters, shared prefixes, labels beyond 255 bytes, any code unit (surrogate halves too), ''. */
export const anyKey: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 8 }) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom('shop', 'blog'), fc.constantFrom('item', 'items', 'a/b'), fc.nat(40))
      .map(([host, path, id]) => `https://${host}.example.com/${path}/${id}`),
  },
  {
    weight: 2,
    arbitrary: fc.array(fc.nat(0xffff), { maxLength: 5 }).map((units) => String.fromCharCode(...units)),
  },
  {
    weight: 2,
    arbitrary: fc.string({
      unit: fc.constantFrom('é', 'è', '中', '\ud83d', '\ude00', '\ud83d\ude00', '\uffff'),
      maxLength: 4,
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(250, 255, 256, 300, 510, 511, 700), anyTail())
      .map(([n, tail]) => 'x'.repeat(n) + tail),
  },
);

function anyTail(): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom('x', 'y', '中'), maxLength: 3 });
}

export const anyState: fc.Arbitrary<PresentState> = fc.constantFrom(KNOWN, VISITED, RETRYING, GONE);

/** Order of code units, the order in which sets list their keys. */
export function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** A small seeded generator for what needs many numbers fast (Marsaglia's xorshift32). */
export function randomFrom(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}
