import { attribute, decodeEntities, readTags } from './tags.ts';
import type { Bytes, Found, ImportFormat, ReaderItem } from './reader.ts';

/** The bookmark file that every browser writes (NETSCAPE-Bookmark-file-1). */
export const bookmarks: ImportFormat = {
  name: 'bookmarks',
  extensions: [],
  purpose: { en: 'Bookmarks of a browser', zh: '浏览器书签' },
  read: readAnchors,
};

/** Links with their text, in HTML of any kind. */
export const html: ImportFormat = {
  name: 'html',
  extensions: ['.html', '.htm', '.xhtml'],
  purpose: { en: 'HTML: the links of a saved or pasted page', zh: 'HTML：保存或粘贴的页面中的链接' },
  read: readAnchors,
};

/** `<base href>` makes links absolute, as in a browser; without one they stay as they are. */
async function* readAnchors(bytes: Bytes): AsyncGenerator<ReaderItem> {
  let base: string | null = null;
  let open: Found | null = null;
  let text = '';
  for await (const tag of readTags(bytes)) {
    if (open !== null) text += tag.text;
    if (tag.name === 'base') base ??= attribute(tag.attributes, 'href');
    const starts = tag.name === 'a' || tag.name === 'area';
    if (open !== null && (starts || tag.name === '/a')) {
      yield withText(open, text);
      open = null;
    }
    if (!starts) continue;
    const url = attribute(tag.attributes, 'href');
    if (url === null) continue;
    text = '';
    open = { line: tag.line, column: tag.column, url: (base !== null && URL.parse(url, base)?.href) || url };
    const added = attribute(tag.attributes, 'add_date');
    if (added !== null && /^\d{9,11}$/.test(added)) open.at = Number(added) * 1000;
    if (tag.name === 'area') {
      yield open;
      open = null;
    }
  }
  if (open !== null) yield withText(open, text);
}

function withText(found: Found, text: string): Found {
  const title = decodeEntities(text).replace(/\s+/g, ' ').trim();
  return title === '' ? found : { ...found, title };
}
