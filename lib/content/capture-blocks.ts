import type { Dom, Look } from './capture-dom.ts';
import { attributeTexts, formTexts, iconWord, pseudoText, screenReaderOnly } from './capture-extras.ts';
import { hashText } from './hash.ts';
import { normalForm } from './normal-form.ts';
import type { Masker } from './noise.ts';
import type { FullRules } from './rules.ts';

/** One text block inside its box. */
export interface Line {
  text: string;
  exact: string;
  masked: string;
}

/** A block-level element: its own lines, and the boxes in it, in reading order. It knows itself only, so it can move. */
export interface Box {
  element: Element;
  name: string;
  /** The box whose item it is; null for the outermost and for one that was dropped. */
  parent: Box | null;
  items: (Line | Box)[];
  /** What its attributes say; null for an element without any. */
  marks: Marks | null;
  /** Visible canvases, and frames without access, directly in it. */
  canvases: number;
  frames: number;
}

export interface Marks {
  id: string | null;
  role: string | null;
  /** `colspan` of a cell. */
  span: string | null;
  open: boolean;
  /** The noise rule whose selector it matches. */
  noise: string | undefined;
  row: ListRow | undefined;
}

/** A row that says its number, so that a list may show a window of its rows. */
export interface ListRow {
  element: Element;
  list: Element;
  number: number;
}

export interface Reading {
  dom: Dom;
  rules: FullRules;
  masker: Masker;
  /** The noise rule that an element's selector matches, and its row number. */
  noiseOf: (element: Element) => string | undefined;
  rowOf: (element: Element) => ListRow | undefined;
  /** Told of each root before its nodes are read: the document's and each shadow root. */
  onRoot: (root: Document | ShadowRoot) => void;
  /** Told of each box that is made below the one that is read. */
  onBox?: (box: Box) => void;
  /** Lines that may still be read; reading stops at 0. */
  room: number;
}

/** What an element's name says of it, as bits. */
const SKIPPED = 1;
/** Not read in SVG: drawn only where something refers to it, or never. */
const SKIPPED_IN_SVG = 2;
/** A block, whatever CSS makes of it. */
const BLOCK = 4;
/** Its children are not text of the page. */
const LEAF = 8;
const BREAK = 16;
/** A page may attach a shadow root to it. */
const HOST = 32;

const KINDS = new Map<string, number>();
const kind = (bits: number, names: string) => {
  for (const name of names.split(/\s+/)) KINDS.set(name, (KINDS.get(name) ?? 0) | bits);
};
kind(
  SKIPPED,
  `script style template noscript noembed noframes head meta link base datalist source track param area rp audio video object embed
  selectedcontent`,
);
kind(
  SKIPPED_IN_SVG,
  'title desc metadata defs symbol clipPath mask marker pattern linearGradient radialGradient filter',
);
kind(
  BLOCK,
  `html body address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form
  frameset h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol optgroup option p pre search section select summary table
  caption thead tbody tfoot tr td th ul button text foreignObject`,
);
kind(LEAF, 'input textarea progress meter canvas img iframe frame');
kind(BREAK, 'br');
kind(HOST, 'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span');

function kindOf(name: string): number {
  return KINDS.get(name) ?? (name.includes('-') ? HOST : 0);
}

const BUTTON_TYPES = new Set(['button', 'submit', 'reset']);
const BLANK = /^\s*$/;
const SVG = 'http://www.w3.org/2000/svg';
const SLICE = 64;
/** Different texts whose hashes are remembered while one document is read: tables repeat them. */
const REMEMBERED = 4_096;

/** An element whose children are being read. Frames are used again, one for each depth. */
interface Frame {
  element: Element;
  name: string;
  box: Box;
  /** Leaving it ends a line. */
  block: boolean;
  next: Node | null;
  /** Nodes to read in place of children: those assigned to a slot. */
  assigned: readonly Node[] | null;
  at: number;
  /** Memos, undefined until asked: it and all above it are drawn / its text can be seen / it keeps line ends. */
  drawn: boolean | undefined;
  shown: boolean | undefined;
  keepsLines: boolean | undefined;
}

/** The box of an element, still empty. */
export function newBox(element: Element, name: string, { dom, noiseOf, rowOf }: Reading): Box {
  const marks = dom.hasAttributes(element)
    ? {
        id: dom.attribute(element, 'id'),
        role: dom.attribute(element, 'role'),
        span: name === 'td' || name === 'th' ? dom.attribute(element, 'colspan') : null,
        open: name === 'details' && dom.attribute(element, 'open') !== null,
        noise: noiseOf(element),
        row: rowOf(element),
      }
    : null;
  return { element, name, parent: null, items: [], marks, canvases: 0, frames: 0 };
}

/**
 * Fills `top` with the lines and boxes of its element. Boxes that `reuse` answers for are taken as they are. Yields every 64 nodes,
 * so that the caller may stop for other work; the document must then be unchanged, or the box be read again.
 *
 * An element is a block by its name or by its computed display (a span in a flex row is one).
 */
