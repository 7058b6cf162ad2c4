import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds a page takes: so long that one crawler alone would not be done before the other has begun. */
const ORDINARY = 250;

/** What a page does, by its number. */
export type Nature = 'plain' | 'slow' | 'gone' | 'broken' | 'fails once' | 'breaks off once';

export interface Asked {
  readonly page: number;
  readonly by: 'scrapy' | 'crawlee';
  /** 0: the connection was broken off. */
  readonly status: number;
  readonly at: number;
}

/**
 * A site of linked pages, which are known by many addresses: with tracking parameters, in another order, and through redirects of
 * both kinds. Some fail at first, some for ever. It keeps what it answered to whom.
 */
export class SharedSite {
  readonly pages: number;
  readonly answered: Asked[] = [];
  readonly #server: Server;
  readonly #failed = new Set<number>();
  readonly #begun = new Set<string>();
  readonly #slow: number;

  /** @param slow milliseconds that a slow page takes */
  private constructor(pages: number, slow: number) {
    this.pages = pages;
    this.#slow = slow;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(pages: number, slow: number): Promise<SharedSite> {
    const site = new SharedSite(pages, slow);
    await new Promise<void>((resolve) => site.#server.listen(0, '127.0.0.1', resolve));
    return site;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  nature(page: number): Nature {
    if (page % 40 === 13) return 'broken';
    if (page % 11 === 5) return 'gone';
    if (page % 7 === 3) return 'fails once';
    if (page % 19 === 8) return 'breaks off once';
    return page % 29 === 1 ? 'slow' : 'plain';
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url ?? '/', this.url);
    const [, kind = '', name = ''] = pathname.split('/');
    const page = Number(name);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (kind === 'start' || kind === 'list') this.#begun.add(name);
    if (kind === 'moved' || kind === 'away' || kind === 'long') {
      // A permanent redirect to an address that carries a mark, a temporary one, and one of both.
      const [status, target] =
        kind === 'moved'
          ? [301, `/p/${page}?utm_source=moved`]
          : kind === 'away'
            ? [302, `/p/${page}`]
            : [308, `/away/${page}`];
      response.writeHead(status, { location: target }).end();
    } else if (kind === 'p' && search.includes('gclid')) {
      // The mark is taken off: another address of the same page.
      response.writeHead(302, { location: `/p/${page}` }).end();
    } else if (kind === 'p' && page < this.pages) await this.#answerPage(page, request, response);
    else if (kind === 'start' || kind === 'list') {
      // From either end; the rest is found by walking, or (list) known to both.
      const all = Array.from({ length: this.pages }, (_, page) => page);
      const ordered = name === 'scrapy' ? all : all.toReversed();
      response.end(this.#html(kind === 'list' ? ordered : ordered.slice(0, this.pages / 4), name.length));
    } else response.writeHead(404).end();
  }

  async #answerPage(page: number, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const by = (request.headers['user-agent'] ?? '').startsWith('Scrapy') ? 'scrapy' : 'crawlee';
    const nature = this.nature(page);
    const isFirst = !this.#failed.has(page);
    await this.#haveBegun();
    await sleep(nature === 'slow' ? this.#slow : ORDINARY);
    let status = 200;
    if (nature === 'gone') status = 404;
    else if (nature === 'broken') status = 500;
    else if (nature === 'fails once' && isFirst) status = 502;
    else if (nature === 'breaks off once' && isFirst) status = 0;
    if (status === 502 || status === 0) this.#failed.add(page);
    if (response.destroyed) return;
    this.answered.push({ page, by, status, at: Date.now() });
    if (status === 0) return void request.socket.destroy();
    // So many pages lead to others that every one is led to from several.
    const links = [page + 1, page * 2, page * 3 + 1, page * 5 + 2, page + 37].map((to) => to % this.pages);
    response.writeHead(status).end(status === 200 ? this.#html(links, page) : 'It failed.');
  }

  /** No page is answered before both crawlers are there: one that starts slowly would find nothing left. */
  async #haveBegun(): Promise<void> {
    for (let waited = 0; this.#begun.size < 2 && waited < 60_000; waited += 50) await sleep(50);
  }

  /** Each link by an address of its own. */
  #html(links: readonly number[], salt: number): string {
    const anchors = links.map((page, index) => `<a href="${this.#address(page, salt + index)}">${page}</a>`);
    return `<!DOCTYPE html><title>A page</title>${anchors.join('\n')}`;
  }

  #address(page: number, salt: number): string {
    const forms = [
      `/p/${page}`,
      `/p/${page}?utm_source=a`,
      `/moved/${page}`,
      `/p/${page}?fbclid=${salt}`,
      `/away/${page}`,
      `/p/${page}?gclid=${salt}`,
      `/long/${page}`,
      `/p/./${page}#top`,
    ];
    return forms[(page + salt * 3) % forms.length]!;
  }
}
