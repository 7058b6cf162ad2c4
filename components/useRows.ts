import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';

interface RowsOptions {
  count: number;
  /** Heights of a row and of what stands above the rows, in rem: the reader's own text size counts. */
  row: number;
  head: number;
  /** The row in the tab order. */
  focused: number;
  onFocus: (index: number) => void;
  /** Tells which rows exist, so that they are read. */
  onRange: (first: number, last: number) => void;
}

interface Rows {
  /** The scrolling element. */
  box: RefObject<HTMLDivElement | null>;
  /** Indexes of the rows that exist. */
  indexes: number[];
  /** Where a row stands, and the height of all of them, in px. */
  top: (index: number) => number;
  height: number;
  /** Brings a row into sight and gives it the focus. */
  move: (to: number) => void;
  /** Keys that move the focus. */
  keys: Record<string, () => void>;
  onScroll: () => void;
}

const OVERSCAN = 8;
/** Browsers draw nothing below some 16-33 million px; longer lists are scrolled in proportion. */
const MAX_HEIGHT = 12_000_000;

/**
 * Rows of a list of any length, of which only those in sight exist. Rows are elements with `role="row"`; the focused one has
 * `tabIndex` 0 and is brought into sight before it gets the focus.
 */
export function useRows({ count, row, head, focused, onFocus, onRange }: RowsOptions): Rows {
  const box = useRef<HTMLDivElement>(null);
  const wantsFocus = useRef(false);
  const [view, setView] = useState({ top: 0, height: 640 });
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  const rowHeight = row * rem;

  const full = count * rowHeight;
  const height = Math.min(full, MAX_HEIGHT);
  const room = Math.max(view.height - head * rem, rowHeight);
  // Where the top of the window stands in the whole list, and how far drawn and whole positions lie apart there.
  const stretch = full > height ? (full - room) / (height - room) : 1;
  const offset = view.top * stretch;
  const first = Math.max(0, Math.floor(offset / rowHeight) - OVERSCAN);
  const last = Math.min(count - 1, Math.ceil((offset + room) / rowHeight) + OVERSCAN);

  const measure = (): void => {
    const element = box.current;
    if (element) setView({ top: element.scrollTop, height: element.clientHeight });
  };
  useLayoutEffect(() => {
    if (!box.current) return undefined;
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (last >= first) onRange(first, last);
  }, [first, last]);
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    const element = box.current?.querySelector<HTMLElement>('[role="row"][tabindex="0"]');
    if (!element) return;
    wantsFocus.current = false;
    element.focus({ preventScroll: true });
  });

  const move = (to: number): void => {
    const element = box.current;
    if (!element || count === 0) return;
    const index = Math.max(0, Math.min(count - 1, to));
    const top = index * rowHeight;
    if (top < offset) element.scrollTop = top / stretch;
    else if (top + rowHeight > offset + room) {
      element.scrollTop = Math.ceil((top + rowHeight - room) / stretch);
    }
    wantsFocus.current = true;
    onFocus(index);
    measure();
  };
  const screen = Math.max(1, Math.floor(room / rowHeight));
  return {
    box,
    indexes: Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index),
    top: (index) => index * rowHeight + view.top - offset,
    height,
    onScroll: measure,
    move,
    keys: {
      j: () => move(focused + 1),
      ArrowDown: () => move(focused + 1),
      k: () => move(focused - 1),
      ArrowUp: () => move(focused - 1),
      PageDown: () => move(focused + screen),
      PageUp: () => move(focused - screen),
      Home: () => move(0),
      End: () => move(count - 1),
    },
  };
}

/** Does what a key means in a list, unless it belongs to the field or button that has the focus. */
export function pressKey(event: KeyboardEvent, keys: Record<string, () => unknown>): void {
  const act = keys[event.key];
  const { target } = event;
  const own =
    (event.key === 'Enter' || event.key === ' ') &&
    (target instanceof HTMLInputElement ||
      target instanceof HTMLButtonElement ||
      target instanceof HTMLAnchorElement);
  if (!act || own || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  act();
}
