import { staticAssigned, staticLook } from './capture-static.ts';

/**
 * Reading nodes safely. A form's properties can be taken over by its own controls (`<input name="id">` makes `form.id` an element,
 * `name="firstChild"` breaks a walk), so everything is read through the getters of the prototypes, which a page cannot shadow.
 */
export interface Dom {
  nodeType: (node: Node) => number;
  firstChild: (node: Node) => Node | null;
  nextSibling: (node: Node) => Node | null;
  firstElementChild: (element: Element) => Element | null;
  textContent: (element: Element) => string | null;
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
  const openRoot = getter(element, 'shadowRoot');
  const slotOfElement = getter(element, 'assignedSlot');
  const slotOfText = getter(view?.Text?.prototype, 'assignedSlot');
  const nodeType = getter(node, 'nodeType');
  const checkVisibility = method(element, 'checkVisibility');
  const hasAttributes = method(element, 'hasAttributes');
  const dom: Dom = {
    nodeType,
    firstChild: getter(node, 'firstChild'),
    nextSibling: getter(node, 'nextSibling'),
    firstElementChild: getter(element, 'firstElementChild'),
    textContent: getter<Node, 'textContent'>(node, 'textContent'),
    parentNode: getter(node, 'parentNode'),
    localName: getter(element, 'localName'),
    namespace: getter(element, 'namespaceURI'),
    attribute: method(element, 'getAttribute'),
    hasAttributes: (e) => hasAttributes(e, undefined),
    data: getter(view?.CharacterData?.prototype, 'data'),
    matches: method(element, 'matches'),
    closest: method(element, 'closest'),
    shadowRoot: (e) => openRoot(e) ?? closedRoot(e),
    assigned: (slot) => (slot as Partial<HTMLSlotElement>).assignedNodes?.() ?? staticAssigned(slot, dom),
    slotOf: (target) =>
      (nodeType(target) === 1 ? slotOfElement(target as Element) : slotOfText(target as Text)) ?? null,
    style: view?.getComputedStyle ? (e) => view.getComputedStyle(e) : (e) => staticLook(e, dom),
    pseudoStyle: (e, pseudo) => view?.getComputedStyle?.(e, pseudo) ?? null,
    surelyShown: element && 'checkVisibility' in element ? (e) => checkVisibility(e, SEEN) : undefined,
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
    const property: { get?: (this: O) => O[K] } | undefined = Object.getOwnPropertyDescriptor(owner, name);
    const get = property?.get;
    if (get) return (target) => get.call(target);
  }
  return (target) => target[name];
}

/** Methods with their argument and result. */
interface Methods {
  checkVisibility: [CheckVisibilityOptions, boolean];
  closest: [string, Element | null];
  getAttribute: [string, string | null];
  hasAttributes: [undefined, boolean];
  matches: [string, boolean];
}

/** The prototype's method, or the node's own. */
function method<K extends keyof Methods>(
  prototype: Element | undefined,
  name: K,
): (target: Element, argument: Methods[K][0]) => Methods[K][1] {
  type Method = (this: Element, argument: Methods[K][0]) => Methods[K][1];
  const methodOf = (owner: Element) => owner[name] as Method;
  const own = prototype && methodOf(prototype);
  if (own) return (target, argument) => own.call(target, argument);
  return (target, argument) => methodOf(target).call(target, argument);
}
