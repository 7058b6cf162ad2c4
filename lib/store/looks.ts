import { doubtOf, regionOf, type Doubt } from '#lib/content/baseline.ts';
import { compareSnapshots } from '#lib/content/compare.ts';
import { relabel } from '#lib/content/labels.ts';
import {
  followNumbers,
  isOnlyNumbers,
  movingTracks,
  passLooks,
  withoutLive,
  type Threshold,
  type Tracks,
} from '#lib/content/live.ts';
import { joinFrames } from '#lib/content/page.ts';
import { fullRules, type Rules } from '#lib/content/rules.ts';
import type { Snapshot } from '#lib/content/snapshot.ts';
import { watchSpace, type Watch } from '#lib/content/watch.ts';
import { baseVersion, rulesOf } from './changes.ts';
import type { Db } from './schema.ts';
import {
  latestGood,
  putVersion,
  readByOf,
  readVersion,
  seeVersion,
  versionsOf,
  type Version,
} from './versions.ts';

/** What was read of a page at a time, with all its frames. */
export interface Look {
  at: number;
  /** Document and address: the same while one page is shown. */
  showing: string;
  /** By place among the frames (see `StoredSnapshot.frame`), the page itself first. */
  frames: ReadonlyMap<string, Snapshot>;
  /** The page changes faster than it can be read. */
  busy: boolean;
}

export interface LookedAt {
  /** Whether the page says something else than what it is compared with; undefined where it is not to be judged by this look. */
  changed?: boolean;
  /** It is a version of its own. */
  isKept?: boolean;
  doubt?: Doubt;
  /** Watches whose row changed, and those of them that have news. */
  watches: Watch[];
  news: Watch[];
}

/** Frames of a page may be late: what they add within this time belongs to the same version, in ms. */
const LATE_FRAME = 10_000;
/** A change that is only numbers makes a version at most this often, in ms. */
const NUMBERS = 60_000;
/** While a page is open it is looked at about this often, in ms; it is told only when something changed. */
const LOOK_EVERY = 5_000;
/** Live numbers are written at most this often, in ms: losing a few looks does no harm. */
const WRITE_NUMBERS = 15_000;
/** Pages whose numbers and versions are remembered. */
const MOST_REMEMBERED = 12;

interface Followed {
  tracks: Tracks;
  at: number;
  showing: string;
  writtenAt: number;
}

/** Looks at pages: keeps their versions, follows their numbers, judges their changes. To be called by the one writer, within `alone`. */
export class Looks {
  readonly #followed = new Map<string, Followed>();
  readonly #texts = new Map<string, { version: string; snapshot: Snapshot; rules: string }>();

  /** Forgets what it remembers, e.g. when another database is used. */
  forget(): void {
    this.#followed.clear();
    this.#texts.clear();
  }

