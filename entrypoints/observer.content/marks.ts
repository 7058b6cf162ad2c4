import { browser } from 'wxt/browser';
import { MARKS_KEY } from '#lib/observed.ts';
import type { Messages } from '#lib/protocol.ts';
import type { Life } from './life.ts';
import { Overlay, type Shape } from './overlay.ts';
import type { Target, Targets } from './targets.ts';
import type { Teller } from './tell.ts';

/** Most links one look-up carries. */
const BATCH = 2000;

type Marked = Messages['lookup']['result']['marked'][number];

/** Which mark a link gets; one to a page that nobody visited gets none. */
function shapeOf({ state, changed, team }: Marked): Shape | undefined {
  if (team) return 'team';
  if (state === 'known') return undefined;
  return state === 'visited' && changed ? 'changed' : state;
}

const isEditable = (element: Element) => element instanceof HTMLElement && element.isContentEditable;

/**
 * Marks links whose pages were visited, failed, are gone or changed in the open rounds. New addresses are looked up
 * together; when something was written, all are looked up again. What has a mark is found by visiting the links.
 */
export class Marks {
  private readonly targets: Targets;
  private readonly overlay: Overlay;
  private readonly teller: Teller;
  private readonly life: Life;
  private readonly visitLinks: () => void;
  private on = true;
  private looking = false;
  /** Addresses to look up. */
  private fresh: Target[] = [];
  /** Addresses with a mark. */
  private readonly shaped = new Set<Target>();

  /** `visitLinks` is to call {@link visit} for every link of the page. */
  constructor(targets: Targets, teller: Teller, life: Life, visitLinks: () => void) {
    this.targets = targets;
    this.teller = teller;
    this.life = life;
    this.visitLinks = visitLinks;
    this.overlay = new Overlay(life.signal);
    this.follow();
  }

  /** An address the page had no link to before. */
  add(target: Target): void {
    this.fresh.push(target);
  }

  /** Gives a link the mark of where it leads. */
  visit(element: Element, target: Target | undefined): void {
    const shape = target?.shape;
    if ((shape === undefined && this.overlay.isEmpty) || this.overlay.shapeOf(element) === shape) return;
    // Asked only where it matters: the answer may cost the page a style recalculation.
    this.overlay.set(element, shape && !isEditable(element) ? shape : undefined);
  }

  /** Looks up what was added since. */
  flush(): void {
    void this.look();
    this.overlay.stay();
  }

  /** Something else is wanted now: the addresses come again. */
  clear(): void {
    this.fresh = [];
    this.shaped.clear();
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
    this.fresh = [...this.targets.all()];
    void this.look();
  }

  /** One look-up at a time; what comes meanwhile is looked up together afterwards. */
  private async look(): Promise<void> {
    if (this.looking) return;
    this.looking = true;
    while (this.on && this.fresh.length > 0 && this.life.alive()) {
      const asked = this.fresh.splice(0, BATCH);
      const answer = await this.teller.ask(asked.map(({ href }) => href));
      // The next writing asks for all of them again.
      if (!answer) break;
      if (this.note(asked, answer.marked)) this.visitLinks();
    }
    this.looking = false;
  }

  /** Whether an address has another mark now. */
  private note(asked: readonly Target[], marked: readonly Marked[]): boolean {
    let isOther = false;
    const shapes = new Map(marked.map((mark) => [asked[mark.at], shapeOf(mark)]));
    const before = this.shaped.size === 0 ? [] : asked.filter((target) => this.shaped.has(target));
    for (const target of new Set([...before, ...shapes.keys()])) {
      const shape = target && shapes.get(target);
      if (!target || target.shape === shape) continue;
      target.shape = shape;
      if (shape) this.shaped.add(target);
      else this.shaped.delete(target);
      isOther = true;
    }
    return isOther;
  }
}
