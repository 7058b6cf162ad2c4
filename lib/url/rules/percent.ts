import type { Address } from '../address.ts';
import { canonicalEscapes, FRAGMENT, PATH, QUERY, USERINFO } from '../escapes.ts';
import type { Run } from './index.ts';

/** Rule 4: one spelling for percent escapes. A fragment that rule 8 will drop anyway is left as it is. */
export function spellEscapes(address: Address, run: Run): Address {
  const { userinfo, path, query, fragment } = address;
  const mayStay = fragment !== undefined && (run.policy.keepsFragments || /^[!/]/.test(fragment));
  return {
    ...address,
    userinfo: userinfo === undefined ? undefined : canonicalEscapes(userinfo, USERINFO),
    path: canonicalEscapes(path, PATH),
    query: query === undefined ? undefined : canonicalEscapes(query, QUERY),
    fragment: mayStay ? canonicalEscapes(fragment, FRAGMENT) : fragment,
  };
}
