import { staticAssigned, staticLook } from './capture-static.ts';

/**
 * Reading nodes safely. A form's properties can be taken over by its own controls (`<input name="id">` makes `form.id` an element,
 * `name="firstChild"` breaks a walk), so everything is read through the getters of the prototypes, which a page cannot shadow.
 */
export interface Dom {
  nodeType: (node: Node) => number;
  firstChild: (node: Node) => Node | null;
  nextSibling: (node: Node) => Node | null;
  parentNode: (node: Node) => Node | null;
  localName: (element: Element) => string;
  namespace: (element: Element) => string | null;
  attribute: (element: Element, name: string) => string | null;
  hasAttributes: (element: Element) => boolean;
  data: (text: CharacterData) => string;
  matches: (element: Element, selector: string) => boolean;
  closest: (element: Element, selector: string) => Element | null;
  /** The open or, where the browser's `chrome.dom` tells an extension, closed shadow root. */
  shadowRoot: (element: Element) => ShadowRoot | null;
  assigned: (slot: Element) => readonly Node[];
  slotOf: (node: Node) => Element | null;
  style: (element: Element) => Look;
  pseudoStyle: (element: Element, pseudo: string) => CSSStyleDeclaration | null;
  /** Whether the element surely has a box that can be seen; undefined where the platform cannot tell. */
  surelyShown: ((element: Element) => boolean) | undefined;
}

/** What is asked of a computed style. */
export type Look = Pick<
  CSSStyleDeclaration,
  'display' | 'visibility' | 'opacity' | 'whiteSpace' | 'fontFamily' | 'getPropertyValue'
>;

const SEEN = { opacityProperty: true, visibilityProperty: true };
interface ChromeDom {
  openOrClosedShadowRoot?: (element: Element) => ShadowRoot | null;
}

const known = new WeakMap<object, Dom>();

export function domOf(document: Document): Dom {
  const view = document.defaultView;
  if (!hasStyles(view)) return makeDom(null);
  let dom = known.get(view);
  if (dom === undefined) known.set(view, (dom = makeDom(view)));
  return dom;
}

function makeDom(view: (Window & Partial<typeof globalThis>) | null): Dom {
  const node = view?.Node?.prototype;
  const element = view?.Element?.prototype;
  /** Whose method is called: the prototype's, where there is one. */
  const own = (e: Element) => element ?? e;
  const localName = getter(element, 'localName');
  const openRoot = getter(element, 'shadowRoot');
  const slotOfElement = getter(element, 'assignedSlot');
  const slotOfText = getter(view?.Text?.prototype, 'assignedSlot');
  const nodeType = getter(node, 'nodeType');
  const canCheck = typeof (element as Partial<Element> | undefined)?.checkVisibility === 'function';
  const dom: Dom = {
    nodeType,
    firstChild: getter(node, 'firstChild'),
    nextSibling: getter(node, 'nextSibling'),
    parentNode: getter(node, 'parentNode'),
    localName,
    namespace: getter(element, 'namespaceURI'),
    attribute: (e, name) => own(e).getAttribute.call(e, name),
    hasAttributes: (e) => own(e).hasAttributes.call(e),
    data: getter(view?.CharacterData?.prototype, 'data'),
    matches: (e, selector) => own(e).matches.call(e, selector),
    closest: (e, selector) => own(e).closest.call(e, selector),
    shadowRoot: (e) => openRoot(e) ?? closedRoot(e),
    assigned: (slot) => (slot as Partial<HTMLSlotElement>).assignedNodes?.() ?? staticAssigned(slot, dom),
    slotOf: (target) =>
      (nodeType(target) === 1 ? slotOfElement(target as Element) : slotOfText(target as Text)) ?? null,
    style: view?.getComputedStyle ? (e) => view.getComputedStyle(e) : (e) => staticLook(e, dom),
    pseudoStyle: (e, pseudo) => view?.getComputedStyle?.(e, pseudo) ?? null,
    surelyShown: canCheck ? (e) => own(e).checkVisibility.call(e, SEEN) : undefined,
  };
  return dom;
}

/** A DOM library may have a window without styles, or with empty ones; so has a frame that is not drawn. */
function hasStyles(view: Window | null): view is Window {
  if (typeof view?.getComputedStyle !== 'function') return false;
  const root = view.document.documentElement as Element | null;
  return root === null || view.getComputedStyle(root).display !== '';
}

function closedRoot(element: Element): ShadowRoot | null {
  const { chrome } = globalThis as unknown as { chrome?: { dom?: ChromeDom } };
  try {
    return chrome?.dom?.openOrClosedShadowRoot?.(element) ?? null;
  } catch {
    // It refuses what is no HTML element; that has no root either.
    return null;
  }
}

/** The prototype's getter, or plain property access where a DOM library keeps the property on the node itself. */
function getter<O extends object, K extends keyof O>(prototype: O | undefined, name: K): (target: O) => O[K] {
  for (
    let owner: object | null = prototype ?? null;
    owner;
    owner = Object.getPrototypeOf(owner) as object | null
  ) {
    const property = Object.getOwnPropertyDescriptor(owner, name);
    if (property?.get) return (target) => property.get!.call(target) as O[K];
  }
  return (target) => target[name];
}
