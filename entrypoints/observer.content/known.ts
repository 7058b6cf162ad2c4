import type { Teller } from './tell.ts';
import type { Wanted } from './wanted.ts';

/** Most links one message carries. */
const BATCH = 2000;
/** A page that makes up addresses without end is believed up to here. */
const MOST = 200_000;

/** Tells the links of a page as known, each once for all its variants. */
export class KnownLinks {
  private readonly seen = new Set<string>();
  private readonly told = new Set<string>();
  private batch: string[] = [];
  private wanted: Wanted;
  private readonly teller: Teller;

  constructor(teller: Teller, wanted: Wanted) {
    this.teller = teller;
    this.wanted = wanted;
  }

  add(href: string): void {
    if (this.seen.has(href) || this.seen.size >= MOST || !/^https?:/.test(href)) return;
    this.seen.add(href);
    this.collapse(href);
  }

  /** Something else is wanted now, e.g. a round started: everything the page has is news again. */
  want(wanted: Wanted): void {
    this.wanted = wanted;
    this.told.clear();
    for (const href of this.seen) this.collapse(href);
    this.flush();
  }

  flush(): void {
    if (this.batch.length === 0) return;
    const links = this.batch;
    this.batch = [];
    void this.teller.tell('links', { url: location.href, links });
  }

  private collapse(href: string): void {
    const key = this.wanted.collapse(href);
    if (key === undefined || this.told.has(key)) return;
    this.told.add(key);
    this.batch.push(href);
    if (this.batch.length === BATCH) this.flush();
  }
}
