import { assemble } from './capture-assemble.ts';
import { flatParent, HOST, isBlockName, kindOf, newBox, type Box, type Line } from './capture-box.ts';
import { mayBeIcon } from './capture-extras.ts';
import { BoxReader } from './capture-reader.ts';
import { MAX_BLOCKS } from './bound.ts';
import { readingOf } from './capture.ts';
import type { FullRules } from './rules.ts';
import type { Snapshot } from './snapshot.ts';

/** Attributes that only draw. */
const DRAWING = new Set(
  `d points transform x y x1 x2 y1 y2 cx cy r rx ry dx dy width height viewBox offset fill stroke stroke-width stroke-dasharray
  stroke-dashoffset stop-color src srcset sizes href xlink:href tabindex`.split(/\s+/),
);
/** Elements whose text is a style sheet: it may show or hide anything. */
const SHEETS = new Set(['style', 'link']);
const MOST_LOOKS = 200;
/** More changed nodes than this are not told apart: all is read again. */
const MOST_NOTED = 50_000;

/** The boxes of a document, kept true by reading again only what changed. */
export interface LiveBoxes {
  /** Takes note of what changed; reads nothing. */
  note: (records: readonly MutationRecord[]) => void;
  /** Notes that this element and all in it are to be read again. */
  renew: (element: Element) => void;
  /** Notes that everything is to be read again. */
  renewAll: () => void;
  /** Notes all elements that match, in every root. */
  renewMatching: (selector: string) => void;
  /** Looks for shadow roots that were attached late, which makes no record; notes and counts them. Yields often. */
  findRoots: () => Generator<undefined, number>;
  /** Reads a little of what is noted; false once all is read. */
  step: () => boolean;
  /** Something was noted whose effect may reach beyond it (a class, a style sheet); only `renewAll` settles that. */
  isUncertain: () => boolean;
  /** Whether a text changed since this was asked last. */
  takeChanged: () => boolean;
  snapshot: () => Snapshot;
}

