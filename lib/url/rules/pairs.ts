import type { Address } from '../address.ts';
import { queryOf, splitPairs } from '../pairs.ts';

/** Rule 5: a space is `%20`, `a=` is `a`, and empty pairs go, with an empty `?`. */
export function spellPairs(address: Address): Address {
  if (address.query === undefined) return address;
  const pairs = splitPairs(address.query.replaceAll('+', '%20'))
    .map(({ name, value }) => ({ name, value: value === '' ? undefined : value }))
    .filter(({ name, value }) => name !== '' || value !== undefined);
  return { ...address, query: queryOf(pairs) };
}
