// The frame every page of the practice site stands in, and the few helpers its pages are written with.

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text that may stand in HTML, also inside an attribute. */
export const escape = (text) => String(text).replace(/[&<>"']/g, (char) => ESCAPES[char]);

/** A link; the address is written as given, so raw letters and odd escapes reach the browser. */
export const link = (href, text, attributes = '') =>
  `<a href="${escape(href)}"${attributes && ` ${attributes}`}>${escape(text)}</a>`;

/** English with its Chinese beside it, each marked with its language. */
export const both = (en, zh) => `${escape(en)} <span class="zh" lang="zh-CN">${escape(zh)}</span>`;

const MENU = [
  ['/', 'Corners', '首页'],
  ['/shop', 'Shop', '商店'],
  ['/news', 'News', '新闻'],
  ['/dashboard', 'Status', '状态'],
  ['/app/hosts', 'Console', '控制台'],
  ['/board#/overview', 'Board', '看板'],
];

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='6' fill='%232a7'/%3E%3C/svg%3E";

/**
 * A whole HTML document.
 * @param {{ title: string, zh?: string, lead?: string, body: string, head?: string, bare?: boolean }} page `lead` and
 *   `body` are HTML; `bare` leaves the menu out (frames, print)
 */
export function page({ title, zh = '', lead = '', body, head = '', bare = false }) {
  const menu = MENU.map(([href, en, name]) => `<a href="${href}">${both(en, name)}</a>`).join('');
  const header = `<header class="top"><a class="name" href="/">Lantern Tea</a><nav aria-label="Site">${menu}</nav></header>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} · Lantern Tea</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="/static/site.css">
${head}</head>
<body>
${bare ? '' : header}
<main>
<h1>${both(title, zh)}</h1>
${lead && `<p class="lead">${lead}</p>`}
${body}
</main>
${bare ? '' : '<footer>A practice site. Everything on it is made up. <span class="zh" lang="zh-CN">练习站点，内容均为虚构。</span></footer>'}
</body>
</html>
`;
}

/** The answer that carries a document. */
export const html = (content, status = 200, headers = {}) => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
  body: content,
});

/** The answer that sends the browser on. */
export const redirect = (status, location, headers = {}) => ({
  status,
  headers: { location, ...headers },
  body: '',
});

export const json = (value) => ({
  status: 200,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(value),
});

/** A list of links, each with a word about it: `[href, text, about][]`. */
export const links = (rows, attributes = '') =>
  `<ul class="links">${rows
    .map(
      ([href, text, about = '']) =>
        `<li>${link(href, text, attributes)}${about && `<small>${escape(about)}</small>`}</li>`,
    )
    .join('')}</ul>`;
