import { browser } from 'wxt/browser';

/**
 * The steps of the worker's handlers at which a test may stop it. Every one must be passed by some test
 * (e2e/long/stops.spec.ts reads this table).
 */
export const STEPS = [
  'navigation:received',
  'navigation:noted',
  'navigation:written',
  'message:received',
  'message:written',
  'route:pending',
  'route:settled',
  'command:received',
  'command:written',
  'tick:sent',
] as const;
export type Step = (typeof STEPS)[number];

/** What a test puts into `storage.session.hold`, which only pages of the extension can write. */
export interface Hold {
  step: Step;
  /** How often the step is passed before it holds. */
  skip: number;
}

let hold: Hold | undefined;
let read: Promise<void> | undefined;

async function readHold(): Promise<void> {
  const stored: { hold?: Hold } = await browser.storage.session.get('hold');
  hold = stored.hold;
}

/** Follows changes of the hold while the worker lives. */
export function watchHolds(): void {
  browser.storage.session.onChanged.addListener((changes) => {
    if (changes.hold) hold = changes.hold.newValue as Hold | undefined;
  });
}

/**
 * Passes a step of a handler. Where a test asked for it, the handler stops here for good: the hold is taken away, the
 * step's name is put into `storage.session.heldAt`, and the test then stops the worker.
 */
export async function step(name: Step): Promise<void> {
  read ??= readHold();
  await read;
  if (hold?.step !== name) return;
  if (hold.skip > 0) {
    hold.skip -= 1;
    return;
  }
  hold = undefined;
  await browser.storage.session.remove('hold');
  await browser.storage.session.set({ heldAt: name });
  await new Promise(() => undefined);
}
