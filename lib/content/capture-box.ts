import type { Dom } from './capture-dom.ts';
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
  tag: Tag | null;
  /** It looks like the sizer or the mover of a list that shows a window of its rows (capture-lists.ts). */
  makesRoom: boolean;
}

export interface Tag {
  /** The noise rule whose selector an element matches. */
  noise: string | undefined;
  row: ListRow | undefined;
}

/** A row that says its number, so that a list may show a window of its rows. */
export interface ListRow {
  element: Element;
  list: Element;
  number: number;
}

/** What reading a document needs. */
export interface Reading {
  dom: Dom;
  rules: FullRules;
  masker: Masker;
  /** What the selectors and row numbers say of an element; null for most. */
  tagOf: (element: Element) => Tag | null;
  /** Told of each shadow root, and each document of a frame, before its nodes are read. */
  onRoot?: (root: Document | ShadowRoot) => void;
  /** Told of each box that is made below the one that is read. */
  onBox?: (box: Box) => void;
  /** Lines that may still be read; reading stops at 0. */
  room: number;
  /** Elements that show their contents, by what is alike in them; see `#showsItsContents`. */
  showing: Set<string>;
}

/** What an element's name says of it, as bits. */
export const SKIPPED = 1;
/** Not read in SVG: drawn only where something refers to it, or never. */
export const SKIPPED_IN_SVG = 2;
/** A block, whatever CSS makes of it. */
export const BLOCK = 4;
/** Its children are not text of the page. */
export const LEAF = 8;
export const BREAK = 16;
/** A page may attach a shadow root to it. */
export const HOST = 32;

const KINDS = new Map<string, number>();
const kind = (bits: number, names: string) => {
  for (const name of names.split(/\s+/)) KINDS.set(name, (KINDS.get(name) ?? 0) | bits);
};
kind(
  SKIPPED,
  `script style template noscript noembed noframes head meta link base datalist source track param area rp audio video object embed
  selectedcontent onceover-marks onceover-picker`,
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

/** The bits of an element's name. */
export function kindOf(name: string): number {
  return KINDS.get(name) ?? (name.includes('-') ? HOST : 0);
}

/** A style that makes room for rows that are not there, or moves rows into place. */
const ROOM =
  /(?:^|;)\s*(?:(?:min-)?height|padding-(?:top|bottom))\s*:\s*\d{4,}(?:\.\d+)?px|translate(?:y|3d)?\(/i;

/** The box of an element, still empty. */
export function newBox(element: Element, name: string, { dom, tagOf }: Reading): Box {
  const marks = dom.hasAttributes(element)
    ? {
        id: dom.attribute(element, 'id'),
        role: dom.attribute(element, 'role'),
        span: name === 'td' || name === 'th' ? dom.attribute(element, 'colspan') : null,
        open: name === 'details' && dom.attribute(element, 'open') !== null,
        tag: tagOf(element),
        makesRoom: ROOM.test(dom.attribute(element, 'style') ?? ''),
      }
    : null;
  return { element, name, parent: null, items: [], marks, canvases: 0, frames: 0 };
}

export function addBox(box: Box, parent: Box): void {
  box.parent = parent;
  parent.items.push(box);
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
