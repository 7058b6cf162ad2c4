import type { Round } from '#lib/rounds/types.ts';
import { withStore } from './open.ts';
import { Sets } from './sets.ts';

/** Which set a round's space uses and why, and the filter of its scope, as they are when loaded now. */
export function setReport(round: Round): ReturnType<Sets['report']> {
  return withStore((db) => new Sets().report(db, round));
}
