import murmurhash from 'murmurhash';
import normalizeUrl from 'normalize-url';
import { BloomFilter, FingerprintSet, hashKey, RadixTrie, VISITED, words } from '../../lib/sets/index.ts';
import { keyOf } from '../../lib/url/index.ts';
import { timedRow, type Group } from '../context.ts';
import { makeList, urlsOf } from '../lists.ts';
import { ask } from '../measure.ts';

const SIZE = 20_000;

/** Whole decisions about links, half of which were visited: key, hash, filter, set. */
export const decision: Group = {
  name: 'decision',
  engines: ['node', 'chromium'],
  async *run(context) {
    for (const list of [makeList('shop', SIZE), ...context.given]) {
      const { name } = list;
      const urls = urlsOf(list);
      const filter = new BloomFilter({ capacity: urls.length, errorRate: 0.001 });
      const fingerprints = new FingerprintSet();
      const trie = new RadixTrie();
      for (const [i, url] of urls.entries()) {
        const keyed = keyOf(url);
        if (i % 2 === 0 || !keyed.ok) continue;
        filter.add(keyed.key);
        fingerprints.add(keyed.key);
        trie.insert(keyed.key, VISITED);
      }
      const byFingerprint = ask('ours', urls, (link) => {
        const keyed = keyOf(link);
        if (!keyed.ok) return false;
        hashKey(keyed.key);
        const high = words[0]!;
        const low = words[1]!;
        return filter.hasHash(high, low) && fingerprints.hasHash(high, low);
      });
      const byTrie = ask('ours', urls, (link) => {
        const keyed = keyOf(link);
        return keyed.ok && filter.has(keyed.key) && trie.stateOf(keyed.key) === VISITED;
      });
      const seen = new Set<string>();
      const peer = ask('normalize-url + 10 × murmurhash', urls, (link) => {
        const key = normalized(link);
        let sum = 0;
        for (let seed = 0; seed < 10; seed++) sum += murmurhash.v3(key, seed);
        return seen.has(key) && sum > 0;
      });
      const base = ask('new URL', urls, (link) => (URL.parse(link)?.href.length ?? 0) > 1000);
      const target = context.engine === 'chromium' ? { most: 0.5 } : undefined;
      for (const [set, ours] of [
        ['fingerprints', byFingerprint],
        ['trie', byTrie],
      ] as const) {
        yield await timedRow(
          context,
          {
            name: `whole decision, ${set}`,
            set: name,
            ratioOf: 'ours ÷ new URL(u).href',
            ...(target && { target }),
          },
          { ours, peers: [peer], base },
        );
      }
    }
  },
};

function normalized(link: string): string {
  try {
    return normalizeUrl(link);
  } catch {
    return link;
  }
}
