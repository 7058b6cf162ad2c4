import type { Address } from './address.ts';
import { canonicalEscapes, decodeBeyondAscii, QUERY } from './escapes.ts';
import type { Pair } from './pairs.ts';
import type { Policy } from './policy.ts';
import type { Provider } from './imported.ts';
import { siteVerdictFor } from './sites.ts';
import { HARD_NAMES, HARD_PREFIXES, RANGE_ENDS, SESSION_NAMES, SOFT_NAMES } from './tracking.ts';

/** The rule that removes a pair. */
export type Remover = 'policy-names' | 'imported-names' | 'tracking-names' | 'session-names' | 'soft-names';

/** A pair stays whatever follows ('keep'), goes by a rule, or is left to the next level of precedence (undefined). */
type Verdict = 'keep' | Remover | undefined;

const HARD = new Set(HARD_NAMES.map(({ name }) => name));
const SOFT = new Set(SOFT_NAMES.map(({ name }) => name));

interface Situation {
  /** Host and path as they stand in the key. */
  readonly address: Address;
  readonly run: { readonly policy: Policy; readonly providers: readonly Provider[] };
  /** Something besides the pairs identifies the page. */
  readonly identified: boolean;
}

/**
 * Rule 6: which rule removes each pair, or undefined for those that stay. All pairs are judged together, because a soft name
 * goes only if another pair stays; judging what is left again gives the same.
 */
export function judgePairs(pairs: readonly Pair[], situation: Situation): (Remover | undefined)[] {
  const { address, run, identified } = situation;
  const { policy, providers } = run;
  const verdicts = pairs.map((pair): Verdict => {
    if (policy.keepParams.has(pair.name)) return 'keep';
    const site = siteVerdictFor(policy, address, pair.name);
    if (site !== undefined) return site === 'keep' ? 'keep' : 'policy-names';
    if (policy.removeParams.has(pair.name)) return 'policy-names';
    if (providers.some(({ names }) => names.some((name) => name.test(pair.name)))) return 'imported-names';
    return builtInVerdict(pair, policy);
  });
  const stays = pairs.filter((_, index) => verdicts[index] === undefined || verdicts[index] === 'keep');
  const isRange = stays.some(({ name }) => RANGE_ENDS.includes(name.toLowerCase()));
  const isIdentified = identified || stays.some((pair) => !hasSoftValue(pair, policy));
  return pairs.map((pair, index) => {
    const verdict = verdicts[index];
    if (verdict === 'keep') return undefined;
    if (verdict !== undefined || policy.preset !== 'standard' || !isIdentified || !hasSoftValue(pair, policy))
      return verdict;
    return isRange && pair.name.toLowerCase() === 'from' ? undefined : 'soft-names';
  });
}

function builtInVerdict({ name, value }: Pair, policy: Policy): Verdict {
  const lower = name.toLowerCase();
  if (HARD.has(lower) || HARD_PREFIXES.some((prefix) => lower.startsWith(prefix.name)))
    return 'tracking-names';
  if (policy.stripSessionIds) {
    const session = SESSION_NAMES.find((entry) => entry.name === lower);
    if (session !== undefined && (session.value?.test(value ?? '') ?? true)) return 'session-names';
  }
  return policy.preset === 'broad' && SOFT.has(lower) ? 'soft-names' : undefined;
}

function hasSoftValue({ name, value }: Pair, policy: Policy): boolean {
  const words = policy.softValues.get(name.toLowerCase());
  return words !== undefined && value !== undefined && words.has(foldedWord(value));
}

/** A value as it stands in a key, in the form in which soft words are compared: ignoring case, in any alphabet. */
export function foldedWord(value: string): string {
  return decodeBeyondAscii(value).toLowerCase();
}

/** A pair of a route, spelled as rules 4 and 5 spell the pairs of a query, so that the same names match. */
export function keyPair({ name, value }: Pair): Pair {
  return { name: keyText(name), value: value === undefined || value === '' ? undefined : keyText(value) };
}

/** A name or value as it stands in the query of a key. */
export function keyText(text: string): string {
  return canonicalEscapes(text, QUERY).replaceAll('+', '%20');
}