export function* readBox(
  top: Box,
  reading: Reading,
  reuse?: (element: Element) => Box | undefined,
): Generator<undefined, void> {
  const { dom, rules, masker } = reading;
  const stack: Frame[] = [];
  let depth = -1;
  /** The line being joined; whether its runs of spaces stay; texts of attributes that follow it. */
  let pending = '';
  let keepSpaces = false;
  let extras: string[] = [];
  const remembered = new Map<string, Line>();
  const showsContents = new Map<string, boolean>();
  let count = 0;

  push(top.element, top.name, top, true);
  while (depth >= 0 && reading.room > 0) {
    if (++count % SLICE === 0) yield;
    const frame = stack[depth]!;
    const node = frame.drawn === false ? null : advance(frame);
    if (node === null) {
      if (rules.pseudoText && shown(depth)) pending += pseudoText(frame.element, '::after', dom);
      if (frame.block) flush(frame.box);
      depth--;
      continue;
    }
    const type = dom.nodeType(node);
    if (type === 3) readText(node as Text, frame);
    else if (type === 1) enter(node as Element, frame);
  }
  flush(top);

  function advance(frame: Frame): Node | null {
    if (frame.assigned) return frame.assigned[frame.at++] ?? null;
    const node = frame.next;
    if (node) frame.next = dom.nextSibling(node);
    return node;
  }

  function flush(box: Box): void {
    if (pending !== '') {
      addLine(box, pending, keepSpaces);
      pending = '';
    }
    keepSpaces = false;
    if (extras.length > 0) {
      for (const text of extras) addLine(box, text, false);
      extras = [];
    }
  }

  function addLine(box: Box, raw: string, keepSpaces: boolean): void {
    const text = normalForm(raw, keepSpaces);
    if (text === '' || reading.room <= 0) return;
    reading.room--;
    let line = remembered.get(text);
    if (line === undefined) {
      const exact = hashText(text);
      const mask = masker.mask(text);
      line = { text, exact, masked: mask === text ? exact : hashText(mask) };
      if (remembered.size < REMEMBERED) remembered.set(text, line);
    }
    box.items.push(line);
  }

  function readText(node: Text, frame: Frame): void {
    const data = dom.data(node);
    if (pending === '' && data.charCodeAt(0) <= 32 && BLANK.test(data)) return;
    if (data === '' || !shown(depth)) return;
    const breaks = data.includes('\n');
    if (!breaks && !rules.keepPreWhitespace) {
      pending += data;
      return;
    }
    const preformatted = keepsLines(frame);
    if (!preformatted || !breaks) {
      pending += data;
      keepSpaces ||= preformatted;
      return;
    }
    let start = 0;
    for (;;) {
      const end = data.indexOf('\n', start);
      pending += data.slice(start, end < 0 ? undefined : end);
      keepSpaces = rules.keepPreWhitespace;
      if (end < 0) return;
      flush(frame.box);
      start = end + 1;
    }
  }

  /** Reads what an element has besides children, and opens a frame for these, if they are to be read. */
  function enter(element: Element, parent: Frame): void {
    const name = dom.localName(element);
    const kind = kindOf(name);
    if (kind & SKIPPED) return;
    if (kind & SKIPPED_IN_SVG && dom.namespace(element) === SVG) return;
    if (kind & BREAK) {
      if (shown(depth)) flush(parent.box);
      return;
    }
    let block = (kind & BLOCK) !== 0;
    if (kind & LEAF) {
      block = name === 'input' && BUTTON_TYPES.has(dom.attribute(element, 'type') ?? '');
    } else if (!block) {
      const style = dom.style(element);
      const { display } = style;
      if (display === 'none') return;
      block = isBlockDisplay(display);
      const hidden = dom.attribute(element, 'aria-hidden') === 'true';
      if ((hidden && !block) || iconWord(element, name, hidden, style, dom)) return;
      block ||= reading.noiseOf(element) !== undefined;
    }
    if (rules.skipScreenReaderText && screenReaderOnly(element, dom)) return;

    let box = parent.box;
    if (block) {
      flush(box);
      const known = reuse?.(element);
      if (known) {
        addBox(known, box);
        return;
      }
      box = newBox(element, name, reading);
      reading.onBox?.(box);
      addBox(box, parent.box);
    }
    push(element, name, box, block);
    if (kind & LEAF) {
      readLeaf(element, name, box, block);
    } else if ((rules.attributeText || rules.formState || rules.pseudoText) && shown(depth)) {
      readExtras(element, name);
      if (rules.pseudoText) pending += pseudoText(element, '::before', dom);
    }
  }

  function readExtras(element: Element, name: string): void {
    if (rules.attributeText) extras.push(...attributeTexts(element, name, dom));
    if (rules.formState) extras.push(...formTexts(element, name, dom));
  }

  /** Reads an element without text nodes; its frame is the topmost. */
  function readLeaf(element: Element, name: string, box: Box, block: boolean): void {
    const seen = shown(depth--);
    if (!seen) return;
    if (name === 'canvas') box.canvases++;
    readExtras(element, name);
    if (block) {
      pending = dom.attribute(element, 'value') ?? '';
      flush(box);
    }
    if (name === 'iframe' || name === 'frame') readFrame(element, box);
  }

  function readFrame(element: Element, box: Box): void {
    const inner = frameDocument(element);
    if (inner === null) {
      if (isSizable(element)) box.frames++;
      return;
    }
    if (!rules.frames || !inner.documentElement) return;
    flush(box);
    reading.onRoot(inner);
    const page = newBox(inner.documentElement, 'html', reading);
    addBox(page, box);
    push(page.element, page.name, page, true);
  }

  /** Whether text directly in the element of a frame can be seen. */
  function shown(depth: number): boolean {
    const frame = stack[depth]!;
    if (frame.shown !== undefined) return frame.shown;
    if (dom.surelyShown?.(frame.element) && showsItsContents(frame)) return (frame.shown = true);
    return (frame.shown = drawn(depth) && dom.style(frame.element).visibility === 'visible');
  }

  /**
   * The platform tells of skipped contents (`content-visibility: hidden`) only below them. Among elements without attributes those of
   * one name are alike in that.
   */
  function showsItsContents({ element, name }: Frame): boolean {
    if (dom.hasAttributes(element)) return contentsShown(dom.style(element));
    let shows = showsContents.get(name);
    if (shows === undefined) showsContents.set(name, (shows = contentsShown(dom.style(element))));
    return shows;
  }

  /**
   * The platform's own answer is no for what a person can still open or reach (the body of a closed `<details>`) and for elements
   * without a box of their own (`display: contents`), so a no is asked again here, style by style.
   */
  function drawn(depth: number): boolean {
    let from = depth;
    while (from > 0 && stack[from]!.drawn === undefined) from--;
    let answer = stack[from]!.drawn ?? (isDrawn(top.element, dom) && aboveIsDrawn(top.element, dom));
    for (let at = from; at <= depth; at++) {
      const frame = stack[at]!;
      answer = frame.drawn ??= answer && isDrawn(frame.element, dom);
    }
    return answer;
  }

  function keepsLines(frame: Frame): boolean {
    if (frame.keepsLines === undefined) {
      const style = dom.style(frame.element);
      const collapse = style.getPropertyValue('white-space-collapse') || style.whiteSpace;
      frame.keepsLines = /^(?:preserve|break-spaces|pre)/.test(collapse);
    }
    return frame.keepsLines;
  }

  function push(element: Element, name: string, box: Box, block: boolean): void {
    const root = kindOf(name) & HOST ? dom.shadowRoot(element) : null;
    if (root) reading.onRoot(root);
    const assigned = name === 'slot' ? dom.assigned(element) : null;
    const frame = (stack[++depth] ??= {} as Frame);
    frame.element = element;
    frame.name = name;
    frame.box = box;
    frame.block = block;
    frame.next = dom.firstChild(root ?? element);
    frame.assigned = assigned && assigned.length > 0 ? assigned : null;
    frame.at = 0;
    frame.drawn = undefined;
    frame.shown = undefined;
    frame.keepsLines = undefined;
  }
}

