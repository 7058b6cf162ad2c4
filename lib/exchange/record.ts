import type { Page, PageState, Variant, Verdict } from '#lib/rounds/types.ts';
import { safeAddress } from './address.ts';
import { plainText } from './text.ts';

/** What an export knows of one page (or, with all visits, of one visit). Only `url` is always there. */
export interface PageRecord {
  /** The original address to write. */
  url: string;
  key?: string;
  title?: string;
  state?: PageState;
  status?: number;
  visits?: number;
  /** Milliseconds since the epoch. */
  firstSeenAt?: number;
  firstVisitAt?: number;
  lastVisitAt?: number;
  /** How many addresses of the page were seen. */
  addresses?: number;
  /** The other original addresses of the page, first seen first; each has passed the gate. */
  otherAddresses?: string[];
  isNew?: boolean;
  changed?: boolean;
  verdict?: Verdict;
  note?: string;
  /** Key of the page that led here first. */
  from?: string;
}

/** Which of a page's addresses is written: the first one seen, the latest that worked, or the one a visit ended at. */
export type AddressChoice = 'first' | 'usable' | 'final';

/** A page of the store as a record. `finalUrl` is the address its latest visit ended at, where one is known. */
export function pageRecord(page: Page, choice: AddressChoice = 'first', finalUrl?: string): PageRecord {
  const usable = page.usable ?? page.url;
  const record: PageRecord = {
    url: choice === 'first' ? page.url : choice === 'usable' ? usable : (finalUrl ?? usable),
    key: page.fullKey ?? page.key,
    state: page.state,
    visits: page.visits,
    firstSeenAt: page.firstSeenAt,
    addresses: page.addresses,
    isNew: page.isNew,
  };
  if (page.title !== undefined) record.title = plainText(page.title);
  if (page.status !== undefined) record.status = page.status;
  if (page.firstVisitAt !== undefined) record.firstVisitAt = page.firstVisitAt;
  if (page.lastVisitAt !== undefined) record.lastVisitAt = page.lastVisitAt;
  if (page.changed !== undefined) record.changed = page.changed;
  if (page.verdict !== undefined) record.verdict = page.verdict;
  if (page.note !== undefined) record.note = plainText(page.note);
  if (page.from !== undefined) record.from = page.from;
  return record;
}

/** The addresses of a page besides the one that is written, for formats that carry them. */
export function otherAddresses(written: string, variants: readonly Variant[]): string[] {
  const own = safeAddress(written);
  return variants
    .toSorted((a, b) => a.firstSeenAt - b.firstSeenAt)
    .map(({ url }) => safeAddress(url))
    .filter((address) => address.ok)
    .map(({ url }) => url)
    .filter((url) => !own.ok || url !== own.url);
}
