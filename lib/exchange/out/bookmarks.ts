import type { ExportFormat } from '../format.ts';
import { escapeXml, plainText } from '../text.ts';

export const bookmarks: ExportFormat = {
  name: 'bookmarks',
  extension: '.html',
  mime: 'text/html',
  purpose: { en: 'Bookmarks for any browser', zh: '浏览器书签' },
  proof: 'tool',
  fragment: 'keep',
  options: [],
  open: ({ scope = 'Onceover' }) => ({
    head: `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p>
<DT><H3>${escapeXml(plainText(scope))}</H3>
<DL><p>
`,
    entry({ url, title, firstVisitAt }) {
      const date = firstVisitAt === undefined ? '' : ` ADD_DATE="${Math.floor(firstVisitAt / 1000)}"`;
      return `<DT><A HREF="${escapeXml(url)}"${date}>${escapeXml(plainText(title ?? '') || url)}</A>\n`;
    },
    tail: () => '</DL><p>\n</DL><p>\n',
  }),
};
