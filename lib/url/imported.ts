import type { Address } from './address.ts';
import type { Policy } from './policy.ts';

/** Whether imported providers remove a name from this address. */
export function importedNamesFor(_policy: Policy, _address: Address): (name: string) => boolean {
  return () => false;
}
