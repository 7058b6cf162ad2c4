import { doc } from './doc.ts';
import type { Life } from './life.ts';

/** Main-thread time of one slice of a scan, in ms. */
const SLICE = 4;
/** A page that changes all the time is scanned this often, in ms; one whose scan takes long, less often, … */
const PAUSE = 250;
const SHARE = 25;
/** … but what it adds is found within a second. */
const LONGEST_PAUSE = 800;
/** Shadow roots attached later make no mutation record: hosts are looked for this often while the page changes, in ms … */
const HOSTS_PAUSE = 5000;
/** … first when it is loaded, since custom elements are often defined after everything else, or after this long. */
const HOSTS_FIRST = 500;

const LINKS = 'a[href], area[href], a[*|href]';
/** Elements that may carry a shadow root, besides custom elements; only those without other content are asked. */
const PLAIN_HOSTS =
  ':empty:is(article, aside, blockquote, div, footer, h1, h2, h3, h4, h5, h6, header, main, nav, p, section, span)';
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

/** What a scan tells. */
export interface Visitor {
  begin: () => void;
  link: (element: Element) => void;
  /** All links were visited. */
  end: () => void;
}

export interface LinkWatch {
  /** Visits all links again as soon as the page has time, whether or not it changed. */
  again: () => void;
}

/**
 * Visits the links of this document, shadow roots included, and all of them again after it changed, in slices that
 * leave the page its frames. What a mutation was is never looked at: a page may make thousands a second, and a native
 * query of all links costs less than their records. A visit must cost next to nothing where the link is not new.
 */
export function watchLinks(life: Life, { begin, link, end }: Visitor): LinkWatch {
  const roots = new Set<Document | ShadowRoot>();
  let scan: Generator<undefined> | undefined;
  let isDirty = true;
  let spent = 0;
  let hostsAt = Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const observer = new MutationObserver(() => {
    isDirty = true;
    schedule();
  });

  /** All links of all roots; yields often, so that it can be left at any time. */
  function* links(): Generator<undefined> {
    begin();
    if (performance.now() > hostsAt) {
      hostsAt = performance.now() + HOSTS_PAUSE;
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
        link(element);
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
      end();
    }
    if (!isDone || isDirty) schedule();
  }

  function schedule(pause = scan ? 0 : Math.min(Math.max(PAUSE, spent * SHARE), LONGEST_PAUSE)): void {
    if (timer !== undefined) return;
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

  function again(): void {
    isDirty = true;
    schedule(0);
  }

  life.signal.addEventListener('abort', () => observer.disconnect());
  const lookForHosts = () => {
    hostsAt = 0;
    again();
  };
  const first = setTimeout(lookForHosts, HOSTS_FIRST);
  const loaded = () => {
    clearTimeout(first);
    lookForHosts();
  };
  if (doc.readyState === 'complete') loaded();
  else addEventListener('load', loaded, { once: true, signal: life.signal });
  watch(document);
  schedule();

  return { again };
}
