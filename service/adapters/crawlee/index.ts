import { ServiceClient } from '../../client.ts';
import type { Ask } from './claims.ts';
import type { CrawlingContext, GotOptions, RedirectResponse, RequestManager } from './crawlee.ts';
import { SharedQueue } from './shared-queue.ts';

export type { CrawleeRequest, CrawlingContext, RequestManager } from './crawlee.ts';

export interface SharedRoundOptions {
  /** `http://127.0.0.1:8321` where absent. */
  readonly service?: string;
  /** As `onceover serve` printed it; the variable ONCEOVER_TOKEN where absent. */
  readonly token?: string;
  readonly namespace?: string;
  /** Id of a round, or a window (`day`, `hour`, `6h`); `all` where absent. */
  readonly round?: string;
  /** Seconds a lease lasts; 300 where absent. It is made longer while a page is fetched. */
  readonly lease?: number;
  /** Pages leased before they are needed; 10 where absent. */
  readonly ahead?: number;
  /** Seconds after which a page that others lease is asked about again; 2 where absent. */
  readonly poll?: number;
  /** `stop` (where absent): the crawl ends with an error. `wait`: it waits until the service answers. */
  readonly whenDown?: 'stop' | 'wait';
  /** With `stop`: how often a request is sent; 8 (about 10 s) where absent. */
  readonly tries?: number;
}

/** Options of a crawler that shares its round, and the end of it. */
export interface SharedRound<Queue, Context> {
  /** Spread these into the options of the crawler. */
  readonly options: {
    readonly requestQueue: Queue;
    readonly requestHandler: (context: Context) => Promise<void>;
    readonly preNavigationHooks: ((context: Context, options: GotOptions) => void)[];
  };
  /** Pages leased, seen by others, waited for, committed, gone, released, without key. */
  readonly counts: SharedQueue['counts'];
  /** Call it when the crawl has ended, however it did: gives back what was leased and not fetched. */
  readonly close: () => Promise<void>;
}

/** Waits with one request for as long as the service does not answer. */
const FOR_EVER = Number.POSITIVE_INFINITY;

/**
 * Lets a crawler of Crawlee share a round: its queue hands out only pages that the service has leased to it, and commits them when
 * `requestHandler` has taken them in. @throws {Error} where the token is missing
 */
export function shareRound<Queue extends object, Context extends object>(
  queue: Queue,
  requestHandler: (context: Context) => unknown,
  options: SharedRoundOptions = {},
): SharedRound<Queue, Context> {
  const { service = 'http://127.0.0.1:8321', token = process.env['ONCEOVER_TOKEN'] ?? '' } = options;
  if (token === '')
    throw new Error('Set ONCEOVER_TOKEN, or the option token, to the token that onceover serve printed.');
  const { namespace = 'default', round = 'all', lease = 300, ahead = 10, poll = 2, tries = 8 } = options;
  const access = { url: service, token };
  const waiting = new ServiceClient({ ...access, tries: options.whenDown === 'wait' ? FOR_EVER : tries });
  const hasty = new ServiceClient({ ...access, tries: 2 });
  let isClosing = false;
  const ask: Ask = (verb, items) =>
    (isClosing ? hasty : waiting).batch(verb, namespace, {
      items,
      ...(verb === 'redirects' ? {} : { round }),
      ...(verb === 'lease' || verb === 'extend' ? { lease_ms: lease * 1000 } : {}),
    });
  const shared = new SharedQueue(queue as unknown as RequestManager, ask, {
    lease: lease * 1000,
    ahead,
    poll: poll * 1000,
  });
  /** By unique key: what an HTTP crawler was answered instead of a page. */
  const redirects = new Map<string, RedirectResponse>();

  return {
    counts: shared.counts,
    async close() {
      isClosing = true;
      await shared.close();
    },
    options: {
      requestQueue: shared as unknown as Queue,
      preNavigationHooks: [
        (context, got) => {
          const { request } = context as unknown as CrawlingContext;
          redirects.delete(request.uniqueKey);
          const claim = shared.claimOf(request);
          if (claim === undefined) return;
          claim.status = undefined;
          // Of HTTP crawlers, which ask this about every answer; a browser follows redirects itself.
          got.followRedirect = (response) => {
            claim.status = response.statusCode;
            if (!leadsOn(response)) return true;
            redirects.set(request.uniqueKey, response);
            // Crawlee would refuse a page of no type.
            response.headers['content-type'] ??= 'text/html';
            return false;
          };
        },
      ],
      async requestHandler(context) {
        const { request, response, crawler } = context as unknown as CrawlingContext;
        const claim = shared.claimOf(request);
        const redirect = redirects.get(request.uniqueKey);
        redirects.delete(request.uniqueKey);
        if (claim !== undefined && redirect !== undefined) {
          const target = new URL(String(redirect.headers['location']), request.url).href;
          if (++claim.redirects > MOST_REDIRECTS) throw new Error(`More than ${MOST_REDIRECTS} redirects.`);
          if (isWanted(crawler, request, target))
            await shared.follow(request, target, isPermanent(redirect.statusCode));
          return;
        }
        if (claim !== undefined) claim.status = response?.statusCode ?? response?.status?.() ?? claim.status;
        const { loadedUrl = request.url } = request;
        if (await shared.takeIn(request, loadedUrl)) await requestHandler(context);
      },
    },
  };
}

const MOST_REDIRECTS = 20;

const leadsOn = ({ statusCode, headers }: RedirectResponse): boolean =>
  [301, 302, 303, 307, 308].includes(statusCode) && headers['location'] !== undefined;

const isPermanent = (status: number): boolean => status === 301 || status === 308;

/** Whether the crawler's own rule (same host, same domain) lets a redirect lead there. */
function isWanted(crawler: object | undefined, request: object, target: string): boolean {
  const { requestMatchesEnqueueStrategy: matches } = (crawler ?? {}) as {
    requestMatchesEnqueueStrategy?: (request: object) => boolean;
  };
  if (matches === undefined) return true;
  return matches.call(crawler, Object.create(request, { loadedUrl: { value: target } }) as object);
}
