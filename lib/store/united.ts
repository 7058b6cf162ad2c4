import { addressOf, partsOf, type Addressed } from '#lib/rounds/address.ts';
import { NO_COUNTERS } from '#lib/rounds/counters.ts';
import type { Counters, Page } from '#lib/rounds/types.ts';
import { united } from '#lib/rounds/words.ts';
import type { Policy } from '#lib/url/index.ts';

/** Counters with every count a number, whatever a file says. */
export function wholeCounters(given: Partial<Counters>): Counters {
  const counters = { ...NO_COUNTERS };
  for (const name of Object.keys(counters) as (keyof Counters)[]) {
    const count = given[name];
    if (Number.isSafeInteger(count)) counters[name] = count ?? 0;
  }
  return counters;
}

/** The page with a key of the policy of its space; nothing where its address has none. The same row where nothing changes. */
export function keyedPage(page: Page, space: { policy: Policy; policyVersion: string }): Page | undefined {
  if (page.policyVersion === space.policyVersion) return page;
  const address: Addressed | undefined = addressOf(page.url, space.policy);
  if (!address) return undefined;
  const { fullKey: _, ...rest } = page;
  const { key, fullKey } = address;
  const { policyVersion } = space;
  return { ...rest, key, ...(fullKey !== undefined && { fullKey }), ...partsOf(address), policyVersion };
}

/** A page that is known by nothing but its row is known as a link, or it would go when its row is made again. */
export function asLink(page: Page): Page {
  const { state, visits, linkedAt, mark, verdictAt, firstSeenAt } = page;
  const isBare = state === 'known' && visits === 0 && (linkedAt ?? mark ?? verdictAt) === undefined;
  return isBare ? { ...page, linkedAt: firstSeenAt } : page;
}

/** Whether a row knows something that does not follow from visits and that the other does not know. */
export function saysMore(page: Page, there: Page): boolean {
  return JSON.stringify(unite(page, there)) !== JSON.stringify(there);
}

/** Two rows of one page: older link, newer word, mark and content; the rest follows from the visits. */
export function unite(page: Page, there: Page): Page {
  const [older, newer] = page.firstSeenAt < there.firstSeenAt ? [page, there] : [there, page];
  const both = { ...united(older, newer) };
  const row: Page = { ...there, url: older.url, firstSeenAt: older.firstSeenAt };
  for (const field of ['linkedAt', 'verdict', 'note', 'verdictAt'] as const) {
    if (both[field] === undefined) delete row[field];
    else Object.assign(row, { [field]: both[field] });
  }
  if ((page.mark?.at ?? 0) > (there.mark?.at ?? 0)) Object.assign(row, { mark: page.mark });
  if ((page.digestAt ?? 0) > (there.digestAt ?? 0)) {
    for (const field of ['digest', 'maskedDigest', 'changed', 'digestAt'] as const)
      if (page[field] !== undefined) Object.assign(row, { [field]: page[field] });
  }
  return row;
}
