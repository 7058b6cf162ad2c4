import { hostOf } from './address.ts';
import type { Alias, Hop, Page, Variant, Visit } from './types.ts';

/**
 * Rows without what they say of a host, for deleting everything about it: the same row where it says nothing, `undefined` where nothing of
 * it is left. `host` is as in page rows, with its port.
 */
export const WITHOUT_HOST = {
  pages(page: Page, host: string): Page | undefined {
    if (page.host === host) return undefined;
    const { from, usable, hint, ...rest } = page;
    const isAt = (address: string | undefined) => address !== undefined && hostOf(address) === host;
    if (![from, usable, hint, page.url].some(isAt)) return page;
    const kept: Page = { ...rest };
    if (from !== undefined && !isAt(from)) kept.from = from;
    if (usable !== undefined && !isAt(usable)) kept.usable = usable;
    if (hint !== undefined && !isAt(hint)) kept.hint = hint;
    // Its own address was a wrapper on that host: the key is an address too, but for those that are hashes.
    if (isAt(kept.url)) kept.url = kept.usable ?? kept.fullKey ?? kept.key;
    return kept;
  },

  visits(visit: Visit, host: string): Visit | undefined {
    const isAt = (address: string | undefined) => address !== undefined && hostOf(address) === host;
    if ([visit.key, visit.url, visit.shown, visit.shownFull].some(isAt)) return undefined;
    const { source, linkText, chain, ...rest } = visit;
    const isHopAt = ({ url, key }: Hop) => isAt(url) || isAt(key);
    const urls = visit.signals.map(({ url }) => url);
    if (!isAt(source) && !chain?.some(isHopAt) && !urls.some(isAt)) return visit;
    const kept: Visit = {
      ...rest,
      signals: visit.signals.map(({ url, ...signal }) =>
        url === undefined || isAt(url) ? signal : { ...signal, url },
      ),
    };
    if (source !== undefined && !isAt(source)) {
      kept.source = source;
      if (linkText !== undefined) kept.linkText = linkText;
    }
    if (chain) kept.chain = chain.filter((hop) => !isHopAt(hop));
    return kept;
  },

  variants(variant: Variant, host: string): Variant | undefined {
    const { key, url, fullUrl = '' } = variant;
    return [key, url, fullUrl].some((address) => hostOf(address) === host) ? undefined : variant;
  },

  /** An alias that leads to the host, or from it, says where somebody was led: it goes as a whole. */
  aliases(alias: Alias, host: string): Alias | undefined {
    const targets = alias.targets.flatMap(({ to, toUrl }) => [to, toUrl]);
    const all = [alias.from, alias.fromUrl, alias.fullFrom ?? '', alias.to, alias.toUrl, ...targets];
    if (all.some((address) => hostOf(address) === host) || alias.folded?.host === host) return undefined;
    return alias;
  },
};
