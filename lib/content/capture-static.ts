import type { Dom, Look } from './capture-dom.ts';

/**
 * What can be known of an element's style without a browser: its `style` and `hidden` attributes, and what every browser does with
 * some elements. Style sheets and layout are unknown.
 */
export function staticLook(element: Element, dom: Dom): Look {
  const own = declarations(element, dom);
  const name = dom.localName(element);
  return {
    display: own.get('display') ?? (isHidden(element, name, dom) ? 'none' : ''),
    visibility: inherited(element, 'visibility', dom) ?? 'visible',
    opacity: own.get('opacity') ?? '1',
    whiteSpace: inherited(element, 'white-space', dom) ?? 'normal',
    fontFamily: inherited(element, 'font-family', dom) ?? '',
    getPropertyValue: (property) => own.get(property) ?? '',
  };
}

function isHidden(element: Element, name: string, dom: Dom): boolean {
  return (
    dom.attribute(element, 'hidden') !== null ||
    (name === 'dialog' && dom.attribute(element, 'open') === null) ||
    dom.attribute(element, 'popover') !== null
  );
}

function inherited(element: Element, property: string, dom: Dom): string | undefined {
  for (let at: Node | null = element; at !== null && dom.nodeType(at) === 1; at = dom.parentNode(at)) {
    const value = declarations(at as Element, dom).get(property);
    if (value !== undefined && value !== 'inherit') return value;
    if (property === 'white-space' && dom.localName(at as Element) === 'pre') return 'pre';
  }
  return undefined;
}

const NONE: ReadonlyMap<string, string> = new Map();

function declarations(element: Element, dom: Dom): ReadonlyMap<string, string> {
  const style = dom.attribute(element, 'style');
  if (style === null) return NONE;
  const values = new Map<string, string>();
  for (const declaration of style.split(';')) {
    const colon = declaration.indexOf(':');
    if (colon < 0) continue;
    const value = declaration
      .slice(colon + 1)
      .replace(/!\s*important\s*$/i, '')
      .trim()
      .toLowerCase();
    if (value !== '') values.set(declaration.slice(0, colon).trim().toLowerCase(), value);
  }
  const opacity = values.get('opacity');
  if (opacity !== undefined && parseFloat(opacity) === 0) values.set('opacity', '0');
  return values;
}

/** The nodes that a slot shows, where the DOM does not say: the host's children that name it. */
export function staticAssigned(slot: Element, dom: Dom): readonly Node[] {
  const { host } = slot.getRootNode() as Partial<ShadowRoot>;
  if (!host) return [];
  const name = dom.attribute(slot, 'name') ?? '';
  return Array.from(host.childNodes).filter((node) => {
    const type = dom.nodeType(node);
    return type === 1 ? (dom.attribute(node as Element, 'slot') ?? '') === name : type === 3 && name === '';
  });
}
