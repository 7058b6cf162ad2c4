// Single-page applications: a status page at a constant address, a console with pushState, a board with hash routes.
import { both, html, json, page } from './layout.mjs';

const SERVICES = ['checkout', 'search', 'mail', 'images', 'stock', '支付'];

/**
 * What the status page shows at its n-th look since the server started (1, 2, 3 …): the numbers move at every look, and
 * at every look one service that was up is down.
 */
function status(look) {
  return {
    orders: 1200 + 17 * look,
    queue: 12 + ((7 * look) % 40),
    delay: 80 + ((13 * look) % 60),
    services: SERVICES.map((name, at) => ({
      name,
      state: look > 1 && at === look % SERVICES.length ? 'DOWN' : 'UP',
      load: 10 + ((look * (at + 3) * 11) % 80),
    })),
  };
}

const shell = (title, zh, script, body) =>
  html(
    page({
      title,
      zh,
      body: `${body}<div id="view" aria-live="polite"></div><script src="/static/${script}"></script>`,
    }),
  );

export const routes = [
  [
    'GET',
    /^\/dashboard$/,
    () =>
      shell(
        'Status',
        '运行状态',
        'status.js',
        `<p><button id="refresh">${both('Look again', '刷新')}</button></p>`,
      ),
  ],
  ['GET', /^\/dashboard\/status$/, ({ state }) => json(status(++state.looks))],
  ['GET', /^\/app\/(hosts|alerts|search)(\/.*)?$/, () => shell('Console', '控制台', 'app.js', '')],
  ['GET', /^\/board$/, () => shell('Board', '看板', 'board.js', '')],
];
