import type { Address } from '../address.ts';

/** Switch of rule 4: the slashes at the end of the path go, never that of the root. */
export function stripTrailingSlash(address: Address): Address {
  return { ...address, path: address.path.slice(0, withoutSlashes(address.path, address.path.length)) };
}

/** Where the path that ends at `end` ends without its last slashes. */
export function withoutSlashes(path: string, end: number): number {
  let at = end;
  while (at > 1 && path[at - 1] === '/') at--;
  return at;
}
