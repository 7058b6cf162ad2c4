import { browser } from 'wxt/browser';
import { OBSERVED_KEY, type Observed } from '#lib/observed.ts';
import { covers, LATE } from '#lib/rounds/coverage.ts';
import type { Round, Scope } from '#lib/rounds/types.ts';
import { listRounds, listScopes } from '#lib/store/read.ts';

/** A round that may still take events, with its scope. */
interface Recording {
  round: Round;
  scope: Scope;
}

let read: Promise<Recording[]> | undefined;

async function readRecordings(): Promise<Recording[]> {
  const [rounds, scopes] = await Promise.all([listRounds(), listScopes()]);
  const scopeOf = new Map(scopes.map((scope) => [scope.id, scope]));
  return rounds.flatMap((round) => {
    const scope = scopeOf.get(round.scope);
    return scope && (round.endedAt ?? Infinity) + LATE > Date.now() ? [{ round, scope }] : [];
  });
}

/** Rounds that are open, paused or ended a moment ago: what was shown before the end may be told after it. */
export function recordings(): Promise<Recording[]> {
  if (!read) {
    const reading = readRecordings();
    read = reading;
    reading.catch(() => {
      if (read === reading) read = undefined;
    });
  }
  return read;
}

/** To be called when rounds or scopes changed. */
export function forgetRecordings(): void {
  read = undefined;
}

/** Whether anything may be recorded at all just now. */
export async function isRecording(): Promise<boolean> {
  return (await recordings()).length > 0;
}

/** Whether a page there may belong to a round; whether it does at that time is the recorder's to say. */
export async function isRecorded(url: string): Promise<boolean> {
  return (await recordings()).some(({ scope }) => covers(scope, url));
}

/** Says to the observers what is to be seen. Idempotent; runs at every start of the worker and when rounds change. */
export async function publishObserved(): Promise<void> {
  const open = (await recordings()).filter(({ round }) => round.state === 'open');
  const observed: Observed = {
    scopes: open.map(({ scope: { origins, paths }, round: { policy } }) => ({ origins, paths, policy })),
  };
  const stored: Record<string, unknown> = await browser.storage.local.get(OBSERVED_KEY);
  if (JSON.stringify(stored[OBSERVED_KEY]) !== JSON.stringify(observed)) {
    await browser.storage.local.set({ [OBSERVED_KEY]: observed });
  }
}
