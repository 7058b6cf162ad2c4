import { browser } from 'wxt/browser';
import { PROTOCOL_VERSION, type Answer } from '#lib/protocol.ts';
import { doc } from './doc.ts';
import type { Shape } from './overlay.ts';

/** How long the pointer rests on a link before its mark is explained, in ms. */
const REST = 350;
const GAP = 4;

export const TIP_STYLE = `
.tip { position: absolute; width: max-content; max-width: 240px; padding: 3px 8px; border-radius: 5px; background: #14171c;
  color: #fff; font: 12px/1.4 system-ui, sans-serif; text-align: start; box-shadow: 0 0 0 1px #fff6; }
@media print { .tip { display: none; } }
`;

/**
 * Says why a link has its mark while the pointer rests on it, or it has the focus of the keyboard: in the overlay of the marks, so that
 * nothing of the page moves and no link gets another name.
 */
export class Tip {
  private readonly root: ShadowRoot;
  private readonly shapeOf: (element: Element) => Shape | undefined;
  private shown: HTMLElement | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(root: ShadowRoot, shapeOf: (element: Element) => Shape | undefined) {
    this.root = root;
    this.shapeOf = shapeOf;
  }

  /** Listens to the pointer and the keyboard; to be called once there are marks. */
  follow(signal: AbortSignal): void {
    const options = { capture: true, passive: true, signal };
    const rest = ({ target }: Event) => this.over(target, REST);
    addEventListener('pointerover', rest, options);
    addEventListener(
      'focusin',
      ({ target }) => {
        if (target instanceof Element && target.matches(':focus-visible')) this.over(target, 0);
      },
      options,
    );
    for (const type of ['pointerdown', 'focusout', 'scroll', 'keydown', 'pagehide'])
      addEventListener(type, () => this.hide(), options);
    signal.addEventListener('abort', () => this.hide());
  }

  private over(target: EventTarget | null, delay: number): void {
    this.hide();
    const link = this.markedAround(target);
    const shape = link && this.shapeOf(link);
    if (link && shape) this.timer = setTimeout(() => void this.explain(link, shape), delay);
  }

  private markedAround(target: EventTarget | null): Element | undefined {
    for (let at = target instanceof Element ? target : null; at; at = at.parentElement)
      if (this.shapeOf(at)) return at;
    return undefined;
  }

  /** Only the worker knows the words of the language that was chosen. */
  private async explain(link: Element, shape: Shape): Promise<void> {
    const wanted = this.timer;
    const id = `tip:${shape}`;
    const message = { v: PROTOCOL_VERSION, id, type: 'tip', shape };
    // An extension that was updated meanwhile has no runtime here, and a worker that does not answer has no words.
    const asked: Promise<Answer<'tip'>> | undefined = browser.runtime?.id
      ? browser.runtime.sendMessage(message)
      : undefined;
    const answer = await asked?.catch(() => undefined);
    if (answer && 'ok' in answer && this.timer === wanted) this.show(link, answer.ok.words);
  }

  private show(link: Element, words: string): void {
    const end = [...link.getClientRects()].at(-1);
    const host = this.root.host as HTMLElement;
    if (words === '' || !end || host.hidden) return;
    const tip = doc.createElement('div');
    tip.className = 'tip';
    tip.textContent = words;
    this.root.append(tip);
    this.shown = tip;
    // In sight whole: under the link, or above it at the lower edge.
    const { width, height } = tip.getBoundingClientRect();
    const origin = host.getBoundingClientRect();
    const left = Math.max(0, Math.min(end.right, doc.documentElement.clientWidth - width - GAP));
    const below = end.bottom + GAP;
    const top = below + height > innerHeight ? end.top - height - GAP : below;
    tip.style.transform = `translate(${Math.round(left - origin.left)}px, ${Math.round(top - origin.top)}px)`;
  }

  private hide(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.shown?.remove();
    this.shown = undefined;
  }
}
