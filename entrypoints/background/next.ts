import { browser } from 'wxt/browser';
import type { CommandMessages } from '#lib/protocol.ts';
import type { Page } from '#lib/rounds/types.ts';
import { noteOpening, openedLately, openingFor } from './openings.ts';
import { recorder } from './recorder.ts';

type Fields = CommandMessages['nextUnvisited']['fields'];

/**
 * Asks for the next page left, and opens it where that is wished. The same message opens the same page; another one another page, also
 * while the one before is not recorded yet. `leased`: the page that the service gave us.
 */
export async function nextUnvisited(
  fields: Fields,
  { message, leased }: { message?: string; leased: Page | undefined },
): Promise<{ page: Page | null }> {
  const { round, tab } = fields;
  if (!fields.open) return recorder.commands.nextUnvisited(fields);
  const told = message === undefined ? undefined : await openingFor(message);
  if (told) {
    await open(told.page, { tab, isAgain: true });
    return { page: told.page };
  }
  const except = await openedLately(round);
  const isFree = leased !== undefined && !except.includes(leased.key);
  const other = isFree ? leased : (await recorder.commands.nextUnvisited({ ...fields, except })).page;
  if (!other) return stayAtLast(fields, except);
  // Chosen before it is opened: once it is visited, another one would be next.
  await noteOpening({ ...(message !== undefined && { message }), round, page: other, at: Date.now() });
  await open(other, { tab, isAgain: false });
  return { page: other };
}

/** Nothing else is left: what was just opened for the first time stays as it is, what is to be tried again is tried again. */
async function stayAtLast(fields: Fields, except: string[]): Promise<{ page: Page | null }> {
  if (except.length === 0) return { page: null };
  const { page } = await recorder.commands.nextUnvisited(fields);
  if (page && fields.retry) await open(page, { tab: fields.tab, isAgain: false });
  return { page };
}

/** `isAgain`: it may be open already. */
async function open(
  { usable, url: first }: Page,
  { tab, isAgain }: { tab: number | undefined; isAgain: boolean },
): Promise<void> {
  const url = usable ?? first;
  if (tab !== undefined) await browser.tabs.update(tab, { url });
  else if (!isAgain || !(await isOpen(url))) await browser.tabs.create({ url });
}

async function isOpen(url: string): Promise<boolean> {
  const tabs = await browser.tabs.query({});
  return tabs.some((tab) => tab.url === url || tab.pendingUrl === url);
}