  /** Looks at a page in one space. `wasChanged`: what is known of it without a base round. */
  async look(
    db: Db,
    { scope, space, key, wasChanged }: { scope: string; space: string; key: string; wasChanged: boolean },
    look: Look,
  ): Promise<Omit<LookedAt, 'watches' | 'news'>> {
    const rules = await rulesOf(db, scope, key);
    const now = relabel(joinFrames([...look.frames.values()]), fullRules(rules));
    const tracks = await this.#follow(db, [scope, key], now, look);
    const base = await baseVersion(db, space, key);
    const baseText = base && (await this.#read(db, base, rules));
    const readBy = readByOf(look.frames);
    const kept = await this.#keep(db, { space, key }, look, now, {
      rules,
      readBy,
      tracks,
      baseline: baseText,
    });
    if (kept.doubt) return { doubt: kept.doubt };
    const { isKept = false } = kept;
    if (!baseText || base.readBy !== readBy) return { changed: wasChanged || kept.isNews, isKept };
    const change = withoutLive(compareSnapshots(baseText, now, rules), now, tracks, look.at);
    return { changed: change.changed && !change.quiet, isKept };
  }

  /** Looks at everything that is watched on a page. */
  async watch(
    db: Db,
    { scope, key }: { scope: string; key: string },
    look: Look,
  ): Promise<Pick<LookedAt, 'watches' | 'news'>> {
    const watches = await db.getAllFromIndex('watches', 'page', [scope, key]);
    if (watches.length === 0) return { watches: [], news: [] };
    const rules = await rulesOf(db, scope, key);
    const page = relabel(joinFrames([...look.frames.values()]), fullRules(rules));
    const looked: Watch[] = [];
    const news: Watch[] = [];
    for (const watch of watches) {
      const { watch: row, isNews } = await this.#lookAtWatch(db, watch, look, page, rules);
      // Told once until the person has looked.
      if (isNews && !watch.unseen) news.push(row);
      looked.push(row);
    }
    const transaction = db.transaction('watches', 'readwrite', { durability: 'relaxed' });
    for (const row of looked) void transaction.store.put(row);
    await transaction.done;
    return { watches: looked, news };
  }

  async #lookAtWatch(
    db: Db,
    watch: Watch,
    look: Look,
    page: Snapshot,
    rules: Rules,
  ): Promise<{ watch: Watch; isNews: boolean }> {
    const lookedAt = look.at;
    if (look.busy) return { watch: { ...watch, lookedAt, state: 'busy' }, isNews: false };
    const text = watch.region ? regionOf(page, watch.region) : page;
    const space = watchSpace(watch.id);
    if (!text) {
      // On a shell or an error page nothing is found, and nothing is missing.
      const doubt = doubtOf(null, page, {});
      return { watch: doubt ? watch : { ...watch, lookedAt, state: 'not-found' }, isNews: false };
    }
    const { key, seen, thresholds } = watch;
    const tracks = await this.#follow(db, [space, key], text, look);
    const part: Look = { ...look, frames: new Map([['0', text]]) };
    const context = { rules, readBy: readByOf(look.frames), tracks, thresholds, keep: seen };
    const kept = await this.#keep(db, { space, key }, part, text, context);
    if (kept.doubt) return { watch: { ...watch, lookedAt }, isNews: false };
    const isFirst = seen === undefined;
    const isNews = kept.isNews && !isFirst;
    const versions = await versionsOf(db, space, key);
    const latest = latestGood(versions)?.seq ?? kept.seq;
    const digestOf = (seq: number | undefined) => versions.find((version) => version.seq === seq)?.digest;
    const isAsSeen =
      isFirst || kept.isOther === true || seen === latest || digestOf(seen) === digestOf(latest);
    const row: Watch = {
      ...watch,
      lookedAt,
      latest,
      seen: kept.isOther ? latest : (seen ?? latest),
      state: isAsSeen ? 'same' : 'changed',
      unseen: watch.unseen || isNews,
      ...(isNews && { changedAt: look.at }),
    };
    return { watch: row, isNews };
  }

  /** Keeps what was read as a version of its own, as the latest once more, or not at all; and says whether it is news. */
  async #keep(
    db: Db,
    { space, key }: { space: string; key: string },
    look: Look,
    now: Snapshot,
    context: {
      rules: Rules;
      readBy: string | undefined;
      tracks: Tracks;
      baseline?: Snapshot | undefined;
      thresholds?: readonly Threshold[] | undefined;
      keep?: number | undefined;
    },
  ): Promise<{ seq: number; isNews: boolean; isKept?: boolean; isOther?: boolean; doubt?: Doubt }> {
    const { at, showing, frames, busy } = look;
    const versions = await versionsOf(db, space, key);
    const last = versions.at(-1);
    const { readBy } = context;
    if (last?.digest === digestOf(frames) && last.readBy === readBy) {
      await seeVersion(db, last, at);
      return { seq: last.seq, isNews: false, ...(last.doubt && { doubt: last.doubt }) };
    }
    const good = latestGood(versions);
    // By other rules it says something else without a change.
    const isOther = good !== undefined && good.readBy !== readBy;
    const before = good && !isOther ? await this.#read(db, good, context.rules) : undefined;
    const whole = before && compareSnapshots(before, now, context.rules);
    const doubt = doubtOf(before ?? context.baseline ?? null, now, { busy, ...(whole && { change: whole }) });
    const put = async (seq: number, numbers: boolean) => {
      const { keep } = context;
      await putVersion(db, {
        space,
        key,
        seq,
        at: versions.find((known) => known.seq === seq)?.at ?? at,
        showing,
        frames,
        numbers,
        readBy,
        ...(doubt && { doubt }),
        ...(keep !== undefined && { keep }),
      });
      this.#texts.delete(`${space}\n${key}\n${seq}`);
      return seq;
    };
    const next = (last?.seq ?? 0) + 1;
    if (doubt) {
      const isAgain = last?.doubt !== undefined && last.showing === showing;
      return { seq: await put(isAgain ? last.seq : next, false), isNews: false, doubt };
    }
    if (!last || !good || !whole) {
      // What was a shell a moment ago is the page now.
      const seq = await put(last?.showing === showing ? last.seq : next, false);
      return { seq, isNews: false, isKept: true, isOther };
    }
    const isOpen = last.showing === showing;
    if (isOpen && frames.size > last.frames.length && at - last.at < LATE_FRAME)
      return { seq: await put(last.seq, false), isNews: false, isKept: true };
    const change = withoutLive(whole, now, context.tracks, at, context.thresholds);
    const numbers = isOnlyNumbers(change);
    const isNews = change.changed && !change.quiet;
    if (!isNews) {
      await seeVersion(db, last, at);
      return { seq: last.seq, isNews };
    }
    // The last value counts, and a minute has one version of numbers, whatever words changed in between.
    const isSoon = numbers && versions.some((known) => known.numbers === true && at - known.at < NUMBERS);
    const isFree = good.seq !== context.keep;
    const seq = isSoon && isFree ? await put(good.seq, good.numbers === true) : await put(next, numbers);
    return { seq, isNews, isKept: true };
  }

  /** A version's texts; the latest asked for are remembered. */
  async #read(db: Db, version: Version, rules: Rules): Promise<Snapshot | undefined> {
    const name = `${version.space}\n${version.key}\n${version.seq}`;
    const hash = JSON.stringify(rules);
    const known = this.#texts.get(name);
    this.#texts.delete(name);
    const isSame = known?.version === version.digest && known.rules === hash;
    const snapshot = isSame ? known.snapshot : await readVersion(db, version, rules);
    if (!snapshot) return undefined;
    this.#texts.set(name, { version: version.digest, snapshot, rules: hash });
    trim(this.#texts);
    return snapshot;
  }

  async #follow(
    db: Db,
    [scope, key]: [string, string],
    now: Snapshot,
    { at, showing }: Look,
  ): Promise<Tracks> {
    const name = `${scope}\n${key}`;
    const known = this.#followed.get(name) ?? (await stored(db, scope, key));
    this.#followed.delete(name);
    const idle = known.showing === showing ? Math.max(0, Math.floor((at - known.at) / LOOK_EVERY) - 1) : 0;
    const tracks = followNumbers(passLooks(known.tracks, idle), now, at);
    const followed: Followed = { ...known, tracks, at, showing };
    const moving = movingTracks(tracks);
    const isDue = at - known.writtenAt >= WRITE_NUMBERS && Object.keys(moving).length > 0;
    // Short of ten looks it may become live at any of them.
    if (isDue || known.writtenAt === 0) {
      followed.writtenAt = at;
      await db.put('live', { scope, key, at, tracks: moving });
    }
    this.#followed.set(name, followed);
    trim(this.#followed);
    return tracks;
  }
}

async function stored(db: Db, scope: string, key: string): Promise<Followed> {
  const row = await db.get('live', [scope, key]);
  return { tracks: row?.tracks ?? {}, at: row?.at ?? 0, showing: '', writtenAt: row?.at ?? 0 };
}

const digestOf = (frames: ReadonlyMap<string, Snapshot>): string => joinFrames([...frames.values()]).digest;

function trim(map: Map<string, unknown>): void {
  for (const name of map.keys()) {
    if (map.size <= MOST_REMEMBERED) return;
    map.delete(name);
  }
}
