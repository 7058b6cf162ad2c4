import { browser } from 'wxt/browser';
import { pageDigest } from '#lib/content/snapshot.ts';
import type { ContentRead } from '#lib/rounds/events.ts';
import { recordAll } from './record.ts';
import { ALARMS } from './schedule.ts';
import { inOrder } from './serial.ts';
import { allTabs, readTab, writeTab, type FrameText, type TabState } from './tabs.ts';

/** The frames of a page become quiet about the same time; its digest is made when none spoke for so long, in ms. */
const QUIET = 1500;

/** Keeps what a frame says of its text, until the page's digest is made of all of them. */
export function noteText(state: TabState, frame: number, text: FrameText, at: number): TabState {
  const document = state.document?.id;
  if (document === undefined) return state;
  const before = state.reading?.document === document ? state.reading.frames : {};
  return { ...state, reading: { document, at, frames: { ...before, [frame]: text }, isTold: false } };
}

/** What a page says, once its frames are quiet; nothing before its outermost frame has spoken. */
export function pageText(state: TabState, now: number): ContentRead | undefined {
  const { reading } = state;
  const top = reading?.frames[0];
  if (!reading || !top || reading.isTold || now - reading.at < QUIET) return undefined;
  const frames = Object.entries(reading.frames)
    .toSorted(([a], [b]) => Number(a) - Number(b))
    .map(([, text]) => text);
  return {
    type: 'content',
    id:
      top.event +
      frames
        .slice(1)
        .map(({ event }) => `+${event}`)
        .join(''),
    url: top.url,
    at: reading.at,
    document: reading.document,
    digest: pageDigest(frames.map(({ digest }) => digest)),
    maskedDigest: pageDigest(frames.map(({ maskedDigest }) => maskedDigest)),
    blocks: frames.reduce((sum, { blocks }) => sum + blocks, 0),
    ...(top.canonical !== undefined && { canonical: top.canonical }),
  };
}

/** Records the digests that are due; of all tabs, or of one. */
export function settleTexts(only?: number): Promise<void> {
  return inOrder(async () => {
    const tabs = only === undefined ? await allTabs() : new Map([[only, await readTab(only)]]);
    for (const [tab, state] of tabs) {
      const event = pageText(state, Date.now());
      if (!event || !state.reading) continue;
      await recordAll([{ ...event, tab }]);
      await writeTab(tab, { ...state, reading: { ...state.reading, isTold: true } });
    }
  });
}

/** The timer is quick, the alarm outlives the worker. */
export function settleTextLater(tab: number): void {
  setTimeout(() => void settleTexts(tab), QUIET + 50);
  void browser.alarms.create(ALARMS.settle, { delayInMinutes: 0.5 });
}
