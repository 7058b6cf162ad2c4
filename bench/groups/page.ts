import type { Group } from '../context.ts';

/** What the observer of the built extension costs the pages it is in. */
export const page: Group = {
  name: 'page',
  engines: ['node'],
  onDemand: true,
  async *run(context) {
    // Not for the bundle of the measurements inside Chromium.
    const { measurePages } = await import(/* @vite-ignore */ '../pages.ts');
    yield* measurePages(context);
  },
};
