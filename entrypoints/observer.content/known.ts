import type { Teller } from './tell.ts';
import type { Wanted } from './wanted.ts';

/** Most links one message carries. */
const BATCH = 2000;
/** Main-thread time a page's links may spend on keys, in ms; above it they travel as they are, the worker collapses them. */
const BUDGET = 30;

/**
 * Tells the links of a page as known, each once for all its variants. Only links that are alike up to their query or
 * fragment can be variants worth a key; most pages have few of them.
 */
export class KnownLinks {
  /** By address without query and fragment: the only one so far, or the keys of all. */
  private readonly alike = new Map<string, string | Set<string>>();
  private batch: string[] = [];
  private spent = 0;
  private wanted: Wanted;
  private readonly teller: Teller;

  constructor(teller: Teller, wanted: Wanted) {
    this.teller = teller;
    this.wanted = wanted;
  }

  /** An address of a page that is recorded, which the page had no link to before. */
  add(href: string): void {
    if (this.isVariant(href)) return;
    this.batch.push(href);
    if (this.batch.length === BATCH) this.flush();
  }

  /** Something else is wanted now, e.g. a round started: every link is news again. */
  want(wanted: Wanted): void {
    this.flush();
    this.wanted = wanted;
    this.alike.clear();
  }

  flush(): void {
    if (this.batch.length === 0) return;
    const links = this.batch;
    this.batch = [];
    void this.teller.tell('links', { url: location.href, links });
  }

  private isVariant(href: string): boolean {
    const end = href.search(/[?#;]/);
    const base = end < 0 ? href : href.slice(0, end);
    const others = this.alike.get(base);
    if (others === undefined) {
      this.alike.set(base, href);
      return false;
    }
    if (this.spent > BUDGET) return false;
    const begun = performance.now();
    const keys = typeof others === 'string' ? new Set([this.wanted.keys(others)]) : others;
    const key = this.wanted.keys(href);
    const isVariant = keys.has(key);
    this.alike.set(base, keys.add(key));
    this.spent += performance.now() - begun;
    return isVariant;
  }
}
