import { browser } from 'wxt/browser';
import { captureInside } from '#lib/content/capture.ts';
import { describeRegion } from '#lib/content/region.ts';
import type { Region } from '#lib/content/baseline.ts';
import { doc } from './doc.ts';

export interface Picked {
  region: Region;
  label: string;
}

const STYLE = `
:host { all: initial !important; position: fixed !important; inset: 0 !important; z-index: 2147483647 !important;
  pointer-events: none !important; }
.box { position: fixed; outline: 2px solid #7438c8; outline-offset: 1px; background: rgb(116 56 200 / 12%); border-radius: 2px; }
.hint { position: fixed; left: 50%; bottom: 16px; transform: translateX(-50%); max-width: min(90vw, 640px); padding: 8px 14px;
  border-radius: 8px; background: #1c2330; color: #fff; font: 14px/1.4 system-ui, sans-serif; box-shadow: 0 2px 12px rgb(0 0 0 / 40%); }
@media print { :host { display: none !important; } }
`;
const HINT_LASTS = 3_000;

const { openOrClosedShadowRoot } = browser.dom ?? {};

/** The shadow root of an element, open or closed. */
export function rootOf(element: Element): ShadowRoot | null {
  try {
    return (element instanceof HTMLElement && openOrClosedShadowRoot?.(element)) || element.shadowRoot;
  } catch {
    return null;
  }
}

/** The innermost element at a point of the screen, through shadow roots. */
function elementAt(x: number, y: number): Element | null {
  let found = doc.elementFromPoint(x, y);
  while (found) {
    const inner = rootOf(found)?.elementFromPoint(x, y);
    if (!inner || inner === found) break;
    found = inner;
  }
  return found;
}

function parentOf(element: Element): Element | null {
  const root = element.getRootNode();
  return element.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

/** A drawing over the page, in a closed shadow root beside the page's own content. */
export class Drawing {
  private readonly host = doc.createElement('onceover-picker');
  private readonly root = this.host.attachShadow({ mode: 'closed' });
  private readonly box = doc.createElement('div');

  constructor(hint?: string) {
    const style = doc.createElement('style');
    style.textContent = STYLE;
    this.box.className = 'box';
    this.box.hidden = true;
    this.root.append(style, this.box);
    if (hint !== undefined) this.say(hint);
    doc.documentElement.append(this.host);
  }

  around(element: Element): void {
    const { left, top, width, height } = element.getBoundingClientRect();
    this.box.hidden = false;
    Object.assign(this.box.style, {
      left: `${left}px`,
      top: `${top}px`,
      width: `${width}px`,
      height: `${height}px`,
    });
  }

  hideBox(): void {
    this.box.hidden = true;
  }

  say(text: string): void {
    this.root.querySelector('.hint')?.remove();
    const hint = doc.createElement('div');
    hint.className = 'hint';
    hint.setAttribute('role', 'status');
    hint.textContent = text;
    this.root.append(hint);
  }

  remove(after = 0): void {
    setTimeout(() => this.host.remove(), after);
  }
}

/** The nearest part around an element that has text of its own, as names by which it is found again. */
function describe(chosen: Element): Picked | undefined {
  for (let element: Element | null = chosen; element; element = parentOf(element)) {
    const { snapshot, inside } = captureInside(document, element, { frames: false });
    const region = describeRegion(snapshot.blocks, inside);
    if (!region) continue;
    const { heading, row, column } = region;
    const named = [heading, row, column].filter((name) => name !== undefined);
    const first = snapshot.blocks[inside[0] ?? 0]?.text ?? '';
    return { region, label: (named.length > 0 ? named.join(' · ') : first).slice(0, 200) };
  }
  return undefined;
}

/**
 * Lets the person pick a part of the page: by pointer or arrow keys (up: wider, down: narrower, left and right: beside it), Enter or a click
 * takes it, Esc gives up. Nothing of it reaches the page.
 */
export function pick(picked: (part: Picked | null) => void, parent: AbortSignal): { end: () => void } {
  const ended = new AbortController();
  const signal = AbortSignal.any([ended.signal, parent]);
  const isTop = window === window.top;
  const drawing = new Drawing(isTop ? browser.i18n.getMessage('pickerHint') : undefined);
  let current: Element | null = null;
  /** What "narrower" leads back to. */
  let trail: Element[] = [];

  const show = (element: Element | null): void => {
    if (!element || element === doc.documentElement) return;
    current = element;
    drawing.around(element);
  };
  const end = (): void => {
    ended.abort();
    drawing.remove();
  };
  const choose = (element: Element | null): void => {
    const part = element ? describe(element) : undefined;
    if (!part) return;
    end();
    picked(part);
  };
  const swallow = (event: Event): void => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const move = (key: string): void => {
    current ??= doc.querySelector('main') ?? doc.body;
    if (key === 'ArrowUp') {
      const wider = parentOf(current);
      if (!wider || wider === doc.documentElement) return;
      trail.push(current);
      return show(wider);
    }
    if (key === 'ArrowDown') return show(trail.pop() ?? (rootOf(current) ?? current).firstElementChild);
    trail = [];
    show(key === 'ArrowLeft' ? current.previousElementSibling : current.nextElementSibling);
  };

  const options = { capture: true, signal };
  addEventListener(
    'pointermove',
    ({ clientX, clientY }) => {
      trail = [];
      show(elementAt(clientX, clientY));
    },
    options,
  );
  doc.addEventListener('pointerleave', () => drawing.hideBox(), options);
  for (const type of [
    'pointerdown',
    'pointerup',
    'mousedown',
    'mouseup',
    'dblclick',
    'auxclick',
    'contextmenu',
  ])
    addEventListener(type, swallow, options);
  addEventListener(
    'click',
    (event) => {
      swallow(event);
      if (event.isTrusted) choose(elementAt(event.clientX, event.clientY));
    },
    options,
  );
  addEventListener(
    'keydown',
    (event) => {
      if (!event.isTrusted) return;
      const { key } = event;
      if (key === 'Escape') {
        swallow(event);
        end();
        picked(null);
      } else if (key === 'Enter') {
        swallow(event);
        choose(current);
      } else if (key.startsWith('Arrow')) {
        swallow(event);
        move(key);
      }
    },
    options,
  );
  addEventListener('scroll', () => current && drawing.around(current), { ...options, passive: true });
  return { end };
}

/** Says something over the page for a moment. */
export function say(text: string): void {
  new Drawing(text).remove(HINT_LASTS);
}
