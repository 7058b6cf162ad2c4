/** A short text in the two languages of the product. */
export interface Words {
  en: string;
  zh: string;
}

// Controls (C0, DEL, C1), line and paragraph separators, and the marks that turn the reading direction around.
const UNPRINTABLE = /[\u0000-\u001F\u007F-\u009F\u2028\u2029]+/g;
const DIRECTION = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** Text of a page (title, note) for one cell or one line of a file: no line break, tab, control or direction mark. */
export function plainText(text: string): string {
  return text.toWellFormed().replace(DIRECTION, '').replace(UNPRINTABLE, ' ').trim();
}

/** The five escapes of XML, right for HTML text and quoted attributes too. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => XML_ESCAPES[character] ?? character);
}

const XML_ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Keeps `&amp;` in an address from being read as `&` where entities are decoded and nothing else is. */
export function escapeEntities(url: string): string {
  return url.replace(/&(?=#?[A-Za-z0-9]+;)/g, '&amp;');
}

/** One JSON value on one line (of objects only `fields`, where given), also for readers that break
 * lines at U+0085, U+2028 and U+2029; direction marks are escaped too. */
export function jsonLine(value: unknown, fields?: string[]): string {
  return JSON.stringify(value, fields).replace(
    /[\u007F-\u009F\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
