import { partsOf, type Addressed } from './address.ts';
import type { Page, Round } from './types.ts';

/** The row of a link that nobody went to yet. */
export function knownPage(
  address: Addressed,
  round: Round,
  about: { seq: number; at: number; from?: string; isNew: boolean; inBase: boolean },
): Page {
  const { url, key, fullKey } = address;
  const { seq, at, from, isNew, inBase } = about;
  return {
    space: round.space,
    key,
    ...(fullKey !== undefined && { fullKey }),
    scope: round.scope,
    ...partsOf(address),
    state: 'known',
    seq,
    url,
    linkedAt: at,
    firstSeenAt: at,
    visits: 0,
    addresses: 1,
    isNew,
    inBase,
    ...(from !== undefined && { from }),
    policyVersion: round.policyVersion,
  };
}
