import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serveForTest, TOKEN, type TestService } from '../../testing.ts';
import { ERROR_HANDLER, type CrawleeRequest, type CrawlingContext, type GotOptions } from './crawlee.ts';
import { shareRound, type SharedRoundOptions } from './index.ts';

// With Crawlee itself: npm run test:tools.

const HANDLED = 3;

/** A queue as Crawlee's: what was fetched is locked until it is handled or reclaimed. */
class Queue {
  readonly waiting: CrawleeRequest[] = [];
  readonly handled: string[] = [];
  #locked = 0;

  add(...urls: string[]): this {
    for (const url of urls) void this.addRequest({ url, uniqueKey: url });
    return this;
  }

  isFinished = async () => this.waiting.length + this.#locked === 0;
  isEmpty = async () => this.waiting.length === 0;
  handledCount = async () => this.handled.length;
  getTotalCount = () => 0;
  getPendingCount = () => this.waiting.length;

  async fetchNextRequest(): Promise<CrawleeRequest | null> {
    const request = this.waiting.shift() ?? null;
    if (request !== null) this.#locked++;
    return request;
  }

  async markRequestHandled(request: CrawleeRequest): Promise<void> {
    this.#locked--;
    this.handled.push(request.url);
  }

  async reclaimRequest(request: CrawleeRequest): Promise<void> {
    this.#locked--;
    this.waiting.push(request);
  }

  async addRequest(request: Partial<CrawleeRequest>): Promise<void> {
    this.waiting.push({ method: 'GET', userData: {}, state: HANDLED, ...request } as CrawleeRequest);
  }

  addRequestsBatched = async () => {};
}

type Fetch = (url: string) => { status: number; location?: string; loadedUrl?: string };

/** A crawler that takes one request after the other; `fetch` plays the site. */
function crawlerOf(queue: Queue, fetch: Fetch, options: SharedRoundOptions = {}) {
  const fetched: string[] = [];
  const round = shareRound(
    queue,
    (context: CrawlingContext) => void fetched.push(context.request.loadedUrl ?? context.request.url),
    {
      service: service.url,
      token: TOKEN,
      poll: 0.05,
      ahead: 3,
      ...options,
    },
  );
  const shared = round.options.requestQueue;
  return {
    ...round,
    fetched,
    queue: shared,
    async step(): Promise<boolean> {
      const request = await shared.fetchNextRequest();
      if (request === null) return false;
      const got: GotOptions = {};
      const context: CrawlingContext = { request };
      round.options.preNavigationHooks[0]!(context, got);
      const { status, location, loadedUrl } = fetch(request.url);
      if (location !== undefined && typeof got.followRedirect === 'function') {
        const headers: Record<string, string> = { location };
        expect(got.followRedirect({ statusCode: status, headers })).toBe(false);
        expect(headers['content-type']).toBeDefined();
      }
      if (status >= 500) {
        await shared.markRequestHandled({ ...request, state: ERROR_HANDLER });
        return true;
      }
      request.loadedUrl = loadedUrl;
      await round.options.requestHandler({ request, response: { statusCode: status } });
      await shared.markRequestHandled(request);
      return true;
    },
    async run(): Promise<void> {
      while (!(await shared.isFinished()))
        if (!(await this.step())) await new Promise((resolve) => setTimeout(resolve, 20));
    },
  };
}

const fine: Fetch = () => ({ status: 200 });
const page = (name: string) => `https://a.example.com/${name}`;

let service: TestService;
beforeEach(async () => {
  service = await serveForTest();
});
afterEach(async () => {
  await service.stop();
});

async function seen(...names: string[]): Promise<(string | undefined)[]> {
  const items = names.map((name) => ({ url: page(name) }));
  const answer = await service.json('/v1/ns/default/is_seen', { items });
  return (answer['items'] as { result: string; state?: string }[]).map(({ result, state }) =>
    state === 'gone' ? state : result,
  );
}

test('two crawlers with the same list fetch each page once, whatever address it has', async () => {
  const names = Array.from({ length: 40 }, (_, n) => `p${n}`);
  const one = crawlerOf(new Queue().add(...names.map(page)), fine);
  const other = crawlerOf(
    new Queue().add(...names.toReversed().flatMap((name) => [page(`${name}?utm_source=x`), page(name)])),
    fine,
  );
  await Promise.all([one.run(), other.run()]);
  const paths = [...one.fetched, ...other.fetched].map((url) => new URL(url).pathname.slice(1));
  expect(paths.toSorted()).toEqual(names.toSorted());
  expect(one.fetched.length).toBeGreaterThan(0);
  expect(other.fetched.length).toBeGreaterThan(0);
  expect(await seen(...names)).toEqual(names.map(() => 'seen'));
});

