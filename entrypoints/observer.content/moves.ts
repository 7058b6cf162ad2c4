import { doc } from './doc.ts';

/** Elements that are watched at once: where one moved, those between moved too, mostly. */
const MOST = 100;
/** So long nothing must have moved before places are watched anew, in ms; what moves all the time is followed this often. */
const QUIET = 200;
/** From this many pixels on it is another place. */
const MOVED = 1;
const EVERY_PERCENT = Array.from({ length: 101 }, (_, percent) => percent / 100);

interface Watched {
  rect: DOMRect;
  observer: IntersectionObserver;
}

/**
 * Says when one of many elements is elsewhere or has another size, for whatever reason (scripts, fonts, animations, other frames of
 * style), without asking again and again: each has an IntersectionObserver whose root is cut to where the element is, less a pixel, so
 * that its visible share changes as soon as it moves. The browser looks only when it draws a frame anyway.
 */
export class Moves {
  private readonly moved: () => void;
  private readonly watched = new Map<Element, Watched>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(moved: () => void) {
    this.moved = moved;
  }

  /** Watches these and no others from now on. */
  watch(elements: ReadonlyMap<Element, unknown>): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.arm([...elements.keys()]), QUIET);
  }

  stop(): void {
    clearTimeout(this.timer);
    for (const { observer } of this.watched.values()) observer.disconnect();
    this.watched.clear();
  }

  private arm(elements: readonly Element[]): void {
    const step = Math.max(1, elements.length / MOST);
    const chosen = new Map<Element, DOMRect>();
    for (let at = 0; at < elements.length; at += step) {
      const element = elements[Math.floor(at)]!;
      chosen.set(element, element.getBoundingClientRect());
    }
    for (const element of this.watched.keys()) if (!chosen.has(element)) this.forget(element);
    for (const [element, rect] of chosen) {
      const known = this.watched.get(element);
      if (known && isSame(known.rect, rect)) continue;
      this.forget(element);
      this.watched.set(element, { rect, observer: this.observe(element, rect) });
    }
  }

  private observe(element: Element, rect: DOMRect): IntersectionObserver {
    // In quirks mode it is the body that is as large as the view.
    const { clientWidth, clientHeight } = doc.scrollingElement ?? doc.documentElement;
    const top = Math.floor(rect.top) + 1;
    const left = Math.floor(rect.left) + 1;
    const right = clientWidth - Math.ceil(rect.right) + 1;
    const bottom = clientHeight - Math.ceil(rect.bottom) + 1;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.every(({ boundingClientRect }) => isSame(boundingClientRect, rect))) return;
        // Once; it is watched again when it has come to rest.
        this.forget(element);
        this.moved();
      },
      {
        root: document,
        rootMargin: `${-top}px ${-right}px ${-bottom}px ${-left}px`,
        threshold: EVERY_PERCENT,
      },
    );
    observer.observe(element);
    return observer;
  }

  private forget(element: Element): void {
    this.watched.get(element)?.observer.disconnect();
    this.watched.delete(element);
  }
}

const isSame = (a: DOMRectReadOnly, b: DOMRectReadOnly): boolean =>
  Math.abs(a.left - b.left) <= MOVED &&
  Math.abs(a.top - b.top) <= MOVED &&
  Math.abs(a.right - b.right) <= MOVED &&
  Math.abs(a.bottom - b.bottom) <= MOVED;
