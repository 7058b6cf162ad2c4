// The shop: categories, items, search, cart.
import { DIFFERENT, SAME } from './addresses.mjs';
import { both, escape, html, link, links, page, redirect } from './layout.mjs';

const CATEGORIES = [
  { slug: 'teapots', en: 'Teapots', zh: '茶壶' },
  { slug: 'cups', en: 'Cups', zh: '茶杯' },
  { slug: 'leaves', en: 'Tea leaves', zh: '茶叶' },
  { slug: 'tools', en: 'Tools', zh: '茶具' },
];

/** Six of each category, numbered from 101; prices in yuan. */
const ITEMS = [
  { en: 'Clay teapot', zh: '紫砂壶', price: 420 },
  { en: 'Glass teapot', zh: '玻璃壶', price: 168 },
  { en: 'Iron kettle', zh: '铁壶', price: 560 },
  { en: 'Side-handle pot', zh: '侧把壶', price: 298 },
  { en: 'Travel pot', zh: '旅行壶', price: 128 },
  { en: 'Silver pot', zh: '银壶', price: 1980 },
  { en: 'Celadon cup', zh: '青瓷杯', price: 88 },
  { en: 'White porcelain cup', zh: '白瓷杯', price: 45 },
  { en: 'Tasting cup', zh: '品茗杯', price: 36 },
  { en: 'Lidded bowl', zh: '盖碗', price: 138 },
  { en: 'Tall mug', zh: '马克杯', price: 59 },
  { en: 'Wooden cup', zh: '木杯', price: 79 },
  { en: 'Green tea', zh: '绿茶', price: 96 },
  { en: 'Black tea', zh: '红茶', price: 108 },
  { en: 'Oolong', zh: '乌龙茶', price: 186 },
  { en: 'White tea', zh: '白茶', price: 220 },
  { en: 'Aged dark tea', zh: '黑茶', price: 260 },
  { en: 'Jasmine tea', zh: '茉莉花茶', price: 72 },
  { en: 'Bamboo scoop', zh: '茶则', price: 25 },
  { en: 'Tea tray', zh: '茶盘', price: 340 },
  { en: 'Strainer', zh: '茶漏', price: 32 },
  { en: 'Tea towel', zh: '茶巾', price: 18 },
  { en: 'Fairness pitcher', zh: '公道杯', price: 66 },
  { en: 'Incense holder', zh: '香插', price: 54 },
].map((item, at) => ({ ...item, id: 101 + at, slug: CATEGORIES[Math.floor(at / 6)].slug }));
const itemsOf = (slug) => ITEMS.filter((item) => item.slug === slug);
const byId = (id) => ITEMS.find((item) => String(item.id) === id);

/** Where a link to an item comes from decides what is glued to its address, as on real sites. */
const TRACKED = {
  home: (id) => `/shop/item/${id}?utm_source=home&utm_medium=banner`,
  list: (id) => `/shop/item/${id}?spm=shop.list.${id}`,
  also: (id) => `/shop/item/${id}?from=singlemessage&share_token=t${id}`,
  search: (id) => `/shop/item/${id}?gclid=g-${id}`,
};

const cards = (items, href) =>
  `<ul class="cards">${items
    .map(
      (item) =>
        `<li>${link(href(item.id), item.en)} <span class="zh" lang="zh-CN">${item.zh}</span><b>¥${item.price}</b></li>`,
    )
    .join('')}</ul>`;

