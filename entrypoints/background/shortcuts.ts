import { browser } from 'wxt/browser';
import { openRounds } from '#lib/store/read.ts';
import { nextUnvisited } from './commands.ts';
import { inOrder } from './serial.ts';
import { leaseForUs } from './team.ts';

/** Keys that work everywhere in the browser (`commands` of the manifest). */
export function listenToShortcuts(): void {
  browser.commands.onCommand.addListener((command, tab) => {
    if (command !== 'next-unvisited') return;
    void (async () => {
      const rounds = (await openRounds()).filter(({ state }) => state === 'open');
      const latest = rounds.toSorted((a, b) => b.startedAt - a.startedAt)[0];
      if (!latest) return;
      const fields = { round: latest.id, open: true, ...(tab?.id !== undefined && { tab: tab.id }) };
      const leased = await leaseForUs(fields);
      await inOrder(() => nextUnvisited(fields, { leased }));
    })();
  });
}