/** @param onRoot is told of each root when it is read: the document and every shadow root. */
export function liveBoxes(
  document: Document,
  rules: FullRules,
  onRoot: (root: Document | ShadowRoot) => void,
): LiveBoxes {
  const reading = readingOf(document, rules);
  const { dom } = reading;
  const boxes = new WeakMap<Element, Box>();
  const roots = new Set<Document | ShadowRoot>();
  const hosts = new WeakSet<Node>();
  let top: Box | null = null;
  let cut = false;

  /** Nodes around which the box is to be read again; elements in which no box may be kept; elements whose style was written. */
  let noted = new Set<Node>();
  let renewed = new Set<Element>();
  let restyled = new Set<Element>();
  let everything = true;
  /** What the round at work takes care of: elements whose boxes wait, and the elements that are renewed. */
  let waiting: Element[] = [];
  let renewing = new Set<Element>();
  let job: { box: Box; fresh: Box; reader: BoxReader } | undefined;
  /** Last looks of elements whose style attribute is written again and again, mostly to move them. */
  const looks = new Map<Element, string>();
  let uncertain = false;
  let changed = false;

  reading.onBox = (box) => boxes.set(box.element, box);
  reading.onRoot = (root) => {
    roots.add(root);
    if ('host' in root) hosts.add(root.host);
    onRoot(root);
  };
  reading.onRoot(document);

  return {
    note(records) {
      for (const record of records) {
        if (record.type === 'characterData') noteText(record.target);
        else if (record.type === 'childList') noteChildren(record);
        else noteAttribute(record.target as Element, record.attributeName!);
      }
      if (noted.size + renewed.size + restyled.size > MOST_NOTED) renewAll();
    },
    renew,
    renewAll,
    renewMatching(selector) {
      for (const root of roots) for (const element of root.querySelectorAll(selector)) renew(element);
    },
    findRoots,
    step,
    isUncertain: () => uncertain,
    takeChanged() {
      const was = changed;
      changed = false;
      return was;
    },
    snapshot: () => assemble(top, { ...reading, room: cut ? 0 : 1 }),
  };

  function renew(element: Element): void {
    noted.add(element);
    renewed.add(element);
  }

  function renewAll(): void {
    everything = true;
    noted = new Set();
    renewed = new Set();
    restyled = new Set();
  }

  function noteText(target: Node): void {
    noted.add(target);
    const parent = dom.parentNode(target);
    if (parent && isSheet(parent)) uncertain = true;
  }

  function noteChildren({ target, addedNodes, removedNodes }: MutationRecord): void {
    noted.add(target);
    if (isSheet(target)) uncertain = true;
    for (const node of addedNodes) {
      if (dom.nodeType(node) === 1) renewed.add(node as Element);
      if (isSheet(node)) uncertain = true;
    }
    for (const node of removedNodes) if (isSheet(node)) uncertain = true;
    // What a host has as children is drawn in its slots, wherever these are.
    if (hosts.has(target)) renewed.add(target as Element);
  }

  function isSheet(node: Node): boolean {
    return dom.nodeType(node) === 1 && SHEETS.has(dom.localName(node as Element));
  }

  function noteAttribute(element: Element, name: string): void {
    if (DRAWING.has(name)) return;
    if (name === 'style') {
      restyled.add(element);
      return;
    }
    uncertain = true;
    renew(element);
    if (name !== 'slot' && name !== 'name') return;
    const parent = dom.parentNode(element);
    if (parent && dom.nodeType(parent) === 1) renew(parent as Element);
    const { host } = element.getRootNode() as Partial<ShadowRoot>;
    if (host) renew(host);
  }

  function step(): boolean {
    if (job === undefined) return nextJob();
    const { box, fresh, reader } = job;
    if (reader.step()) return true;
    job = undefined;
    changed ||= !sameItems(box.items, fresh.items);
    for (const item of box.items) if ('items' in item && item.parent === box) item.parent = null;
    for (const item of fresh.items) if ('items' in item) item.parent = box;
    box.items = fresh.items;
    box.marks = fresh.marks;
    box.canvases = fresh.canvases;
    box.frames = fresh.frames;
    if (box === top) cut = reading.room <= 0;
    return true;
  }

  /** Begins with the next box; false when there is none. */
  function nextJob(): boolean {
    if (everything) return readAll();
    for (;;) {
      const element = waiting.pop();
      if (element === undefined) {
        if (noted.size + restyled.size === 0) return false;
        takeNoted();
        if (everything) return readAll();
        continue;
      }
      const box = boxes.get(element);
      if (box !== undefined && isKept(box)) {
        begin(box, newBox(element, box.name, reading), reusable);
        return true;
      }
    }
  }

  function readAll(): boolean {
    everything = uncertain = false;
    waiting = [];
    looks.clear();
    const element = document.documentElement as Element | null;
    if (element === null) {
      changed ||= top !== null;
      top = null;
      return false;
    }
    reading.showing.clear();
    const fresh = newBox(element, dom.localName(element), reading);
    if (top?.element !== element) top = { ...fresh, items: [] };
    boxes.set(element, top);
    begin(top, fresh);
    return true;
  }

  function begin(box: Box, fresh: Box, reuse?: (element: Element) => Box | undefined): void {
    reading.room = MAX_BLOCKS;
    job = { box, fresh, reader: new BoxReader(fresh, reading, reuse) };
  }

  /** Finds the boxes of what is noted, and starts a new round with them. */
  function takeNoted(): void {
    for (const element of restyled) {
      const look = lookOf(element);
      if (looks.get(element) !== look) renew(element);
      looks.set(element, look);
    }
    forgetLooks();
    const around = new Set<Element>();
    for (const node of noted) {
      const element = boxAround(node);
      if (element) around.add(element);
    }
    waiting = [...around];
    renewing = renewed;
    noted = new Set();
    renewed = new Set();
    restyled = new Set();
  }

  function lookOf(element: Element): string {
    const style = dom.style(element);
    const skipped = style.getPropertyValue('content-visibility');
    return [style.display, style.visibility, style.opacity === '0', style.whiteSpace, skipped].join();
  }

  /** A look says nothing any more once something above the element changed. */
  function forgetLooks(): void {
    if (renewed.size + looks.size > MOST_LOOKS) looks.clear();
    for (const element of renewed) {
      if (dom.shadowRoot(element)) looks.clear();
      for (const known of looks.keys()) if (known !== element && element.contains(known)) looks.delete(known);
    }
  }

  /** The nearest element at or above a node that has a box, and surely is a block still. */
  function boxAround(node: Node): Element | undefined {
    for (let at: Node = node; ;) {
      const box = boxes.get(at as Element);
      if (box && isKept(box)) {
        if (staysBlock(box)) return box.element;
        renewed.add(box.element);
      }
      const above = aboveOf(at);
      if (above === null) {
        // Another document element, or none.
        if (at === document || (at === document.documentElement && top?.element !== at)) renewAll();
        return undefined;
      }
      at = above;
    }
  }

  /** As `flatParent`, but quicker, since hosts are known. */
  function aboveOf(node: Node): Element | null {
    const parent = dom.parentNode(node);
    if (parent === null) return flatParent(node, dom);
    if (hosts.has(parent)) {
      const slot = flatParent(node, dom);
      // A slot in a closed root does not say what it holds; then the whole host is read again.
      if (slot === parent) renewed.add(slot);
      return slot;
    }
    return dom.nodeType(parent) === 1 ? (parent as Element) : flatParent(node, dom);
  }

  /** Whether an element with a box surely is a block still, whatever was noted of it. */
  function staysBlock({ element, name }: Box): boolean {
    return isBlockName(name) || !(renewed.has(element) || mayBeIcon(element, name, dom));
  }

  /** Whether a box is part of the present tree. */
  function isKept(box: Box): boolean {
    for (let at: Box | null = box; at !== null; at = at.parent) if (at === top) return true;
    return false;
  }

  /** The box of an element inside one that is read again, if nothing in it can have changed unseen. */
  function reusable(element: Element): Box | undefined {
    const box = boxes.get(element);
    if (box?.parent !== job!.box) return undefined;
    if (renewing.size > 0) {
      for (let at: Element | null = element; at !== null; at = flatParent(at, dom)) {
        if (renewing.has(at)) return undefined;
        if (at === job!.box.element) break;
      }
    }
    const root = dom.shadowRoot(element);
    return root && !roots.has(root) ? undefined : box;
  }

  function* findRoots(): Generator<undefined, number> {
    let count = 0;
    let late = 0;
    for (const root of roots) {
      const { host } = root as Partial<ShadowRoot>;
      if (host && !host.isConnected) {
        roots.delete(root);
        continue;
      }
      for (const element of root.querySelectorAll('*')) {
        if (++count % 64 === 0) yield;
        const found = kindOf(dom.localName(element)) & HOST ? dom.shadowRoot(element) : null;
        if (!found || roots.has(found)) continue;
        renew(element);
        late += 1;
      }
    }
    return late;
  }
}

function sameItems(left: readonly (Line | Box)[], right: readonly (Line | Box)[]): boolean {
  return (
    left.length === right.length &&
    left.every((item, at) => {
      const other = right[at]!;
      return item === other || ('exact' in item && 'exact' in other && item.exact === other.exact);
    })
  );
}
