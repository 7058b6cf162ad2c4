import { liveBoxes } from './capture-live.ts';
import { captureSnapshot } from './capture.ts';
import { fullRules, type Rules } from './rules.ts';
import type { Snapshot } from './snapshot.ts';

/** Time as the observer needs it, in milliseconds; a test passes its own. Both functions return how to cancel. */
export interface Timing {
  now: () => number;
  /** Runs `work` when the page has nothing better to do. */
  idle: (work: () => void) => () => void;
  later: (work: () => void, delay: number) => () => void;
}

export interface ObserveOptions {
  /** As for `captureSnapshot`; but frames are never read in place, since each frame has an observer of its own. */
  rules?: Rules;
  /** Called first when the text was quiet for a second, or after ten; then after each change of it, at most twice a second. */
  onSnapshot: (snapshot: Snapshot, state: SnapshotState) => void;
  /** How long it may wait until the next change is told, in ms: a snapshot costs more than following what it is made of. */
  rest?: () => number;
  timing?: Timing;
}

export interface SnapshotState {
  /** The first since the start or `restart`: fit for a baseline. */
  first: boolean;
  /** The page changes faster than it may be read: the snapshot mixes moments. */
  busy: boolean;
}

export interface ContentObserver {
  /** What the page reads as now: reads what is noted at once. */
  read: () => Snapshot;
  /** The page shows another route: wait for quiet again, and call the next snapshot the first. */
  restart: () => void;
  /** Ends all observation. */
  stop: () => void;
}

const SLICE = 4;
const PASS = 20;
const PAUSE = 500;
const QUIET = 1_000;
const PATIENCE = 10_000;
/** How often what makes no record is looked for while something changes; where nothing does, less and less often. */
const SWEEP = 10_000;
const LONGEST_SWEEP = 320_000;
/** A sweep may take this share of the time; a page with very many elements is swept more seldom. */
const SWEEP_SHARE = 1 / 1000;
/** With form state on, typed values are polled. */
const POLL = 2_000;
/** Passes in a row that did not get through. */
const BUSY = 10;

/** Events after which text may show or hide, or be another, without a record. */
const EVENTS = ['transitionend', 'animationend', 'toggle', 'slotchange', 'input', 'change', 'load'] as const;
const SHOWING = new Set(['opacity', 'visibility', 'display', 'content-visibility']);
const RECORDED = { subtree: true, childList: true, characterData: true, attributes: true };
const FIELDS = 'input,textarea,select';

const platform: Timing = {
  now: () => performance.now(),
  idle(work) {
    if (typeof requestIdleCallback !== 'function') return platform.later(work, 1);
    const id = requestIdleCallback(work, { timeout: PAUSE });
    return () => cancelIdleCallback(id);
  },
  later(work, delay) {
    const id = setTimeout(work, delay);
    return () => clearTimeout(id);
  },
};

/**
 * Follows what a person can read in a document, cheaply: one whole walk in slices of 4 ms, then only blocks whose nodes changed, at
 * idle, at most twice a second and for at most 20 ms. Nothing is observed while the tab is hidden or the page is in the back/forward
 * cache; nothing is written into the page. What makes no record (late shadow roots, style sheets, effects of a class on others) is
 * looked for every 10 s while something changes, and ever more seldom where nothing does.
 * @throws TypeError for unknown rules.
 */
