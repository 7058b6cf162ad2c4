// Doors of every kind: new tabs, pictures, shadow roots, frames, links that lead nowhere, a page with 50,000 links.
import { both, escape, html, link, links, page } from './layout.mjs';

const PLAN = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="240" height="60"><rect width="120" height="60" fill="#2a7"/><rect x="120" width="120" height="60" fill="#27a"/></svg>')}`;

/** What hangs on an address that is far longer than any address should be. */
const LONG = `/long?x=${'a'.repeat(100_000)}`;

function doors({ origin }) {
  const elsewhere = origin.replace('127.0.0.1', 'localhost');
  const section = (en, zh, content) => `<section><h2>${both(en, zh)}</h2>${content}</section>`;
  return html(
    page({
      title: 'Doors of every kind',
      zh: '各种链接',
      body: [
        section(
          'New tab',
          '新标签页',
          `<p>${link('/shop/item/114', 'Opens beside this page', 'id="blank" target="_blank"')}</p>
<p><button id="open" onclick="window.open('/shop/item/115')">window.open</button></p>`,
        ),
        section(
          'Pictures',
          '图片',
          `<svg width="240" height="40" role="img" aria-label="Link in a drawing"><a id="svg" href="/shop/item/116"><rect width="240" height="40" rx="6"/><text x="16" y="26">Link in SVG</text></a></svg>
<p><img src="${PLAN}" width="240" height="60" alt="Plan" usemap="#plan"><map name="plan"><area id="area" shape="rect" coords="0,0,120,60" href="/shop/item/117" alt="Left room"><area shape="rect" coords="120,0,240,60" href="/shop/item/118" alt="Right room"></map></p>`,
        ),
        section(
          'Shadow roots',
          'Shadow DOM',
          `<div id="open-root"><template shadowrootmode="open"><a id="open-link" href="/shop/item/119">In an open root</a></template></div>
<div id="closed-root"><template shadowrootmode="closed"><a id="closed-link" href="/shop/item/120">In a closed root</a></template></div>`,
        ),
        section(
          'Frames',
          '框架',
          `<iframe id="frame" title="Frame" src="/doors/frame" width="480" height="120"></iframe>
<iframe id="srcdoc" title="Written frame" width="480" height="60" srcdoc="${escape(link('/shop/item/121', 'Link in a written frame', 'target="_top"'))}"></iframe>`,
        ),
        section(
          'Nowhere',
          '不跳转',
          `<p><a id="void" href="javascript:void(0)">javascript:void</a> <a id="prevented" href="/shop/item/122" onclick="event.preventDefault()">prevented</a>
${link('mailto:shop@example.com', 'mail')} ${link('tel:+10000000', 'telephone')} ${link('/files/prices.csv', 'download', 'id="download" download')}</p>
<p><button id="written" onclick="const w = window.open(''); w.document.write('<title>written</title>written')">window.open(''), written</button></p>`,
        ),
        section(
          'Odd addresses',
          '异常地址',
          `<p>${link('/shop/item/123?note=%E0%A4%A', 'a broken escape', 'id="broken"')} ${link('/shop/item/123?price=100%', 'a lone percent sign')}
${link(LONG, '100,000 letters', 'id="long"')} ${link('http://[bad/', 'no address at all')} ${link(`${elsewhere}/`, 'another site', 'id="elsewhere"')}</p>`,
        ),
        section(
          'Later',
          '稍后出现',
          `<p><button id="more">More</button> <span id="later"></span></p>
<script>document.getElementById('more').onclick = () => { later.innerHTML = '<a href="/shop/item/124">Came later</a>'; };</script>`,
        ),
        section(
          'Written by you',
          '可编辑',
          `<p contenteditable="true">${link('/shop/item/110', 'A link in text one can edit')}</p>`,
        ),
      ].join('\n'),
    }),
  );
}

const COUNT = 50_000;
let catalogue; // Made once: four megabytes.
function many() {
  catalogue ??= page({
    title: `${COUNT.toLocaleString('en')} links`,
    zh: '五万个链接',
    body: `<p class="dense">${Array.from({ length: COUNT }, (_, n) => `<a href="/catalogue/${n + 1}">${n + 1}</a>`).join(' ')}</p>`,
  });
  return html(catalogue);
}

export const routes = [
  ['GET', /^\/doors$/, doors],
  [
    'GET',
    /^\/doors\/frame$/,
    () =>
      html(
        page({
          title: 'Frame',
          bare: true,
          body:
            links([['/doors/frame?inside=1', 'Stays in the frame']]) +
            links([['/shop/item/109', 'Leaves the frame']], 'target="_top"'),
        }),
      ),
  ],
  [
    'GET',
    /^\/long$/,
    ({ query }) =>
      html(
        page({
          title: 'A long address',
          zh: '超长地址',
          body: `<p>${(query.get('x') ?? '').length} letters</p>`,
        }),
      ),
  ],
  ['GET', /^\/many$/, many],
  [
    'GET',
    /^\/catalogue\/(\d+)$/,
    ({ parts: [n] }) =>
      Number(n) >= 1 && Number(n) <= COUNT
        ? html(
            page({
              title: `Catalogue ${n}`,
              zh: '目录',
              body: `<p>${both(`Entry ${n}`, `第 ${n} 条`)}</p>${link('/many', 'All')}`,
            }),
          )
        : undefined,
  ],
];
