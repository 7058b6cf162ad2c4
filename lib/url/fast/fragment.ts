import { splitAddress } from '../address.ts';
import { isBareRoute, isRoute } from '../rules/fragment.ts';
import { cleanRouteQuery } from '../rules/route-query.ts';
import { fragmentRuleFor } from '../sites.ts';
import { IN_FRAGMENT, spellPart } from './characters.ts';
import type { Front, Plan } from './plan.ts';

/** Rule 8 for the fragment that begins at `start`: with its `#`, or nothing. */
export function spellFragment(text: string, start: number, plan: Plan, front: Front): string {
  const { policy, does } = plan;
  if (!does.fragment) return `#${text.slice(start)}`;
  const first = text.charCodeAt(start);
  if (first !== 47 && first !== 33 && !policy.keepsFragments) return '';
  let fragment = does.percent ? spellPart(text, start, text.length, IN_FRAGMENT, false) : text.slice(start);
  const directive = fragment.indexOf(':~:');
  if (directive >= 0) fragment = fragment.slice(0, directive);
  if (fragment === '') return '';
  const address = policy.siteRules.length > 0 || does['route-query'] ? splitAddress(front.text) : undefined;
  const override = address && fragmentRuleFor(policy, address);
  if (override === 'drop' || (override === undefined && (!isRoute(fragment) || isBareRoute(fragment))))
    return '';
  if (address === undefined || !does['route-query']) return `#${fragment}`;
  const cleaned = cleanRouteQuery(
    { ...address, fragment },
    { policy, providers: [], skipped: new Set() },
  ).fragment;
  return cleaned === undefined ? '' : `#${cleaned}`;
}
