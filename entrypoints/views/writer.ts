import { TICK_CHANNEL, WRITER_LOCK } from '#lib/protocol.ts';

/** Runs work as the only writer: the worker takes the same lock for each of its transactions. */
export function alone<T>(work: () => Promise<T>): Promise<T> {
  return navigator.locks.request(WRITER_LOCK, work);
}

/** Says that this page wrote something: views read again, the worker follows. */
export function tellWritten(log: number, rounds: string[]): void {
  const channel = new BroadcastChannel(TICK_CHANNEL);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel, not a window
  channel.postMessage({ log, rounds });
  channel.close();
}
