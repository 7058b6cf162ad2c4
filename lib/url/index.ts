export { DEFAULT_POLICY, normalizeUrl, storeKey } from './normalize.ts';
export type { Key, Normalized, Refused, Step } from './normalize.ts';
export { compilePolicy, PolicyError, policyVersion, RULES_VERSION } from './policy.ts';
export type { Policy, PolicyJson, Preset, SiteRuleJson, Switch } from './policy.ts';
export { RULES } from './rules/index.ts';
export { RULE_NAMES } from './rule-names.ts';
export type { RuleId } from './rule-names.ts';
export type { Rule } from './rules/index.ts';
