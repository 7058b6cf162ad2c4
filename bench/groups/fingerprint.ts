import murmurhash from 'murmurhash';
import xxhash from 'xxhash-wasm';
import { hashKey, words } from '../../lib/sets/index.ts';
import { timedRow, type Group } from '../context.ts';
import { makeList, urlsOf } from '../lists.ts';
import { over } from '../measure.ts';

export const fingerprint: Group = {
  name: 'fingerprint',
  engines: ['node', 'chromium'],
  async *run(context) {
    const wasm = await xxhash();
    const encoder = new TextEncoder();
    const buffer = new Uint8Array(4096);
    for (const list of [makeList('shop', 20_000), ...context.given]) {
      const { name } = list;
      const urls = urlsOf(list);
      const target = { least: context.engine === 'node' ? 5 : 6 };
      yield await timedRow(
        context,
        { name: '64-bit fingerprint', set: name, target, ratioOf: 'murmurhash.v3 (32 bits) ÷ ours' },
        {
          ours: over('ours', urls, (url) => {
            hashKey(url);
            return words[0]! + words[1]!;
          }),
          peers: [over('murmurhash.v3', urls, (url) => murmurhash.v3(url, 0))],
          floor: over('encodeInto', urls, (url) => encoder.encodeInto(url, buffer).written),
        },
      );
      yield await timedRow(
        context,
        { name: '64-bit fingerprint beside WebAssembly', set: name, ratioOf: 'ours ÷ xxhash-wasm h64' },
        {
          ours: over('ours', urls, (url) => {
            hashKey(url);
            return words[0]! + words[1]!;
          }),
          peers: [over('xxhash-wasm', urls, (url) => Number(wasm.h64(url) & 0xffffn))],
        },
      );
    }
  },
};
