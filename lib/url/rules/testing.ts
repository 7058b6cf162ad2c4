import { splitAddress, writeAddress } from '../address.ts';
import { compilePolicy } from '../policy.ts';
import type { PolicyJson } from '../policy.ts';
import { providersFor } from '../imported.ts';
import { RULES } from './index.ts';
import type { Run } from './index.ts';
import type { RuleId } from '../rule-names.ts';

/** What one rule by itself makes of an address, for the tests of the rules. */
export function apply(id: RuleId, address: string, json: PolicyJson = {}): string {
  const rule = RULES.find((rule) => rule.id === id);
  if (rule?.on !== 'address') throw new Error(`${id} is no rule on addresses`);
  const policy = compilePolicy(json);
  const run: Run = { policy, providers: providersFor(policy.imported, address), skipped: new Set() };
  return writeAddress(rule.apply(splitAddress(address), run));
}
