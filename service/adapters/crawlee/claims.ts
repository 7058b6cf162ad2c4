import type { Answer } from '../../answers.ts';
import type { PageState } from '../../states.ts';

// What a crawler holds of the service while it fetches: leases, and how they end. Knows neither Crawlee nor HTTP.

/** A page on the way of a request: the address it was asked by, and the token of its lease (0: it was not asked). */
interface Page {
  readonly url: string;
  token: number;
  /** Whether the redirect that led on from here is permanent. */
  moved: boolean;
}

/**
 * The right to fetch one request: its page, and those that redirected to it. All of them end together: only when the last one was
 * fetched is it known that the others are done.
 */
export class Claim {
  /** The address that is fetched next. */
  url: string;
  readonly pages: Page[];
  /** False: the request is fetched whatever the service says, and so are pages it redirects to. */
  readonly asks: boolean;
  /**
   * Waits for somebody else's page. Its leases are not made longer then, so that two crawlers, each of which waits for the page of
   * the other, do not wait for ever.
   */
  waits = false;
  /** Redirects that were followed. */
  redirects = 0;
  /** Status of the last answer of the site. */
  status: number | undefined;

  constructor(url: string, token: number, asks = true) {
    this.url = url;
    this.pages = [{ url, token, moved: false }];
    this.asks = asks;
  }

  get last(): Page {
    return this.pages.at(-1)!;
  }

  get leases(): Page[] {
    return this.pages.filter(({ token }) => token !== 0);
  }

  add(url: string, token: number): void {
    this.url = url;
    this.pages.push({ url, token, moved: false });
  }
}

interface Item {
  readonly url: string;
  readonly token?: number;
  readonly state?: PageState;
}

interface Redirect {
  readonly from: string;
  readonly to: string;
  readonly permanent: true;
}

/** Sends a batch of items and gets an answer for each. */
export type Ask = (
  verb: 'lease' | 'extend' | 'commit' | 'mark' | 'release' | 'redirects',
  items: readonly object[],
) => Promise<Answer[]>;

/** What the service has still to be told, gathered for its batches. */
export class Endings {
  #redirects: Redirect[] = [];
  #commits: Item[] = [];
  #marks: Item[] = [];
  #releases: Item[] = [];

  get isEmpty(): boolean {
    return [this.#redirects, this.#commits, this.#marks, this.#releases].every(({ length }) => length === 0);
  }

  /** The claim's last page was fetched; or it led to the address `ledTo`, a page that had been seen. */
  done({ pages }: Claim, state: PageState, ledTo?: string): void {
    for (const [index, page] of pages.entries()) {
      const target = pages[index + 1]?.url ?? ledTo;
      if (target === undefined) this.#fetched(page, state);
      else if (page.moved) {
        // It is seen from now on wherever its target is, and needs no mark of its own.
        this.#redirects.push({ from: page.url, to: target, permanent: true });
        this.#release(page);
      } else this.#fetched(page, 'visited');
    }
  }

  /** Others may try. What is known of permanent redirects is kept. */
  failed({ pages }: Claim): void {
    for (const [index, page] of pages.entries()) {
      const target = pages[index + 1]?.url;
      if (page.moved && target !== undefined)
        this.#redirects.push({ from: page.url, to: target, permanent: true });
      this.#release(page);
    }
  }

  /** Tells the service everything gathered so far. What could not be told is told the next time. */
  async tell(ask: Ask): Promise<void> {
    await this.#send('redirects', this.#redirects, ask);
    const commits = [...this.#commits];
    const answers = await this.#send('commit', this.#commits, ask);
    for (const [index, answer] of answers.entries()) {
      const { url, state } = commits[index]!;
      // The lease was lost (the machine slept), but the page was fetched.
      if (answer.result === 'invalid') this.#marks.push({ url, ...(state === undefined ? {} : { state }) });
    }
    await this.#send('mark', this.#marks, ask);
    await this.#send('release', this.#releases, ask);
  }

  async #send(verb: Parameters<Ask>[0], list: object[], ask: Ask): Promise<Answer[]> {
    if (list.length === 0) return [];
    const count = list.length;
    const answers = await ask(verb, list.slice(0, count));
    list.splice(0, count);
    return answers;
  }

  #fetched({ url, token }: Page, state: PageState): void {
    const item = { url, ...(state === 'visited' ? {} : { state }) };
    if (token === 0) this.#marks.push(item);
    else this.#commits.push({ ...item, token });
  }

  #release({ url, token }: Page): void {
    if (token !== 0) this.#releases.push({ url, token });
  }
}
