import { Recorder } from '#lib/store/recorder.ts';
import { localOffset } from './schedule.ts';
import { faults, step } from './steps.ts';

/** Only one writes at a time: the worker, or a page that imports or restores. */
const LOCK = 'onceover-writer';

export const recorder = new Recorder({
  now: Date.now,
  randomId: () => crypto.randomUUID(),
  offset: localOffset,
  alone: (work) => navigator.locks.request(LOCK, work),
  step,
  faults,
});
