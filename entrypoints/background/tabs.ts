import { browser } from 'wxt/browser';
import type { Hop, How } from '#lib/rounds/types.ts';

/** A click or a sent form that waits for the navigation it caused. */
export interface Click {
  /** Id of its message. */
  event: string;
  document: string;
  /** Address of the page it happened on. */
  url: string;
  href: string;
  text: string;
  how: How;
  newTab: boolean;
  at: number;
}

/** An address that was quiet too short a time to count yet. */
export interface PendingRoute {
  id: string;
  document: string;
  url: string;
  how: How;
  at: number;
  /** The address that was shown before. */
  source?: string;
}

/** What the worker must still know of a tab after it died; lives in `storage.session`, as long as the browser. */
export interface TabState {
  /** The document shown; `url` is missing where it is no page of the web. */
  document?: { id: string; url?: string; at: number; chain: Hop[] };
  /** First address of the navigation under way, and its redirects as far as they are told (optional permission). */
  asked?: { url: string; at: number; redirects?: { url: string; status: number; to: string }[] };
  /** The page that opened this tab. */
  opener?: { tab: number; url?: string; at: number };
  clicks: Click[];
  /** Messages of clicks that caused a navigation: told again, they are not kept for another. */
  used?: string[];
  route?: PendingRoute;
}

const keyOf = (tab: number) => `tab:${tab}`;

export async function readTab(tab: number): Promise<TabState> {
  const key = keyOf(tab);
  const stored: Record<string, TabState> = await browser.storage.session.get(key);
  return stored[key] ?? { clicks: [] };
}

/** Call it inside `inOrder` only: one writer. */
export async function writeTab(tab: number, state: TabState): Promise<void> {
  await browser.storage.session.set({ [keyOf(tab)]: state });
}

export async function forgetTab(tab: number): Promise<void> {
  await browser.storage.session.remove(keyOf(tab));
}

export async function forgetAllTabs(): Promise<void> {
  const tabs = await allTabs();
  await browser.storage.session.remove([...tabs.keys()].map(keyOf));
}

/** Every tab with its state, e.g. to settle routes after the worker died. */
export async function allTabs(): Promise<Map<number, TabState>> {
  const stored: Record<string, unknown> = await browser.storage.session.get(null);
  const tabs = Object.entries(stored).filter(([key]) => key.startsWith('tab:'));
  return new Map(tabs.map(([key, state]) => [Number(key.slice(4)), state as TabState]));
}
