import { browser } from 'wxt/browser';
import { MARKS_KEY } from '#lib/observed.ts';
import type { PageState } from '#lib/rounds/types.ts';
import type { Life } from './life.ts';
import type { Link } from './links.ts';
import { Overlay, type Shape } from './overlay.ts';
import type { Teller } from './tell.ts';

/** Most links one look-up carries. */
const BATCH = 2000;

/** Which mark a link gets; one to a page that nobody visited gets none. */
function shapeOf(known: { state: PageState; changed: boolean } | null | undefined): Shape | undefined {
  if (!known || known.state === 'known') return undefined;
  return known.state === 'visited' && known.changed ? 'changed' : known.state;
}

const isEditable = (element: Element) => element instanceof HTMLElement && element.isContentEditable;

/**
 * Marks links whose pages were visited, failed, are gone or changed in the open rounds. New links are looked up
 * together; when something was written, all are looked up again.
 */
export class Marks {
  private readonly elements = new Map<string, WeakRef<Element>[]>();
  private readonly fresh = new Set<string>();
  private readonly overlay: Overlay;
  private readonly teller: Teller;
  private readonly life: Life;
  private on = true;
  private looking = false;
  private again = false;

  constructor(teller: Teller, life: Life) {
    this.teller = teller;
    this.life = life;
    this.overlay = new Overlay(life.signal);
    this.follow();
  }

  /** A link was found, or leads elsewhere now. */
  add({ element, href }: Link): void {
    const known = this.elements.get(href);
    if (known) known.push(new WeakRef(element));
    else this.elements.set(href, [new WeakRef(element)]);
    this.fresh.add(href);
  }

  /** Looks up what was added since. */
  flush(): void {
    if (this.fresh.size > 0) void this.look();
    this.overlay.place();
  }

  private follow(): void {
    const written = (message: unknown) => {
      if (!this.life.alive() || (message as { type?: unknown })?.type !== 'look') return;
      for (const href of this.elements.keys()) this.fresh.add(href);
      void this.look();
    };
    const stored = (changes: Record<string, { newValue?: unknown }>) => {
      const change = changes[MARKS_KEY];
      if (change && this.life.alive()) this.switch(change.newValue !== false);
    };
    browser.runtime.onMessage.addListener(written);
    browser.storage.local.onChanged.addListener(stored);
    void browser.storage.local
      .get(MARKS_KEY)
      .then((found: Record<string, unknown>) => this.switch(found[MARKS_KEY] !== false));
    this.life.signal.addEventListener('abort', () => {
      if (!browser.runtime?.id) return;
      browser.runtime.onMessage.removeListener(written);
      browser.storage.local.onChanged.removeListener(stored);
    });
  }

  private switch(on: boolean): void {
    this.on = on;
    this.overlay.show(on);
    if (on) {
      for (const href of this.elements.keys()) this.fresh.add(href);
      void this.look();
    }
  }

  /** One look-up at a time; what comes meanwhile is looked up together afterwards. */
  private async look(): Promise<void> {
    if (this.looking) {
      this.again = true;
      return;
    }
    this.looking = true;
    do {
      this.again = false;
      while (this.on && this.fresh.size > 0 && this.life.alive()) {
        const hrefs = [...this.fresh].slice(0, BATCH);
        for (const href of hrefs) this.fresh.delete(href);
        const answer = await this.teller.ask(hrefs);
        if (!answer) break;
        hrefs.forEach((href, index) => this.mark(href, shapeOf(answer.states[index])));
      }
      this.overlay.place();
    } while (this.again);
    this.looking = false;
  }

  private mark(href: string, shape: Shape | undefined): void {
    const living = (this.elements.get(href) ?? []).filter((ref) => {
      const element = ref.deref();
      if (!element?.isConnected) return false;
      // Asked only where it matters: the answer may cost the page a style recalculation.
      this.overlay.set(element, shape && !isEditable(element) ? shape : undefined);
      return true;
    });
    if (living.length > 0) this.elements.set(href, living);
    else this.elements.delete(href);
  }
}
