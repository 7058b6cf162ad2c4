let last: Promise<unknown> = Promise.resolve();

/** Runs work after all work given before has ended, whether it went well or not: events are handled in their order. */
export function inOrder<T>(work: () => Promise<T>): Promise<T> {
  const run = last.then(work);
  last = run.catch(() => undefined);
  return run;
}
