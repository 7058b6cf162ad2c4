import { browser } from 'wxt/browser';
import type { CaptureEvent } from '#lib/rounds/events.ts';
import { webAddress } from './address.ts';
import {
  findClick,
  follow,
  noteClick,
  ROUTE_QUIET,
  settleRoute,
  useClick,
  type Fact,
  type Signal,
} from './follow.ts';
import { mayRecord } from './gate.ts';
import { isRecorded, isRecording } from './recordings.ts';
import { takeNotes } from './notes.ts';
import { forgetTexts } from './reading.ts';
import { recordAll } from './record.ts';
import { ALARMS } from './schedule.ts';
import { inOrder } from './serial.ts';
import { signalOf, type Details, type SignalEvent } from './signals.ts';
import { step } from './steps.ts';
import { allTabs, forgetTab, readTab, writeTab, type TabState } from './tabs.ts';

/**
 * What leaves the tab's own state: facts within the scopes, without naming pages outside of them as the source. The
 * addresses of a chain stay, since they are how the page was reached.
 */
async function withinScopes(tab: number, facts: Fact[]): Promise<CaptureEvent[]> {
  const events: CaptureEvent[] = [];
  for (const fact of facts) {
    const first = fact.type === 'shown' ? fact.chain?.[0]?.url : undefined;
    if (!(await isRecorded(fact.url)) && !(first !== undefined && (await isRecorded(first)))) continue;
    const { source, ...rest } = fact;
    const named = source !== undefined && (await isRecorded(source)) ? { source } : {};
    events.push({ ...rest, ...named, tab });
  }
  return events;
}

/** With the clicks that were noted on the page before, where none explains the navigation. */
async function withNotes(state: TabState, signal: Signal): Promise<TabState> {
  const page = state.document?.url;
  if (signal.type !== 'committed' || page === undefined) return state;
  if (signal.transition !== 'link' && signal.transition !== 'form_submit') return state;
  if (findClick(state.clicks, [state.asked?.url, webAddress(signal.url)], signal.at)) return state;
  return (await takeNotes(page, signal.at)).reduce(noteClick, state);
}

async function receive(tab: number, signal: Signal): Promise<void> {
  await step('navigation:received');
  if (!(await isRecording())) return;
  const { state, facts } = follow(await withNotes(await readTab(tab), signal), signal);
  // Recorded before it is noted: a worker that dies in between tells a route again, with the same id, instead of never.
  await recordAll(await withinScopes(tab, facts));
  await step('navigation:written');
  await writeTab(tab, state);
  await step('navigation:noted');
  if (state.route) {
    await step('route:pending');
    settleLater(tab);
  }
}

/** Tells the routes that were quiet long enough, also those whose worker died before it could. */
export function settleRoutes(only?: number): Promise<void> {
  return inOrder(async () => {
    const tabs = only === undefined ? await allTabs() : new Map([[only, await readTab(only)]]);
    let waiting = false;
    for (const [tab, before] of tabs) {
      if (!before.route) continue;
      const { state, facts } = settleRoute(before, Date.now());
      waiting ||= state.route !== undefined;
      await recordAll(await withinScopes(tab, facts));
      await step('route:settled');
      if (facts.length > 0) await writeTab(tab, state);
    }
    if (only === undefined && !waiting) await browser.alarms.clear(ALARMS.settle);
  });
}

/** The timer is quick, the alarm outlives the worker. */
function settleLater(tab: number): void {
  setTimeout(() => void settleRoutes(tab), ROUTE_QUIET + 50);
  void browser.alarms.create(ALARMS.settle, { delayInMinutes: 0.5 });
}

/** A link, a form or a script of one tab opened another: the click that did it goes along. */
async function openedBy(tab: number, source: number, target: string, at: number): Promise<void> {
  await step('navigation:received');
  if (!(await isRecording())) return;
  const opener = await readTab(source);
  const state = await readTab(tab);
  const click = findClick(opener.clicks, [webAddress(target)], at);
  const url = opener.document?.url;
  await writeTab(source, useClick(opener, click));
  await writeTab(tab, {
    ...state,
    opener: { tab: source, ...(url !== undefined && { url }), at },
    clicks: click ? [...state.clicks, click] : state.clicks,
  });
}

let registered = false;

/**
 * Listens to the browser's navigation events, if the person agreed to that. To be called synchronously when the worker
 * starts, and again when the permission arrives.
 */
export function listenToNavigation(): void {
  const { webNavigation } = browser as Partial<typeof browser>;
  if (!webNavigation || registered || !mayRecord()) return;
  registered = true;

  const listen = (name: SignalEvent) => (details: Details) => {
    const signal = signalOf(name, details);
    if (signal) void inOrder(() => receive(details.tabId, signal));
  };
  webNavigation.onBeforeNavigate.addListener(listen('onBeforeNavigate'));
  webNavigation.onCommitted.addListener(listen('onCommitted'));
  webNavigation.onHistoryStateUpdated.addListener(listen('onHistoryStateUpdated'));
  webNavigation.onReferenceFragmentUpdated.addListener(listen('onReferenceFragmentUpdated'));
  webNavigation.onErrorOccurred.addListener(listen('onErrorOccurred'));
  webNavigation.onCreatedNavigationTarget.addListener(({ tabId, sourceTabId, url, timeStamp }) => {
    void inOrder(() => openedBy(tabId, sourceTabId, url, Math.round(timeStamp)));
  });
  webNavigation.onTabReplaced.addListener(({ tabId, replacedTabId }) => {
    void inOrder(async () => {
      await writeTab(tabId, await readTab(replacedTabId));
      await forgetTab(replacedTabId);
    });
  });
}

let seesRequests = false;

/**
 * Listens to the server's redirects, if the person agreed to that: then every step of a chain is known, with its status.
 * To be called synchronously when the worker starts, and again when the permission arrives.
 */
export function listenToRedirects(): void {
  const { webRequest } = browser as Partial<typeof browser>;
  if (!webRequest || seesRequests || !mayRecord()) return;
  seesRequests = true;
  webRequest.onBeforeRedirect.addListener(
    ({ tabId, url, redirectUrl, statusCode, timeStamp, documentLifecycle }) => {
      if (tabId < 0 || documentLifecycle === 'prerender') return;
      const at = Math.round(timeStamp);
      const signal: Signal = { type: 'redirected', url, to: redirectUrl, status: statusCode, at };
      void inOrder(() => receive(tabId, signal));
    },
    { urls: ['http://*/*', 'https://*/*'], types: ['main_frame'] },
  );
}

/** Tabs that only say who opened them (no `onCreatedNavigationTarget`), and tabs that were closed. */
export function listenToTabs(): void {
  browser.tabs.onCreated.addListener(({ id, openerTabId }) => {
    if (id === undefined || openerTabId === undefined) return;
    void inOrder(async () => {
      if (!(await isRecording())) return;
      const [state, opener] = [await readTab(id), await readTab(openerTabId)];
      const url = opener.document?.url;
      if (state.opener || url === undefined) return;
      await writeTab(id, { ...state, opener: { tab: openerTabId, url, at: Date.now() } });
    });
  });
  browser.tabs.onRemoved.addListener((tab) => {
    forgetTexts(tab);
    void settleRoutes(tab).then(() => inOrder(() => forgetTab(tab)));
  });
}
