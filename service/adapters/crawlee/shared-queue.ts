import { ServiceError } from '../../client.ts';
import type { Answer } from '../../answers.ts';
import { Claim, Endings, type Ask } from './claims.ts';
import { ERROR, ERROR_HANDLER, SKIPPED, type CrawleeRequest, type RequestManager } from './crawlee.ts';

export interface QueueOptions {
  /** Milliseconds a lease lasts; it is made longer while a page is fetched. */
  readonly lease: number;
  /** Requests that are leased before they are needed. */
  readonly ahead: number;
  /** After so many milliseconds a page that others lease is asked about again. */
  readonly poll: number;
}

/** A request to follow a redirect: begins with this, and goes on with the claim it belongs to. */
const FOLLOWS = 'onceover-redirect:';

/** A queue of Crawlee that hands out only what the service has leased to this crawler. */
export class SharedQueue implements RequestManager {
  readonly #queue: RequestManager;
  readonly #ask: Ask;
  readonly #options: QueueOptions;
  readonly #endings = new Endings();
  /** By the unique key of the request that is fetched next. */
  readonly #claims = new Map<string, Claim>();
  /** Keys of requests that this queue has taken out of Crawlee's: their locks there may run out meanwhile. */
  readonly #held = new Set<string>();
  #ready: CrawleeRequest[] = [];
  /** They wait for others' leases. */
  #parked: { readonly request: CrawleeRequest; readonly due: number }[] = [];
  #turn: Promise<void> | undefined;
  #telling: Promise<void> | undefined;
  #follows = 0;
  #failure: Error | undefined;
  readonly #timer: NodeJS.Timeout;
  readonly counts = { leased: 0, seen: 0, waited: 0, committed: 0, gone: 0, released: 0, withoutKey: 0 };

  constructor(queue: RequestManager, ask: Ask, options: QueueOptions) {
    this.#queue = queue;
    this.#ask = ask;
    this.#options = options;
    this.#timer = setInterval(() => void this.#extend(), options.lease / 3);
    this.#timer.unref();
  }

  // ---- What Crawlee calls ----

