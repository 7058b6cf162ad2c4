import type { PageDetails } from '#lib/protocol.ts';
import { addressOf } from '#lib/rounds/address.ts';
import { holds } from '#lib/rounds/aliases.ts';
import type { Page, Round, Scope } from '#lib/rounds/types.ts';
import { withStore } from '#lib/store/open.ts';
import { listRounds, listScopes, listWatches, pageDetails } from '#lib/store/read.ts';
import { compilePolicy, normalizeUrl, storeKey } from '#lib/url/index.ts';

export interface Overview {
  scopes: Scope[];
  /** All rounds, latest first. */
  rounds: Round[];
  /** How many watches changed since the person looked. */
  unseen: number;
}

export async function loadOverview(): Promise<Overview> {
  const [scopes, rounds, watches] = await Promise.all([listScopes(), listRounds(), listWatches()]);
  return { scopes, rounds, unseen: watches.filter(({ unseen }) => unseen).length };
}

/** The why view's data; a page that is not there is an error, so that the view can say so. */
export async function detailsOf(round: Round, key: string): Promise<PageDetails> {
  const details = await pageDetails(round.space, key);
  if (!details) throw new Error('not-found');
  return details;
}

/**
 * The page that an address is in a round: by its key, or by the alias that its key is. Nothing where the address is no
 * page of the web, or not known in the round.
 */
export async function pageAt(round: Round, scope: Scope, url: string): Promise<Page | undefined> {
  const normalized = normalizeUrl(url, compilePolicy(round.policy), url);
  if (!normalized.ok) return undefined;
  const key = storeKey(normalized.key);
  return withStore(async (db) => {
    const own = await db.get('pages', [round.space, key]);
    if (own) return own;
    const alias = await db.get('aliases', [round.scope, key]);
    return alias && holds(alias, round, scope.tokens) ? db.get('pages', [round.space, alias.to]) : undefined;
  });
}

/** The key of an address in a round; nothing for what is no page of the web. */
export function pageKeyOf(round: Round, url: string): Pick<Page, 'key' | 'fullKey'> | undefined {
  return addressOf(url, compilePolicy(round.policy));
}

/** Rows of a space by their keys, in the same order; nothing where there is none. */
export function pagesByKey(space: string, keys: string[]): Promise<(Page | undefined)[]> {
  return withStore((db) => Promise.all(keys.map((key) => db.get('pages', [space, key]))));
}

/** Hosts of a round's pages, by the index of hosts: one step for each host, however many pages it has. */
export function hostsOf(round: Round): Promise<string[]> {
  return withStore(async (db) => {
    const hosts = new Set<string>();
    const index = db.transaction('pages').store.index('place');
    for (const space of new Set([round.space, round.baseSpace])) {
      if (space === undefined) continue;
      const end = IDBKeyRange.bound([space], [space, []]);
      let cursor = await index.openKeyCursor(end);
      while (cursor) {
        const [, host] = cursor.key;
        hosts.add(host);
        // To the first entry behind all paths of this host: arrays sort after every string.
        cursor = await cursor.continue([space, host, []] as unknown as [string, string, string, string]);
      }
    }
    return [...hosts].sort();
  });
}