function addBox(box: Box, parent: Box): void {
  box.parent = parent;
  parent.items.push(box);
}

function isBlockDisplay(display: string): boolean {
  return !/^(?:$|inline|ruby|contents)|math/.test(display);
}

/** Boxes whose contents CSS cannot skip. */
const UNSKIPPABLE = /^(?:inline$|contents|ruby|inline-table|table(?!-caption))/;

function contentsShown(style: Look): boolean {
  return style.getPropertyValue('content-visibility') !== 'hidden' || UNSKIPPABLE.test(style.display);
}

function isDrawn(element: Element, dom: Dom): boolean {
  const style = dom.style(element);
  return style.display !== 'none' && style.opacity !== '0' && contentsShown(style);
}

/** The same for everything above an element, up the flat tree. */
function aboveIsDrawn(element: Element, dom: Dom): boolean {
  for (let above = flatParent(element, dom); above !== null; above = flatParent(above, dom)) {
    if (!isDrawn(above, dom)) return false;
  }
  return true;
}

/** The element that contains a node where shadow roots are drawn: its slot, its host or its parent. */
export function flatParent(node: Node, dom: Dom): Element | null {
  const type = dom.nodeType(node);
  if (type === 11) return (node as Partial<ShadowRoot>).host ?? null;
  const slot = type === 1 || type === 3 ? dom.slotOf(node) : null;
  if (slot) return slot;
  const parent = dom.parentNode(node);
  if (parent === null || dom.nodeType(parent) === 9) return null;
  return dom.nodeType(parent) === 1 ? (parent as Element) : flatParent(parent, dom);
}

/** Whether elements of this name are blocks, whatever CSS makes of them. */
export function isBlockName(name: string): boolean {
  return (kindOf(name) & BLOCK) !== 0;
}

function frameDocument(element: Element): Document | null {
  try {
    return (element as Partial<HTMLIFrameElement>).contentDocument ?? null;
  } catch {
    return null;
  }
}

/** Frames of a pixel measure visits; they show nothing to read. */
function isSizable(element: Element): boolean {
  const { clientWidth = Infinity, clientHeight = Infinity } = element as Partial<Element>;
  return clientWidth > 2 && clientHeight > 2;
}
