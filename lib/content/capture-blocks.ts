import type { Dom } from './capture-dom.ts';
import { attributeTexts, formTexts, iconWord, pseudoText, screenReaderOnly } from './capture-extras.ts';
import { normalForm } from './normal-form.ts';
import type { Masker } from './noise.ts';
import type { FullRules } from './rules.ts';
import { hashText } from './snapshot.ts';

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
  role: string | null;
  id: string | null;
  items: (Line | Box)[];
  /** `colspan` of a cell. */
  span: string | null;
  /** A `<details>` that is not open. */
  closed: boolean;
  /** The noise rule whose selector it matches. */
  noise: string | undefined;
  row: ListRow | undefined;
  /** Visible canvases, and frames without access, directly in it. */
  canvases: number;
  frames: number;
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
  /** The noise rule that an element's selector matches, and its row number; asked once per element. */
  noiseOf: (element: Element) => string | undefined;
  rowOf: (element: Element) => ListRow | undefined;
  /** Told of each root before its nodes are read: the document's and each shadow root. */
  onRoot: (root: Document | ShadowRoot) => void;
  /** Lines that may still be read; reading stops at 0. */
  room: number;
}

/** Never read, whatever CSS says of them. */
const SKIPPED =
  words(`script style template noscript noembed noframes head title meta link base datalist source track param area rp
  audio video object embed selectedcontent`);
/** Drawn only where something refers to them, or never. */
const SKIPPED_SVG = words(
  'title desc metadata defs symbol clipPath mask marker pattern linearGradient radialGradient filter style script',
);
/** Blocks by their name, whatever CSS makes of them. */
const BLOCKS =
  words(`html body address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure
  footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol optgroup option p pre search section select
  summary table caption thead tbody tfoot tr td th ul button text foreignObject`);
/** Elements whose children are not text of the page. */
const LEAVES = words('input textarea progress meter canvas img iframe frame');
const BUTTON_TYPES = words('button submit reset');
const BLANK = /^\s*$/;
const SLICE = 64;

/** An element whose children are being read. */
interface Frame {
  parent: Frame | null;
  element: Element;
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
  return {
    element,
    name,
    role: dom.attribute(element, 'role'),
    id: dom.attribute(element, 'id'),
    items: [],
    span: name === 'td' || name === 'th' ? dom.attribute(element, 'colspan') : null,
    closed: name === 'details' && dom.attribute(element, 'open') === null,
    noise: noiseOf(element),
    row: rowOf(element),
    canvases: 0,
    frames: 0,
  };
}

/**
 * Fills `top` with the lines and boxes of its element. Boxes that `reuse` answers for are taken as they are. Yields every 64 nodes,
 * so that the caller may stop for other work; the document must then be unchanged, or the box be read again.
 *
 * An element is a block by its name (`BLOCKS`) or by its computed display (a span in a flex row is one).
 */
