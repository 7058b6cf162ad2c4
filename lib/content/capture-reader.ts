import {
  addBox,
  BLOCK,
  BREAK,
  flatParent,
  HOST,
  kindOf,
  LEAF,
  newBox,
  SKIPPED,
  SKIPPED_IN_SVG,
  type Box,
  type Reading,
} from './capture-box.ts';
import type { Dom, Look } from './capture-dom.ts';
import { attributeTexts, formTexts, iconWord, pseudoText, screenReaderOnly } from './capture-extras.ts';
import { hashText } from './hash.ts';
import { normalForm } from './normal-form.ts';
import type { FullRules } from './rules.ts';

const BUTTON_TYPES = new Set(['button', 'submit', 'reset']);
const BLANK = /^\s*$/;
const SVG = 'http://www.w3.org/2000/svg';
const NODES_A_STEP = 64;
/** Attributes that mostly decide on an element's style; sets of their values that are remembered. */
const STYLING = ['class', 'style', 'hidden', 'id'];
const MOST_ALIKE = 2_000;
const NOTHING: readonly Node[] = [];

/** An element whose children are being read. Frames are used again, one for each depth. */
interface Frame {
  element: Element;
  name: string;
  box: Box;
  /** Leaving it ends a line. */
  block: boolean;
  /** All that is in it, where that is text only: many nodes need not be looked at. */
  text: string | null;
  next: Node | null;
  /** Nodes to read in place of children: those assigned to a slot. */
  assigned: readonly Node[];
  at: number;
  /** Memos, undefined until asked: it and all above it are drawn / its text can be seen / it keeps line ends. */
  drawn: boolean | undefined;
  shown: boolean | undefined;
  keepsLines: boolean | undefined;
}

/**
 * Fills a box with the lines and boxes of its element, a few nodes at a step, so that the caller may stop for other work; the document
 * must then be unchanged, or the box be read again. An element is a block by its name or by its computed display (a span in a flex
 * row is one).
 */
export class BoxReader {
  readonly #reading: Reading;
  readonly #dom: Dom;
  readonly #rules: FullRules;
  readonly #top: Box;
  readonly #reuse: ((element: Element) => Box | undefined) | undefined;
  readonly #stack: Frame[] = [];
  #depth = -1;
  /** The line being joined; whether its runs of spaces stay; texts of attributes that follow it. */
  #pending = '';
  #keepSpaces = false;
  #extras: string[] = [];

  /** @param reuse answers with boxes that are taken as they are. */
  constructor(top: Box, reading: Reading, reuse?: (element: Element) => Box | undefined) {
    this.#reading = reading;
    this.#dom = reading.dom;
    this.#rules = reading.rules;
    this.#top = top;
    this.#reuse = reuse;
    this.#push(top.element, top.name, top, true);
  }

  /** Reads a few nodes; false once the box is read. */
  step(): boolean {
    for (let count = 0; count < NODES_A_STEP; count++) {
      if (this.#depth < 0 || this.#reading.room <= 0) {
        this.#flush(this.#top);
        return false;
      }
      this.#readNode();
    }
    return true;
  }

