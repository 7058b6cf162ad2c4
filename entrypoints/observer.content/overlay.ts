import type { MarkShape } from '#lib/protocol.ts';
import { doc } from './doc.ts';
import { Moves } from './moves.ts';
import { Tip, TIP_STYLE } from './tip.ts';

/** The shapes of marks, as the product draws states everywhere. */
export type Shape = MarkShape;

const SIZE = 9;

const SHAPES: Record<Shape, string> = {
  visited: '<circle cx="6" cy="6" r="4.75" fill="currentColor"/>',
  changed:
    '<circle cx="6" cy="6" r="5.1" fill="none" stroke="currentColor" stroke-width="1.4"/><circle cx="6" cy="6" r="2.4" fill="currentColor"/>',
  retrying:
    '<path d="M6 1.4 11 10.4H1z" fill="currentColor" stroke="currentColor" stroke-width="1" stroke-linejoin="round"/>',
  team: '<path d="M6 1.2 10.8 6 6 10.8 1.2 6z" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round"/>',
  gone: '<path d="m2.2 2.2 7.6 7.6M9.8 2.2 2.2 9.8" stroke="currentColor" stroke-width="2" stroke-linecap="round"/>',
};

const STYLE = `
:host { all: initial !important; position: absolute !important; inset: 0 auto auto 0 !important; width: 0 !important;
  height: 0 !important; z-index: 2147483647 !important; pointer-events: none !important; }
:host([hidden]) { display: none !important; }
svg { position: absolute; width: ${SIZE}px; height: ${SIZE}px; overflow: visible;
  filter: drop-shadow(0 0 1px #fff) drop-shadow(0 0 .5px #fff); }
.visited { color: #18794b; } .changed { color: #7438c8; } .retrying { color: #955800; } .gone { color: #c0262d; }
.team { color: #1d5bd0; }
@media print { svg { display: none; } }
`;

function draw(shape: Shape): SVGSVGElement {
  const svg = doc.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 12 12');
  svg.setAttribute('class', shape);
  svg.innerHTML = SHAPES[shape];
  return svg;
}

/** Where the text of a link ends: the last line of what it holds, or the link itself. */
function endOf(element: Element): DOMRect | undefined {
  const range = doc.createRange();
  range.selectNodeContents(element);
  const inside = [...range.getClientRects()].filter(({ width, height }) => width > 0 && height > 0);
  const own = element.getBoundingClientRect();
  const end = inside.at(-1) ?? own;
  return end.width > 0 && end.height > 0 ? end : undefined;
}

/**
 * Draws marks above the end of links, in a closed shadow root beside the page's own content: no link is touched and
 * nothing moves. Only links on the screen have a drawing.
 */
export class Overlay {
  private readonly host = doc.createElement('onceover-marks');
  private readonly root = this.host.attachShadow({ mode: 'closed' });
  private readonly shapes = new WeakMap<Element, Shape>();
  private readonly onScreen = new Map<Element, SVGSVGElement>();
  private readonly intersections: IntersectionObserver;
  private readonly signal: AbortSignal;
  private readonly tip: Tip;
  private marked = 0;
  private placing = false;
  private hasBegun = false;
  private readonly moves = new Moves(() => this.place());

  constructor(signal: AbortSignal) {
    this.signal = signal;
    const style = doc.createElement('style');
    style.textContent = STYLE + TIP_STYLE;
    this.root.append(style);
    this.host.setAttribute('aria-hidden', 'true');
    this.tip = new Tip(this.root, (element) => this.shapes.get(element));
    this.intersections = new IntersectionObserver((entries) => this.intersected(entries), {
      rootMargin: '50px',
    });
    signal.addEventListener('abort', () => {
      this.intersections.disconnect();
      this.moves.stop();
      this.host.remove();
    });
  }

  /** Whether no link has a mark. */
  get isEmpty(): boolean {
    return this.marked === 0;
  }

  shapeOf(element: Element): Shape | undefined {
    return this.shapes.get(element);
  }

  /** Gives a link its mark, or takes it away. */
  set(element: Element, shape: Shape | undefined): void {
    if (this.shapes.get(element) === shape) return;
    const had = this.shapes.has(element);
    if (shape === undefined) {
      this.shapes.delete(element);
      this.intersections.unobserve(element);
      this.erase(element);
      this.marked -= Number(had);
      return;
    }
    this.shapes.set(element, shape);
    this.erase(element);
    this.marked += Number(!had);
    // Observed anew, it is reported anew.
    this.intersections.unobserve(element);
    this.intersections.observe(element);
    this.begin();
  }

  /** Turns all marks on or off. */
  show(on: boolean): void {
    this.host.hidden = !on;
  }

  /** Comes back into a page that replaced everything it had. */
  stay(): void {
    if (!this.host.isConnected && this.marked > 0) doc.documentElement?.append(this.host);
  }

  /** Puts every drawing where its link is now, before the next frame. */
  private place(): void {
    if (this.placing || this.onScreen.size === 0) return;
    this.placing = true;
    requestAnimationFrame(() => {
      this.placing = false;
      if (!this.signal.aborted) this.placeNow();
    });
  }

  private begin(): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    const options = { capture: true, passive: true, signal: this.signal };
    const place = () => this.place();
    addEventListener('scroll', place, options);
    addEventListener('resize', place, options);
    this.tip.follow(this.signal);
  }

  private intersected(entries: IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const shape = this.shapes.get(target);
      if (!isIntersecting || !shape) this.erase(target);
      else if (!this.onScreen.has(target)) this.onScreen.set(target, this.root.appendChild(draw(shape)));
    }
    this.placeNow();
  }

  private erase(element: Element): void {
    this.onScreen.get(element)?.remove();
    this.onScreen.delete(element);
  }

  private placeNow(): void {
    this.stay();
    const origin = this.host.getBoundingClientRect();
    const furthest = doc.documentElement.clientWidth - SIZE - 1;
    // Everything is measured before anything is written: one layout, not one a mark.
    const places = [...this.onScreen].map(([element, svg]) => ({ element, svg, end: endOf(element) }));
    for (const { element, svg, end } of places) {
      if (!element.isConnected) this.erase(element);
      svg.style.display = end ? '' : 'none';
      if (!end) continue;
      const left = Math.max(0, Math.min(end.right - 3, furthest)) - origin.left;
      const top = Math.max(0, end.top - 5 - origin.top);
      svg.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
    }
    this.moves.watch(this.onScreen);
  }
}