test('a page that one gives up is fetched by the other; it is not seen before', async () => {
  const one = crawlerOf(new Queue().add(page('x')), () => ({ status: 500 }));
  await one.run();
  expect(await seen('x')).not.toEqual(['seen']);
  const other = crawlerOf(new Queue().add(page('x')), fine);
  await other.run();
  expect(other.fetched).toEqual([page('x')]);
});

test('a page that Crawlee tries again stays leased', async () => {
  const queue = new Queue().add(page('x'));
  const one = crawlerOf(queue, fine);
  const request = (await one.queue.fetchNextRequest())!;
  await one.queue.reclaimRequest(request);
  expect(await seen('x')).toEqual(['leased']);
  await one.run();
  expect(one.fetched).toEqual([page('x')]);
  expect(one.counts.leased).toBe(1);
});

test('missing pages are gone; other failures that reach the handler are no success', async () => {
  const statuses: Record<string, number> = { gone: 410, missing: 404, forbidden: 403, fine: 200 };
  const names = Object.keys(statuses);
  const one = crawlerOf(new Queue().add(...names.map(page)), (url) => ({
    status: statuses[new URL(url).pathname.slice(1)]!,
  }));
  await one.run();
  const [gone, missing, forbidden, good] = await seen(...names);
  expect([gone, missing, good]).toEqual(['gone', 'gone', 'seen']);
  expect(forbidden).not.toBe('seen');
});

test('redirects are followed under the lease of their target, and all pages on the way are seen', async () => {
  const leads: Record<string, [number, string]> = {
    [page('moved')]: [301, '/away'],
    [page('away')]: [302, '/end'],
    [page('end?gclid=1')]: [302, '/end'],
  };
  const site: Fetch = (url) =>
    leads[url] === undefined ? { status: 200 } : { status: leads[url][0], location: leads[url][1] };
  const one = crawlerOf(new Queue().add(page('moved'), page('end?gclid=1')), site);
  await one.run();
  expect(one.fetched).toEqual([page('end')]);
  expect(await seen('moved', 'away', 'end')).toEqual(['seen', 'seen', 'seen']);
});

test('redirects in a circle end, and mark nothing', async () => {
  const one = crawlerOf(new Queue().add(page('a')), (url) => ({
    status: 302,
    location: url.endsWith('a') ? '/b' : '/a',
  }));
  await expect(one.run()).rejects.toThrow('redirects');
  await one.close();
  expect(await seen('a', 'b')).not.toContain('seen');
});

test('a browser that was led to a seen page does not take it in again', async () => {
  const first = crawlerOf(new Queue().add(page('end')), fine);
  await first.run();
  const one = crawlerOf(new Queue().add(page('from'), page('other')), (url) => ({
    status: 200,
    loadedUrl: url.endsWith('from') ? page('end') : page('new'),
  }));
  await one.run();
  expect(one.fetched).toEqual([page('new')]);
  expect(await seen('from', 'other', 'new')).toEqual(['seen', 'seen', 'seen']);
});

test('a request that is not to be asked about is fetched by each, and seen afterwards', async () => {
  for (let turn = 0; turn < 2; turn++) {
    const queue = new Queue();
    await queue.addRequest({ url: page('start'), uniqueKey: page('start'), userData: { onceover: false } });
    const one = crawlerOf(queue, fine);
    await one.run();
    expect(one.fetched).toEqual([page('start')]);
  }
  expect(await seen('start')).toEqual(['seen']);
});

test('what was leased and not fetched is given back', async () => {
  const one = crawlerOf(new Queue().add(page('a'), page('b'), page('c')), fine);
  await one.queue.fetchNextRequest();
  expect(await seen('a', 'b', 'c')).toEqual(['leased', 'leased', 'leased']);
  await one.close();
  expect(await seen('a', 'b', 'c')).not.toContain('leased');
});

test('a lease is made longer while a page is fetched', async () => {
  const one = crawlerOf(new Queue().add(page('slow')), fine, { lease: 0.6 });
  await one.queue.fetchNextRequest();
  const until = async () => {
    const answer = await service.json('/v1/ns/default/is_seen', { items: [{ url: page('slow') }] });
    return (answer['items'] as { until?: number }[])[0]!.until ?? 0;
  };
  const before = await until();
  await vi.waitFor(async () => expect(await until()).toBeGreaterThan(before), { timeout: 5000 });
  await one.close();
});

test('where the service is away the crawl ends with what to do; nothing is made up', async () => {
  const one = crawlerOf(new Queue().add(page('a')), fine, { service: 'http://127.0.0.1:9', tries: 1 });
  await expect(one.queue.fetchNextRequest()).rejects.toThrow('onceover serve');
  // It does not go on as if nothing had been.
  expect(await one.queue.isEmpty()).toBe(false);
  await expect(one.queue.fetchNextRequest()).rejects.toThrow('onceover serve');
  expect(one.fetched).toEqual([]);
});

test('a token is needed', () => {
  expect(() => shareRound(new Queue(), () => {}, { token: '' })).toThrow('ONCEOVER_TOKEN');
});