export function observeContent(document: Document, options: ObserveOptions): ContentObserver {
  const { onSnapshot, rest = () => 0, timing = platform } = options;
  const rules = fullRules({ ...options.rules, frames: false });
  const view = document.defaultView!;

  /** What is known across sessions; a session lasts while the page is in front. */
  let session: ReturnType<typeof begin> | null = null;
  let digest: string | null = null;
  let settlingSince = timing.now();

  document.addEventListener('visibilitychange', follow);
  view.addEventListener('pagehide', leave);
  view.addEventListener('pageshow', follow);
  follow();

  return {
    read: () => session?.read() ?? captureSnapshot(document, rules),
    restart() {
      settlingSince = timing.now();
      digest = null;
      session?.restart();
    },
    stop() {
      document.removeEventListener('visibilitychange', follow);
      view.removeEventListener('pagehide', leave);
      view.removeEventListener('pageshow', follow);
      leave();
    },
  };

  function follow(): void {
    if (document.visibilityState === 'hidden') leave();
    else session ??= begin();
  }

  function leave(): void {
    session?.end();
    session = null;
  }

  function begin() {
    const ended = new AbortController();
    const watched = new WeakSet<Node>();
    const records = new MutationObserver((list) => {
      boxes.note(list);
      touched();
    });
    const boxes = liveBoxes(document, rules, watchRoot);
    /** The first walk is in slices, the passes after it are rare. */
    let walking = true;
    let lastPass = -Infinity;
    let hardPasses = 0;
    let textChanged = true;
    let quietSince = timing.now();
    let cancelPass: (() => void) | undefined;
    let cancelReport: (() => void) | undefined;
    const sweepOften = rules.formState ? POLL : SWEEP;
    let sweepPause = sweepOften;
    let cancelSweep = timing.later(sweep, sweepPause);
    view.addEventListener('resize', onResize, { passive: true, signal: ended.signal });
    schedule();

    return {
      read() {
        boxes.note(records.takeRecords());
        while (boxes.step());
        return boxes.snapshot();
      },
      restart() {
        quietSince = timing.now();
        textChanged = true;
        schedule();
      },
      end() {
        ended.abort();
        records.disconnect();
        cancelPass?.();
        cancelReport?.();
        cancelSweep();
      },
    };

    function watchRoot(root: Document | ShadowRoot): void {
      if (watched.has(root)) return;
      watched.add(root);
      records.observe(root, RECORDED);
      for (const type of EVENTS) {
        root.addEventListener(type, onEvent, { capture: true, passive: true, signal: ended.signal });
      }
    }

    /** Something changed: what makes no record may have changed as well. */
    function touched(): void {
      schedule();
      if (sweepPause === sweepOften) return;
      sweepPause = sweepOften;
      cancelSweep();
      cancelSweep = timing.later(sweep, sweepPause);
    }

    function schedule(): void {
      if (cancelPass !== undefined || ended.signal.aborted) return;
      const wait = walking ? 0 : lastPass + PAUSE - timing.now();
      const atIdle = () => (cancelPass = timing.idle(pass));
      cancelPass = wait > 0 ? timing.later(atIdle, wait) : timing.idle(pass);
    }

    function pass(): void {
      cancelPass = undefined;
      const start = timing.now();
      const budget = walking ? SLICE : PASS;
      boxes.note(records.takeRecords());
      let more = true;
      while (more && timing.now() - start < budget) more = boxes.step();
      lastPass = timing.now();
      if (!walking) hardPasses = more ? hardPasses + 1 : 0;
      if (!more) walking = false;
      if (boxes.takeChanged()) {
        textChanged = true;
        quietSince = timing.now();
      }
      if (more) schedule();
      if (!more || hardPasses >= BUSY) report();
    }

    function report(): void {
      cancelReport?.();
      cancelReport = undefined;
      const first = digest === null;
      if (!first && !textChanged) return;
      const due = Math.min(quietSince + QUIET, settlingSince + PATIENCE);
      const wait = first ? due - timing.now() : rest();
      if (wait > 0) {
        cancelReport = timing.later(report, wait);
        return;
      }
      if (!textChanged) return;
      textChanged = false;
      const snapshot = boxes.snapshot();
      if (snapshot.digest === digest) return;
      digest = snapshot.digest;
      onSnapshot(snapshot, { first, busy: hardPasses >= BUSY });
    }

    function sweep(): void {
      const search = boxes.findRoots();
      let spent = 0;
      const look = () => {
        const start = timing.now();
        let found = search.next();
        while (found.done !== true && timing.now() - start < SLICE) found = search.next();
        spent += timing.now() - start;
        if (found.done !== true) {
          cancelSweep = timing.idle(look);
          return;
        }
        const isStale = boxes.isUncertain();
        if (isStale) boxes.renewAll();
        if (rules.formState) boxes.renewMatching(FIELDS);
        if (isStale || rules.formState || found.value > 0) schedule();
        if (!rules.formState) sweepPause = Math.min(sweepPause * 2, LONGEST_SWEEP);
        cancelSweep = timing.later(sweep, Math.max(sweepPause, spent / SWEEP_SHARE));
      };
      cancelSweep = timing.idle(look);
    }

    function onResize(): void {
      boxes.renewAll();
      touched();
    }

    function onEvent(event: Event): void {
      const [target] = event.composedPath();
      const element = target as Element;
      switch (event.type) {
        case 'load':
          if (!['link', 'style'].includes(element.localName)) return;
          boxes.renewAll();
          break;
        case 'change':
          boxes.renewAll();
          break;
        case 'input':
          if (!rules.formState) return;
          boxes.renew(element);
          break;
        case 'slotchange':
          boxes.renew((element.getRootNode() as ShadowRoot).host);
          break;
        case 'transitionend':
          if (!SHOWING.has((event as TransitionEvent).propertyName)) return;
          boxes.renew(element);
          break;
        default:
          boxes.renew(element);
      }
      touched();
    }
  }
}
