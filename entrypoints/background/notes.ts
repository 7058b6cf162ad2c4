import { browser } from 'wxt/browser';
import { CLICK_NOTE } from '#lib/observed.ts';
import { webAddress } from './address.ts';
import type { Click } from './tabs.ts';
import { readRequest } from './validate.ts';

/** A note nobody asked for within this time is of no use any more, in ms. */
const LASTS = 60_000;

function clickOf(key: string, note: unknown): Click | undefined {
  if (typeof note !== 'object' || note === null) return undefined;
  const event = key.slice(CLICK_NOTE.length);
  const read = readRequest({ ...note, v: 1, id: 'note', event, type: 'click' });
  if ('wrong' in read || read.request.type !== 'click') return undefined;
  const { text, how, newTab, at } = read.request;
  const [url, href] = [webAddress(read.request.url), webAddress(read.request.href)];
  if (url === undefined || href === undefined) return undefined;
  return { event, document: '', url, href, text, how, newTab, at };
}

/**
 * Takes the clicks that were noted on a page: their messages may have been lost when the page was left before the worker
 * was awake. Notes that are too old go as well.
 */
export async function takeNotes(page: string, now: number): Promise<Click[]> {
  const stored: Record<string, unknown> = await browser.storage.local.get(null);
  const taken: Click[] = [];
  const gone: string[] = [];
  for (const [key, note] of Object.entries(stored)) {
    if (!key.startsWith(CLICK_NOTE)) continue;
    const click = clickOf(key, note);
    if (click?.url === page) taken.push(click);
    if (!click || click.url === page || click.at < now - LASTS) gone.push(key);
  }
  if (gone.length > 0) await browser.storage.local.remove(gone);
  return taken;
}

/** The click's message arrived: its page may be gone before it can remove the note itself. */
export async function forgetNote(event: string): Promise<void> {
  await browser.storage.local.remove(CLICK_NOTE + event);
}
