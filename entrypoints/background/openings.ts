import { browser } from 'wxt/browser';
import type { Page } from '#lib/rounds/types.ts';

/** A page that "next unvisited" opened; lives in `storage.session.openings`, the latest last. */
interface Opening {
  /** The message that asked, where one did: told again, it opens the same page. */
  message?: string;
  round: string;
  page: Page;
  at: number;
}

/** A page that is opened is recorded within this time, in ms; until then it is passed over. */
const LASTS = 10_000;

async function readOpenings(): Promise<Opening[]> {
  const { openings = [] }: { openings?: Opening[] } = await browser.storage.session.get('openings');
  return openings;
}

/** What that message opened before. */
export async function openingFor(message: string): Promise<Opening | undefined> {
  return (await readOpenings()).find((each) => each.message === message);
}

const MOST = 20;

export async function noteOpening(opening: Opening): Promise<void> {
  const openings = [...(await readOpenings()), opening].slice(-MOST);
  await browser.storage.session.set({ openings });
}

/** Keys of the pages of a round that were opened a moment ago, and may not be recorded yet. */
export async function openedLately(round: string, now = Date.now()): Promise<string[]> {
  const openings = await readOpenings();
  return openings.filter((each) => each.round === round && isLate(each.at, now)).map(({ page }) => page.key);
}

/** Where the clock was set back, a time says nothing. */
const isLate = (at: number, now: number) => at <= now && now < at + LASTS;
