import { browser } from 'wxt/browser';
import { MAX_BLOCKS, MOST_TEXT } from '#lib/content/bound.ts';
import { unpack } from '#lib/content/delta.ts';
import { fullRules, rulesHash, type Rules } from '#lib/content/rules.ts';
import type { Snapshot } from '#lib/content/snapshot.ts';
import type { Messages, Request } from '#lib/protocol.ts';
import { addressOf } from '#lib/rounds/address.ts';
import { readingRulesOf } from '#lib/store/changes.ts';
import { StoreError } from '#lib/store/open.ts';
import { compilePolicy } from '#lib/url/index.ts';
import { written } from './record.ts';
import { recorder } from './recorder.ts';
import { isRecorded, roundsWith } from './recordings.ts';
import { inOrder } from './serial.ts';
import { step } from './steps.ts';
import { readTab } from './tabs.ts';
import { tellNews } from './watched.ts';

type Told = Messages['content']['result'];

/** What one frame says of its text. */
interface FrameText {
  /** Its place among the frames of the page, see `StoredSnapshot.frame`. */
  place: string;
  event: string;
  snapshot: Snapshot;
  busy: boolean;
  canonical?: string;
}

/** The texts of the page that a tab shows; as long as the worker lives. Observers tell again what was not written. */
interface Reading {
  tab: number;
  document: string;
  /** Once its outermost frame has spoken. */
  url?: string;
  /** By frame id (0: the outermost). */
  frames: Map<number, FrameText>;
  at: number;
  isFirst: boolean;
  /** What is under way; settled when it is written. */
  look?: PromiseWithResolvers<Told>;
  timer?: ReturnType<typeof setTimeout>;
}

export interface TextPlace {
  tab: number;
  document: string;
  page: string;
  isTop: boolean;
  frame: number;
}

/** The frames of a page become quiet about the same time; it is looked at when none spoke for so long, in ms. */
const QUIET = 1500;
/** While it stays open, in ms. */
const QUIET_OPEN = 300;
const NOTHING: Told = { changed: false };

const readings = new Map<number, Reading>();

/** Takes what a frame says, and answers when the look at its page is written. */
export async function receiveText(request: Request<'content'>, place: TextPlace): Promise<Told> {
  const { waiting } = await inOrder(async () => {
    await step('message:received');
    return (await isRecorded(place.page)) ? note(request, place) : { waiting: NOTHING };
  });
  return waiting;
}

/** The promise is wrapped: others go on while it waits. */
async function note(
  request: Request<'content'>,
  place: TextPlace,
): Promise<{ waiting: Told | Promise<Told> }> {
  const { tab, frame, isTop } = place;
  const document = isTop ? place.document : ((await readTab(tab)).document?.id ?? place.document);
  const reading = await readingOf(tab, document);
  const before = reading.frames.get(frame);
  // Told again; a delta would not fit twice.
  if (before?.event === request.event) return { waiting: reading.look?.promise ?? NOTHING };
  const rules = await rulesAt(place.page);
  if (request.text.rulesHash !== rulesHash(fullRules(rules))) return { waiting: { changed: false, rules } };
  const snapshot = unpack(request.text, before?.snapshot, MAX_BLOCKS);
  if (!snapshot || sizeOf(snapshot) > MOST_TEXT) return { waiting: { changed: false, again: true } };
  const { event, busy, canonical } = request;
  reading.frames.set(frame, {
    place: request.frame,
    event,
    snapshot,
    busy,
    ...(canonical !== undefined && { canonical }),
  });
  reading.at = Date.now();
  reading.isFirst ||= request.isFirst;
  if (isTop) reading.url = place.page;
  // A frame speaks of the route that its page does not show yet, or any more.
  if (!isTop && reading.url !== place.page) return { waiting: NOTHING };
  reading.look ??= newLook();
  clearTimeout(reading.timer);
  const wait = reading.isFirst ? QUIET : QUIET_OPEN;
  reading.timer = setTimeout(() => void inOrder(() => settle(reading)), wait);
  return { waiting: reading.look.promise };
}

/** By which rules a page is to be read. */
async function rulesAt(page: string): Promise<Rules> {
  const found = await roundsWith(page);
  const places = found.flatMap(({ scope, round }) => {
    const key = addressOf(page, compilePolicy(round.policy))?.key;
    return key === undefined ? [] : [{ scope: scope.id, key }];
  });
  return readingRulesOf(places);
}

const sizeOf = ({ blocks }: Snapshot) => blocks.reduce((sum, { text }) => sum + text.length, 0);

function newLook(): PromiseWithResolvers<Told> {
  const look = Promise.withResolvers<Told>();
  look.promise.catch(() => undefined);
  return look;
}

async function readingOf(tab: number, document: string): Promise<Reading> {
  const known = readings.get(tab);
  if (known?.document === document) return known;
  // The page before was left: what it said last is not waited for any longer.
  if (known) await settle(known);
  const reading: Reading = { tab, document, frames: new Map(), at: 0, isFirst: false };
  readings.set(tab, reading);
  return reading;
}

/** Looks at a page with what its frames said. Call it inside `inOrder` only. */
async function settle(reading: Reading): Promise<void> {
  const { look, url, document, at, isFirst, tab } = reading;
  clearTimeout(reading.timer);
  if (!look) return;
  delete reading.look;
  reading.isFirst = false;
  try {
    const frames = await framesOf(reading);
    const [top] = frames;
    if (url === undefined || !top) return look.resolve(NOTHING);
    const { news, tick, changed } = await recorder.look({
      id: frames.map(({ event }) => event).join('+'),
      url,
      at,
      document,
      showing: `${document}:${url}`,
      frames: new Map(frames.map(({ place, snapshot }) => [place, snapshot])),
      busy: frames.some(({ busy }) => busy),
      isFirst,
      ...(top.canonical !== undefined && { canonical: top.canonical }),
    });
    if (tick) await written(tick);
    await tellNews(news, tab);
    await step('message:written');
    look.resolve({ changed });
  } catch (error) {
    // The page still has its texts: it is to tell them again.
    look.reject(
      error instanceof StoreError ? new Error('The texts were not saved.', { cause: error }) : error,
    );
  }
}

/** Those that are still there, in their order; nothing before the outermost has spoken. */
async function framesOf({ tab, document, frames }: Reading): Promise<FrameText[]> {
  if (!frames.has(0)) return [];
  if (frames.size > 1) {
    const there = (await browser.webNavigation?.getAllFrames({ tabId: tab }).catch(() => null)) ?? [];
    const isOpen = there.some(({ frameId, documentId }) => frameId === 0 && documentId === document);
    if (isOpen)
      for (const id of frames.keys()) if (!there.some(({ frameId }) => frameId === id)) frames.delete(id);
  }
  return [...frames.values()].toSorted((a, b) => a.place.localeCompare(b.place, 'en', { numeric: true }));
}

/** The tab is closed, or shows something else: its texts are of no use any more. */
export function forgetTexts(tab: number): void {
  const reading = readings.get(tab);
  if (!reading) return;
  void inOrder(async () => {
    await settle(reading);
    if (readings.get(tab) === reading) readings.delete(tab);
  });
}
