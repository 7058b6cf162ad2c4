// The practice site: what real sites do to addresses, on one small machine. Node built-ins only; nothing leaves it.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { routes as boards } from './boards.mjs';
import { routes as doors } from './doors.mjs';
import { both, html, links, page } from './layout.mjs';
import { routes as news } from './news.mjs';
import { routes as roads } from './roads.mjs';
import { routes as shop } from './shop.mjs';
import { notFound, routes as troubles } from './troubles.mjs';

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' };
const STATIC = new Map(
  ['site.css', 'status.js', 'app.js', 'board.js'].map((name) => [
    name,
    { type: TYPES[name.split('.')[1]], body: readFileSync(new URL(`static/${name}`, import.meta.url)) },
  ]),
);

const hub = () =>
  html(
    page({
      title: 'Corners of the practice site',
      zh: '练习站点',
      lead: both(
        'Walk around: each corner shows one thing that real sites do.',
        '随意浏览：每个角落演示真实网站的一种做法。',
      ),
      body: links([
        ['/shop', 'Shop', 'tracking parameters, reordered and escaped addresses · 跟踪参数、参数顺序、转义'],
        ['/shop/variants', 'One page, many addresses', 'the same, and alike but different · 相同与相似'],
        ['/shop/search', 'Search', 'a form, GET and POST · 表单'],
        ['/news', 'News', 'pages, print versions, from= · 分页与打印版'],
        ['/roads', 'Roads that lead elsewhere', 'short links, redirects, a login · 短链接与跳转'],
        ['/troubles', 'Troubles', '502 twice, 404, 410, slow, download, PDF · 故障'],
        ['/dashboard', 'Status', 'one address, other numbers at every look · 地址不变，内容在变'],
        ['/app/hosts', 'Console', 'routes by pushState · 单页应用'],
        ['/board#/overview', 'Board', 'routes in the fragment · 井号路由'],
        ['/doors', 'Doors of every kind', 'new tabs, SVG, shadow roots, frames · 各种链接'],
        ['/many', '50,000 links', 'one page · 五万个链接'],
      ]),
    }),
  );

const ROUTES = [['GET', /^\/$/, hub], ...shop, ...news, ...roads, ...troubles, ...boards, ...doors];

/** What the site remembers from one request to the next. */
const fresh = () => ({ tries: new Map(), looks: 0, latest: 0, cart: new Map() });

function decode(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // A broken escape: the page is looked up as it is written.
  }
}

async function readForm(request) {
  let body = '';
  for await (const chunk of request) {
    body += chunk;
    if (body.length > 65_536) throw new Error('form too large');
  }
  return new URLSearchParams(body);
}

/** Finds the page for a request and returns its answer. */
async function answer(request, state, origin) {
  const [rawPath, ...rest] = request.url.split('?');
  const path = decode(rawPath);
  const file = path.startsWith('/static/') && STATIC.get(path.slice(8));
  if (file)
    return {
      status: 200,
      headers: { 'content-type': file.type, 'cache-control': 'max-age=3600' },
      body: file.body,
    };
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  for (const [wanted, pattern, handler] of ROUTES) {
    const match = wanted === method && pattern.exec(path);
    if (!match) continue;
    const context = {
      parts: match.slice(1),
      rawPath,
      query: new URLSearchParams(rest.join('?')),
      form: method === 'POST' ? await readForm(request) : new URLSearchParams(),
      cookies: new Set((request.headers.cookie ?? '').split(/; */).map((pair) => pair.split('=')[0])),
      state,
      origin,
    };
    return (await handler(context)) ?? notFound();
  }
  return notFound();
}

/**
 * Starts the site on 127.0.0.1.
 * @param {{ port?: number }} options `port` 0 (the default) takes a free one
 * @returns {Promise<{ url: string, log: object[], reset(): void, close(): Promise<void> }>} `url` has no slash at the
 *   end. `log` grows by `{ at, method, path, status, dest }` for every request when its answer is under way: `path` as
 *   the browser wrote it with its query, `dest` what the browser wanted it for (`document`, `iframe`, `style` …),
 *   status 0 where it hung up. `reset` makes the site forget tries, looks, cart and log.
 */
export async function startDemo({ port = 0 } = {}) {
  const log = [];
  const state = fresh();
  let url = '';
  const server = createServer({ maxHeaderSize: 262_144 }, async (request, response) => {
    const entry = {
      at: Date.now(),
      method: request.method,
      path: request.url,
      status: 0,
      dest: request.headers['sec-fetch-dest'] ?? '',
    };
    const { status, headers, body } = await answer(request, state, url).catch((error) => ({
      status: 400,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: `${error.message}\n`,
    }));
    entry.status = status;
    log.push(entry);
    if (status === 0) {
      request.socket.destroy();
      return;
    }
    response.writeHead(status, { 'cache-control': 'no-cache', ...headers });
    response.end(request.method === 'HEAD' ? undefined : body);
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  url = `http://127.0.0.1:${server.address().port}`;
  return {
    url,
    log,
    reset() {
      Object.assign(state, fresh());
      log.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { url } = await startDemo({ port: Number(process.argv[2] ?? 8042) });
  console.log(`The practice site is at ${url}`);
}
