import type { Language } from '#components/i18n.ts';
import type { PageDetails } from '#lib/protocol.ts';
import type { Alias, How, Round } from '#lib/rounds/types.ts';
import { compilePolicy, normalizeUrl } from '#lib/url/index.ts';
import { RULE_NAMES, type RuleId } from '#lib/url/rule-names.ts';

/** A step from an address to the page's key: a rule, or a redirect that was seen. */
export interface Step {
  /** The rule's name; a redirect has none. */
  title?: string;
  alias?: Alias['strength'];
  /** No switch turns the rule off. */
  always?: boolean;
  before: string;
  after: string;
}

/** Rules that no policy turns off or makes an exception from. */
const ALWAYS: ReadonlySet<string> = new Set<RuleId>(['trim', 'whole', 'parse', 'percent', 'pairs', 'sort']);

export interface ExplainedAddress {
  url: string;
  steps: Step[];
  seen: { how: How; at: number } | undefined;
}

/**
 * Every address of a page with the steps that lead to its key, made again with the policy of the round: its own address
 * first, then the others, first seen first.
 */
export function whyAddresses(details: PageDetails, round: Round, language: Language): ExplainedAddress[] {
  const { page, variants, aliases } = details;
  const policy = compilePolicy(round.policy);
  const key = page.fullKey ?? page.key;
  const explain = (url: string, seen: ExplainedAddress['seen']): ExplainedAddress => {
    const normalized = normalizeUrl(url, policy, url);
    if (!normalized.ok) return { url, steps: [], seen };
    const steps: Step[] = normalized.steps.map(({ rule, before, after }) => {
      return { title: nameOf(rule, language), always: ALWAYS.has(rule), before, after };
    });
    const alias = aliases.find(({ from }) => from === normalized.key);
    if (normalized.key !== key && alias) {
      steps.push({ alias: alias.strength, before: normalized.key, after: key });
    }
    return { url, steps, seen };
  };
  const own = variants.find(({ url }) => url === page.url);
  const rest = variants
    .filter(({ url }) => url !== page.url)
    .toSorted((a, b) => a.firstSeenAt - b.firstSeenAt)
    .map((variant) => explain(variant.url, { how: variant.how, at: variant.firstSeenAt }));
  const led = aliases
    .filter(({ fromUrl }) => fromUrl !== page.url && !variants.some(({ url }) => url === fromUrl))
    .map((alias) => explain(alias.fromUrl, { how: 'link', at: alias.at }));
  return [explain(page.url, own && { how: own.how, at: own.firstSeenAt }), ...rest, ...led];
}

function nameOf(rule: string, language: Language): string {
  const names: Record<string, Record<'en' | 'zh', string>> = RULE_NAMES satisfies Record<RuleId, unknown>;
  return names[rule]?.[language === 'zh_CN' ? 'zh' : 'en'] ?? rule;
}
