import { normalForm } from '#lib/content/normal-form.ts';
import type { Place } from '#lib/content/snapshot.ts';
import { attributeOf, doc } from './doc.ts';
import { Drawing, rootOf } from './picker.ts';

/** How long a block that was jumped to is outlined, in ms. */
const LASTS = 3_000;
/** Elements looked at; a page may have very many. */
const MOST = 100_000;

function* elementsIn(root: Document | ShadowRoot): Generator<Element> {
  for (const element of root.querySelectorAll('*')) {
    yield element;
    const inner = rootOf(element);
    if (inner) yield* elementsIn(inner);
  }
}

/** How well an element stands where the block stood. */
function likeness(element: Element, { id, row }: Place): number {
  const near = element.closest('[id]');
  const cells = element.closest('tr,[role=row],dl')?.textContent ?? '';
  return (
    Number(id !== undefined && near !== null && attributeOf(near, 'id') === id) +
    Number(row !== undefined && normalForm(cells).includes(row))
  );
}

/** Brings the element with this text to the eye and outlines it; whether there is one. */
export function jump(place: Place, text: string): boolean {
  let best: { element: Element; score: number } | undefined;
  let count = 0;
  for (const element of elementsIn(doc)) {
    if (++count > MOST) break;
    const own = element.textContent ?? '';
    if (own.length < text.length || own.length > 2 * text.length + 1000 || normalForm(own) !== text) continue;
    if (element.getClientRects().length === 0) continue;
    // Of nested elements with the same text the innermost, and of equal places the first.
    const score = likeness(element, place);
    if (!best || score > best.score || (score === best.score && best.element.contains(element)))
      best = { element, score };
  }
  if (!best) return false;
  const { element } = best;
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const drawing = new Drawing();
  drawing.around(element);
  drawing.remove(LASTS);
  return true;
}
