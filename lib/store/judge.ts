import { compareSnapshots } from '#lib/content/compare.ts';
import { withoutLive } from '#lib/content/live.ts';
import type { Rules } from '#lib/content/rules.ts';
import { watchSpace } from '#lib/content/watch.ts';
import type { ContentRead } from '#lib/rounds/events.ts';
import type { Page, Round } from '#lib/rounds/types.ts';
import { baseVersion, rulesOf } from './changes.ts';
import { pagesOf } from './lists.ts';
import { below } from './ranges.ts';
import type { Db } from './schema.ts';
import { latestGood, readVersion, versionsOf, type Version } from './versions.ts';

/**
 * Judges again, by the rules that hold now, what is stored: of one page or of a whole scope. Answers the events that bring the pages of
 * the scope's latest round in line; watches are written at once.
 */
export async function judgeAgain(
  db: Db,
  { scope, key, randomId }: { scope: string; key: string | undefined; randomId: () => string },
): Promise<ContentRead[]> {
  await judgeWatches(db, scope, key);
  const rounds = await db.getAllFromIndex('rounds', 'scope', below([scope]));
  const round = rounds.at(-1);
  if (!round) return [];
  const events: ContentRead[] = [];
  for await (const page of pagesRead(db, round, key)) {
    const changed = await isChanged(db, page);
    if (changed === undefined || changed === (page.changed ?? false)) continue;
    const { digest = '', maskedDigest = '', digestAt = 0, url, space } = page;
    const id = `rules:${randomId()}`;
    const about = { type: 'content' as const, id, url, at: digestAt, digest, maskedDigest, blocks: 0 };
    events.push({ ...about, changed: { [space]: changed } });
  }
  return events;
}

async function* pagesRead(db: Db, { space }: Round, key: string | undefined): AsyncGenerator<Page> {
  if (key !== undefined) {
    const page = await db.get('pages', [space, key]);
    if (page?.digest !== undefined) yield page;
    return;
  }
  let after: string | null = null;
  do {
    const answer: Awaited<ReturnType<typeof pagesOf>> = await pagesOf(space, { after, limit: 200 });
    yield* answer.rows.filter(({ digest }) => digest !== undefined);
    after = answer.next;
  } while (after !== null);
}

/** Undefined where no texts are kept. Without a base round a page that changed once has changed. */
async function isChanged(db: Db, { scope, space, key }: Page): Promise<boolean | undefined> {
  const rules = await rulesOf(db, scope, key);
  const versions = (await versionsOf(db, space, key)).filter(({ doubt }) => doubt === undefined);
  const latest = latestGood(versions);
  if (!latest) return undefined;
  const base = await baseVersion(db, space, key);
  if (base) return isNews(db, base, latest, rules, [scope, key]);
  for (const [at, version] of versions.slice(1).entries())
    if (await isNews(db, versions[at]!, version, rules, [scope, key])) return true;
  return false;
}

async function isNews(
  db: Db,
  before: Version,
  after: Version,
  rules: Rules,
  numbers: [string, string],
): Promise<boolean> {
  if (before.digest === after.digest || before.readBy !== after.readBy) return false;
  const [then, now] = [await readVersion(db, before, rules), await readVersion(db, after, rules)];
  if (!then || !now) return false;
  const live = await db.get('live', numbers);
  const change = withoutLive(compareSnapshots(then, now, rules), now, live?.tracks ?? {}, live?.at ?? 0);
  return change.changed && !change.quiet;
}

/** A watch whose change turns out to be noise has not changed; none becomes news by a rule. */
async function judgeWatches(db: Db, scope: string, key: string | undefined): Promise<void> {
  const range = key === undefined ? below([scope]) : IDBKeyRange.only([scope, key]);
  for (const watch of await db.getAllFromIndex('watches', 'page', range)) {
    if (!watch.unseen || watch.seen === undefined || watch.latest === undefined) continue;
    const space = watchSpace(watch.id);
    const rules = await rulesOf(db, scope, watch.key);
    const versions = await versionsOf(db, space, watch.key);
    const since = versions.filter(({ seq, doubt }) => seq >= watch.seen! && doubt === undefined);
    let news = false;
    for (const [at, version] of since.slice(1).entries())
      news ||= await isNews(db, since[at]!, version, rules, [space, watch.key]);
    if (!news) await db.put('watches', { ...watch, state: 'same', unseen: false });
  }
}
