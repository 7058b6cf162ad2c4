import type { Address } from '../address.ts';

/** Switch of rule 4: one leading `www.` of the host goes. */
export function stripWww(address: Address): Address {
  return { ...address, host: address.host.replace(/^www\./, '') };
}