  #readNode(): void {
    const frame = this.#stack[this.#depth]!;
    if (frame.text !== null) {
      this.#readText(frame.text, frame);
      frame.text = null;
    }
    const node = frame.drawn === false ? null : this.#advance(frame);
    if (node === null) {
      if (this.#rules.pseudoText && this.#isShown(this.#depth)) {
        this.#pending += pseudoText(frame.element, '::after', this.#dom);
      }
      if (frame.block) this.#flush(frame.box);
      this.#depth--;
      return;
    }
    const type = this.#dom.nodeType(node);
    if (type === 3) this.#readText(this.#dom.data(node as Text), frame);
    else if (type === 1) this.#enter(node as Element, frame);
  }

  #advance(frame: Frame): Node | null {
    if (frame.assigned.length > 0) return frame.assigned[frame.at++] ?? null;
    const node = frame.next;
    if (node !== null) frame.next = this.#dom.nextSibling(node);
    return node;
  }

  #flush(box: Box): void {
    if (this.#pending !== '') {
      this.#addLine(box, this.#pending, this.#keepSpaces);
      this.#pending = '';
    }
    this.#keepSpaces = false;
    if (this.#extras.length > 0) {
      for (const text of this.#extras) this.#addLine(box, text, false);
      this.#extras = [];
    }
  }

  #addLine(box: Box, raw: string, keepSpaces: boolean): void {
    const text = normalForm(raw, keepSpaces);
    if (text === '' || this.#reading.room <= 0) return;
    this.#reading.room--;
    const exact = hashText(text);
    const mask = this.#reading.masker.mask(text);
    box.items.push({ text, exact, masked: mask === text ? exact : hashText(mask) });
  }

  #readText(data: string, frame: Frame): void {
    if (this.#pending === '' && data.charCodeAt(0) <= 32 && BLANK.test(data)) return;
    if (data === '' || !this.#isShown(this.#depth)) return;
    const breaks = data.includes('\n');
    if (!breaks && !this.#rules.keepPreWhitespace) {
      this.#pending += data;
      return;
    }
    const keepsLines = this.#keepsLines(frame);
    if (!keepsLines || !breaks) {
      this.#pending += data;
      this.#keepSpaces ||= keepsLines;
      return;
    }
    for (const [index, line] of data.split('\n').entries()) {
      if (index > 0) this.#flush(frame.box);
      this.#pending += line;
      this.#keepSpaces = this.#rules.keepPreWhitespace;
    }
  }

  /** Reads what an element has besides children, and opens a frame for these, if they are to be read. */
  #enter(element: Element, parent: Frame): void {
    const dom = this.#dom;
    const name = dom.localName(element);
    const kind = kindOf(name);
    if (kind & SKIPPED) return;
    if (kind & SKIPPED_IN_SVG && dom.namespace(element) === SVG) return;
    if (kind & BREAK) {
      if (this.#isShown(this.#depth)) this.#flush(parent.box);
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
      if (dom.hasAttributes(element) || name === 'i') {
        const hidden = dom.attribute(element, 'aria-hidden') === 'true';
        if ((hidden && !block) || iconWord(element, name, hidden, style, dom)) return;
        block ||= this.#reading.tagOf(element) !== null;
      }
    }
    if (this.#rules.skipScreenReaderText && screenReaderOnly(element, dom)) return;

    let box = parent.box;
    if (block) {
      this.#flush(box);
      const known = this.#reuse?.(element);
      if (known !== undefined) {
        addBox(known, box);
        return;
      }
      box = newBox(element, name, this.#reading);
      this.#reading.onBox?.(box);
      addBox(box, parent.box);
    }
    this.#push(element, name, box, block);
    if (kind & LEAF) {
      const shown = this.#isShown(this.#depth--);
      if (shown) this.#readLeaf(element, name, box, block);
    } else if (this.#readsMore() && this.#isShown(this.#depth)) {
      this.#readExtras(element, name);
      if (this.#rules.pseudoText) this.#pending += pseudoText(element, '::before', dom);
    }
  }

  #readsMore(): boolean {
    return this.#rules.attributeText || this.#rules.formState || this.#rules.pseudoText;
  }

  #readExtras(element: Element, name: string): void {
    if (this.#rules.attributeText) this.#extras.push(...attributeTexts(element, name, this.#dom));
    if (this.#rules.formState) this.#extras.push(...formTexts(element, name, this.#dom));
  }

  /** Reads an element without text nodes. */
  #readLeaf(element: Element, name: string, box: Box, block: boolean): void {
    if (name === 'canvas') box.canvases++;
    this.#readExtras(element, name);
    if (block) {
      this.#pending = this.#dom.attribute(element, 'value') ?? '';
      this.#flush(box);
    }
    if (name === 'iframe' || name === 'frame') this.#readFrame(element, box);
  }

  #readFrame(element: Element, box: Box): void {
    const inner = frameDocument(element);
    if (inner === null) {
      if (isSizable(element)) box.frames++;
      return;
    }
    if (!this.#rules.frames || !inner.documentElement) return;
    this.#flush(box);
    this.#reading.onRoot?.(inner);
    const page = newBox(inner.documentElement, 'html', this.#reading);
    addBox(page, box);
    this.#push(page.element, page.name, page, true);
  }

  /** Whether text directly in the element of a frame can be seen. */
  #isShown(depth: number): boolean {
    const frame = this.#stack[depth]!;
    return (frame.shown ??=
      (this.#dom.surelyShown?.(frame.element) === true && this.#showsItsContents(frame)) ||
      (this.#isDrawn(depth) && this.#dom.style(frame.element).visibility === 'visible'));
  }

  /**
   * The platform tells of skipped contents (`content-visibility: hidden`) only below the element, so its style must be asked; once for
   * elements with the same attributes, since that is half the cost of reading a page of spans.
   */
  #showsItsContents({ element, name }: Frame): boolean {
    const dom = this.#dom;
    const { showing } = this.#reading;
    const alike = dom.hasAttributes(element)
      ? [name, ...STYLING.map((attribute) => dom.attribute(element, attribute))].join('\n')
      : name;
    if (showing.has(alike)) return true;
    const style = dom.style(element);
    if (style.getPropertyValue('content-visibility') === 'hidden') return contentsShown(style);
    if (showing.size < MOST_ALIKE) showing.add(alike);
    return true;
  }

  /**
   * The platform's own answer is no for what a person can still open or reach (the body of a closed `<details>`) and for elements
   * without a box of their own (`display: contents`), so a no is asked again here, style by style.
   */
  #isDrawn(depth: number): boolean {
    const dom = this.#dom;
    let from = depth;
    while (from > 0 && this.#stack[from]!.drawn === undefined) from--;
    let answer = this.#stack[from]!.drawn ?? aboveIsDrawn(this.#top.element, dom);
    for (let at = from; at <= depth; at++) {
      const frame = this.#stack[at]!;
      answer = frame.drawn ??= answer && isDrawn(frame.element, dom);
    }
    return answer;
  }

  #keepsLines(frame: Frame): boolean {
    if (frame.keepsLines === undefined) {
      const style = this.#dom.style(frame.element);
      const collapse = style.getPropertyValue('white-space-collapse') || style.whiteSpace;
      frame.keepsLines = /^(?:preserve|break-spaces|pre)/.test(collapse);
    }
    return frame.keepsLines;
  }

  #push(element: Element, name: string, box: Box, block: boolean): void {
    const dom = this.#dom;
    const kind = kindOf(name);
    const root = kind & HOST ? dom.shadowRoot(element) : null;
    if (root !== null) this.#reading.onRoot?.(root);
    const assigned = name === 'slot' ? dom.assigned(element) : NOTHING;
    const frame = (this.#stack[++this.#depth] ??= newFrame(element, box));
    frame.element = element;
    frame.name = name;
    frame.box = box;
    frame.block = block;
    frame.text = null;
    frame.next = null;
    frame.assigned = assigned;
    frame.at = 0;
    frame.drawn = undefined;
    frame.shown = undefined;
    frame.keepsLines = undefined;
    if (kind & LEAF || assigned.length > 0) return;
    if (root === null && dom.firstElementChild(element) === null) frame.text = dom.textContent(element);
    else frame.next = dom.firstChild(root ?? element);
  }
}

function newFrame(element: Element, box: Box): Frame {
  return {
    element,
    name: '',
    box,
    block: false,
    text: null,
    next: null,
    assigned: NOTHING,
    at: 0,
    drawn: undefined,
    shown: undefined,
    keepsLines: undefined,
  };
}

function isBlockDisplay(display: string): boolean {
  return display !== 'inline' && !/^(?:$|inline|ruby|contents)|math/.test(display);
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
