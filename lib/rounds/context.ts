import type { Policy } from '#lib/url/index.ts';
import { addressOf, indexedUrl, type Addressed } from './address.ts';
import { sinkOf } from './aliases.ts';
import { covers } from './coverage.ts';
import type { Draft } from './rows.ts';
import type { Alias, Page, Round, Scope, Visit } from './types.ts';

/** What a decision sees of its round: the rows as they will be. */
export class Context {
  readonly draft: Draft;
  readonly space: string;
  readonly scopeId: string;
  readonly roundId: string;
  readonly policyVersion: string;
  readonly #policy: Policy;
  readonly #base: string | undefined;

  constructor(draft: Draft, scope: Scope, round: Round, policy: Policy) {
    this.draft = draft;
    this.space = round.space;
    this.scopeId = scope.id;
    this.roundId = round.id;
    this.policyVersion = round.policyVersion;
    this.#policy = policy;
    this.#base = round.baseSpace;
    draft.want({ get: 'rounds', key: round.id }, { get: 'scopes', key: scope.id });
  }

  get round(): Round {
    return this.draft.get('rounds', this.roundId)!;
  }
  get scope(): Scope {
    return this.draft.get('scopes', this.scopeId)!;
  }

  /** Asks at once for what nearly every showing needs. */
  prepare({ key, url }: Addressed, document: string): void {
    const { space, scopeId: scope } = this;
    this.draft.want(
      { list: 'visitsOfDocument', args: [space, document] },
      { list: 'visitsThrough', args: [space, document] },
      { get: 'pages', key: [space, key] },
      { get: 'aliases', key: [scope, key] },
      { list: 'variantsOf', args: [scope, key] },
      { get: 'variants', key: [scope, key, indexedUrl(url)] },
      ...this.#ofBase(key),
    );
  }

  address(url: string): Addressed | undefined {
    const { addresses } = this.draft;
    if (!addresses.has(url)) addresses.set(url, addressOf(url, this.#policy));
    return addresses.get(url);
  }
  covers(url: string): boolean {
    return covers(this.scope, url);
  }
  page(key: string): Page | undefined {
    return this.draft.get('pages', [this.space, key]);
  }
  basePage(key: string): Page | undefined {
    return this.#base === undefined ? undefined : this.draft.get('pages', [this.#base, key]);
  }
  alias(key: string): Alias | undefined {
    return this.draft.get('aliases', [this.scopeId, key]);
  }
  visitsOf(key: string): Visit[] {
    return this.draft.list('visitsOfPage', this.space, key);
  }
  visitsOfDocument(document: string): Visit[] {
    return this.draft.list('visitsOfDocument', this.space, document);
  }

  /** The key under which a page is recorded in this round: its own, or that of the sink it belongs to. */
  homeOf(key: string): string {
    return sinkOf(this.round, key) ?? key;
  }

  /** Asks at once for what it takes to make a page row again. */
  prepareRow(key: string): void {
    this.draft.want(
      { get: 'pages', key: [this.space, key] },
      { get: 'aliases', key: [this.scopeId, key] },
      ...this.#ofBase(key),
    );
    if (this.page(key)) return;
    const seen = { scope: this.scopeId, key, space: this.space };
    this.draft.want({ list: 'visitsOfPage', args: [this.space, key] }, { seen });
  }

  #ofBase(key: string): { get: 'pages'; key: string[] }[] {
    return this.#base === undefined ? [] : [{ get: 'pages', key: [this.#base, key] }];
  }
}
