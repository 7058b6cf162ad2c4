// Roads that lead elsewhere: short links, moved pages, meta refresh, scripts, a login.
import { both, escape, html, link, links, page, redirect } from './layout.mjs';

/** Short links; the same place also by a second name. */
const SHORT = {
  t1: '/shop/item/104',
  t1b: '/shop/item/104',
  t2: '/shop/item/105?utm_source=short',
  n1: '/news/a/7',
};

const stub = (head, text) =>
  html(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>One moment</title>${head}<p>${text}</p></html>`,
  );

function login(query) {
  return html(
    page({
      title: 'Log in',
      zh: '登录',
      body: `<form method="post" action="/login"><input type="hidden" name="next" value="${escape(query.get('next') ?? '/account/orders')}">
<label>${both('Name', '用户名')} <input name="name" value="guest@example.com"></label><button>${both('Log in', '登录')}</button></form>`,
    }),
  );
}

export const routes = [
  [
    'GET',
    /^\/roads$/,
    () =>
      html(
        page({
          title: 'Roads that lead elsewhere',
          zh: '跳转',
          body: links([
            ['/s/t1', 'Short link', '302 · 短链接'],
            ['/s/t1b', 'Another short link to the same', '302'],
            ['/s/t2', 'Short link with tracking', '302'],
            ['/s/n1', 'Short link to an article', '302'],
            ['/old/item/106', 'Moved for good', '301 · 永久搬家'],
            ['/old/news/8', 'Moved for good, the other way', '308'],
            ['/go/chain/111', 'Three steps', '302 → 301 → page · 多次跳转'],
            ['/go/meta/112', 'Refresh by the page', 'meta refresh'],
            ['/go/script/113', 'Replaced by a script', 'location.replace'],
            ['/latest', 'The latest article', '302, changes'],
            ['/account/orders', 'My orders', '302 to the login · 需要登录'],
            ['/account/invoices', 'My invoices', '302 to the login · 需要登录'],
            ['/go/loop', 'A circle', 'ERR_TOO_MANY_REDIRECTS'],
          ]),
        }),
      ),
  ],
  ['GET', /^\/s\/(\w+)$/, ({ parts: [name] }) => SHORT[name] && redirect(302, SHORT[name])],
  ['GET', /^\/old\/item\/(\d+)$/, ({ parts: [id] }) => redirect(301, `/shop/item/${id}`)],
  ['GET', /^\/old\/news\/(\d+)$/, ({ parts: [id] }) => redirect(308, `/news/a/${id}`)],
  ['GET', /^\/go\/chain\/(\d+)$/, ({ parts: [id] }) => redirect(302, `/old/item/${id}`)],
  [
    'GET',
    /^\/go\/meta\/(\d+)$/,
    ({ parts: [id] }) => stub(`<meta http-equiv="refresh" content="0;url=/shop/item/${id}">`, 'One moment…'),
  ],
  [
    'GET',
    /^\/go\/script\/(\d+)$/,
    ({ parts: [id] }) => stub(`<script>location.replace('/shop/item/${id}')</script>`, 'One moment…'),
  ],
  ['GET', /^\/go\/loop$/, () => redirect(302, '/go/loop')],
  [
    'GET',
    /^\/latest$/,
    ({ state }) => redirect(302, `/news/a/${30 - (state.latest++ % 3)}`, { 'cache-control': 'no-store' }),
  ],
  ['GET', /^\/login$/, ({ query }) => login(query)],
  [
    'POST',
    /^\/login$/,
    ({ form }) => {
      const next = form.get('next') ?? '';
      return redirect(303, /^\/account\/\w+$/.test(next) ? next : '/account/orders', {
        'set-cookie': 'guest=1; Path=/; HttpOnly',
      });
    },
  ],
  ['GET', /^\/logout$/, () => redirect(302, '/', { 'set-cookie': 'guest=; Path=/; Max-Age=0' })],
  [
    'GET',
    /^\/account\/(orders|invoices)$/,
    ({ parts: [what], cookies }) =>
      cookies.has('guest')
        ? html(
            page({
              title: `My ${what}`,
              zh: '我的账户',
              body: `<p>${both('Nothing yet.', '暂无记录。')}</p><p>${link('/logout', 'Log out')}</p>`,
            }),
          )
        : redirect(302, `/login?next=/account/${what}`),
  ],
];
