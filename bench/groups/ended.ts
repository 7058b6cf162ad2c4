import { FrozenSet, VISITED } from '../../lib/sets/index.ts';
import { exactRow, timedRow, type Group } from '../context.ts';
import { makeList, urlsOf } from '../lists.ts';
import { ask } from '../measure.ts';
import { heapOf } from '../memory.ts';

const SIZE = 50_000;

export const ended: Group = {
  name: 'ended',
  engines: ['node', 'chromium'],
  async *run(context) {
    const kinds = ['numbered', 'shop', 'web', 'files', 'tokens'];
    for (const list of [...kinds.map((kind) => makeList(kind, SIZE)), ...context.given]) {
      const { name, size } = list;
      const set = await heapOf(context, () => new Set(urlsOf(list)));
      const sorted = urlsOf(list).sort();
      const frozen = FrozenSet.freeze(sorted.map((url) => [url, VISITED] as const));
      const lines = `${sorted.join('\n')}\n`;
      const marisa = context.tools.marisa(lines);
      const xz = context.tools.xz(lines);
      const live = frozen.byteLength / size;
      const rest = (await frozen.toBuffer()).length / size;
      const each = (bytes: number | undefined) => (bytes === undefined ? undefined : bytes / size);
      const about = { set: name, unit: 'bytes per URL' };
      yield exactRow(
        context,
        { ...about, name: 'ended round, searchable', target: { most: 0.35 }, ratioOf: 'ours ÷ Set' },
        {
          ours: live,
          peer: each(set),
          peerName: 'Set',
          ratio: set === undefined ? undefined : live / (set / size),
        },
      );
      if (context.engine === 'node') {
        yield exactRow(
          context,
          {
            ...about,
            name: 'ended round, searchable, beside marisa (stretch)',
            target: { most: 1.3 },
            ratioOf: 'ours ÷ marisa',
          },
          {
            ours: live,
            peer: each(marisa),
            peerName: 'marisa',
            ratio: marisa === undefined ? undefined : live / (marisa / size),
          },
        );
        yield exactRow(
          context,
          { ...about, name: 'ended round, at rest', target: { most: 1.25 }, ratioOf: 'ours ÷ xz -9' },
          {
            ours: rest,
            peer: each(xz),
            peerName: 'xz -9',
            ratio: xz === undefined ? undefined : rest / (xz / size),
          },
        );
        yield exactRow(
          context,
          {
            ...about,
            name: 'ended round, at rest, beside marisa',
            target: { most: 1 },
            ratioOf: 'ours ÷ marisa',
          },
          {
            ours: rest,
            peer: each(marisa),
            peerName: 'marisa',
            ratio: marisa === undefined ? undefined : rest / (marisa / size),
          },
        );
      }
      const urls = urlsOf(list);
      const strings = new Set(urlsOf(list));
      const questions = urls.slice(0, SIZE).map((url, i) => (i % 2 === 0 ? url : `${url}-`));
      yield await timedRow(
        context,
        { name: 'ended round, has', set: name, ratioOf: 'ours ÷ Set.has' },
        {
          ours: ask('ours', questions, (url) => frozen.has(url)),
          peers: [ask('Set', questions, (url) => strings.has(url))],
        },
      );
    }
  },
};
