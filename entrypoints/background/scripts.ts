import { browser } from 'wxt/browser';

const ID = 'observer';
const FILE = '/content-scripts/observer.js';

/** Those of the origins for which the person agreed. */
export async function granted(origins: Iterable<string>): Promise<string[]> {
  const unique = [...new Set(origins)].toSorted();
  const kept = await Promise.all(
    unique.map((origin) => browser.permissions.contains({ origins: [origin] }).catch(() => false)),
  );
  return unique.filter((_, index) => kept[index]);
}

/**
 * Brings the registered observer in line with the scopes' origins. Registrations are gone after an update and after
 * every start with `--load-extension`, so this runs at every start of the worker; it may run as often as one likes.
 */
export async function reconcileObserver(origins: Iterable<string>): Promise<void> {
  const matches = await granted(origins);
  const [registered] = await browser.scripting.getRegisteredContentScripts({ ids: [ID] });
  if (matches.length === 0) {
    if (registered) await browser.scripting.unregisterContentScripts({ ids: [ID] });
    return;
  }
  const script = {
    id: ID,
    js: [FILE.slice(1)],
    matches,
    allFrames: true,
    matchOriginAsFallback: true,
    persistAcrossSessions: true,
    runAt: 'document_start' as const,
  };
  if (!registered) await browser.scripting.registerContentScripts([script]);
  else if ((registered.matches ?? []).toSorted().join() !== matches.join()) {
    await browser.scripting.updateContentScripts([script]);
  }
}

/**
 * Brings the observer into tabs that are open already: after a grant, an install and an update. A document that has a
 * living observer keeps it; tabs that cannot be entered (error pages, discarded tabs) are left alone.
 */
export async function injectObserver(origins: Iterable<string>): Promise<void> {
  const url = await granted(origins);
  if (url.length === 0) return;
  const tabs = await browser.tabs.query({ url, discarded: false });
  await Promise.allSettled(
    tabs.map((tab) =>
      browser.scripting.executeScript({
        target: { tabId: tab.id ?? browser.tabs.TAB_ID_NONE, allFrames: true },
        files: [FILE],
        injectImmediately: true,
      }),
    ),
  );
}
