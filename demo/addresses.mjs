// Addresses of the practice site that are written differently. The shop links to them, and the browser tests use these
// two lists as their oracle; neither knows anything of the extension.

/**
 * Every group is one page. The first address is the plain one.
 * @type {{ page: string, zh: string, addresses: { href: string, because: string }[] }[]}
 */
export const SAME = [
  {
    page: 'Clay teapot',
    zh: '紫砂壶',
    addresses: [
      { href: '/shop/item/101', because: 'plain' },
      { href: '/shop/item/101?utm_source=newsletter&utm_medium=email', because: 'tracking: newsletter' },
      { href: '/shop/item/101?spm=a2c4e.11153940.0.0.1', because: 'tracking: spm' },
      { href: '/shop/item/101?gclid=Cj0KCQjw', because: 'tracking: advertisement' },
      { href: '/shop/item/101?fbclid=IwAR2example', because: 'tracking: social network' },
      { href: '/shop/item/101?share_token=5f2b9c', because: 'tracking: shared by somebody' },
      { href: '/shop/item/101?from=timeline', because: 'from= with a word of attribution' },
      { href: '/shop/%69tem/101', because: 'a letter escaped' },
      { href: '/shop/item/10%31', because: 'a digit escaped' },
      { href: '/shop/item/101#reviews', because: 'a place on the page' },
      { href: '/shop/./item/../item/101', because: 'dot segments' },
      { href: '/shop/item/101?', because: 'an empty query' },
    ],
  },
  {
    page: 'Celadon cup, blue, size S',
    zh: '青瓷杯',
    addresses: [
      { href: '/shop/view?color=blue&id=107&size=s', because: 'plain' },
      { href: '/shop/view?size=s&id=107&color=blue', because: 'parameters in another order' },
      { href: '/shop/view?id=107&color=blue&size=s', because: 'and in a third one' },
      {
        href: '/shop/view?id=107&utm_campaign=spring&size=s&color=blue',
        because: 'another order, and tracking',
      },
      { href: '/shop/view?color=bl%75e&id=107&size=s', because: 'a letter escaped in a value' },
      { href: '/shop/view?color=blue&&id=107&size=s', because: 'an empty pair' },
    ],
  },
  {
    page: 'Sale',
    zh: '特价',
    addresses: [
      { href: '/shop/~sale', because: 'plain' },
      { href: '/shop/%7Esale', because: 'the tilde escaped' },
      { href: '/shop/%7esale', because: 'the tilde escaped in lower case' },
    ],
  },
  {
    page: 'Teapots (Chinese address)',
    zh: '茶壶',
    addresses: [
      { href: '/shop/分类/茶壶', because: 'raw Chinese' },
      { href: '/shop/%E5%88%86%E7%B1%BB/%E8%8C%B6%E5%A3%B6', because: 'escaped' },
      { href: '/shop/%e5%88%86%e7%b1%bb/%e8%8c%b6%e5%a3%b6', because: 'escaped in lower case' },
      { href: '/shop/分类/%E8%8C%B6%E5%A3%B6', because: 'half escaped' },
    ],
  },
  {
    page: 'Search for 绿茶',
    zh: '搜索“绿茶”',
    addresses: [
      { href: '/shop/search?q=绿茶', because: 'raw Chinese in the query' },
      { href: '/shop/search?q=%E7%BB%BF%E8%8C%B6', because: 'escaped' },
      { href: '/shop/search?q=%e7%bb%bf%e8%8c%b6&utm_source=app', because: 'lower case, and tracking' },
    ],
  },
];

/**
 * Pairs that look alike and are two pages each.
 * @type {{ one: string, other: string, because: string }[]}
 */
export const DIFFERENT = [
  { one: '/shop/item/102', other: '/shop/Item/102', because: 'letter case in the path' },
  { one: '/shop/item/103', other: '/shop/item/103/', because: 'the slash at the end' },
  {
    one: '/shop/view?id=108&color=blue',
    other: '/shop/view?id=108&color=Blue',
    because: 'letter case in a value',
  },
  { one: '/shop/compare?a=109&a=110', other: '/shop/compare?a=110&a=109', because: 'the order of one name' },
  { one: '/shop/search?q=1%2B1', other: '/shop/search?q=1+1', because: 'a plus and a space' },
  { one: '/shop/folder/a%2Fb', other: '/shop/folder/a/b', because: 'an escaped slash' },
  {
    one: '/shop/help?from=article-12',
    other: '/shop/help?from=article-13',
    because: 'from= that names the page',
  },
  { one: '/board#/overview', other: '/board#/hosts', because: 'a route in the fragment' },
];
