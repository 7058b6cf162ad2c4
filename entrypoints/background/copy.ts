import { browser } from 'wxt/browser';
import type { Round } from '#lib/rounds/types.ts';
import { openRounds, streamPages } from '#lib/store/read.ts';
import { flashBadge } from './badge.ts';
import { roundsWith } from './recordings.ts';

/** More than this is for a file, not for the clipboard. */
const MOST = 50_000;

/** The round of the page in front; without one the latest that is open or paused. */
async function roundFor(url: string | undefined): Promise<Round | undefined> {
  const here = url === undefined ? [] : await roundsWith(url);
  const rounds = here.length > 0 ? here.map(({ round }) => round) : await openRounds();
  return rounds.toSorted((a, b) => b.startedAt - a.startedAt)[0];
}

/**
 * Copies the addresses that are left, by the page in front: only a page has a clipboard. Where it has none, or they are very many, the list
 * opens in the dashboard.
 */
export async function copyLeft(tab: { id?: number | undefined; url?: string | undefined }): Promise<void> {
  const round = await roundFor(tab.url);
  if (!round) return;
  const addresses: string[] = [];
  for await (const page of streamPages(round.space, { compare: 'left' })) {
    addresses.push(page.usable ?? page.url);
    if (addresses.length > MOST) break;
  }
  const isCopied =
    addresses.length <= MOST && tab.id !== undefined && (await writeIn(tab.id, addresses.join('\n')));
  if (isCopied) return flashBadge(addresses.length);
  const query = new URLSearchParams({ round: round.id, show: 'left' });
  await browser.tabs.create({ url: browser.runtime.getURL(`/dashboard.html#/export?${query}`) });
}

async function writeIn(tabId: number, text: string): Promise<boolean> {
  try {
    const [answer] = await browser.scripting.executeScript({
      target: { tabId },
      args: [text],
      // Only in secure pages, and only while they have the focus.
      func: (text: string) => navigator.clipboard.writeText(text).then(() => true),
    });
    return answer?.result === true;
  } catch {
    return false;
  }
}
