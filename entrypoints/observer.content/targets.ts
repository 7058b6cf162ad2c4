import { linkAddress } from './clicks.ts';
import { attributeOf, doc } from './doc.ts';
import type { Shape } from './overlay.ts';

/** An address that links of this page lead to. */
export interface Target {
  readonly href: string;
  /** The address without the page's own origin, where the rest is a plain path: shorter to look up. */
  readonly name: string;
  /** The mark of its links, where they have one. */
  shape?: Shape | undefined;
}

/** A page that makes up addresses without end is believed up to here. */
const MOST = 200_000;

/** A path, with or without a query, of letters that no parser changes. */
const PLAIN = /^\/(?!\/)[\w\-~/.?=&+]*$/;

/** Whether a link is written as a plain path: then its address is the origin and that path, and need not be asked of the browser. */
export const isPlain = (written: string): boolean => PLAIN.test(written) && !written.includes('/.');

/** What plain paths stand behind; nothing where the document has no address of the web. */
function originOf(base: string): string | undefined {
  const origin = URL.parse(base)?.origin;
  return origin?.startsWith('http') ? origin : undefined;
}

/**
 * The addresses a page links to, each once however many links lead there. Elements are not kept: how a link is written
 * tells its address, which costs less to look up than to remember of each element, and a page may have very many.
 */
export class Targets {
  /** By name, and by each other way it is written; nothing for what is not wanted. */
  private readonly known = new Map<string, Target | undefined>();
  private readonly wanted: Target[] = [];
  private readonly isWanted: (href: string) => boolean;
  private readonly isNew: (target: Target) => void;
  private readonly isUnreadable: () => void;
  private base = '';
  private origin: string | undefined;

  /** `isNew` is called for each wanted address once, `isUnreadable` for each of the web that cannot be parsed. */
  constructor(
    isWanted: (href: string) => boolean,
    isNew: (target: Target) => void,
    isUnreadable: () => void = () => undefined,
  ) {
    this.isWanted = isWanted;
    this.isNew = isNew;
    this.isUnreadable = isUnreadable;
  }

  /** To be called before links are asked for: the page may have another base now. */
  begin(): void {
    if (doc.baseURI === this.base) return;
    this.base = doc.baseURI;
    const origin = originOf(this.base);
    if (origin !== this.origin) this.clear();
    this.origin = origin;
    // What is written is read differently from now on, but for names.
    for (const [written, target] of this.known) if (target?.name !== written) this.known.delete(written);
  }

  /** Where a link leads; nothing where it leads nowhere that is wanted. */
  of(element: Element): Target | undefined {
    const written = attributeOf(element, 'href');
    if (written === null) return this.at(linkAddress(element));
    const known = this.known.get(written);
    if (known || this.known.has(written)) return known;
    if (this.origin !== undefined && isPlain(written)) return this.add(this.origin + written, written);
    const target = this.at(linkAddress(element));
    if (this.known.size < MOST) this.known.set(written, target);
    return target;
  }

  all(): readonly Target[] {
    return this.wanted;
  }

  /** Something else is wanted now: every address is news again. */
  clear(): void {
    this.known.clear();
    this.wanted.length = 0;
  }

  private at(href: string | undefined): Target | undefined {
    if (!href) return undefined;
    const { origin } = this;
    const path = origin !== undefined && href.startsWith(`${origin}/`) ? href.slice(origin.length) : '';
    const name = isPlain(path) ? path : href;
    return this.known.get(name) ?? this.add(href, name);
  }

  private add(href: string, name: string): Target | undefined {
    if (this.known.size >= MOST) return undefined;
    const target = this.isWanted(href) ? { href, name } : undefined;
    if (!target && !this.known.has(name) && /^\s*https?:/i.test(href) && !URL.canParse(href))
      this.isUnreadable();
    this.known.set(name, target);
    if (target) {
      this.wanted.push(target);
      this.isNew(target);
    }
    return target;
  }
}
