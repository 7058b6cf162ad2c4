import { sha256 } from '#lib/fingerprint/sha.ts';
import { splitAddress, writeAddress } from './address.ts';
import { isFailure } from './failure.ts';
import type { Failure } from './failure.ts';
import { compilePolicy } from './policy.ts';
import type { Policy } from './policy.ts';
import { RULES } from './rules/index.ts';
import type { AddressRule, Context, Rule } from './rules/index.ts';

/** The text by which two addresses are the same page. For comparing only: never opened, never shown as the address. */
export type Key = string & { readonly brand: 'Key' };

/** What one rule changed; both are whole addresses. */
export interface Step {
  readonly rule: string;
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
}

export interface Refused extends Failure {
  readonly ok: false;
}

export const DEFAULT_POLICY: Policy = compilePolicy({});

const MOST_REDIRECTORS = 5;

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
  const first = runRules(input, { policy, base, pasted: base === undefined });
  if (!first.ok) return first;
  const steps = [...first.steps];
  let { key } = first;
  // Deeper nesting than anybody's redirectors have: then all of it stays, so that the key of the key is the same.
  for (let level = 0; ; level++) {
    const rule = KEY_RULES.find((rule) => isOn(rule, policy) && rule.apply(key, policy) !== undefined);
    const target = rule?.apply(key, policy);
    const next =
      target === undefined ? undefined : runRules(target, { policy, base: undefined, pasted: false });
    if (rule === undefined || target === undefined || next?.ok !== true) return { ...first, key, steps };
    if (level === MOST_REDIRECTORS) return first;
    if (target !== key) steps.push({ rule: rule.id, before: key, after: target });
    steps.push(...next.steps);
    key = next.key;
  }
}

/** Rules 1 to 8, once. */
function runRules(input: string, context: Context): Normalized | Refused {
  const steps: Step[] = [];
  let current = input;
  const note = (rule: Rule, after: string) => {
    if (after !== current) steps.push({ rule: rule.id, before: current, after });
    current = after;
  };
  for (const rule of TEXT_RULES) {
    if (!isOn(rule, context.policy)) continue;
    const after = rule.apply(current, context);
    if (isFailure(after)) return { ok: false, ...after };
    note(rule, after);
  }
  const url = current;
  let address = splitAddress(url);
  for (const group of ADDRESS_RULES) {
    const active = group.filter((rule) => isOn(rule, context.policy));
    let before: string;
    do {
      before = current;
      for (const rule of active) {
        address = rule.apply(address, context.policy);
        note(rule, writeAddress(address));
      }
    } while (group.length > 1 && current !== before);
  }
  return { ok: true, key: current as Key, url, steps };
}

function isOn(rule: Rule, policy: Policy): boolean {
  return rule.switch === undefined || policy[rule.switch];
}

/** Rules marked `together` in one group, every other in its own. */
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
