import { browser } from 'wxt/browser';
import type { Round } from '#lib/rounds/types.ts';
import { openRounds } from '#lib/store/read.ts';
import { backUpDaily, tidyDatabases } from './database.ts';
import { settleRoutes } from './navigation.ts';
import { saveUnsaved, written } from './record.ts';
import { recorder } from './recorder.ts';
import { afterRoundsChanged } from './rounds.ts';
import { ALARMS } from './schedule.ts';
import { loadSettings } from './settings.ts';
import { inOrder } from './serial.ts';
import { pullTeam, sendOutbox } from './team.ts';
import { tickRounds } from './tick.ts';

/** Lets paused rounds go on. Call it inside `inOrder` only. */
export async function resume(which: (round: Round) => boolean): Promise<void> {
  const rounds = (await openRounds()).filter((round) => round.state === 'paused' && which(round));
  for (const { id } of rounds) await recorder.commands.resumeRound({ round: id });
  await afterRoundsChanged({ inject: false });
  await tickRounds(rounds.map(({ id }) => id));
}

const isDue = ({ pausedUntil }: Round) => (pausedUntil ?? Infinity) <= Date.now();

/** Opens the rounds whose window has begun, and brings everything else in line. Call it inside `inOrder` only. */
export async function openDue(): Promise<void> {
  const opened = await recorder.openDue();
  await afterRoundsChanged({ inject: false });
  if (opened) await written(opened);
}

const WORK: Record<string, () => Promise<void>> = {
  [ALARMS.settle]: async () => {
    await settleRoutes();
  },
  [ALARMS.retry]: () => inOrder(saveUnsaved),
  [ALARMS.resume]: () => inOrder(() => resume(isDue)),
  [ALARMS.window]: () => inOrder(openDue),
  [ALARMS.save]: () => inOrder(() => recorder.saveSets()),
  [ALARMS.tidy]: async () => {
    await inOrder(() => recorder.tidy());
    await recorder.pruneTexts((await loadSettings()).keepTextRounds);
    await tidyDatabases();
  },
  [ALARMS.backup]: backUpDaily,
  [ALARMS.send]: sendOutbox,
  [ALARMS.pull]: () => pullTeam().catch(() => undefined),
};

export function listenToAlarms(): void {
  browser.alarms.onAlarm.addListener(({ name }) => void WORK[name]?.());
}
