import type { Group } from '../context.ts';

/** SQLite with ten million fingerprints in one round: minutes of writing. */
export const growth: Group = {
  name: 'growth',
  engines: ['node'],
  onDemand: true,
  async *run(context) {
    // See service.ts.
    const path = new URL('../service.ts', import.meta.url).href;
    const { growthRows } = (await import(/* @vite-ignore */ path)) as typeof import('../service.ts');
    yield* growthRows(context, 'sqlite', [100_000, 1_000_000, 10_000_000]);
  },
};
