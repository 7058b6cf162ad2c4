import type { Scope } from '#lib/rounds/types.ts';

/**
 * What the recording rounds want to see. The worker keeps it in `storage.local` under {@link OBSERVED_KEY}, the observer
 * reads it: where nothing is wanted, it does nothing.
 */
export interface Observed {
  scopes: Pick<Scope, 'origins' | 'paths' | 'policy'>[];
}

export const OBSERVED_KEY = 'observed';
/** `storage.local`: `false` turns the marks on pages off. */
export const MARKS_KEY = 'marks';
