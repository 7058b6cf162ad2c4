import { MAX_BLOCKS } from './bound.ts';
import { assemble } from './capture-assemble.ts';
import { newBox, type ListRow, type Reading } from './capture-box.ts';
import { BoxReader } from './capture-reader.ts';
import { domOf, type Dom } from './capture-dom.ts';
import { AD_SELECTORS, masker } from './noise.ts';
import { fullRules, type FullRules, type Rules } from './rules.ts';
import type { Snapshot } from './snapshot.ts';

/**
 * Reads what a person can read in a document, as text blocks. Synchronous; it never waits, so let the page settle first.
 * @throws TypeError for unknown rules and for selectors that are none.
 */
export function captureSnapshot(document: Document, rules?: Rules): Snapshot {
  return read(document, readingOf(document, fullRules(rules)));
}

function read(document: Document, reading: Reading): Snapshot {
  const root = document.documentElement as Element | null;
  if (root === null) return assemble(null, reading);
  const top = newBox(root, reading.dom.localName(root), reading);
  const reader = new BoxReader(top, reading);
  while (reader.step());
  return assemble(top, reading);
}

/**
 * Reads a document, and which of its blocks stand in an element; none where the element is part of a line only.
 * @throws TypeError as `captureSnapshot`
 */
export function captureInside(
  document: Document,
  element: Element,
  rules?: Rules,
): { snapshot: Snapshot; inside: number[] } {
  const snapshot = captureSnapshot(document, rules);
  const reading = readingOf(document, fullRules(rules));
  const { tagOf, dom } = reading;
  // Elements without attributes are not asked for tags.
  reading.dom = { ...dom, hasAttributes: (each) => each === element || dom.hasAttributes(each) };
  reading.tagOf = (each) => (each === element ? { row: tagOf(each)?.row, noise: PICKED } : tagOf(each));
  const marked = read(document, reading);
  if (marked.digest !== snapshot.digest) return { snapshot, inside: [] };
  const inside = marked.blocks.filter(({ noise }) => noise === PICKED).map(({ place }) => place.order);
  return { snapshot, inside };
}

const PICKED = 'picked';

/** Attributes in which lists say the number of a row, the 1-based ones first. */
const ROW_NUMBERS = [
  ['aria-rowindex', 0],
  ['aria-posinset', 0],
  ['data-index', 1],
  ['data-row-index', 1],
  ['data-rowindex', 1],
  ['data-item-index', 1],
  ['row-index', 1],
] as const;
const ROW_SELECTOR = ROW_NUMBERS.map(([name]) => `[${name}]`).join();
const LIST_SELECTOR =
  '[aria-rowcount],[role=grid],[role=treegrid],[role=table],[role=listbox],[role=list],[role=feed],table,ul,ol';

/** Everything that reading a document under these rules needs. */
export function readingOf(document: Document, rules: FullRules): Reading {
  const dom = domOf(document);
  const selectors = rules.ignore.filter((entry) => typeof entry === 'string');
  if (rules.masks.includes('exclude-selector')) selectors.push(...AD_SELECTORS);
  checkSelectors(document, selectors);
  const tagged = [...selectors, ROW_SELECTOR].join();
  return {
    dom,
    rules,
    masker: masker(rules.masks),
    room: MAX_BLOCKS,
    showing: new Set(),
    tagOf(element) {
      if (!dom.matches(element, tagged)) return null;
      const selector = selectors.find((selector) => dom.matches(element, selector));
      return { noise: selector && `exclude-selector ${selector}`, row: rowOf(element, dom) };
    },
  };
}

function rowOf(element: Element, dom: Dom): ListRow | undefined {
  for (const [name, first] of ROW_NUMBERS) {
    const value = dom.attribute(element, name);
    if (value === null || !/^\d{1,9}$/.test(value)) continue;
    const list = dom.closest(element, LIST_SELECTOR) ?? element.parentElement;
    return list ? { element, list, number: Number(value) + first } : undefined;
  }
  return undefined;
}

function checkSelectors(document: Document, selectors: readonly string[]): void {
  for (const selector of selectors) {
    try {
      document.createDocumentFragment().querySelector(selector);
    } catch {
      throw new TypeError(`"${selector}" in "ignore" is not a CSS selector`);
    }
  }
}
