import { FingerprintSet } from '../../lib/sets/index.ts';
import { exactRow, timedRow, type Group } from '../context.ts';
import { makeList, urlsOf } from '../lists.ts';
import { ask } from '../measure.ts';
import { heapOf } from '../memory.ts';

const QUESTIONS = 100_000;

export const membership: Group = {
  name: 'membership',
  engines: ['node', 'chromium'],
  async *run(context) {
    for (const list of [makeList('shop', 500_000), makeList('web', 200_000), ...context.given]) {
      const { name, size } = list;
      const fingerprints = new FingerprintSet();
      for (const url of urlsOf(list)) fingerprints.add(url);
      const set = await heapOf(context, () => new Set(urlsOf(list)));
      const ours = fingerprints.byteLength / size;
      yield exactRow(
        context,
        {
          name: 'membership, memory',
          set: name,
          unit: 'bytes per URL',
          target: { most: 10.5 },
          ratioOf: 'ours',
        },
        {
          ours,
          peer: set === undefined ? undefined : set / size,
          peerName: 'Set',
          // A set of n random 64-bit numbers cannot take less.
          floor: (64 - Math.log2(size) + Math.LOG2E) / 8,
          ratio: ours,
        },
      );

      const urls = urlsOf(list);
      const strings = new Set(urlsOf(list));
      const map = new Map(urlsOf(list).map((url) => [url, 1]));
      // Half of them with a character more, and absent.
      const questions = urls.slice(0, QUESTIONS).map((url, i) => (i % 2 === 0 ? url : `${url}-`));
      yield await timedRow(
        context,
        { name: 'membership, has', set: name, target: { most: 0.3 }, ratioOf: 'ours ÷ Set.has' },
        {
          ours: ask('ours', questions, (url) => fingerprints.has(url)),
          peers: [ask('Map', questions, (url) => map.has(url))],
          base: ask('Set', questions, (url) => strings.has(url)),
        },
      );
    }
  },
};
