import { compareSnapshots } from '#lib/content/compare.ts';
import { groupEdits, type EditGroup } from '#lib/content/groups.ts';
import {
  liveValues,
  offersToIgnore,
  withoutLive,
  type LiveValue,
  type Threshold,
} from '#lib/content/live.ts';
import { readingRules, type Rules } from '#lib/content/rules.ts';
import type { Change, ChangedBlock, Snapshot } from '#lib/content/snapshot.ts';
import { rulesFor, watchSpace, type ContentRule, type Watch } from '#lib/content/watch.ts';
import type { Page } from '#lib/rounds/types.ts';
import { roundOfSpace, streamPages } from './lists.ts';
import { withStore } from './open.ts';
import type { Db } from './schema.ts';
import { allRows, latestGood, readVersion, versionsOf, type Version } from './versions.ts';

export type { Version } from './versions.ts';

/** What the views read of texts and changes. */
export interface PageChange {
  /** Null where there is nothing to compare with. */
  before: Version | null;
  after: Version;
  /** Without numbers that are only live; noise is labelled. */
  change: Change | null;
  /** Numbers that change by themselves. */
  live: LiveValue[];
  /** Blocks that changed at each of the last three looks: to be offered to be ignored. */
  offers: ChangedBlock[];
}

/** The versions of a page in a space (a round's or a watch's, see `watchSpace`), newest first: its time line. */
export async function pageVersions(space: string, key: string): Promise<Version[]> {
  return (await withStore((db) => versionsOf(db, space, key))).reverse();
}

/** All a version said, by the rules that hold now; undefined where it is not kept (any more). */
export function versionText(space: string, key: string, seq: number): Promise<Snapshot | undefined> {
  return withStore(async (db) =>
    readVersion(db, { space, key, seq }, await rulesOf(db, await scopeOf(db, space), key)),
  );
}

type Ref = Pick<Version, 'space' | 'seq'>;

/**
 * What changed on a page. By default its latest version without a doubt is compared with that of the base round, or without one with the
 * version before it. Undefined where it was never read in this space.
 */
export function pageChange(
  space: string,
  key: string,
  { before, after }: { before?: Ref; after?: Ref } = {},
): Promise<PageChange | undefined> {
  return withStore((db) => changeOf(db, space, key, { before, after }));
}

async function changeOf(
  db: Db,
  space: string,
  key: string,
  wanted: { before?: Ref | undefined; after?: Ref | undefined },
  thresholds: readonly Threshold[] = [],
): Promise<PageChange | undefined> {
  const own = await versionsOf(db, space, key);
  const find = async ({ space: other, seq }: Ref) =>
    (other === space ? own : await versionsOf(db, other, key)).find((version) => version.seq === seq);
  const after = wanted.after ? await find(wanted.after) : (latestGood(own) ?? own.at(-1));
  if (!after) return undefined;
  const before = wanted.before
    ? await find(wanted.before)
    : ((await baseVersion(db, space, key)) ??
      latestGood(own.filter(({ seq }) => after.space === space && seq < after.seq)));
  const scope = await scopeOf(db, space);
  const rules = await rulesOf(db, scope, key);
  const numbers = await db.get('live', [space.startsWith('watch:') ? space : scope, key]);
  const tracks = numbers?.tracks ?? {};
  const at = numbers?.at ?? 0;
  const live = liveValues(tracks, at);
  const offers = await offersOf(db, own, rules, (change, text) => withoutLive(change, text, tracks, at));
  const now = await readVersion(db, { ...after, key }, rules);
  const then = before && (await readVersion(db, { ...before, key }, rules));
  if (!now || !before || !then) return { before: null, after, change: null, live, offers };
  const change = withoutLive(compareSnapshots(then, now, rules), now, tracks, at, thresholds);
  return { before, after, change, live, offers };
}

/** The version of the base round that a page is compared with. */
export async function baseVersion(db: Db, space: string, key: string): Promise<Version | undefined> {
  const base = (await roundOfSpace(db, space))?.baseSpace;
  return base === undefined || base === space ? undefined : latestGood(await versionsOf(db, base, key));
}

async function offersOf(
  db: Db,
  versions: readonly Version[],
  rules: Rules,
  newsOf: (change: Change, text: Snapshot) => Change,
): Promise<ChangedBlock[]> {
  const latest = versions.filter(({ doubt }) => doubt === undefined).slice(-4);
  if (latest.length < 4) return [];
  const texts: Snapshot[] = [];
  for (const version of latest) {
    const text = await readVersion(db, version, rules);
    if (text) texts.push(text);
  }
  return offersToIgnore(
    texts.slice(1).map((text, at) => newsOf(compareSnapshots(texts[at]!, text, rules), text)),
  );
}

