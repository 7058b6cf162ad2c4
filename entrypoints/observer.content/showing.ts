import { doc } from './doc.ts';
import type { Life } from './life.ts';
import type { Teller } from './tell.ts';

/** A route counts once its address stood this long. */
const ROUTE_QUIET = 800;
/** A title counts once it stood this long … */
const TITLE_QUIET = 300;
/** … and is watched this long at most. */
const TITLE_WATCH = 3000;
const TITLE_LIMIT = 1000;

function navigationEntry(): (PerformanceNavigationTiming & { responseStatus?: number }) | undefined {
  return performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined;
}

/** Resolves when a person really sees the document: at once, or when a prerendered one is activated. */
export async function activated(signal: AbortSignal): Promise<void> {
  const page = doc as Document & { prerendering?: boolean };
  if (!page.prerendering) return;
  await new Promise<void>((done) => {
    doc.addEventListener('prerenderingchange', () => done(), { once: true, signal });
  });
}

export function wasPrerendered(): boolean {
  const entry = navigationEntry() as { activationStart?: number } | undefined;
  return (entry?.activationStart ?? 0) > 0;
}

/** Resolves when the page is in front: at once, or when its tab is. */
export async function visible(signal: AbortSignal): Promise<void> {
  if (doc.visibilityState === 'visible') return;
  await new Promise<void>((done) => {
    const changed = () => doc.visibilityState === 'visible' && done();
    doc.addEventListener('visibilitychange', changed, { signal });
  });
}

/**
 * Tells every showing of this document while it is recorded: its start, each return from the back/forward cache, each
 * settled route, and its title when that comes later; `shown` hears of each, with the HTTP status. Returns a function
 * that tells what is shown now once more, because a round started (or went on) while it was open.
 */
export function tellShowings(
  teller: Teller,
  life: Life,
  isRecorded: () => boolean,
  shown: (status: number) => void,
): () => void {
  const { signal } = life;
  const startUrl = location.href;
  let toldUrl = '';
  let routeUrl = location.href;
  let toldTitle = '';
  let routeTimer: ReturnType<typeof setTimeout> | undefined;
  let titleTimer: ReturnType<typeof setTimeout> | undefined;
  let titleObserver: MutationObserver | undefined;

  function tellDocument(restored: boolean): void {
    clearTimeout(routeTimer);
    if (!isRecorded()) return;
    routeUrl = location.href;
    const entry = navigationEntry();
    const status = entry?.responseStatus ?? 0;
    toldUrl = location.href;
    toldTitle = doc.title;
    void teller.tell('document', {
      url: toldUrl,
      title: toldTitle.slice(0, TITLE_LIMIT),
      at: Date.now(),
      status,
      restored,
      navigation: entry?.type ?? '',
      referrer: doc.referrer,
    });
    watchTitle();
    shown(status);
  }

  function tellRoute(at: number): void {
    toldUrl = location.href;
    toldTitle = doc.title;
    void teller.tell('route', { url: toldUrl, title: toldTitle.slice(0, TITLE_LIMIT), at });
    watchTitle();
    shown(0);
  }

  function settleRoute(): void {
    if (isRecorded() && location.href !== toldUrl) tellRoute(Date.now() - ROUTE_QUIET);
  }

  function tellTitle(): void {
    if (!isRecorded() || doc.title === toldTitle || location.href !== toldUrl) return;
    toldTitle = doc.title;
    void teller.tell('title', { url: toldUrl, title: toldTitle.slice(0, TITLE_LIMIT) });
  }

  function watchTitle(): void {
    titleObserver?.disconnect();
    const quiet = () => {
      clearTimeout(titleTimer);
      titleTimer = setTimeout(tellTitle, TITLE_QUIET);
    };
    const watch = () => {
      const observer = new MutationObserver(quiet);
      titleObserver = observer;
      observer.observe(doc.head ?? document, { childList: true, subtree: true, characterData: true });
      setTimeout(() => observer.disconnect(), TITLE_WATCH);
      quiet();
    };
    if (doc.readyState === 'loading') doc.addEventListener('DOMContentLoaded', watch, { once: true, signal });
    else watch();
  }

  function routeChanged(): void {
    // The same address said again (scroll positions kept by `replaceState`) does not make it less quiet.
    if (location.href === routeUrl) return;
    routeUrl = location.href;
    clearTimeout(routeTimer);
    routeTimer = setTimeout(settleRoute, ROUTE_QUIET);
  }

  // The events of the Navigation API reach this isolated world; a patched `pushState` would not be called.
  const { navigation } = globalThis as { navigation?: EventTarget };
  navigation?.addEventListener('currententrychange', routeChanged, { signal });
  addEventListener('popstate', routeChanged, { signal });
  addEventListener('hashchange', routeChanged, { signal });
  addEventListener('pageshow', (event) => event.persisted && tellDocument(true), { signal });
  addEventListener(
    'pagehide',
    () => {
      clearTimeout(routeTimer);
      tellTitle();
    },
    { signal },
  );
  signal.addEventListener('abort', () => titleObserver?.disconnect());

  tellDocument(false);
  return () => {
    if (!isRecorded()) return;
    if (location.href === startUrl) tellDocument(false);
    else tellRoute(Date.now());
  };
}
