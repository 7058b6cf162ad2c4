import { browser } from 'wxt/browser';
import { MARKS_KEY } from '#lib/observed.ts';
import type { PageState } from '#lib/rounds/types.ts';
import type { Life } from './life.ts';
import { Overlay, type Shape } from './overlay.ts';
import type { Teller } from './tell.ts';

/** Most links one look-up carries. */
const BATCH = 2000;

/** Which mark a link gets; one to a page that nobody visited gets none. */
function shapeOf(
  known: { state: PageState; changed: boolean; team?: true } | null | undefined,
): Shape | undefined {
  if (known?.team) return 'team';
  if (!known || known.state === 'known') return undefined;
  return known.state === 'visited' && known.changed ? 'changed' : known.state;
}

const isEditable = (element: Element) => element instanceof HTMLElement && element.isContentEditable;

/**
 * Marks links whose pages were visited, failed, are gone or changed in the open rounds. New links are looked up
 * together; when something was written, all are looked up again.
 */
export class Marks {
  private readonly links: ReadonlyMap<string, WeakRef<Element>[]>;
  private readonly overlay: Overlay;
  private readonly teller: Teller;
  private readonly life: Life;
  private on = true;
  private looking = false;
  /** Addresses to look up. */
  private fresh: string[] = [];

  /** `links`: the elements that lead to each address; kept by the caller, who calls {@link add} for each. */
  constructor(links: ReadonlyMap<string, WeakRef<Element>[]>, teller: Teller, life: Life) {
    this.links = links;
    this.teller = teller;
    this.life = life;
    this.overlay = new Overlay(life.signal);
    this.follow();
  }

  /** A link was found that leads there. */
  add(href: string): void {
    this.fresh.push(href);
  }

  /** Looks up what was added since. */
  flush(): void {
    void this.look();
    this.overlay.place();
  }

  private follow(): void {
    const written = (message: unknown) => {
      if (this.life.alive() && (message as { type?: unknown })?.type === 'look') this.lookAgain();
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
    if (on === this.on) return;
    this.on = on;
    this.overlay.show(on);
    if (on) this.lookAgain();
  }

  private lookAgain(): void {
    this.fresh = [...this.links.keys()];
    void this.look();
  }

  /** One look-up at a time; what comes meanwhile is looked up together afterwards. */
  private async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    while (this.on && this.fresh.length > 0 && this.life.alive()) {
      const hrefs = this.fresh.splice(0, BATCH);
      const answer = await this.teller.ask(hrefs);
      // The next writing asks for all of them again.
      if (!answer) break;
      hrefs.forEach((href, index) => this.mark(href, shapeOf(answer.states[index])));
    }
    this.looking = false;
    this.overlay.place();
  }

  private mark(href: string, shape: Shape | undefined): void {
    for (const ref of this.links.get(href) ?? []) {
      const element = ref.deref();
      if (!element?.isConnected) continue;
      // Asked only where it matters: the answer may cost the page a style recalculation.
      this.overlay.set(element, shape && !isEditable(element) ? shape : undefined);
    }
  }
}
