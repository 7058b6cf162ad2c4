import { linkAddress } from './clicks.ts';
import type { Life } from './life.ts';

/** A link on the page and where it leads. */
export interface Link {
  element: Element;
  href: string;
}

/** Main-thread time of one slice of the walk, in ms. */
const SLICE = 4;
/** New parts of the page are walked together, this long after the first came. */
const GATHER = 250;
/** Elements that may carry a shadow root, besides custom elements. */
const HOSTS = new Set(
  'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '),
);

interface ExtensionDom {
  dom?: { openOrClosedShadowRoot(element: HTMLElement): ShadowRoot | null };
}
const { chrome } = globalThis as { chrome?: ExtensionDom };

function shadowOf(element: Element): ShadowRoot | null {
  const { localName } = element;
  // Closed roots cost a call into the browser, so only custom elements are asked for them.
  if (localName.includes('-') && element instanceof HTMLElement) {
    return chrome?.dom ? chrome.dom.openOrClosedShadowRoot(element) : element.shadowRoot;
  }
  return HOSTS.has(localName) ? element.shadowRoot : null;
}

/**
 * Finds the links of this document, shadow roots included, and those that are added or changed later, in slices that
 * leave the page its frames. `found` gets each link once per address, `settled` is called whenever nothing is left to do.
 * Returns a function that finds all of them again.
 */
export function watchLinks(life: Life, found: (link: Link) => void, settled: () => void): () => void {
  let addresses = new WeakMap<Element, string>();
  const todo: Node[] = [];
  let walk: TreeWalker | undefined;
  let scheduled = false;

  const observer = new MutationObserver((records) => {
    for (const record of records) {
      if (record.type === 'attributes') todo.push(record.target);
      else for (const node of record.addedNodes) if (node.nodeType === Node.ELEMENT_NODE) todo.push(node);
    }
    if (todo.length > 0) schedule(GATHER);
  });

  function visit(element: Element): void {
    const { localName } = element;
    if (localName === 'a' || localName === 'area') {
      const href = linkAddress(element);
      if (href && addresses.get(element) !== href) {
        addresses.set(element, href);
        found({ element, href });
      }
      return;
    }
    const shadow = shadowOf(element);
    if (shadow && !addresses.has(element)) {
      addresses.set(element, '');
      watch(shadow);
    }
  }

  /** Walks until nothing is left or the time is up; whether something is left. */
  function work(until: number): boolean {
    for (let count = 0; ; count++) {
      if (!walk) {
        const root = todo.pop();
        if (!root) return false;
        if (!root.isConnected) continue;
        walk = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
        if (root instanceof Element) visit(root);
      }
      const next = walk.nextNode();
      if (next instanceof Element) visit(next);
      else walk = undefined;
      if (count % 32 === 31 && performance.now() > until) return true;
    }
  }

  function slice(): void {
    scheduled = false;
    if (!life.alive()) return;
    // The page may have removed the part where the walk stopped: then that part starts over.
    if (walk && !walk.root.contains(walk.currentNode)) {
      todo.push(walk.root);
      walk = undefined;
    }
    if (work(performance.now() + SLICE)) schedule(0);
    else settled();
  }

  function schedule(delay: number): void {
    if (scheduled) return;
    scheduled = true;
    const whenIdle = () =>
      'requestIdleCallback' in globalThis
        ? requestIdleCallback(slice, { timeout: 250 })
        : setTimeout(slice, 16);
    if (delay === 0) whenIdle();
    else setTimeout(whenIdle, delay);
  }

  function watch(root: Document | ShadowRoot): void {
    observer.observe(root, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ['href', 'xlink:href'],
    });
    todo.push(root);
    schedule(0);
  }

  life.signal.addEventListener('abort', () => observer.disconnect());
  watch(document);
  return () => {
    addresses = new WeakMap();
    todo.push(document);
    schedule(0);
  };
}
