import type { Address } from '../address.ts';
import { splitPairs, writePairs } from '../pairs.ts';
import { judgePairs, keyPair } from '../tracking-decision.ts';
import { dropFragment, isRoute } from './fragment.ts';
import type { Run } from './index.ts';

/**
 * Switch of rule 8: rule 6 inside the query of a kept route, on its raw pairs in their order. A query that is emptied takes
 * its `?` along, and a route that is emptied goes by rule 8.
 */
export function cleanRouteQuery(address: Address, run: Run): Address {
  const { fragment } = address;
  const at = fragment?.indexOf('?') ?? -1;
  if (fragment === undefined || at < 0 || !isRoute(fragment)) return address;
  const route = fragment.slice(0, at);
  const pairs = splitPairs(fragment.slice(at + 1));
  const identified = address.path !== '/' || !['!', '/', '!/'].includes(route);
  const verdicts = judgePairs(pairs.map(keyPair), { address, run, identified });
  const kept = pairs.filter((_, index) => verdicts[index] === undefined);
  if (kept.length === pairs.length) return address;
  const query = writePairs(kept);
  return dropFragment({ ...address, fragment: query === '' ? route : `${route}?${query}` }, run);
}
