import { browser } from 'wxt/browser';
import type { StartRound } from '#lib/protocol.ts';
import type { Round } from '#lib/rounds/types.ts';
import { ask } from './worker.ts';

/** What recording needs besides the sites themselves. */
const APIS = ['webNavigation'] as const;

/** Whether everything a round on these sites needs has been agreed to. */
export function isAllowed(origins: string[]): Promise<boolean> {
  return browser.permissions.contains({ permissions: [...APIS], origins });
}

/**
 * Starts a round, asking for the permission it needs. Must be called in the click itself: the browser asks only then. A
 * popup may be destroyed by the question, so the wish is told to the worker first, which starts the round on the answer.
 * @returns the round, or nothing where the person said no
 */
export async function startRound(start: StartRound, origins: string[]): Promise<Round | undefined> {
  const wished = ask('wishRound', start);
  const answered = browser.permissions.request({ permissions: [...APIS], origins });
  await wished;
  if (!(await answered)) return undefined;
  const { round } = await ask('startRound', start);
  return round;
}
