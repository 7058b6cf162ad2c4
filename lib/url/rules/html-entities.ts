import type { Address } from '../address.ts';
import { queryOf, splitPairs } from '../pairs.ts';

/** Switch of rule 5: a pair name loses every leading `amp;`, the rest of an `&amp;` that was copied from HTML. */
export function dropEntities(address: Address): Address {
  if (address.query === undefined) return address;
  const pairs = splitPairs(address.query)
    .map(({ name, value }) => ({ name: withoutEntities(name), value }))
    .filter(({ name, value }) => name !== '' || value !== undefined);
  return { ...address, query: queryOf(pairs) };
}

export function withoutEntities(name: string): string {
  let start = 0;
  while (/^amp;$/i.test(name.slice(start, start + 4))) start += 4;
  return name.slice(start);
}
