import { keyOf } from '../fast/key-of.ts';
import { normalizeUrl } from '../normalize.ts';
import { compilePolicy } from '../policy.ts';
import type { Policy, PolicyJson } from '../policy.ts';
import { mutate, pick, randomBase, randomInput, randomPolicy, randomReference } from './inputs.ts';
import type { Random } from './inputs.ts';

/** An input for which the two paths differ, one of them throws, or the key is not its own key. */
export interface Difference {
  readonly input: string;
  readonly base: string | undefined;
  readonly policy: PolicyJson;
  readonly problem: string;
}

/** How many inputs share one policy before the next is drawn: making one costs more than a key. */
const INPUTS_PER_POLICY = 25;

interface Sample {
  readonly input: string;
  readonly base?: string | undefined;
}

/** Endless: nasty inputs and references. */
export function* fuzzed(random: Random): Generator<Sample> {
  for (;;) {
    const base = randomBase(random);
    yield base === undefined ? { input: randomInput(random) } : { input: randomReference(random), base };
  }
}

/** Each address as it is and with two small edits. */
export function* mutated(random: Random, addresses: Iterable<string>): Generator<Sample> {
  for (const address of addresses) {
    yield { input: address };
    const edited = mutate(random, address);
    yield { input: edited };
    yield { input: mutate(random, edited) };
  }
}

/** Asks both paths about samples, under ever new policies, and reports where they differ. Stops after `most` samples. */
export function* differences(
  random: Random,
  samples: Iterable<Sample>,
  most: number,
  fast: typeof keyOf = keyOf,
): Generator<Difference, number> {
  let json: PolicyJson = {};
  let policy: Policy = compilePolicy(json);
  let count = 0;
  for (const { input, base } of samples) {
    if (count === most) break;
    if (count % INPUTS_PER_POLICY === 0) {
      json = random() < 0.3 ? {} : randomPolicy(random);
      policy = compilePolicy(json);
    }
    count++;
    const problem = compare(input, base, policy, fast);
    if (problem !== undefined) yield { input, base, policy: json, problem };
  }
  return count;
}

function compare(
  input: string,
  base: string | undefined,
  policy: Policy,
  fast: typeof keyOf,
): string | undefined {
  try {
    const expected = normalizeUrl(input, policy, base);
    const found = fast(input, policy, base);
    if (expected.ok !== found.ok || (!expected.ok && !found.ok && expected.reason !== found.reason))
      return `specification: ${JSON.stringify(expected)}, fast: ${JSON.stringify(found)}`;
    if (!expected.ok || !found.ok) return undefined;
    if (expected.key !== found.key) return `specification: ${expected.key}, fast: ${found.key}`;
    const again = fast(found.key, policy);
    return again.ok && again.key === found.key
      ? undefined
      : `no fixed point: ${found.key} becomes ${JSON.stringify(again)}`;
  } catch (error) {
    return `threw: ${String(error)}`;
  }
}

const WORDS = [
  'item',
  'news',
  'detail',
  'list',
  'article',
  'user',
  'report',
  'photo',
  'search',
  'about-us',
  'wiki',
  '商品',
  'Straße',
];
const SITES = [
  'www.example.com',
  'shop.example.org',
  'news.example.net',
  'a.b.example.co.uk',
  'example.edu:8443',
  'bücher.example',
];
const PARAMETERS = [
  'id',
  'page',
  'q',
  'sort',
  'lang',
  'utm_source',
  'utm_campaign',
  'gclid',
  'from',
  'ref',
  'spm',
  'sid',
  'filter',
  'x[]',
];

/** A list such as people collect: a few sites, folders and parameters in many combinations. */
export function* ordinary(random: Random, count: number): Generator<string> {
  for (let i = 0; i < count; i++) {
    const folders = Array.from({ length: Math.floor(random() * 4) }, () => `/${pick(random, WORDS)}`).join(
      '',
    );
    const page = pick(random, ['/', '.html', `/${Math.floor(random() * 1e6)}`, '/index.php', '']);
    const parameters = Array.from(
      { length: Math.floor(random() * 5) },
      () =>
        `${pick(random, PARAMETERS)}=${pick(random, [...WORDS, 'timeline', `${Math.floor(random() * 1e4)}`])}`,
    );
    const query = parameters.length === 0 ? '' : `?${parameters.join('&')}`;
    const fragment = random() < 0.1 ? pick(random, ['#top', '#/route/7?utm_source=a', '#!page']) : '';
    yield `${pick(random, ['https', 'http'])}://${pick(random, SITES)}${folders}${page}${query}${fragment}`;
  }
}
