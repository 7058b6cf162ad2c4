import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site on loopback that answers everything with a page without links and keeps what was asked, as it came over the wire. */
export class AskedSite {
  readonly #server: Server;
  readonly #asked: string[] = [];
  /** Files that are served to tools that fetch their list; asking for them is not kept. */
  readonly #files = new Map<string, string>();

  private constructor() {
    this.#server = createServer((request, response) => {
      const target = request.url ?? '';
      const file = this.#files.get(target);
      response.setHeader('connection', 'close');
      if (file !== undefined) {
        response.setHeader('content-type', target.endsWith('.xml') ? 'application/xml' : 'text/plain');
        response.end(file);
      } else if (target.endsWith('/robots.txt')) {
        response.statusCode = 404;
        response.end();
      } else {
        this.#asked.push(target);
        response.setHeader('content-type', 'text/html; charset=utf-8');
        response.end('<!DOCTYPE html><title>A page</title><p>Nothing leads on.');
      }
    });
    this.#server.maxHeadersCount = 0;
  }

  static async start(): Promise<AskedSite> {
    const site = new AskedSite();
    await new Promise<void>((resolve) => site.#server.listen(0, '127.0.0.1', resolve));
    return site;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** @returns its address */
  serve(path: string, content: string): string {
    this.#files.set(path, content);
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** What was asked since the last time: path and query, or the whole address where the site was used as a proxy. */
  take(): string[] {
    return this.#asked.splice(0);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
