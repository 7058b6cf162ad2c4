import type { Target } from './targets.ts';
import type { Teller } from './tell.ts';
import type { Wanted } from './wanted.ts';

/** Most links one message carries. */
const BATCH = 2000;
/** Main-thread time a page's links may spend on keys, in ms; above it they travel as they are, the worker collapses them. */
const BUDGET = 15;

/**
 * Tells the links of a page as known, each once for all its variants. Only links that are alike up to their query or
 * fragment can be variants worth a key; most pages have few of them.
 */
export class KnownLinks {
  /** By name without query and fragment: the only address so far, or the keys of all. */
  private readonly alike = new Map<string, string | Set<string>>();
  private batch: string[] = [];
  private collapsed = 0;
  private refused = 0;
  private spent = 0;
  private wanted: Wanted;
  private readonly teller: Teller;

  constructor(teller: Teller, wanted: Wanted) {
    this.teller = teller;
    this.wanted = wanted;
  }

  /** An address of a page that is recorded, which the page had no link to before. */
  add({ href, name }: Target): void {
    if (this.isVariant(href, name)) {
      this.collapsed += 1;
      return;
    }
    this.batch.push(href);
    if (this.batch.length === BATCH) this.flush();
  }

  /** A link that cannot be read as an address. */
  refuse(): void {
    this.refused += 1;
  }

  /** Something else is wanted now, e.g. a round started: every link is news again. */
  want(wanted: Wanted): void {
    this.flush();
    this.wanted = wanted;
    this.alike.clear();
  }

  flush(): void {
    const { batch: links, collapsed, refused } = this;
    if (links.length + collapsed + refused === 0) return;
    this.batch = [];
    this.collapsed = 0;
    this.refused = 0;
    void this.teller.tell('links', { url: location.href, links, collapsed, refused });
  }

  private isVariant(href: string, name: string): boolean {
    const base = withoutQuery(name);
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

/** What comes before the first `?`, `#` or `;`. */
function withoutQuery(name: string): string {
  let end = name.length;
  for (const sign of ['?', '#', ';']) {
    const at = name.indexOf(sign);
    if (at >= 0 && at < end) end = at;
  }
  return end === name.length ? name : name.slice(0, end);
}
