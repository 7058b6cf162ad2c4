import type { Address } from '../address.ts';

/** Switch of rule 4: http is spelled https, on default ports only. */
export function mergeSchemes(address: Address): Address {
  return address.port === undefined ? { ...address, scheme: 'https' } : address;
}
