import { browser } from 'wxt/browser';
import type { ContentScriptContext } from 'wxt/utils/content-script-context';

/** How long this observer lives: until the extension is updated, reloaded or removed and leaves it an orphan. */
export interface Life {
  /** Aborted when the observer must go quietly; listeners are registered with it. */
  readonly signal: AbortSignal;
  /** Asks the browser, and ends the life if the extension is gone. */
  alive(): boolean;
}

// One observer a document: the registered script and an injection into an open tab share this isolated world.
const world = globalThis as { onceoverObserver?: Life };

/**
 * Begins the life of an observer, or answers `undefined` where a living one watches this document already.
 * `ctx` is aborted whenever another copy starts; only an orphan obeys it, since after an update the new copy takes over.
 */
export function beginLife(ctx: ContentScriptContext): Life | undefined {
  if (world.onceoverObserver?.alive()) return undefined;
  const ended = new AbortController();
  const life: Life = {
    signal: ended.signal,
    alive() {
      // An orphan's runtime has no id any more, and every call of it would throw.
      if (browser.runtime?.id === undefined) ended.abort();
      return !ended.signal.aborted;
    },
  };
  ctx.onInvalidated(() => life.alive());
  world.onceoverObserver = life;
  return life;
}
