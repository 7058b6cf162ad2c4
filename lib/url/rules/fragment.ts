import type { Address } from '../address.ts';
import type { Policy } from '../policy.ts';
import { fragmentRuleFor } from '../sites.ts';
import type { Run } from './index.ts';

/** Rule 8: text directives are cut, and the fragment goes unless it is a route or a site rule keeps it. */
export function dropFragment(address: Address, run: Run): Address {
  return { ...address, fragment: keptFragment(address, run.policy) };
}

/** What rule 8 leaves of a fragment. */
export function keptFragment(address: Address, policy: Policy): string | undefined {
  const fragment = address.fragment?.replace(/:~:.*$/s, '');
  const override = fragmentRuleFor(policy, address);
  if (fragment === undefined || fragment === '' || override === 'drop') return undefined;
  return override === 'keep' || (isRoute(fragment) && !isBareRoute(fragment)) ? fragment : undefined;
}

/** `#!…` and `#/…`: where single-page applications put the page. */
export function isRoute(fragment: string): boolean {
  return fragment.startsWith('!') || fragment.startsWith('/');
}

/** `#!`, `#/` and `#!/` name no page. */
export function isBareRoute(fragment: string): boolean {
  return fragment === '!' || fragment === '/' || fragment === '!/';
}
