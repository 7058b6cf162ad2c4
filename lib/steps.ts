import { RECORDER_STEPS, SENDER_STEPS } from '#lib/store/faults.ts';

/**
 * The steps of the worker at which a test may stop it: those of its handlers (entrypoints/background) and of the recorder.
 * Every one must be passed by some test (e2e/long/stops.spec.ts reads this table).
 */
export const STEPS = [
  'navigation:received',
  'navigation:written',
  'navigation:noted',
  'message:received',
  'message:written',
  'route:pending',
  'route:settled',
  'command:received',
  'command:written',
  'tick:sent',
  ...RECORDER_STEPS,
  ...SENDER_STEPS,
] as const;
export type Step = (typeof STEPS)[number];
