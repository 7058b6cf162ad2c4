// News: a list with pages, articles, and a print version that names the article as its canonical address.
import { both, html, link, links, page } from './layout.mjs';

const SUBJECTS = [
  ['First harvest weighed', '春茶开采'],
  ['Kiln rebuilt after the winter', '窑炉整修完成'],
  ['Workshop on pouring', '冲泡课开班'],
  ['New paths through the garden', '茶园步道开放'],
  ['Shipping by rail', '改由铁路运输'],
];

/** 30 articles, the newest first. */
const ARTICLES = Array.from({ length: 30 }, (_, at) => {
  const id = 30 - at;
  const [en, zh] = SUBJECTS[id % SUBJECTS.length];
  return { id, en: `${en} (no. ${id})`, zh, day: `2026-04-${String(id).padStart(2, '0')}` };
});
const PER_PAGE = 6;

function list(query) {
  const last = ARTICLES.length / PER_PAGE;
  const at = Math.min(last, Math.max(1, Number(query.get('page') ?? 1) || 1));
  const shown = ARTICLES.slice((at - 1) * PER_PAGE, at * PER_PAGE);
  const numbers = Array.from({ length: last }, (_, n) => link(`/news?page=${n + 1}`, `${n + 1}`));
  return html(
    page({
      title: at === 1 ? 'News' : `News, page ${at}`,
      zh: '新闻',
      body: `${links(shown.map(({ id, en, zh, day }) => [`/news/a/${id}?from=timeline`, en, `${zh} · ${day}`]))}
<nav class="pages" aria-label="Pages">${numbers.join(' ')}</nav>
<p>${link('/latest', 'The latest article')} <span class="zh" lang="zh-CN">最新一篇</span></p>`,
    }),
  );
}

function article({ id, en, zh, day }, print) {
  const roads = [
    [`/news/a/${id}?print=1`, 'Print', '打印'],
    [`/news/a/${id}?utm_source=feed`, 'From the feed', '订阅'],
    ...(id > 1 ? [[`/news/a/${id - 1}`, 'Older', '上一篇']] : []),
  ];
  return html(
    page({
      title: en,
      zh,
      bare: print,
      head: `<link rel="canonical" href="/news/a/${id}">\n`,
      body: `<p><time>${day}</time></p>
<p>${both('It took the whole week, and everybody helped.', '忙了整整一周，大家都来帮忙。')}</p>
<p>${both('More in the next issue.', '下期继续。')}</p>
${print ? '' : links(roads)}`,
    }),
  );
}

export const routes = [
  ['GET', /^\/news$/, ({ query }) => list(query)],
  [
    'GET',
    /^\/news\/a\/(\d+)$/,
    ({ parts: [id], query }) => {
      const found = ARTICLES.find((known) => String(known.id) === id);
      return found && article(found, query.has('print'));
    },
  ],
];
