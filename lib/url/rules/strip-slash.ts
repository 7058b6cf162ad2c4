import type { Address } from '../address.ts';

/** Switch of rule 4: one slash at the end of the path goes, never that of the root. */
export function stripTrailingSlash(address: Address): Address {
  return { ...address, path: address.path.replace(/(.)\/$/s, '$1') };
}