  /** @throws {ServiceError} where the service does not answer: the crawl ends, nothing is guessed */
  async fetchNextRequest(): Promise<CrawleeRequest | null> {
    if (this.#ready.length === 0) await this.#fill();
    for (;;) {
      const request = this.#ready.shift();
      if (request === undefined) return null;
      const claim = this.#claims.get(request.uniqueKey);
      if (claim === undefined || !claim.asks || claim.last.token !== 0) return request;
      // The lease was lost while the request waited here.
      this.#claims.delete(request.uniqueKey);
      this.#endings.failed(claim);
      this.#parked.push({ request, due: 0 });
    }
  }

  async isEmpty(): Promise<boolean> {
    if (this.#failure !== undefined) return false;
    const now = Date.now();
    if (this.#ready.length > 0 || this.#parked.some(({ due }) => due <= now)) return false;
    return this.#queue.isEmpty();
  }

  async isFinished(): Promise<boolean> {
    if (this.#ready.length > 0 || this.#parked.length > 0 || this.#held.size > 0) return false;
    return this.#queue.isFinished();
  }

  async markRequestHandled(request: CrawleeRequest): Promise<unknown> {
    const key = request.uniqueKey;
    const claim = this.#claims.get(key);
    if (claim !== undefined) {
      this.#claims.delete(key);
      this.#end(claim, request.state);
      // Links of the page are in Crawlee's queue by now. Only then is it said to be seen, and only then is it forgotten here.
      await this.#tell();
    }
    const handled = await this.#queue.markRequestHandled(request);
    this.#held.delete(key);
    return handled;
  }

  /** Crawlee will try it again: it stays leased. */
  async reclaimRequest(request: CrawleeRequest, options?: object): Promise<unknown> {
    const reclaimed = await this.#queue.reclaimRequest(request, options);
    this.#held.delete(request.uniqueKey);
    return reclaimed;
  }

  handledCount = (): Promise<number> => this.#queue.handledCount();
  getTotalCount = (): number => this.#queue.getTotalCount();
  getPendingCount = (): number => this.#queue.getPendingCount();
  addRequest = (request: object, options?: object): Promise<unknown> =>
    this.#queue.addRequest(request, options);
  addRequestsBatched = (requests: never, options?: object): Promise<unknown> =>
    this.#queue.addRequestsBatched(requests, options);

  async *[Symbol.asyncIterator](): AsyncGenerator<CrawleeRequest> {
    for (let request = await this.fetchNextRequest(); request; request = await this.fetchNextRequest())
      yield request;
  }

  // ---- What the hooks call ----

  claimOf(request: CrawleeRequest): Claim | undefined {
    return this.#claims.get(request.uniqueKey);
  }

  /** The request was answered with a redirect: its claim goes on with a request for the target. */
  async follow(request: CrawleeRequest, target: string, permanent: boolean): Promise<void> {
    const claim = this.#claims.get(request.uniqueKey);
    if (claim === undefined) return;
    claim.last.moved = permanent;
    const uniqueKey = `${FOLLOWS}${++this.#follows}:${request.uniqueKey}`;
    this.#claims.delete(request.uniqueKey);
    this.#claims.set(uniqueKey, claim);
    const { headers, userData } = request;
    await this.#queue.addRequest({ url: target, uniqueKey, headers, userData }, { forefront: true });
  }

  /** Whether the page that a browser was led to is ours to take in; otherwise it was seen, or waits for whoever leases it. */
  async takeIn(request: CrawleeRequest, loadedUrl: string): Promise<boolean> {
    const claim = this.#claims.get(request.uniqueKey);
    if (claim === undefined || loadedUrl === claim.url) return true;
    if (!claim.asks) {
      claim.add(loadedUrl, 0);
      return true;
    }
    const [answer] = await this.#lease([{ request, claim, url: loadedUrl }]);
    if (answer === SAME || answer?.result === 'invalid') return true;
    if (answer?.result === 'fresh') {
      claim.add(loadedUrl, answer.token ?? 0);
      return true;
    }
    if (answer?.result === 'seen') {
      this.#claims.delete(request.uniqueKey);
      this.#endings.done(claim, 'visited', loadedUrl);
      await this.#tell();
    } else await this.follow(request, loadedUrl, false);
    return false;
  }

  /** Releases what was leased and not fetched, and stops making leases longer. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#turn?.catch(() => {});
    await this.#telling?.catch(() => {});
    for (const claim of this.#claims.values()) this.#endings.failed(claim);
    this.#claims.clear();
    await this.#tell();
  }

  // ---- The conversation with the service ----

  /** One at a time, so that many who want a request share one question. */
  #fill(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    this.#turn ??= this.#askForMore()
      .catch((error: unknown) => {
        this.#failure = error as Error;
        throw error;
      })
      .finally(() => (this.#turn = undefined));
    return this.#turn;
  }

  async #askForMore(): Promise<void> {
    const asked = this.#takeDue();
    while (this.#ready.length + asked.length < this.#options.ahead) {
      const request = await this.#queue.fetchNextRequest();
      if (request === null) break;
      if (this.#held.has(request.uniqueKey)) continue;
      this.#held.add(request.uniqueKey);
      if (this.#mayGo(request)) this.#ready.push(request);
      else asked.push(request);
    }
    if (asked.length === 0) return;
    const questions = asked.map((request) => ({
      request,
      claim: this.#claims.get(request.uniqueKey),
      url: request.url,
    }));
    let answers: (Answer | typeof SAME)[];
    try {
      answers = await this.#lease(questions);
    } catch (error) {
      this.#parked.push(...asked.map((request) => ({ request, due: 0 })));
      throw error;
    }
    for (const [index, answer] of answers.entries()) await this.#take(questions[index]!, answer);
    if (!this.#endings.isEmpty) await this.#tell();
  }

  /** Without asking: it is no page, or wanted anyway, or tried again. */
  #mayGo(request: CrawleeRequest): boolean {
    const { url, method, uniqueKey, userData } = request;
    if (method !== 'GET' || !/^https?:/.test(url)) return true;
    const claim = this.#claims.get(uniqueKey);
    if (claim?.url === url) return true;
    if (claim !== undefined && !claim.asks) {
      claim.add(url, 0);
      return true;
    }
    if (claim !== undefined || userData['onceover'] !== false) return false;
    this.#claims.set(uniqueKey, new Claim(url, 0, false));
    return true;
  }

  #takeDue(): CrawleeRequest[] {
    const now = Date.now();
    const due = this.#parked.filter((parked) => parked.due <= now);
    this.#parked = this.#parked.filter((parked) => parked.due > now);
    return due.map(({ request }) => request);
  }

  /** A redirect often leads to another address of the same page, which is leased already: then its token fits. */
  async #lease(questions: readonly Question[]): Promise<(Answer | typeof SAME)[]> {
    const answers = questions.map((): Answer | typeof SAME | undefined => undefined);
    const probes = questions.flatMap(({ claim, url }, index) =>
      (claim?.leases ?? []).map(({ token }) => ({ index, item: { url, token } })),
    );
    if (probes.length > 0) {
      const probed = await this.#ask(
        'extend',
        probes.map(({ item }) => item),
      );
      for (const [at, { index }] of probes.entries())
        if (probed[at]!.result === 'leased') answers[index] = SAME;
    }
    const rest = [...questions.keys()].filter((index) => answers[index] === undefined);
    if (rest.length > 0) {
      const leased = await this.#ask(
        'lease',
        rest.map((index) => ({ url: questions[index]!.url })),
      );
      for (const [at, index] of rest.entries()) answers[index] = leased[at]!;
    }
    return answers as (Answer | typeof SAME)[];
  }

  async #take({ request, claim }: Question, answer: Answer | typeof SAME): Promise<void> {
    const key = request.uniqueKey;
    if (claim !== undefined) claim.waits = false;
    if (answer === SAME) {
      claim!.url = request.url;
      this.#ready.push(request);
    } else if (answer.result === 'fresh') {
      this.counts.leased++;
      if (claim === undefined) this.#claims.set(key, new Claim(request.url, answer.token ?? 0));
      else claim.add(request.url, answer.token ?? 0);
      this.#ready.push(request);
    } else if (answer.result === 'seen') {
      this.counts.seen++;
      this.#claims.delete(key);
      if (claim !== undefined) this.#endings.done(claim, 'visited', request.url);
      await this.#queue.markRequestHandled(request);
      this.#held.delete(key);
    } else if (answer.result === 'invalid') {
      if (answer.reason === 'form')
        throw new ServiceError(
          409,
          'The namespace holds keys of another policy or form: choose another namespace.',
        );
      // The address has no key, so nobody can have seen it: every crawler asks for it itself.
      this.counts.withoutKey++;
      this.#claims.delete(key);
      if (claim !== undefined) this.#endings.failed(claim);
      this.#ready.push(request);
    } else {
      this.counts.waited++;
      if (claim !== undefined) claim.waits = true;
      const until = answer.result === 'retry_at' ? answer.retry_at : answer.until;
      const now = Date.now();
      this.#parked.push({ request, due: Math.max(now + 50, Math.min(until, now + this.#options.poll)) });
    }
  }

  #end(claim: Claim, state: number): void {
    const { status = 200 } = claim;
    const isFailed = state === ERROR_HANDLER || state === ERROR || state === SKIPPED;
    if (status === 404 || status === 410) {
      this.counts.gone++;
      this.#endings.done(claim, 'gone');
    } else if (!isFailed && status >= 200 && status < 400) {
      this.counts.committed++;
      this.#endings.done(claim, 'visited');
    } else {
      this.counts.released++;
      this.#endings.failed(claim);
    }
  }

