import type { Address } from './address.ts';

/** A site rule as it is matched: host and names in the form of the key, the path pattern compiled. */
export interface SiteRule {
  readonly host: string;
  /** Pattern over the whole path, `*` = any characters; undefined = every path. */
  readonly path: string | undefined;
  readonly keep: ReadonlySet<string>;
  readonly remove: ReadonlySet<string>;
  readonly fragment: 'keep' | 'drop' | undefined;
}

interface Sites {
  /** Most specific first. */
  readonly siteRules: readonly SiteRule[];
}

/** Longer host, then longer path. */
export function bySpecificity(a: SiteRule, b: SiteRule): number {
  return b.host.length - a.host.length || (b.path?.length ?? 0) - (a.path?.length ?? 0);
}

/** `example.com` is the domain of itself and of `a.example.com`, not of `badexample.com`. */
export function isInDomain(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/** Whether the pattern covers the whole text. Taking the first place of each piece is enough, so no pattern is slow. */
export function matchesPattern(text: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** What the most specific rule that names the parameter says; keep beats remove within a rule and between equals. */
export function siteVerdictFor(
  { siteRules }: Sites,
  address: Address,
  name: string,
): 'keep' | 'remove' | undefined {
  return mostSpecific(siteRules, address, (rule) =>
    rule.keep.has(name) ? 'keep' : rule.remove.has(name) ? 'remove' : undefined,
  );
}

/** What the most specific rule that speaks of the fragment says; keep beats drop between equals. */
export function fragmentRuleFor({ siteRules }: Sites, address: Address): 'keep' | 'drop' | undefined {
  return mostSpecific(siteRules, address, (rule) => rule.fragment);
}

function mostSpecific<Answer extends string>(
  rules: readonly SiteRule[],
  { host, path }: Address,
  answerOf: (rule: SiteRule) => Answer | 'keep' | undefined,
): Answer | 'keep' | undefined {
  let first: SiteRule | undefined;
  let answer: Answer | 'keep' | undefined;
  for (const rule of rules) {
    if (first !== undefined && bySpecificity(first, rule) !== 0) break;
    if (!isInDomain(host, rule.host) || (rule.path !== undefined && !matchesPattern(path, rule.path)))
      continue;
    const said = answerOf(rule);
    if (said === 'keep') return said;
    if (said === undefined) continue;
    first ??= rule;
    answer = said;
  }
  return answer;
}