function home() {
  const categories = CATEGORIES.map(({ slug, en, zh }) => [`/shop/c/${slug}`, en, zh]);
  return html(
    page({
      title: 'Shop',
      zh: '商店',
      lead: both(
        'Two dozen things for tea, reached by many different addresses.',
        '二十四件茶具，每件都有许多不同的地址。',
      ),
      body: `<h2>${both('Categories', '分类')}</h2>${links(categories)}
<h2>${both('This week', '本周推荐')}</h2>${cards(
        ITEMS.filter((_, at) => at % 4 === 0),
        TRACKED.home,
      )}
<h2>${both('Elsewhere in the shop', '更多')}</h2>${links([
        ['/shop/variants', 'One page, many addresses', '同一页面，多个地址'],
        ['/shop/分类/茶壶', '茶壶', 'a raw Chinese address'],
        ['/shop/~sale', 'Sale', '特价'],
        ['/shop/search', 'Search', '搜索'],
        ['/shop/cart', 'Cart', '购物车'],
      ])}`,
    }),
  );
}

function category({ slug, en, zh }, query) {
  const items = itemsOf(slug);
  const sorted = query.get('sort') === 'price' ? items.toSorted((a, b) => a.price - b.price) : items;
  const size = 3;
  const at = Math.max(1, Number(query.get('page') ?? 1));
  const shown = sorted.slice((at - 1) * size, at * size);
  const sort = query.get('sort') === 'price' ? '&sort=price' : '';
  // The two links to the second page name their parameters in a different order.
  return html(
    page({
      title: en,
      zh,
      body: `${cards(shown, TRACKED.list)}
<nav class="pages" aria-label="Pages">${link(`/shop/c/${slug}?page=1${sort}`, '1')} ${link(`/shop/c/${slug}?page=2${sort}`, '2')}
${link(`/shop/c/${slug}?sort=price&page=2`, 'by price, page 2')} ${link(`/shop/c/${slug}?page=2&sort=price`, 'page 2, by price')}</nav>`,
    }),
  );
}

function item(found, note = '') {
  const others = itemsOf(found.slug)
    .filter((other) => other !== found)
    .slice(0, 3);
  return html(
    page({
      title: found.en,
      zh: found.zh,
      lead: note,
      head: `<link rel="canonical" href="/shop/item/${found.id}">\n`,
      body: `<dl class="facts"><dt>${both('Price', '价格')}</dt><dd>¥${found.price}</dd><dt>${both('Number', '编号')}</dt><dd>${found.id}</dd></dl>
<form method="post" action="/shop/cart"><input type="hidden" name="id" value="${found.id}"><button>${both('Add to cart', '加入购物车')}</button></form>
<h2 id="reviews">${both('Reviews', '评价')}</h2><p>${both('Well made. Arrived whole.', '做工不错，包装完好。')}</p>
<h2>${both('See also', '看了又看')}</h2>${cards(others, TRACKED.also)}`,
    }),
  );
}

function variants() {
  const same = SAME.map(
    ({ page: name, zh, addresses }) =>
      `<h3>${both(name, zh)}</h3>${links(addresses.map(({ href, because }) => [href, href, because]))}`,
  ).join('');
  const different = DIFFERENT.flatMap(({ one, other, because }) => [
    [one, one, because],
    [other, other, 'is another page'],
  ]);
  return html(
    page({
      title: 'One page, many addresses',
      zh: '同一页面，多个地址',
      body: `<h2>${both('The same', '相同')}</h2>${same}<h2>${both('Alike, yet not the same', '相似但不同')}</h2>${links(different)}`,
    }),
  );
}

function results(words, how) {
  const found =
    words === ''
      ? []
      : ITEMS.filter(({ en, zh }) => `${en} ${zh}`.toLowerCase().includes(words.toLowerCase()));
  const form = (method, label) =>
    `<form method="${method}" action="/shop/search"><label>${label} <input name="q" value="${escape(words)}"></label><button>${both('Search', '搜索')}</button></form>`;
  return html(
    page({
      title: words === '' ? 'Search' : `Search: ${words}`,
      zh: '搜索',
      lead:
        words === ''
          ? ''
          : `${found.length} found (${how}) <span class="zh" lang="zh-CN">找到 ${found.length} 件</span>`,
      body: `${form('get', 'GET')}${form('post', 'POST')}${cards(found, TRACKED.search)}`,
    }),
  );
}

