import { browser } from 'wxt/browser';
import { OBSERVED_KEY, type Observed } from '#lib/observed.ts';
import { covers } from '#lib/rounds/coverage.ts';
import { compilePolicy, normalizeUrl, type Policy } from '#lib/url/index.ts';
import type { Life } from './life.ts';

/** What the recording rounds want to see of addresses. */
export interface Wanted {
  /** Whether a page at this address is recorded now. */
  covers(url: string): boolean;
  /**
   * For a link: a text that is the same for all its variants, in every scope that covers it; `undefined` where none
   * does. Only a prefilter: the worker's key decides.
   */
  collapse(href: string): string | undefined;
}

const NOTHING: Wanted = { covers: () => false, collapse: () => undefined };

function compile(observed: Observed | undefined): Wanted {
  const scopes = (observed?.scopes ?? []).map((scope) => ({ scope, policy: policyOf(scope.policy) }));
  if (scopes.length === 0) return NOTHING;
  return {
    covers: (url) => scopes.some(({ scope }) => covers(scope, url)),
    collapse(href) {
      const keys = scopes
        .filter(({ scope }) => covers(scope, href))
        .map(({ policy }) => {
          const result = policy && normalizeUrl(href, policy, href);
          return result?.ok ? result.key : href;
        });
      return keys.length === 0 ? undefined : keys.join('\n');
    },
  };
}

// A policy this version does not understand collapses nothing; the worker says what is wrong with it.
function policyOf(json: Record<string, unknown>): Policy | undefined {
  try {
    return compilePolicy(json);
  } catch {
    return undefined;
  }
}

/** Calls back with what is wanted, now and whenever a round starts, pauses or ends. */
export function followWanted(life: Life, changed: (wanted: Wanted) => void): void {
  const listener = (changes: Record<string, { newValue?: unknown }>) => {
    const change = changes[OBSERVED_KEY];
    if (change && life.alive()) changed(compile(change.newValue as Observed | undefined));
  };
  browser.storage.local.onChanged.addListener(listener);
  life.signal.addEventListener('abort', () => {
    // An orphan may not even unregister.
    if (browser.runtime?.id) browser.storage.local.onChanged.removeListener(listener);
  });
  void (async () => {
    const stored: Record<string, unknown> = await browser.storage.local.get(OBSERVED_KEY);
    changed(compile(stored[OBSERVED_KEY] as Observed | undefined));
  })();
}