export function* readBox(
  top: Box,
  reading: Reading,
  reuse: (element: Element) => Box | undefined = () => undefined,
): Generator<undefined, void> {
  const { dom, rules, masker } = reading;
  /** The line being joined; whether its runs of spaces stay; texts of attributes that follow it. */
  let pending = '';
  let keepSpaces = false;
  let extras: string[] = [];
  let frame: Frame | null = open(top.element, top.name, null, top, true);
  let count = 0;

  while (frame !== null && reading.room > 0) {
    if (++count % SLICE === 0) yield;
    const node = frame.drawn === false ? null : advance(frame);
    if (node === null) {
      if (rules.pseudoText && shown(frame)) pending += pseudoText(frame.element, '::after', dom);
      if (frame.block) flush(frame.box);
      frame = frame.parent;
      continue;
    }
    const type = dom.nodeType(node);
    if (type === 3) readText(node as Text, frame);
    else if (type === 1) frame = enter(node as Element, frame) ?? frame;
  }
  flush(top);

  function advance(frame: Frame): Node | null {
    if (frame.assigned) return frame.assigned[frame.at++] ?? null;
    const node = frame.next;
    if (node) frame.next = dom.nextSibling(node);
    return node;
  }

  function flush(box: Box): void {
    if (pending !== '') addLine(box, normalForm(pending, keepSpaces));
    pending = '';
    keepSpaces = false;
    if (extras.length > 0) {
      for (const text of extras) addLine(box, normalForm(text));
      extras = [];
    }
  }

  function addLine(box: Box, text: string): void {
    if (text === '' || reading.room <= 0) return;
    reading.room--;
    const exact = hashText(text);
    const mask = masker.mask(text);
    box.items.push({ text, exact, masked: mask === text ? exact : hashText(mask) });
  }

  function readText(node: Text, frame: Frame): void {
    const data = dom.data(node);
    if (pending === '' && data.charCodeAt(0) <= 32 && BLANK.test(data)) return;
    if (data === '' || !shown(frame)) return;
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

  /** Reads what an element has besides children; answers with the frame of its children, if they are to be read. */
  function enter(element: Element, parent: Frame): Frame | null {
    const name = dom.localName(element);
    if (SKIPPED.has(name)) return null;
    if (SKIPPED_SVG.has(name) && dom.namespace(element) === 'http://www.w3.org/2000/svg') return null;
    if (name === 'br') {
      if (shown(parent)) flush(parent.box);
      return null;
    }
    let block =
      BLOCKS.has(name) || (name === 'input' && BUTTON_TYPES.has(dom.attribute(element, 'type') ?? ''));
    if (!block) {
      const style = dom.style(element);
      const display = style?.display ?? '';
      if (display === 'none') return null;
      block = isBlockDisplay(display) && !LEAVES.has(name);
      const hidden = dom.attribute(element, 'aria-hidden') === 'true';
      if ((hidden && !block) || iconWord(element, name, hidden, style, dom)) return null;
      block ||= reading.noiseOf(element) !== undefined;
    }
    if (rules.skipScreenReaderText && screenReaderOnly(element, dom)) return null;

    let box = parent.box;
    if (block) {
      flush(box);
      const known = reuse(element);
      if (known) {
        box.items.push(known);
        return null;
      }
      box = newBox(element, name, reading);
      parent.box.items.push(box);
    }
    if (LEAVES.has(name)) return readLeaf(element, name, parent, box);
    const frame = open(element, name, parent, box, block);
    if ((rules.attributeText || rules.formState || rules.pseudoText) && shown(frame)) {
      if (rules.attributeText) extras.push(...attributeTexts(element, name, dom));
      if (rules.formState) extras.push(...formTexts(element, name, dom));
      if (rules.pseudoText) pending += pseudoText(element, '::before', dom);
    }
    return frame;
  }

  function readLeaf(element: Element, name: string, parent: Frame, box: Box): Frame | null {
    const self = open(element, name, parent, box, box !== parent.box);
    if (!shown(self)) return null;
    if (name === 'canvas') box.canvases++;
    if (rules.attributeText) extras.push(...attributeTexts(element, name, dom));
    if (rules.formState) extras.push(...formTexts(element, name, dom));
    if (name === 'input' && box !== parent.box) {
      pending = dom.attribute(element, 'value') ?? '';
      flush(box);
    }
    return name === 'iframe' || name === 'frame' ? readFrame(element, self) : null;
  }

  function readFrame(element: Element, self: Frame): Frame | null {
    const inner = frameDocument(element);
    if (inner === null) {
      if (isSizable(element)) self.box.frames++;
      return null;
    }
    if (!rules.frames || !inner.documentElement) return null;
    flush(self.box);
    reading.onRoot(inner);
    const box = newBox(inner.documentElement, 'html', reading);
    self.box.items.push(box);
    return open(inner.documentElement, 'html', self.parent, box, true);
  }

  /** Whether text directly in the element can be seen. */
  function shown(frame: Frame): boolean {
    if (frame.shown !== undefined) return frame.shown;
    if (dom.surelyShown?.(frame.element)) return (frame.shown = true);
    return (frame.shown = drawn(frame) && (dom.style(frame.element)?.visibility ?? 'visible') === 'visible');
  }

  /**
   * The platform's own answer is no for what a person can still open or reach (the body of a closed `<details>`) and for elements
   * without a box of their own (`display: contents`), so a no is asked again here, style by style.
   */
  function drawn(frame: Frame): boolean {
    const asked: Frame[] = [];
    let answer = true;
    for (let at: Frame | null = frame; at !== null; at = at.parent) {
      if (at.drawn !== undefined) {
        answer = at.drawn;
        break;
      }
      asked.push(at);
      if (at.parent === null) answer = aboveIsDrawn(at.element, dom);
    }
    for (const at of asked.reverse()) answer = at.drawn = answer && isDrawn(at.element, dom);
    return answer;
  }

  function keepsLines(frame: Frame): boolean {
    if (frame.keepsLines === undefined) {
      const style = dom.style(frame.element);
      const collapse = style?.getPropertyValue('white-space-collapse') || style?.whiteSpace || '';
      frame.keepsLines = /^(?:preserve|break-spaces|pre)/.test(collapse);
    }
    return frame.keepsLines;
  }

  function open(element: Element, name: string, parent: Frame | null, box: Box, block: boolean): Frame {
    const root = dom.shadowRoot(element);
    if (root) reading.onRoot(root);
    const assigned = name === 'slot' ? dom.assigned(element) : [];
    return {
      parent,
      element,
      box,
      block,
      next: dom.firstChild(root ?? element),
      assigned: assigned.length > 0 ? assigned : null,
      at: 0,
      drawn: undefined,
      shown: undefined,
      keepsLines: undefined,
    };
  }
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}

function isBlockDisplay(display: string): boolean {
  return !/^(?:$|inline|ruby|contents|math$)/.test(display);
}

function isDrawn(element: Element, dom: Dom): boolean {
  const style = dom.style(element);
  if (style === null) return true;
  return (
    style.display !== 'none' &&
    style.opacity !== '0' &&
    style.getPropertyValue('content-visibility') !== 'hidden'
  );
}

/** The same for everything above an element, up the flat tree. */
function aboveIsDrawn(element: Element, dom: Dom): boolean {
  for (let above = flatParent(element, dom); above !== null; above = flatParent(above, dom)) {
    if (!isDrawn(above, dom)) return false;
  }
  return true;
}

/** The element that contains another one where shadow roots are drawn: its slot, its host or its parent. */
export function flatParent(node: Node, dom: Dom): Element | null {
  const parent = dom.slotOf(node) ?? dom.parentNode(node);
  if (parent === null) return null;
  const type = dom.nodeType(parent);
  if (type === 1) return parent as Element;
  return type === 11 ? ((parent as Partial<ShadowRoot>).host ?? null) : null;
}

function frameDocument(element: Element): Document | null {
  try {
    return (element as HTMLIFrameElement).contentDocument;
  } catch {
    return null;
  }
}

/** Frames of a pixel measure visits; they show nothing to read. */
function isSizable(element: Element): boolean {
  const box = element.getBoundingClientRect();
  return box.width > 2 && box.height > 2;
}
