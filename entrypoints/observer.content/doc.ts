/**
 * The document's own properties and methods. A page hides them by names of its elements: with `<img name="title">` on
 * it, `document.title` is that image, in every world. To be passed on as a node it is `document` itself.
 */
export const doc: Document = new Proxy(document, {
  get(target, name) {
    const value: unknown = Reflect.get(Document.prototype, name, target);
    return typeof value === 'function' ? value.bind(target) : value;
  },
});

/** An attribute of any element: a form hides its own methods by names of its fields. */
export function attributeOf(element: Element, name: string): string | null {
  return Element.prototype.getAttribute.call(element, name);
}
