import type { Group } from '../context.ts';

/** The built dashboard and popup at a million pages (`BENCH_PAGES` for another number). */
export const views: Group = {
  name: 'views',
  engines: ['node'],
  onDemand: true,
  async *run(context) {
    // Not for the bundle of the measurements inside Chromium.
    const { measureViews } = await import(/* @vite-ignore */ '../views.ts');
    yield* measureViews(context);
  },
};
