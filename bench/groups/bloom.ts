import { BloomFilter as Other } from 'bloomfilter';
import { BloomFilter as Mnemonist } from 'mnemonist';
import { BloomFilter, hashKey, words } from '../../lib/sets/index.ts';
import { exactRow, timedRow, type Context, type Group } from '../context.ts';
import { makeList, urlsOf } from '../lists.ts';
import { ask } from '../measure.ts';

const CAPACITY = 1_000_000;
const ERROR_RATE = 0.001;
/** Questions of one round, half of them about keys that are in the filter. */
const QUESTIONS = 40_000;
/** bloom-filters answers so slowly that it is asked less and filled less. */
const FEW = 400;

export const bloom: Group = {
  name: 'bloom',
  engines: ['node', 'chromium'],
  async *run(context) {
    const urls = urlsOf(makeList('shop', CAPACITY));
    const { bits, hashes } = BloomFilter.sizeFor(CAPACITY, ERROR_RATE);
    const ours = new BloomFilter({ capacity: CAPACITY, errorRate: ERROR_RATE });
    const other = new Other(bits, hashes);
    const mnemonist = new Mnemonist({ capacity: CAPACITY, errorRate: ERROR_RATE });
    for (const url of urls) {
      ours.add(url);
      other.add(url);
      mnemonist.add(url);
    }
    const absent = urlsOf(makeList('web', QUESTIONS / 2));
    const questions = urls.slice(0, QUESTIONS / 2).flatMap((url, i) => [url, absent[i]!]);
    const hashed = questions.map((url) => {
      hashKey(url);
      return [words[0]!, words[1]!] as const;
    });
    const highs = new Uint32Array(hashed.map(([high]) => high));
    const lows = new Uint32Array(hashed.map(([, low]) => low));
    yield await timedRow(
      context,
      {
        name: 'Bloom check, hashing included',
        set: '1M shop',
        target: { least: 1.5 },
        ratioOf: 'best peer ÷ ours',
      },
      {
        ours: ask('ours', questions, (key) => ours.has(key)),
        peers: [
          ask('bloomfilter', questions, (key) => other.test(key)),
          ask('mnemonist', questions, (key) => mnemonist.test(key)),
          ...(await bloomFilters(context, urls, (has) => ask('bloom-filters', questions.slice(0, FEW), has))),
        ],
        floor: {
          name: 'bit work',
          operations: QUESTIONS,
          prepare: () => () => {
            let found = 0;
            for (let i = 0; i < QUESTIONS; i++) if (ours.hasHash(highs[i]!, lows[i]!)) found++;
            return found;
          },
        },
      },
    );

    const asked = 2_000_000;
    let wrong = 0;
    let otherWrong = 0;
    for (let i = 0; i < asked; i++) {
      const key = `https://absent.example.com/${i}`;
      if (ours.has(key)) wrong++;
      if (other.test(key)) otherWrong++;
    }
    const theory = (1 - Math.exp((-hashes * CAPACITY) / bits)) ** hashes;
    const figures = { ours: wrong / asked, peer: otherWrong / asked, peerName: 'bloomfilter', floor: theory };
    const about = { set: '1M shop', unit: 'rate', ratioOf: 'ours ÷ theory of a classic filter' };
    yield exactRow(
      context,
      { ...about, name: 'Bloom false positives', target: { most: 1.1 } },
      { ...figures, ratio: figures.ours / theory },
    );
    yield exactRow(
      context,
      { ...about, name: 'Bloom bits per key', unit: 'bits', target: { most: 1.01 } },
      {
        ours: ours.bits / CAPACITY,
        peer: bits / CAPACITY,
        peerName: 'bloomfilter',
        floor: bits / CAPACITY,
        ratio: ours.bits / bits,
      },
    );
  },
};

/** bloom-filters needs Node's Buffer, so it stands beside in Node only. */
async function bloomFilters<T>(
  { engine }: Context,
  urls: readonly string[],
  ask: (has: (url: string) => boolean) => T,
): Promise<T[]> {
  if (engine !== 'node') return [];
  const { default: api } = await import('bloom-filters');
  const filter = api.BloomFilter.create(CAPACITY, ERROR_RATE);
  for (const url of urls.slice(0, FEW)) filter.add(url);
  return [ask((url) => filter.has(url))];
}
