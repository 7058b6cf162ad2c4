import type { Group } from '../context.ts';

/** The fingerprint service: CPU and bytes a fingerprint, HTTP beside the store alone, Redis and PostgreSQL, growth to ten million. */
export const service: Group = {
  name: 'service',
  engines: ['node'],
  onDemand: true,
  async *run(context) {
    // Not named as a constant: the browser's bundle of all groups must not take in what only Node has.
    const path = new URL('../service.ts', import.meta.url).href;
    const { serviceRows } = (await import(/* @vite-ignore */ path)) as typeof import('../service.ts');
    yield* serviceRows(context);
  },
};
