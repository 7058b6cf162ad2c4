import { linkAddress } from './clicks.ts';
import { attributeOf, doc } from './doc.ts';
import type { Life } from './life.ts';

/** A link on the page and where it leads. */
export interface Link {
  element: Element;
  href: string;
}

/** Main-thread time of one slice of a scan, in ms. */
const SLICE = 4;
/** A page that changes all the time is scanned this often, in ms; one whose scan takes long, less often, … */
const PAUSE = 250;
const SHARE = 25;
/** … but what it adds is found within a second. */
const LONGEST_PAUSE = 800;
/** Shadow roots attached later make no mutation record: hosts are looked for this often while the page changes. */
const HOSTS_PAUSE = 5000;

const LINKS = 'a[href], area[href], a[*|href]';
/** Elements that may carry a shadow root, besides custom elements; only those without other content are asked. */
const PLAIN_HOSTS =
  ':is(article, aside, blockquote, div, footer, h1, h2, h3, h4, h5, h6, header, main, nav, p, section, span):empty';
/** Native and without a wrapper for every element, which is what a walk in script costs most. */
const CUSTOM_ELEMENTS = "descendant::*[contains(local-name(), '-')]";

interface ExtensionDom {
  dom?: { openOrClosedShadowRoot(element: HTMLElement): ShadowRoot | null };
}
const { chrome } = globalThis as { chrome?: ExtensionDom };

function shadowOf(element: Element): ShadowRoot | null {
  if (!(element instanceof HTMLElement)) return element.shadowRoot;
  return chrome?.dom ? chrome.dom.openOrClosedShadowRoot(element) : element.shadowRoot;
}

function hostsIn(root: Document | ShadowRoot): Element[] {
  const from = root === document ? doc : root;
  const plain = [...from.querySelectorAll(PLAIN_HOSTS)];
  if (root instanceof ShadowRoot) {
    return [...plain, ...root.querySelectorAll('*')].filter(
      ({ localName }, index) => index < plain.length || localName.includes('-'),
    );
  }
  const found = doc.evaluate(CUSTOM_ELEMENTS, root, null, XPathResult.UNORDERED_NODE_SNAPSHOT_TYPE);
  const custom = Array.from({ length: found.snapshotLength }, (_, index) => found.snapshotItem(index));
  return [...plain, ...custom.filter((node) => node instanceof Element)];
}

/** A path, with or without a query, of letters that no parser changes. */
const PLAIN = /^\/(?!\/)[\w\-~/.?=&+]*$/;

/** The address of a link written as a plain path: the same as `href`, which costs the browser several times as much. */
export function plainAddress(written: string | null, origin: string): string | undefined {
  return written !== null && PLAIN.test(written) && !written.includes('/.') ? origin + written : undefined;
}

/** What plain paths stand behind; nothing where the document has no address of the web. */
function originOfBase(): string | undefined {
  const origin = URL.parse(doc.baseURI)?.origin;
  return origin?.startsWith('http') ? origin : undefined;
}

/**
 * Finds the links of this document, shadow roots included, and those that are added or changed later, in slices that
 * leave the page its frames. What a mutation was is never looked at: a page may make thousands a second, and a native
 * query of all links costs less than their records. `found` gets each link once per address, `settled` is called when a
 * scan is done. Returns a function that finds all of them again.
 */
export function watchLinks(life: Life, found: (link: Link) => void, settled: () => void): () => void {
  let addresses = new WeakMap<Element, string>();
  const roots = new Set<Document | ShadowRoot>();
  let scan: Generator<undefined> | undefined;
  let isDirty = true;
  let spent = 0;
  let hostsAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const observer = new MutationObserver(() => {
    isDirty = true;
    schedule();
  });

  function visit(element: Element, origin: string | undefined): void {
    const plain = origin && plainAddress(attributeOf(element, 'href'), origin);
    const href = plain ?? linkAddress(element);
    if (!href || addresses.get(element) === href) return;
    addresses.set(element, href);
    found({ element, href });
  }

  /** All links of all roots; yields often, so that it can be left at any time. */
  function* links(): Generator<undefined> {
    const origin = originOfBase();
    if (performance.now() - hostsAt > HOSTS_PAUSE) {
      hostsAt = performance.now();
      // Roots found on the way are looked into as well.
      for (const root of roots) {
        for (const host of hostsIn(root)) watch(shadowOf(host));
        yield;
      }
    }
    for (const root of roots) {
      if (root instanceof ShadowRoot && !root.host.isConnected) roots.delete(root);
      let count = 0;
      for (const element of (root === document ? doc : root).querySelectorAll(LINKS)) {
        visit(element, origin);
        if (++count % 64 === 0) yield;
      }
      yield;
    }
  }

  function slice(): void {
    timer = undefined;
    if (!life.alive()) return;
    if (!scan) {
      scan = links();
      isDirty = false;
      spent = 0;
    }
    const begun = performance.now();
    let isDone = false;
    while (!isDone && performance.now() - begun < SLICE) isDone = scan.next().done === true;
    spent += performance.now() - begun;
    if (isDone) {
      scan = undefined;
      settled();
    }
    if (!isDone || isDirty) schedule();
  }

  function schedule(): void {
    if (timer !== undefined) return;
    const pause = scan ? 0 : Math.min(Math.max(PAUSE, spent * SHARE), LONGEST_PAUSE);
    timer = setTimeout(() => {
      if ('requestIdleCallback' in globalThis) requestIdleCallback(slice, { timeout: 150 });
      else slice();
    }, pause);
  }

  function watch(root: Document | ShadowRoot | null): void {
    if (!root || roots.has(root)) return;
    roots.add(root);
    observer.observe(root, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ['href', 'xlink:href'],
    });
  }

  life.signal.addEventListener('abort', () => observer.disconnect());
  // Custom elements are often defined after everything else.
  addEventListener('load', () => lookAgain(), { once: true, signal: life.signal });
  watch(document);
  schedule();

  function lookAgain(): void {
    hostsAt = -Infinity;
    isDirty = true;
    schedule();
  }

  return () => {
    addresses = new WeakMap();
    lookAgain();
  };
}
