/**
 * The steps of the recorder, in order, at which a test may hold the worker and stop it. A hold between `begun` and `written`, or at
 * `decided`, keeps the transaction open, as if the worker died in the middle of it.
 */
export const RECORDER_STEPS = [
  'event:received',
  'event:begun',
  'event:loaded',
  'event:written',
  'event:committed',
  'command:decided',
  'links:chunk',
  'window:rolled',
  'sets:saved',
] as const;
export type RecorderStep = (typeof RECORDER_STEPS)[number];

/** The steps of whatever sends to the service, in order. */
export const SENDER_STEPS = ['outbox:sending', 'outbox:answered', 'outbox:settled'] as const;
export type SenderStep = (typeof SENDER_STEPS)[number];

/** Called at every step; where it answers a promise the recorder waits for it. */
export type StepHook = (step: RecorderStep) => void | Promise<void>;

export type Fault = 'quota' | 'write' | 'close';

/** A store that fails on demand: a full disk cannot be made in a test otherwise. */
export class FailOnDemand {
  #fault: Fault | undefined;
  #times = 0;

  /** The next `times` transactions fail so. */
  fail(fault: Fault, times = 1): void {
    this.#fault = fault;
    this.#times = times;
  }

  /** The fault of the transaction that is about to write, if it is to fail. */
  take(): Fault | undefined {
    if (this.#times === 0) return undefined;
    this.#times -= 1;
    return this.#fault;
  }
}
