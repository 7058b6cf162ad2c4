import { splitAddress } from '#lib/url/address.ts';
import { normalizeUrl, type Normalized, type Policy, type Refused } from '#lib/url/index.ts';

/** The first part of two keys that is not the same; a part that one of them does not have is empty. */
export interface Difference {
  part: 'scheme' | 'host' | 'port' | 'userinfo' | 'path' | 'query' | 'fragment';
  a: string;
  b: string;
}

export interface Comparison {
  a: Normalized | Refused;
  b: Normalized | Refused;
  /** Unknown where one of them has no key. */
  same: boolean | undefined;
  /** There where they are not the same. */
  difference?: Difference;
}

/** Whether two addresses are one page by a policy, and by which steps. */
export function compareAddresses(a: string, b: string, policy: Policy): Comparison {
  const [first, second] = [normalizeUrl(a, policy), normalizeUrl(b, policy)];
  if (!first.ok || !second.ok) return { a: first, b: second, same: undefined };
  if (first.key === second.key) return { a: first, b: second, same: true };
  return { a: first, b: second, same: false, difference: firstDifference(first.key, second.key) };
}

const PARTS = ['scheme', 'host', 'port', 'userinfo', 'path', 'query', 'fragment'] as const;

/** Where two different keys part. Of queries it is the first pair: that is what a person can judge. */
export function firstDifference(keyA: string, keyB: string): Difference {
  const [a, b] = [splitAddress(keyA), splitAddress(keyB)];
  for (const part of PARTS) {
    if (a[part] === b[part]) continue;
    if (part !== 'query') return { part, a: a[part] ?? '', b: b[part] ?? '' };
    const [pairsA, pairsB] = [a.query?.split('&') ?? [], b.query?.split('&') ?? []];
    const at = pairsA.findIndex((pair, index) => pair !== pairsB[index]);
    const place = at < 0 ? pairsA.length : at;
    return { part, a: pairsA[place] ?? '', b: pairsB[place] ?? '' };
  }
  throw new Error('the keys are the same');
}
