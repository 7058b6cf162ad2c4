import { splitAddress, type Address } from '#lib/url/address.ts';
import {
  compilePolicy,
  normalizeUrl,
  type Policy,
  type PolicyJson,
  type RuleId,
  type SiteRuleJson,
} from '#lib/url/index.ts';
import { splitPairs } from '#lib/url/pairs.ts';
import { withSiteRule } from './policy.ts';

/** A policy with a site rule that does what was asked. */
export interface SiteChange {
  policy: PolicyJson;
  rule: SiteRuleJson;
}

/** A step from an address to its key, as far as a site rule can undo it. */
interface RuleStep {
  rule: RuleId;
  before: string;
  after: string;
}

/** Rules that a site rule can make an exception from. */
const BY_SITE: ReadonlySet<RuleId> = new Set<RuleId>([
  'policy-names',
  'imported-names',
  'session-names',
  'tracking-names',
  'soft-names',
  'fragment',
]);

export function canKeep(rule: RuleId): boolean {
  return BY_SITE.has(rule);
}

/**
 * The policy by which a step is not made on its site any more: what the rule took away is kept. Said of the whole site, or of the
 * path alone where a more specific rule says otherwise; nothing where neither helps (another rule takes it away all the same).
 */
export function keepOnSite(policy: PolicyJson, url: string, step: RuleStep): SiteChange | undefined {
  const said = whatWent(step);
  if (!said) return undefined;
  return firstThat(policy, splitAddress(step.before), [said], (changed) =>
    isKept(compilePolicy(changed), url, step),
  );
}

/** Whether nothing of what a step took away is taken away from the address by this policy. */
export function isKept(policy: Policy, url: string, step: RuleStep): boolean {
  const said = whatWent(step);
  const normalized = normalizeUrl(url, policy, url);
  if (!said || !normalized.ok) return false;
  return normalized.steps.every((again) => !overlaps(whatWent(again), said));
}

/** Whether two addresses are two pages by this policy. */
export function areApart(policy: Policy, a: string, b: string): boolean {
  const [one, other] = [normalizeUrl(a, policy, a), normalizeUrl(b, policy, b)];
  return one.ok && other.ok && one.key !== other.key;
}

/**
 * The policy by which two addresses that are one page are two: it keeps as little as possible of what their steps took away, first
 * one parameter, then all of them, then the fragment. Nothing where they differ only in what is one for everybody, such as the order.
 */
export function splitOnSite(policy: PolicyJson, a: string, b: string): SiteChange | undefined {
  const compiled = compilePolicy(policy);
  const steps = [a, b].flatMap((url) => {
    const normalized = normalizeUrl(url, compiled, url);
    return normalized.ok ? normalized.steps.filter(({ rule }) => BY_SITE.has(rule)) : [];
  });
  const [first] = steps;
  if (!first) return undefined;
  const names = [...new Set(steps.flatMap((step) => whatWent(step)?.keep ?? []))];
  const candidates: Kept[] = [
    ...names.map((name) => ({ keep: [name] })),
    { keep: names },
    { fragment: 'keep' },
    { keep: names, fragment: 'keep' },
  ];
  return firstThat(policy, splitAddress(first.before), candidates, (changed) =>
    areApart(compilePolicy(changed), a, b),
  );
}

type Kept = Pick<SiteRuleJson, 'keep' | 'fragment'>;

function firstThat(
  policy: PolicyJson,
  { host, path }: Address,
  candidates: Kept[],
  works: (policy: PolicyJson) => boolean,
): SiteChange | undefined {
  for (const place of [{ host }, { host, path }]) {
    for (const said of candidates) {
      const rule = { ...place, ...said };
      const changed = withSiteRule(policy, rule);
      if (works(changed)) return { policy: changed, rule };
    }
  }
  return undefined;
}

/** What a step took away, as a site rule that keeps it would say it. */
function whatWent({ rule, before, after }: RuleStep): Kept | undefined {
  // Of a text directive nothing is kept, whatever the rules say.
  if (rule === 'fragment')
    return splitAddress(after).fragment === undefined ? { fragment: 'keep' } : undefined;
  if (!BY_SITE.has(rule)) return undefined;
  const left = namesOf(after);
  const gone: string[] = [];
  for (const name of namesOf(before)) {
    const at = left.indexOf(name);
    if (at < 0) gone.push(name);
    else left.splice(at, 1);
  }
  return gone.length > 0 ? { keep: [...new Set(gone)] } : undefined;
}

function namesOf(address: string): string[] {
  const { query } = splitAddress(address);
  return query === undefined ? [] : splitPairs(query).map(({ name }) => name);
}

function overlaps(a: Kept | undefined, b: Kept): boolean {
  if (!a) return false;
  return (
    (a.fragment !== undefined && a.fragment === b.fragment) ||
    (a.keep ?? []).some((name) => b.keep?.includes(name))
  );
}
