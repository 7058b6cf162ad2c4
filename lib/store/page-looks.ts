import type { Doubt } from '#lib/content/baseline.ts';
import { joinFrames } from '#lib/content/page.ts';
import type { Watch } from '#lib/content/watch.ts';
import { pageAt } from '#lib/rounds/decide.ts';
import type { ContentRead } from '#lib/rounds/events.ts';
import type { Page, Round, Scope } from '#lib/rounds/types.ts';
import { decideWith } from './answers.ts';
import type { Look, Looks } from './looks.ts';
import type { Db, WriteTransaction } from './schema.ts';
import { reading } from './transaction.ts';

/** What was read of a page that is shown. */
export interface PageLook extends Look {
  /** Id of the event, as for other events. */
  id: string;
  url: string;
  document: string;
  canonical?: string;
  /** The first since the page was shown, rather than one while it stays open. */
  isFirst: boolean;
}

/** What a look has led to. */
export interface PageLookedAt {
  /** To be recorded, where it says more of a page than is known. */
  event?: ContentRead;
  doubt?: Doubt;
  /** Rounds in whose spaces versions or watches changed. */
  rounds: string[];
  /** Watches that have news. */
  news: Watch[];
  changed: boolean;
}

type Target = { scope: Scope; round: Round };

/** Looks at a page in every round that has it, and at what is watched on it. To be called within `alone`. */
export async function lookAtPage(
  db: Db,
  look: PageLook,
  looks: Looks,
  roundsOf: (transaction: WriteTransaction, event: ContentRead, scopes: Scope[]) => Promise<Target[]>,
): Promise<PageLookedAt> {
  const text = joinFrames([...look.frames.values()]);
  const { id, url, at, document, canonical } = look;
  const event: ContentRead = {
    type: 'content',
    id,
    url,
    at,
    document,
    digest: text.digest,
    maskedDigest: text.maskedDigest,
    blocks: text.blocks.length,
    ...(canonical !== undefined && { canonical }),
  };
  const result: PageLookedAt = { rounds: [], news: [], changed: false };
  let isToTell = false;
  const changed: Record<string, boolean> = {};
  for (const { scope, round, page } of await pagesAt(db, event, roundsOf)) {
    const { space, key } = page;
    const where = { scope: scope.id, space, key, wasChanged: page.changed ?? false };
    const looked = await looks.look(db, where, look);
    if (looked.doubt) result.doubt = looked.doubt;
    if (looked.changed !== undefined) {
      changed[space] = looked.changed;
      isToTell ||= look.isFirst || looked.isKept === true || looked.changed !== (page.changed ?? false);
    }
    const { watches, news } = await looks.watch(db, where, look);
    result.news.push(...news);
    if (looked.isKept || watches.length > 0) result.rounds.push(round.id);
  }
  result.changed = Object.values(changed).includes(true);
  return isToTell ? { ...result, event: { ...event, changed } } : result;
}

/** The page's rows in the rounds that record it; only of pages that were shown there. */
async function pagesAt(
  db: Db,
  event: ContentRead,
  roundsOf: (transaction: WriteTransaction, event: ContentRead, scopes: Scope[]) => Promise<Target[]>,
): Promise<(Target & { page: Page })[]> {
  const transaction = reading(db);
  const scopes = await transaction.objectStore('scopes').getAll();
  const found: (Target & { page: Page })[] = [];
  for (const target of await roundsOf(transaction, event, scopes)) {
    const page = await decideWith(transaction, (loaded) =>
      pageAt({ ...target, loaded, nextSeq: 0 }, event.url),
    );
    if (page && page.visits > 0) found.push({ ...target, page });
  }
  return found;
}
