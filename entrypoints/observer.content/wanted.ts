import { browser } from 'wxt/browser';
import { OBSERVED_KEY, type Observed } from '#lib/observed.ts';
import { covers } from '#lib/rounds/coverage.ts';
import type { Scope } from '#lib/rounds/types.ts';
import { compilePolicy, normalizeUrl, type Policy } from '#lib/url/index.ts';
import type { Life } from './life.ts';

/** What the recording rounds want to see of addresses. */
export interface Wanted {
  /** Whether a page at this address is recorded now. */
  covers(url: string): boolean;
  /** Keys of an address, one for each scope that covers it: a prefilter only, the worker's keys decide. */
  keys(url: string): string;
  /** Whether texts are read, to tell what changed. */
  texts: boolean;
}

const NOTHING: Wanted = { covers: () => false, keys: (url) => url, texts: false };

function compile(observed: Observed | undefined): Wanted {
  const scopes = (observed?.scopes ?? []).map((scope) => ({
    isIn: matcherOf(scope),
    policy: policyOf(scope.policy),
  }));
  if (scopes.length === 0) return NOTHING;
  return {
    texts: observed?.texts !== false,
    covers: (url) => scopes.some(({ isIn }) => isIn(url)),
    keys(url) {
      const keys = scopes
        .filter(({ isIn }) => isIn(url))
        .map(({ policy }) => {
          const result = policy && normalizeUrl(url, policy, url);
          return result?.ok ? result.key : url;
        });
      return keys.join('\n');
    },
  };
}

/** As `covers`, without parsing the addresses of sites named in full: a page may have very many links. */
function matcherOf(scope: Pick<Scope, 'origins' | 'paths'>): (url: string) => boolean {
  const hosts = scope.origins.map((origin) => /^(https?):\/\/([\w.-]+)\/\*$/.exec(origin));
  if (scope.paths.length > 0 || hosts.includes(null)) return (url) => covers(scope, url);
  const sites = hosts.map((match) => `${match?.[1]}://${match?.[2]?.replaceAll('.', '\\.')}`);
  const inside = new RegExp(`^(?:${sites.join('|')})(?::\\d+)?/`);
  // Userinfo in front of the host is rare, and for the parser.
  return (url) => inside.test(url) || (url.includes('@') && covers(scope, url));
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
