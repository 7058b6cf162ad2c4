// Pages that do not work, or not at once, and answers that are no pages.
import { both, html, links, page } from './layout.mjs';
import { pdf } from './pdf.mjs';

const trouble = (status, title, zh, text, headers = {}) =>
  html(page({ title: `${status} ${title}`, zh, body: `<p>${text}</p>` }), status, headers);

export const notFound = () => trouble(404, 'Not found', '找不到页面', 'There is no such page.');

export const routes = [
  [
    'GET',
    /^\/troubles$/,
    () =>
      html(
        page({
          title: 'Troubles',
          zh: '故障',
          body: links([
            ['/flaky/kettle', 'Kettle guide', '502 twice, then works · 前两次 502'],
            ['/flaky/tray', 'Tray guide', '502 twice, then works · 前两次 502'],
            ['/missing', 'Missing', '404'],
            ['/withdrawn', 'Withdrawn', '410'],
            ['/busy', 'Busy', '503'],
            ['/too-many', 'Too many requests', '429'],
            ['/staff', 'Staff only', '403'],
            ['/slow/2', 'Slow', 'two seconds · 两秒'],
            ['/hang-up', 'Hangs up', 'no answer at all · 无响应'],
            ['/empty', 'Nothing', '204'],
            ['/files/prices.csv', 'Price list', 'a download · 下载'],
            ['/files/manual.pdf', 'Manual', 'PDF'],
          ]),
        }),
      ),
  ],
  [
    'GET',
    /^\/flaky\/([\w-]+)$/,
    ({ parts: [name], state }) => {
      const tries = (state.tries.get(name) ?? 0) + 1;
      state.tries.set(name, tries);
      if (tries <= 2)
        return trouble(502, 'Bad gateway', '网关错误', 'The machine behind this one does not answer.');
      return html(
        page({
          title: `Guide: ${name}`,
          zh: '使用指南',
          body: `<p>${both('Works now.', '现在可以访问了。')}</p>`,
        }),
      );
    },
  ],
  ['GET', /^\/missing$/, notFound],
  ['GET', /^\/withdrawn$/, () => trouble(410, 'Gone', '已下架', 'This was taken down for good.')],
  ['GET', /^\/busy$/, () => trouble(503, 'Busy', '服务繁忙', 'Come back later.', { 'retry-after': '120' })],
  [
    'GET',
    /^\/too-many$/,
    () => trouble(429, 'Too many requests', '请求过多', 'Slow down.', { 'retry-after': '60' }),
  ],
  ['GET', /^\/staff$/, () => trouble(403, 'Staff only', '仅限员工', 'Not for you.')],
  [
    'GET',
    /^\/slow\/(\d)$/,
    async ({ parts: [seconds] }) => {
      await new Promise((done) => setTimeout(done, Number(seconds) * 1000).unref());
      return html(page({ title: 'Slow page', zh: '慢页面', body: `<p>${seconds} s</p>` }));
    },
  ],
  ['GET', /^\/hang-up$/, () => ({ status: 0, headers: {}, body: '' })],
  ['GET', /^\/empty$/, () => ({ status: 204, headers: {}, body: '' })],
  [
    'GET',
    /^\/files\/prices\.csv$/,
    () => ({
      status: 200,
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="prices.csv"',
      },
      body: 'item,price\n101,420\n107,88\n',
    }),
  ],
  [
    'GET',
    /^\/files\/manual\.pdf$/,
    () => ({ status: 200, headers: { 'content-type': 'application/pdf' }, body: pdf('Lantern Tea: manual') }),
  ],
];
