import type { Context } from './context.ts';

/** Bytes that what `make` gives takes on the heap, garbage aside; undefined where the engine cannot tell. */
export async function heapOf({ heap }: Context, make: () => unknown): Promise<number | undefined> {
  if (heap === undefined) return undefined;
  const before = await heap();
  const held = make();
  const after = await heap();
  // Used once more, so that it is not collected before it is measured.
  return held === heap ? 0 : after - before;
}