  /** Resolves when everything gathered so far has been told; what is gathered meanwhile goes with the next batch. */
  async #tell(): Promise<void> {
    while (this.#telling !== undefined) await this.#telling.catch(() => {});
    if (this.#endings.isEmpty) return;
    this.#telling = this.#endings
      .tell(this.#ask)
      .catch((error: unknown) => {
        this.#failure = error as Error;
        throw error;
      })
      .finally(() => (this.#telling = undefined));
    await this.#telling;
  }

  async #extend(): Promise<void> {
    const pages = [...this.#claims.values()]
      .filter(({ waits }) => !waits)
      .flatMap(({ leases }) => leases.map((page) => ({ page, token: page.token })));
    if (pages.length === 0) return;
    try {
      const items = pages.map(({ page, token }) => ({ url: page.url, token }));
      const answers = await this.#ask('extend', items);
      for (const [index, answer] of answers.entries())
        // Somebody else has it now. What was fetched is marked all the same.
        if (answer.result === 'invalid') pages[index]!.page.token = 0;
    } catch {
      // The next request to the service says what is wrong.
    }
  }
}

interface Question {
  readonly request: CrawleeRequest;
  readonly claim: Claim | undefined;
  readonly url: string;
}

/** The address belongs to a page that the claim holds already. */
const SAME = Symbol('same');
