import type { Group } from '../context.ts';

/** What a page costs, from ten thousand to ten million, in each part that docs/scale.md names. */
export const sizes: Group = {
  name: 'sizes',
  engines: ['node'],
  onDemand: true,
  async *run(context) {
    // Not named as a constant: the browser's bundle of all groups must not take in what only Node has.
    const path = new URL('../sizes.ts', import.meta.url).href;
    const { sizesRows } = (await import(/* @vite-ignore */ path)) as typeof import('../sizes.ts');
    yield* sizesRows(context);
  },
};
