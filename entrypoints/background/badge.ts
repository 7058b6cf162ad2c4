import { browser } from 'wxt/browser';
import { leftOf } from '#lib/rounds/coverage.ts';
import type { Round } from '#lib/rounds/types.ts';
import { listWatches, openRounds } from '#lib/store/read.ts';

const MOST = 999;
const BLUE = '#1d5bd0';
const AMBER = '#955800';
const PURPLE = '#7438c8';
const GREY = '#555e6b';

export interface Badge {
  text: string;
  color: string;
}

/**
 * The badge for the rounds that are not ended: how many pages the latest recording one has left, with `!` where some
 * want another try; `II` where all are paused; nothing without a round. Watches that changed since the person looked come
 * first, as `Δ` and their number. Four letters are all that fits.
 */
export function badgeOf(rounds: Round[], unseen = 0): Badge {
  if (unseen > 0) return { text: `Δ${unseen > 99 ? '99' : unseen}`, color: PURPLE };
  const latest = rounds
    .filter(({ state }) => state === 'open')
    .toSorted((a, b) => b.startedAt - a.startedAt)[0];
  if (!latest) return { text: rounds.length > 0 ? 'II' : '', color: GREY };
  const left = leftOf(latest);
  const retry = latest.counters.retrying > 0;
  const number = left > MOST ? `${MOST}+` : String(left);
  return { text: retry ? `${left > MOST ? '1k' : number}!` : number, color: retry ? AMBER : BLUE };
}

/** Draws the badge from what is stored. */
export async function updateBadge(): Promise<void> {
  const stored = await Promise.all([openRounds(), listWatches()]).catch(() => undefined);
  const unseen = stored?.[1].filter((watch) => watch.unseen).length;
  const { text, color } = stored ? badgeOf(stored[0], unseen) : { text: '?', color: AMBER };
  await browser.action.setBadgeText({ text });
  await browser.action.setBadgeBackgroundColor({ color });
}

/** How long the badge says what was just done, in ms. */
const FLASH = 1_500;

/** Says in the badge for a moment that so many addresses were copied. */
export async function flashBadge(copied: number): Promise<void> {
  await browser.action.setBadgeText({ text: `✓${copied > MOST ? '' : copied}` });
  await browser.action.setBadgeBackgroundColor({ color: BLUE });
  setTimeout(() => void updateBadge(), FLASH);
}
