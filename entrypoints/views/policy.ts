import { DEFAULT_POLICY, type PolicyJson, type SiteRuleJson, type Switch } from '#lib/url/index.ts';

/** The policy with one field said anew; a value that says nothing leaves the field out, so that equal policies are equal. */
export function withField<F extends keyof PolicyJson>(
  policy: PolicyJson,
  field: F,
  value: PolicyJson[F] | undefined,
): PolicyJson {
  const changed = { ...policy };
  if (saysNothing(value)) delete changed[field];
  else Object.assign(changed, { [field]: value });
  return changed;
}

function saysNothing(value: unknown): boolean {
  return (
    value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  );
}

export function withSwitch(policy: PolicyJson, name: Switch, on: boolean): PolicyJson {
  return withField(policy, name, on === DEFAULT_POLICY[name] ? undefined : on);
}

/** A rule beside the others; what one for the same site and path says of the same names and the fragment is said anew. */
export function withSiteRule(policy: PolicyJson, rule: SiteRuleJson): PolicyJson {
  const rules = policy.siteRules ?? [];
  const same = rules.find(({ host, path }) => host === rule.host && path === rule.path);
  if (!same) return withField(policy, 'siteRules', [...rules, rule]);
  const merged = siteRule({
    ...same,
    ...rule,
    keep: [...without(same.keep, rule.remove), ...without(rule.keep, same.keep)],
    remove: [...without(same.remove, rule.keep), ...without(rule.remove, same.remove)],
  });
  return withField(
    policy,
    'siteRules',
    rules.map((one) => (one === same ? merged : one)),
  );
}

/** The rule in the place of another, or without one nothing in its place. */
export function replaceSiteRule(policy: PolicyJson, index: number, rule?: SiteRuleJson): PolicyJson {
  return withField(
    policy,
    'siteRules',
    (policy.siteRules ?? []).toSpliced(index, 1, ...(rule ? [rule] : [])),
  );
}

/** A rule without fields that say nothing. */
export function siteRule(rule: SiteRuleJson): SiteRuleJson {
  const { host, path, keep = [], remove = [], fragment } = rule;
  return {
    host,
    ...(path ? { path } : {}),
    ...(keep.length > 0 ? { keep } : {}),
    ...(remove.length > 0 ? { remove } : {}),
    ...(fragment ? { fragment } : {}),
  };
}

function without(names: readonly string[] = [], gone: readonly string[] = []): string[] {
  return names.filter((name) => !gone.includes(name));
}

/** Names as they are written in a field: between spaces or commas. A comma in a name is written `%2C`. */
export function namesIn(text: string): string[] {
  return [...new Set(text.split(/[\s,，、]+/u).filter(Boolean))];
}
