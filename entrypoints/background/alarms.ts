import { browser } from 'wxt/browser';
import { openRounds } from '#lib/store/read.ts';
import { SETTLE_ALARM, settleRoutes } from './navigation.ts';
import { RETRY_ALARM, saveUnsaved } from './record.ts';
import { recorder } from './recorder.ts';
import { afterRoundsChanged } from './rounds.ts';
import { RESUME_ALARM, SAVE_ALARM } from './schedule.ts';
import { inOrder } from './serial.ts';

async function resumeDue(): Promise<void> {
  const due = (await openRounds()).filter(
    ({ state, pausedUntil }) => state === 'paused' && (pausedUntil ?? Infinity) <= Date.now(),
  );
  for (const { id } of due) await recorder.commands.resumeRound({ round: id });
  await afterRoundsChanged({ inject: false });
}

const WORK: Record<string, () => Promise<void>> = {
  [SETTLE_ALARM]: () => settleRoutes(),
  [RETRY_ALARM]: () => inOrder(saveUnsaved),
  [RESUME_ALARM]: () => inOrder(resumeDue),
  [SAVE_ALARM]: () => recorder.saveSets(),
};

export function listenToAlarms(): void {
  browser.alarms.onAlarm.addListener(({ name }) => void WORK[name]?.());
}
