import { browser } from 'wxt/browser';
import type { Step } from '#lib/steps.ts';
import { FailOnDemand, type Fault } from '#lib/store/faults.ts';

/**
 * What a test puts into `storage.session`, which only pages of the extension can write: where the worker is to be held,
 * and which faults the store is to have.
 */
export interface Orders {
  /** The handler that passes the step after `skip` others did stops there for good. */
  hold?: { step: Step; skip: number } | undefined;
  /** The next `times` transactions fail so. */
  fail?: { fault: Fault; times: number } | undefined;
}

/** The faults of this worker's store. */
export const faults = new FailOnDemand();

let orders: Orders = {};
let read: Promise<void> | undefined;

function obey(now: Orders): void {
  orders = now;
  if (now.fail) faults.fail(now.fail.fault, now.fail.times);
}

async function readOrders(): Promise<void> {
  obey(await browser.storage.session.get(['hold', 'fail']));
}

/** Reads the orders, and follows them while the worker lives. */
export function watchOrders(): void {
  browser.storage.session.onChanged.addListener(({ hold, fail }) => {
    if (hold) orders = { ...orders, hold: hold.newValue as Orders['hold'] };
    if (fail) obey({ ...orders, fail: fail.newValue as Orders['fail'] });
  });
  read = readOrders();
}

/**
 * Passes a step of a handler; without orders it costs nothing. Where a test wants it, the handler stops here for good:
 * the step's name is put into `storage.session.heldAt`, and the test then stops the worker.
 */
export function step(name: Step): void | Promise<void> {
  if (read) return read.then(() => pass(name));
  return pass(name);
}

function pass(name: Step): void | Promise<void> {
  read = undefined;
  const { hold } = orders;
  if (hold?.step !== name) return undefined;
  if (hold.skip > 0) {
    hold.skip -= 1;
    return undefined;
  }
  orders = {};
  return holdHere(name);
}

async function holdHere(name: Step): Promise<void> {
  await browser.storage.session.remove('hold');
  await browser.storage.session.set({ heldAt: name });
  await new Promise(() => undefined);
}
