import { sha256 } from '#lib/fingerprint/sha.ts';
import { splitAddress, writeAddress } from './address.ts';
import { isFailure } from './failure.ts';
import type { Failure } from './failure.ts';
import { compilePolicy } from './policy.ts';
import type { Policy } from './policy.ts';
import type { RuleId } from './rule-names.ts';
import { RULES } from './rules/index.ts';
import type { AddressRule, Context, Rule, Run } from './rules/index.ts';

/** The text by which two addresses are the same page. For comparing only: never opened, never shown as the address. */
export type Key = string & { readonly brand: 'Key' };

/** What one rule changed; both are whole addresses. */
export interface Step {
  readonly rule: RuleId;
  readonly before: string;
  readonly after: string;
}

export interface Normalized {
  readonly ok: true;
  readonly key: Key;
  /** The absolute address after rules 1 to 3, the one to open when nothing better is known. */
  readonly url: string;
  /** From the input to the key, each step starting where the last one ended; empty when nothing changed. */
  readonly steps: readonly Step[];
  /** Names of imported providers that were skipped for this address, because they did not come to an end or it is too long. */
  readonly skipped?: readonly string[];
}

export interface Refused extends Failure {
  readonly ok: false;
}

export const DEFAULT_POLICY: Policy = compilePolicy({});

const MOST_REDIRECTORS = 5;
const MOST_PASSES = 5;

const TEXT_RULES = RULES.filter((rule) => rule.on === 'text');
const ADDRESS_RULES = groups(RULES.filter((rule) => rule.on === 'address'));
const KEY_RULES = RULES.filter((rule) => rule.on === 'key');

/**
 * The key of an address, with every step that leads there, or the reason why there is none. Pure and total: it never throws,
 * and the key of a key is that key. With a `base` the input is read as a link on a page, without one as pasted text.
 */
export function normalizeUrl(
  input: string,
  policy: Policy = DEFAULT_POLICY,
  base?: string,
): Normalized | Refused {
  const start = settle(input, { policy, base, pasted: base === undefined });
  if (!start.ok) return start;
  let last = start;
  for (let level = 0; ; level++) {
    const next = unwrap(last, policy);
    if (next === undefined) return last;
    // Deeper nesting than any redirector has: then all of it stays, so that the key of the key is the same.
    if (level === MOST_REDIRECTORS) return start;
    last = next;
  }
}

/** Rule 9, one level; undefined when the key is no redirector of an address that has a key. */
function unwrap(from: Normalized, policy: Policy): Normalized | undefined {
  for (const rule of KEY_RULES) {
    const target = isOn(rule, policy) ? rule.apply(from.key, policy) : undefined;
    if (target === undefined) continue;
    const found = settle(target, { policy, base: undefined, pasted: false });
    if (!found.ok) return undefined;
    const step = target === from.key ? [] : [{ rule: rule.id, before: from.key, after: target }];
    return join(from, { ...found, steps: [...step, ...found.steps] });
  }
  return undefined;
}

/**
 * Rules 1 to 8. Without imports they are a fixed point after one pass. What imported expressions cut out may make something
 * new for them or for a rule, so with imports they run until nothing changes; where that does not come to an end, without.
 */
function settle(input: string, context: Context): Normalized | Refused {
  const first = runRules(input, context);
  if (!first.ok || context.policy.imported.length === 0) return first;
  const settled = repeat(first, context.policy);
  if (settled !== undefined) return settled;
  const bare = runRules(input, { ...context, policy: { ...context.policy, imported: [] } });
  if (!bare.ok) return bare;
  const skipped = context.policy.imported.map(({ name }) => name);
  return repeat(bare, context.policy) ?? { ...bare, skipped };
}

function repeat(start: Normalized, policy: Policy): Normalized | undefined {
  let last = start;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const next = runRules(last.key, { policy, base: undefined, pasted: false });
    if (!next.ok) return undefined;
    if (next.steps.length === 0) return last;
    last = join(last, next);
  }
  return undefined;
}

/** What two runs did, the second of which began with the key of the first. */
function join(first: Normalized, second: Normalized): Normalized {
  const skipped = [...new Set([...(first.skipped ?? []), ...(second.skipped ?? [])])];
  const joined = { ...second, url: first.url, steps: [...first.steps, ...second.steps] };
  return skipped.length === 0 ? joined : { ...joined, skipped };
}

/** Rules 1 to 8, once. */
function runRules(input: string, context: Context): Normalized | Refused {
  const { policy } = context;
  const steps: Step[] = [];
  let current = input;
  const note = (rule: Rule, after: string) => {
    if (after !== current) steps.push({ rule: rule.id, before: current, after });
    current = after;
  };
  for (const rule of TEXT_RULES) {
    if (!isOn(rule, policy)) continue;
    const after = rule.apply(current, context);
    if (isFailure(after)) return { ok: false, ...after };
    note(rule, after);
  }
  const url = current;
  const run: Run = { policy, providers: [], skipped: new Set() };
  let address = splitAddress(url);
  for (const group of ADDRESS_RULES) {
    const active = group.filter((rule) => isOn(rule, policy));
    let before: string;
    do {
      before = current;
      for (const rule of active) {
        address = rule.apply(address, run);
        note(rule, writeAddress(address));
      }
    } while (group.length > 1 && current !== before);
  }
  const done = { ok: true, key: current as Key, url, steps } as const;
  return run.skipped.size === 0 ? done : { ...done, skipped: [...run.skipped] };
}

function isOn(rule: Rule, policy: Policy): boolean {
  return rule.switch === undefined || policy[rule.switch];
}

/** Neighbours marked `together` in one group, every other rule in its own. */
function groups(rules: readonly AddressRule[]): AddressRule[][] {
  const all: AddressRule[][] = [];
  for (const rule of rules) {
    const last = all.at(-1);
    if (rule.together && last?.[0]?.together) last.push(rule);
    else all.push([rule]);
  }
  return all;
}

/** Above this length stores and sets keep the hash of a key in its place. */
const LONGEST_STORED = 2048;

/** What store indexes and sets use for a key: the key itself, or `sha256:` and hex when it is longer than 2,048 characters. */
export function storeKey(key: Key): string {
  return key.length > LONGEST_STORED ? `sha256:${sha256(key)}` : key;
}
