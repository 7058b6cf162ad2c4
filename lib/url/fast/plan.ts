import type { Policy } from '../policy.ts';
import { RULES } from '../rules/index.ts';
import type { RuleId } from '../rule-names.ts';
import { HARD_NAMES, HARD_PREFIXES, SESSION_NAMES, SOFT_NAMES } from '../tracking.ts';

/** A policy made ready for the fast path. */
export interface Plan {
  readonly policy: Policy;
  /** Imported expressions cost more than anything saved here: such a policy goes the slow way. */
  readonly hasImports: boolean;
  /** Which rules work. */
  readonly does: Readonly<Record<RuleId, boolean>>;
  /** By first character of a name: one bit for each length (31 = longer) of the names that some rule may remove or change. */
  readonly suspects: Uint32Array;
  /** Some switch of rule 4 may change scheme, host or the end of the path. */
  readonly changesFront: boolean;
  /** Only built-in names matter: no lists, no site rules. */
  readonly builtInOnly: boolean;
}

/** What stands before a query or fragment in the key, for the rules that ask for it. */
export interface Front {
  /** The path is `/`. */
  readonly isRoot: boolean;
  /** Origin and path. */
  readonly text: string;
}

/** `off` switches one rule off that the policy wants. */
export function makePlan(wanted: Policy, off: RuleId | undefined): Plan {
  const imported = wanted.imported.map((provider) => ({
    ...provider,
    names: off === 'imported-names' ? [] : provider.names,
    raw: off === 'imported-raw' ? [] : provider.raw,
  }));
  const policy = { ...wanted, imported };
  const does = Object.fromEntries(
    RULES.map((rule) => [rule.id, rule.id !== off && (rule.switch === undefined || policy[rule.switch])]),
  ) as Record<RuleId, boolean>;
  return {
    policy,
    hasImports: imported.length > 0,
    does,
    suspects: suspectsOf(policy),
    changesFront:
      policy.mergeSchemes || policy.stripWww || policy.stripIndexFiles || policy.stripTrailingSlash,
    builtInOnly:
      policy.removeParams.size === 0 && policy.keepParams.size === 0 && policy.siteRules.length === 0,
  };
}

function suspectsOf(policy: Policy): Uint32Array {
  const suspects = new Uint32Array(128);
  const add = (name: string, andLonger = false) => {
    // The first character of a nameless pair is its `=`.
    const code = name === '' ? 61 : name.charCodeAt(0);
    suspects[code]! |= andLonger ? -1 << Math.min(name.length, 31) : 1 << Math.min(name.length, 31);
  };
  const addAnyCase = (name: string, andLonger = false) => {
    add(name.toLowerCase(), andLonger);
    add(name.toUpperCase(), andLonger);
  };
  for (const { name } of [...HARD_NAMES, ...SOFT_NAMES, ...SESSION_NAMES]) addAnyCase(name);
  for (const { name } of HARD_PREFIXES) addAnyCase(name, true);
  if (policy.htmlEntities) addAnyCase('amp;', true);
  for (const name of policy.removeParams) add(name);
  for (const { remove } of policy.siteRules) for (const name of remove) add(name);
  return suspects;
}
