import type { Address } from '../address.ts';
import { queryOf, splitPairs } from '../pairs.ts';

const MOST_SORTED = 1000;

/** Rule 7: pairs sorted by escaped name in code-unit order; the values of one name keep their order. */
export function sortPairs(address: Address): Address {
  if (address.query === undefined) return address;
  const pairs = splitPairs(address.query);
  if (pairs.length > MOST_SORTED) return address;
  return {
    ...address,
    query: queryOf(pairs.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))),
  };
}