async function scopeOf(db: Db, space: string): Promise<string> {
  if (space.startsWith('watch:')) return (await db.get('watches', space.slice(6)))?.scope ?? '';
  return (await roundOfSpace(db, space))?.scope ?? space;
}

export async function rulesOf(db: Db, scope: string, key: string): Promise<Rules> {
  return rulesFor(await db.getAllFromIndex('contentRules', 'scope', scope), key);
}

/** By which rules a page is to be read that is in these scopes: what one of them wants read is read. */
export function readingRulesOf(places: readonly { scope: string; key: string }[]): Promise<Rules> {
  return withStore(async (db) => {
    const all = await Promise.all(places.map(({ scope, key }) => rulesOf(db, scope, key)));
    const ignore = [...new Set(all.flatMap((rules) => rules.ignore ?? []))];
    return readingRules(Object.assign({}, ...all.map((rules) => readingRules(rules)), { ignore }) as Rules);
  });
}

/** What a round changed, over all its pages. */
export interface RoundChanges {
  /** Changed pages that were compared, by key, with how many of their blocks are news and how many noise. */
  pages: { page: Page; news: number; noise: number }[];
  /** Equal edits of many pages as one, those on most pages first. */
  groups: EditGroup[];
  /** There are more changed pages than were compared. */
  cut: boolean;
}

/** Changed pages of one round are compared up to here. */
const MOST_PAGES = 1_000;

/** The changes of a round's pages against its base round, the same edit on many pages as one line. */
export async function roundChanges(
  space: string,
  { limit = MOST_PAGES, signal }: { limit?: number; signal?: AbortSignal } = {},
): Promise<RoundChanges> {
  const pages: RoundChanges['pages'] = [];
  const changes: [string, Change][] = [];
  let cut = false;
  for await (const page of streamPages(space, { compare: 'changed' })) {
    signal?.throwIfAborted();
    if (pages.length === limit) {
      cut = true;
      break;
    }
    const found = await pageChange(space, page.key);
    const change = found?.change;
    if (!change) continue;
    const noise = change.blocks.filter((block) => block.noise !== undefined).length;
    pages.push({ page, news: change.blocks.length - noise, noise });
    changes.push([page.key, change]);
  }
  return { pages, groups: groupEdits(changes), cut };
}

export function getWatch(id: string): Promise<Watch | undefined> {
  return withStore((db) => db.get('watches', id));
}

/** What changed in a watch since the person looked last; `change` is null before its first look and where nothing was seen yet. */
export function watchChange(id: string): Promise<{ watch: Watch; found: PageChange | null } | undefined> {
  return withStore(async (db) => {
    const watch = await db.get('watches', id);
    if (!watch) return undefined;
    const space = watchSpace(id);
    const before = watch.seen === undefined ? undefined : { space, seq: watch.seen };
    const after = watch.latest === undefined ? undefined : { space, seq: watch.latest };
    const found = after && (await changeOf(db, space, watch.key, { before, after }, watch.thresholds));
    return { watch, found: found ?? null };
  });
}

/** Rules that people made for what is read and what is noise: of a scope, oldest first. */
export async function contentRules(scope: string): Promise<ContentRule[]> {
  const rules = await withStore((db) => db.getAllFromIndex('contentRules', 'scope', scope));
  return rules.sort((a, b) => a.at - b.at);
}

/** Live numbers of a page. */
export function liveNumbers(scope: string, key: string): Promise<LiveValue[]> {
  return withStore(async (db) => {
    const row = await db.get('live', [scope, key]);
    return row ? liveValues(row.tracks, row.at) : [];
  });
}

/** What texts take. */
export interface TextUsage {
  snapshots: number;
  texts: number;
  /** Characters that were read, and bytes that are stored of them: texts once for all, lists of blocks deflated. */
  read: number;
  stored: number;
}

/** Counts what the texts of pages take; reads them all. */
export function textUsage(signal?: AbortSignal): Promise<TextUsage> {
  return withStore(async (db) => {
    const usage: TextUsage = { snapshots: 0, texts: 0, read: 0, stored: 0 };
    for await (const { hashes, places, size } of allRows(db, 'snapshots', signal)) {
      usage.snapshots += 1;
      usage.read += size;
      usage.stored += hashes.byteLength + places.byteLength;
    }
    for await (const text of allRows(db, 'texts', signal)) {
      usage.texts += 1;
      usage.stored += 16 + ('text' in text ? byteLength(text.text) : text.bytes.byteLength);
    }
    return usage;
  });
}

const byteLength = (text: string): number => new TextEncoder().encode(text).byteLength;
