// What the page of the measurements runs: one group, its rows given to `report` one by one.
import type { List } from '../lists.ts';
import { GROUPS } from '../groups/index.ts';
import type { Row } from '../row.ts';

declare global {
  interface Window {
    measure(group: string, rounds: number, given: readonly List[]): Promise<void>;
    report(row: Row): Promise<void>;
    gc?: (options: { type: 'major'; execution: 'async' }) => Promise<void>;
  }
  interface Performance {
    readonly memory?: { readonly usedJSHeapSize: number };
  }
}

/**
 * Bytes of the JavaScript heap; array buffers lie outside it. Collected from an empty stack, since what a stack may still point to
 * stays alive.
 */
async function heap(): Promise<number> {
  for (let i = 0; i < 3; i++) await window.gc?.({ type: 'major', execution: 'async' });
  return performance.memory?.usedJSHeapSize ?? 0;
}

window.measure = async (name, rounds, given) => {
  const group = GROUPS.find((each) => each.name === name);
  if (group === undefined) throw new Error(`there is no group ${name}`);
  const tools = { xz: () => undefined, marisa: () => undefined };
  const canTell = window.gc !== undefined && performance.memory !== undefined;
  const context = {
    engine: 'chromium',
    rounds,
    given,
    heap: canTell ? heap : undefined,
    tools,
  } as const;
  for await (const row of group.run(context)) await window.report(row);
};
