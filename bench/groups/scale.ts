import { exactRow, type Group } from '../context.ts';
import { addressesOf } from '../lists.ts';

const MARKS = [1_000_000, 3_000_000, 10_000_000];

/** Ten million addresses through `onceover dedupe`: memory and time an address as the set grows. */
export const scale: Group = {
  name: 'scale',
  engines: ['node'],
  onDemand: true,
  async *run(context) {
    const marks = (await context.tools.dedupe?.(addressesOf('shop'), MARKS)) ?? [];
    for (const { lines, seconds, bytes } of marks) {
      const set = `${lines / 1e6}M shop`;
      const time = (seconds / lines) * 1e6;
      yield exactRow(
        context,
        { name: 'dedupe, time', set, unit: 'µs per line', ratioOf: 'ours' },
        { ours: time, peerName: '', ratio: time },
      );
      if (bytes === undefined) continue;
      const memory = bytes / lines;
      yield exactRow(
        context,
        { name: 'dedupe, memory of the process', set, unit: 'bytes per line', ratioOf: 'ours' },
        { ours: memory, peerName: '', ratio: memory },
      );
    }
  },
};
