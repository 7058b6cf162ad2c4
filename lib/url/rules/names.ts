import type { Address } from '../address.ts';
import { queryOf, splitPairs } from '../pairs.ts';
import { judgePairs } from '../tracking-decision.ts';
import type { Remover } from '../tracking-decision.ts';
import type { Run } from './index.ts';

/**
 * Rule 6: the pairs that one of its rules removes go. Each rule judges anew, which is the same verdict: what already went does
 * not change what is said of the rest.
 */
export function removeNames(remover: Remover): (address: Address, run: Run) => Address {
  return (address, run) => {
    if (address.query === undefined) return address;
    const pairs = splitPairs(address.query);
    const verdicts = judgePairs(pairs, { address, run, identified: address.path !== '/' });
    return { ...address, query: queryOf(pairs.filter((_, index) => verdicts[index] !== remover)) };
  };
}
