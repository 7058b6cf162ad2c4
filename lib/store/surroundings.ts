import type { Offset } from '#lib/rounds/windows.ts';
import type { Pairing } from '#lib/team/pairing.ts';
import type { FailOnDemand, StepHook } from './faults.ts';

/** What the recorder gets from outside; all but clock and ids have a default. */
export interface Surroundings {
  now: () => number;
  randomId: () => string;
  /** Minutes that local time is ahead of UTC (for rounds opened by the clock). Default: UTC. */
  offset?: Offset;
  /** Called at each of RECORDER_STEPS, so that tests can hold or stop the worker there. */
  step?: StepHook;
  faults?: FailOnDemand;
  /** Runs work as the only writer, e.g. under the lock `onceover-writer`. Default: at once. */
  alone?: <T>(work: () => Promise<T>) => Promise<T>;
  /** The service that is told what was visited. Default: none. */
  pairing?: () => Promise<Pairing | undefined>;
}

/** A command that cannot be done; `code` goes into the answer, the message says what to do. */
export class CommandError extends Error {
  readonly code: 'not-found' | 'conflict' | 'bad-request';
  constructor(code: CommandError['code'], detail: string) {
    super(detail);
    this.name = 'CommandError';
    this.code = code;
  }
}
