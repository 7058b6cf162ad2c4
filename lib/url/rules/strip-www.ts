import type { Address } from '../address.ts';

/** Switch of rule 4: every leading `www.` of the host goes. */
export function stripWww(address: Address): Address {
  return { ...address, host: withoutWww(address.host) };
}

export function withoutWww(host: string): string {
  let start = 0;
  while (host.startsWith('www.', start)) start += 4;
  return host.slice(start);
}
