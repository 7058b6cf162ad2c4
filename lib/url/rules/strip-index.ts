import type { Address } from '../address.ts';

/** Switch of rule 4: an index file at the end of the path goes, its slash stays. */
export function stripIndexFiles(address: Address): Address {
  return { ...address, path: address.path.replace(/\/(?:index|default)\.(?:html?|php|jsp|aspx?)$/i, '/') };
}
