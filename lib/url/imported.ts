import { writeAddress } from './address.ts';
import type { Address } from './address.ts';

/** A ClearURLs provider as its file writes it; every text is the source of a regular expression. */
export interface ProviderJson {
  /** Addresses that the provider speaks of. */
  urlPattern: string;
  /** Names of parameters, matched as a whole. */
  rules?: readonly string[];
  /** Names of parameters that pay the referrer: only with preset `broad`. */
  referralMarketing?: readonly string[];
  /** What to cut out of path and query. */
  rawRules?: readonly string[];
  /** Addresses that the provider leaves alone. */
  exceptions?: readonly string[];
  /** Redirectors; the first group is the target. */
  redirections?: readonly string[];
  /** Blocks a site in ClearURLs; means nothing here. */
  completeProvider?: boolean;
  /** How ClearURLs redirects; means nothing here. */
  forceRedirection?: boolean;
}

export interface Provider {
  readonly name: string;
  readonly url: RegExp;
  readonly exceptions: readonly RegExp[];
  readonly names: readonly RegExp[];
  readonly raw: readonly RegExp[];
  readonly redirections: readonly RegExp[];
}

/**
 * Imported expressions are timed on texts of this length when they come in; a longer address is not shown to them, so that
 * none can take long.
 */
export const LONGEST_MATCHED = 4096;

/** What providers see of an address: all but userinfo. */
export function textForProviders(address: Address): string {
  return writeAddress({ ...address, userinfo: undefined });
}

/** The providers that speak of an address and make no exception for it. */
export function providersFor(providers: readonly Provider[], text: string): Provider[] {
  if (text.length > LONGEST_MATCHED) return [];
  return providers.filter(
    ({ url, exceptions }) => url.test(text) && !exceptions.some((exception) => exception.test(text)),
  );
}