function cart(state) {
  const rows = [...state.cart].map(
    ([id, count]) =>
      `<tr><td>${link(`/shop/item/${id}?from=cart`, byId(id).en)}</td><td>${count}</td><td>¥${byId(id).price * count}</td></tr>`,
  );
  const empty = `<p>${both('Nothing in it yet.', '购物车是空的。')}</p>`;
  return html(
    page({
      title: 'Cart',
      zh: '购物车',
      body:
        rows.length === 0
          ? empty
          : `<table><tr><th>Item</th><th>Count</th><th>Price</th></tr>${rows.join('')}</table>`,
    }),
  );
}

const plain = (title, zh, text) => html(page({ title, zh, body: `<p>${escape(text)}</p>` }));

/** `[method, pattern of the decoded path, handler]`; the pattern's groups are the handler's `parts`. */
export const routes = [
  ['GET', /^\/shop$/, home],
  ['GET', /^\/shop\/variants$/, variants],
  [
    'GET',
    /^\/shop\/c\/(\w+)$/,
    ({ parts: [slug], query }) => {
      const found = CATEGORIES.find((known) => known.slug === slug);
      return found && category(found, query);
    },
  ],
  [
    'GET',
    /^\/shop\/分类\/(.+)$/,
    ({ parts: [name], query }) => {
      const found = CATEGORIES.find(({ zh }) => zh === name);
      return found && category(found, query);
    },
  ],
  ['GET', /^\/shop\/item\/(\d+)$/, ({ parts: [id] }) => byId(id) && item(byId(id))],
  [
    'GET',
    /^\/shop\/item\/(\d+)\/$/,
    ({ parts: [id] }) => plain(`Gallery of ${id}`, '图集', 'Three pictures, not the item itself.'),
  ],
  [
    'GET',
    /^\/shop\/Item\/(\d+)$/,
    ({ parts: [id] }) => plain(`Archive ${id}`, '旧目录', 'The capital letter is another folder.'),
  ],
  [
    'GET',
    /^\/shop\/view$/,
    ({ query }) => {
      const found = byId(query.get('id'));
      return found && item(found, escape(`${query.get('color') ?? ''} ${query.get('size') ?? ''}`.trim()));
    },
  ],
  [
    'GET',
    /^\/shop\/compare$/,
    ({ query }) =>
      plain(`Compare ${query.getAll('a').join(' with ')}`, '对比', 'Left and right, in this order.'),
  ],
  [
    'GET',
    /^\/shop\/~sale$/,
    () =>
      html(
        page({
          title: 'Sale',
          zh: '特价',
          body: cards(
            ITEMS.filter(({ price }) => price < 50),
            TRACKED.home,
          ),
        }),
      ),
  ],
  [
    'GET',
    /^\/shop\/folder\/(.+)$/,
    ({ rawPath }) => plain(`Folder ${rawPath.slice(13)}`, '目录', 'An escaped slash is a letter of a name.'),
  ],
  [
    'GET',
    /^\/shop\/help$/,
    ({ query }) =>
      plain(
        `Help, from ${query.get('from') ?? 'nowhere'}`,
        '帮助',
        'What you see depends on where you came from.',
      ),
  ],
  ['GET', /^\/shop\/search$/, ({ query }) => results(query.get('q') ?? '', 'GET')],
  ['POST', /^\/shop\/search$/, ({ form }) => results(form.get('q') ?? '', 'POST')],
  ['GET', /^\/shop\/cart$/, ({ state }) => cart(state)],
  [
    'POST',
    /^\/shop\/cart$/,
    ({ form, state }) => {
      const id = form.get('id') ?? '';
      if (!byId(id)) return undefined;
      state.cart.set(id, (state.cart.get(id) ?? 0) + 1);
      return redirect(303, '/shop/cart');
    },
  ],
];
