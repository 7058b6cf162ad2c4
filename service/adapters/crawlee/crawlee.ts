// What the adapter needs of Crawlee 3, as shapes: Crawlee itself is not among the project's dependencies.

export interface CrawleeRequest {
  readonly id?: string | undefined;
  readonly url: string;
  readonly uniqueKey: string;
  readonly method: string;
  readonly headers?: Record<string, string> | undefined;
  readonly userData: Record<string, unknown>;
  loadedUrl?: string | undefined;
  readonly state: number;
}

/** `RequestState` of Crawlee. */
export const ERROR_HANDLER = 5;
export const ERROR = 6;
export const SKIPPED = 7;

/** `IRequestManager` of Crawlee, which `RequestQueue` is. */
export interface RequestManager {
  isFinished(): Promise<boolean>;
  isEmpty(): Promise<boolean>;
  handledCount(): Promise<number>;
  getTotalCount(): number;
  getPendingCount(): number;
  fetchNextRequest(): Promise<CrawleeRequest | null>;
  markRequestHandled(request: CrawleeRequest): Promise<unknown>;
  reclaimRequest(request: CrawleeRequest, options?: object): Promise<unknown>;
  addRequest(request: object, options?: object): Promise<unknown>;
  addRequestsBatched(requests: never, options?: object): Promise<unknown>;
}

/** What a request handler is given. `response` is that of Node's http, or of a browser. */
export interface CrawlingContext {
  readonly request: CrawleeRequest;
  readonly response?: { readonly statusCode?: number | undefined; status?: () => number } | undefined;
  readonly crawler?: object;
}

/** What may be set by a hook before an HTTP crawler asks. */
export interface GotOptions {
  followRedirect?: boolean | ((response: RedirectResponse) => boolean);
}

export interface RedirectResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string | string[] | undefined>;
}
