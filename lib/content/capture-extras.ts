import type { Dom, Look } from './capture-dom.ts';

/** Texts that are no text nodes; each is read only under its rule. */

/** Attributes that people meet as text, in the order in which they are read. */
const TEXT_ATTRIBUTES = ['alt', 'title', 'aria-label', 'placeholder', 'aria-valuetext'];

export function attributeTexts(element: Element, name: string, dom: Dom): string[] {
  const texts = TEXT_ATTRIBUTES.flatMap((attribute) => dom.attribute(element, attribute) ?? []);
  if (name === 'optgroup') texts.push(dom.attribute(element, 'label') ?? '');
  if (name === 'progress' || name === 'meter') {
    const value = dom.attribute(element, 'value');
    if (value !== null) texts.push(`${value} / ${dom.attribute(element, 'max') ?? '1'}`);
  }
  return texts;
}

/** Inputs without a value that a person wrote or chose. */
const NO_STATE = new Set(['hidden', 'password', 'button', 'submit', 'reset', 'image', 'file']);
/** Fields that hold a secret even while "show password" makes them plain. */
const SECRET =
  /pass(?:word|code|phrase)?|pwd|secret|token|one-time|otp|\bpin\b|cc-|card-?num|cvv|cvc|密码|密碼|口令/i;

/** Values typed or chosen. Never those of passwords, one-time codes and cards. */
export function formTexts(element: Element, name: string, dom: Dom): string[] {
  if (name === 'select') {
    const chosen = (element as HTMLSelectElement).selectedOptions;
    return Array.from(chosen, (option) => `▸ ${option.textContent}`);
  }
  if (name !== 'input' && name !== 'textarea') return [];
  const field = element as HTMLInputElement;
  const type = (dom.attribute(element, 'type') ?? 'text').toLowerCase();
  if (name === 'input' && NO_STATE.has(type)) return [];
  const words = ['name', 'id', 'autocomplete', 'aria-label', 'placeholder'].map(
    (attribute) => dom.attribute(element, attribute) ?? '',
  );
  if (SECRET.test(words.join(' '))) return [];
  if (type === 'checkbox' || type === 'radio') return [field.checked ? '☑' : '☐'];
  return [field.value];
}

/** Text that CSS puts before or after an element. */
export function pseudoText(element: Element, pseudo: '::before' | '::after', dom: Dom): string {
  const style = dom.pseudoStyle(element, pseudo);
  const content = style?.content ?? 'none';
  if (style === null || content === 'none' || content === 'normal' || style.display === 'none') return '';
  let text = '';
  for (const [, quoted, attribute] of content.matchAll(/"((?:[^"\\]|\\.)*)"|attr\(([\w-]+)[^)]*\)/g)) {
    text +=
      quoted === undefined ? (dom.attribute(element, attribute!) ?? '') : quoted.replace(/\\(.)/g, '$1');
    if (content.includes('" / "')) break;
  }
  return text;
}

const ICON_CLASS = /icon|symbol|glyph|ligature/i;
const ICON_FONT = /icon|symbols|awesome|glyph/i;
const PRIVATE_USE = /^\s*[\u{e000}-\u{f8ff}\u{f0000}-\u{10fffd}][\s\u{e000}-\u{f8ff}\u{f0000}-\u{10fffd}]*$/u;
const LIGATURE = /^\s*[a-z]+_[a-z_\d]+\s*$/;

/** Whether an inline element may be there for an icon; its text decides. */
export function mayBeIcon(element: Element, name: string, dom: Dom): boolean {
  return (
    name === 'i' ||
    name.includes('icon') ||
    dom.attribute(element, 'aria-hidden') === 'true' ||
    ICON_CLASS.test(dom.attribute(element, 'class') ?? '')
  );
}

/** Whether an element holds the ligature word or the private character of an icon font, which eyes see as a picture. */
export function iconWord(element: Element, name: string, hidden: boolean, style: Look, dom: Dom): boolean {
  if (!mayBeIcon(element, name, dom)) return false;
  const text = element.textContent;
  if (text.length > 60 || text.trim() === '') return false;
  return PRIVATE_USE.test(text) || ICON_FONT.test(style.fontFamily) || (hidden && LIGATURE.test(text));
}

/** Clipped to a pixel or less: there for screen readers only. */
export function screenReaderOnly(element: Element, dom: Dom): boolean {
  const style = dom.style(element);
  const value = (property: string) => style.getPropertyValue(property);
  if (!['absolute', 'fixed'].includes(value('position'))) return false;
  const clips = value('overflow') !== 'visible' || value('clip') !== 'auto' || value('clip-path') !== 'none';
  return clips && (parseFloat(value('width')) <= 1 || parseFloat(value('height')) <= 1);
}
