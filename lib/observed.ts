import type { Place } from '#lib/content/snapshot.ts';
import type { Scope } from '#lib/rounds/types.ts';

/**
 * What the recording rounds want to see. The worker keeps it in `storage.local` under {@link OBSERVED_KEY}, the observer
 * reads it: where nothing is wanted, it does nothing.
 */
export interface Observed {
  scopes: Pick<Scope, 'origins' | 'paths' | 'policy'>[];
  /** `false`: the person wants no texts to be read. */
  texts?: boolean;
}

/** What the worker asks of a page; answered with `true` by the frame that did it. */
export type InPage =
  { type: 'pick' } | { type: 'unpick' } | { type: 'read' } | { type: 'jump'; place: Place; text: string };

export const OBSERVED_KEY = 'observed';
/** `storage.local`: `false` turns the marks on pages off. */
export const MARKS_KEY = 'marks';

/**
 * `storage.local`, with the event id at its end: a click whose page may be gone before the worker is awake. The browser takes it
 * without the worker; whoever hears of it otherwise removes it.
 */
export const CLICK_NOTE = 'click:';
