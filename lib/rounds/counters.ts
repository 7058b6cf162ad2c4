import type { Alias, Counters, Page, Visit } from './types.ts';

export type Count = Partial<Counters>;

export const NO_COUNTERS: Counters = {
  visits: 0,
  duplicates: 0,
  failed: 0,
  known: 0,
  visited: 0,
  retrying: 0,
  gone: 0,
  changed: 0,
  baseVisited: 0,
  baseRetrying: 0,
  baseGone: 0,
};

/** What a row adds to the counters of its round. They are sums over rows and nothing else, so they cannot drift. */
export function countPage(page: Page): Count {
  const count: Count = { [page.state]: 1, changed: page.changed ? 1 : 0 };
  if (!page.inBase) return count;
  if (page.state === 'visited') return { ...count, baseVisited: 1 };
  if (page.state === 'retrying') return { ...count, baseRetrying: 1 };
  if (page.state === 'gone') return { ...count, baseGone: 1 };
  return count;
}

export function countVisit({ kind }: Visit): Count {
  if (kind === 'first') return { visits: 1 };
  if (kind === 'return') return { visits: 1, duplicates: 1 };
  return kind === 'failed' ? { failed: 1 } : {};
}

/** A page of the base round that turned out to be an original of another page is visited with that one. */
export function countAlias(alias: Alias, round: string): Count {
  return alias.coversBase === round ? { baseVisited: 1 } : {};
}

export function addCount(to: Counters, count: Count, times: 1 | -1 = 1): Counters {
  const sum = { ...to };
  for (const name of Object.keys(count) as (keyof Counters)[]) sum[name] += times * (count[name] ?? 0);
  return sum;
}
