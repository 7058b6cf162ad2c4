import type { Language, Text } from '#components/i18n.ts';
import type { Step as ShownStep } from '#components/Steps.tsx';
import type { PageDetails } from '#lib/protocol.ts';
import type { Alias, How, Round, Variant } from '#lib/rounds/types.ts';
import {
  compilePolicy,
  normalizeUrl,
  RULE_NAMES,
  type RuleId,
  type Step as RuleStep,
} from '#lib/url/index.ts';

/** A step from an address to the page's key: by a rule, or by a redirect that was seen. */
export type Step = RuleStep | { alias: Alias; before: string; after: string };

/** Rules that no policy turns off or makes an exception from. */
const ALWAYS: ReadonlySet<string> = new Set<RuleId>(['trim', 'whole', 'parse', 'percent', 'pairs', 'sort']);

export interface ExplainedAddress {
  url: string;
  steps: Step[];
  /**
   * What made it this page: its `key`, an `alias` of its key, or what was `shown` there (an error or login page, a temporary token).
   */
  decided: 'key' | 'alias' | 'shown';
  /** How, when and from where it was seen first; nothing is known of an address before a redirect that nobody opened here. */
  seen: { how: How; at: number; source?: string | undefined; visits: number } | undefined;
}

/**
 * Every address of a page with the steps that lead to its key, made again with the policy of the round: its own address
 * first, then the others, first seen first.
 */
export function whyAddresses(
  { page, variants, aliases, visits }: PageDetails,
  round: Round,
): ExplainedAddress[] {
  const policy = compilePolicy(round.policy);
  const key = page.fullKey ?? page.key;
  const explain = (url: string, seen: ExplainedAddress['seen']): ExplainedAddress => {
    const normalized = normalizeUrl(url, policy, url);
    if (!normalized.ok) return { url, steps: [], decided: 'shown', seen };
    if (normalized.key === key) return { url, steps: [...normalized.steps], decided: 'key', seen };
    const alias = aliases.find(({ from, fullFrom = from }) => fullFrom === normalized.key);
    if (!alias) return { url, steps: [...normalized.steps], decided: 'shown', seen };
    const step = { alias, before: normalized.key, after: key };
    return { url, steps: [...normalized.steps, step], decided: 'alias', seen };
  };
  const seenAs = (variant: Variant | undefined): ExplainedAddress['seen'] => {
    if (!variant) return undefined;
    const address = variant.fullUrl ?? variant.url;
    const { source } = visits.findLast(({ url }) => url === address) ?? {};
    return { how: variant.how, at: variant.firstSeenAt, visits: variant.visits, source };
  };
  const own = variants.find(({ url, fullUrl = url }) => fullUrl === page.url);
  const rest = variants
    .filter((variant) => variant !== own)
    .toSorted((a, b) => a.firstSeenAt - b.firstSeenAt)
    .map((variant) => explain(variant.fullUrl ?? variant.url, seenAs(variant)));
  const known = new Set([page.url, ...rest.map(({ url }) => url)]);
  const led = aliases
    .filter(({ fromUrl }) => !known.has(fromUrl))
    .map((alias) => explain(alias.fromUrl, undefined));
  return [explain(page.url, seenAs(own)), ...rest, ...led];
}

/** A rule as people read it. */
export function ruleName(rule: RuleId, language: Language): string {
  return RULE_NAMES[rule][language === 'zh_CN' ? 'zh' : 'en'];
}

/** Steps as they are shown: named, and said where no switch turns one off. */
export function shownSteps(steps: readonly Step[], text: Text): ShownStep[] {
  return steps.map((step) => {
    const { before, after } = step;
    if ('alias' in step) {
      const title = step.alias.strength === 'permanent' ? 'redirectPermanent' : 'redirectTentative';
      return { title: text(title), before, after };
    }
    const note = ALWAYS.has(step.rule) ? { note: text('alwaysOn') } : {};
    return { title: ruleName(step.rule, text.language), before, after, ...note };
  });
}
