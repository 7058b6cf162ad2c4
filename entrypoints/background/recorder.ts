import { WRITER_LOCK } from '#lib/protocol.ts';
import { Recorder } from '#lib/store/recorder.ts';
import { localOffset } from './schedule.ts';
import { faults, step } from './steps.ts';
import { currentPairing } from './team.ts';

export const recorder = new Recorder({
  now: Date.now,
  randomId: () => crypto.randomUUID(),
  offset: localOffset,
  alone: (work) => navigator.locks.request(WRITER_LOCK, work),
  step,
  faults,
  pairing: currentPairing,
});
