import { browser, type Browser } from 'wxt/browser';
import { openRounds } from '#lib/store/read.ts';
import { copyLeft } from './copy.ts';
import { nextUnvisited } from './next.ts';
import { recorder } from './recorder.ts';
import { afterRoundsChanged } from './rounds.ts';
import { inOrder } from './serial.ts';
import { leaseForUs } from './team.ts';
import { tickRounds } from './tick.ts';

async function openNext(tab: number | undefined): Promise<void> {
  const rounds = (await openRounds()).filter(({ state }) => state === 'open');
  const latest = rounds.toSorted((a, b) => b.startedAt - a.startedAt)[0];
  if (!latest) return;
  const fields = { round: latest.id, open: true, ...(tab !== undefined && { tab }) };
  const leased = await leaseForUs(fields);
  await inOrder(() => nextUnvisited(fields, { leased }));
}

/** Pauses what is recorded; where nothing is, what is paused goes on. */
async function pauseOrGoOn(): Promise<void> {
  const rounds = await openRounds();
  const open = rounds.filter(({ state }) => state === 'open');
  for (const { id } of open) await recorder.commands.pauseRound({ round: id, until: null });
  if (open.length === 0) for (const { id } of rounds) await recorder.commands.resumeRound({ round: id });
  await afterRoundsChanged({ inject: false });
  await tickRounds(rounds.map(({ id }) => id));
}

/** What each key does, by its name in the manifest. */
const COMMANDS: Record<string, (tab?: Browser.tabs.Tab) => Promise<unknown>> = {
  'next-unvisited': (tab) => openNext(tab?.id),
  'copy-left': (tab) => copyLeft(tab ?? {}),
  'pause-round': () => inOrder(pauseOrGoOn),
  'open-dashboard': () => browser.tabs.create({ url: browser.runtime.getURL('/dashboard.html') }),
};

/** Keys that work everywhere in the browser (`commands` of the manifest). */
export function listenToShortcuts(): void {
  browser.commands.onCommand.addListener((command, tab) => void COMMANDS[command]?.(tab));
}
