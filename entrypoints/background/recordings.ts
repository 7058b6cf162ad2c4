import { browser } from 'wxt/browser';
import { OBSERVED_KEY, type Observed } from '#lib/observed.ts';
import { covers, LATE } from '#lib/rounds/coverage.ts';
import type { Round, Scope } from '#lib/rounds/types.ts';
import { same } from '#lib/same.ts';
import { StoreError } from '#lib/store/open.ts';
import { listRounds, listScopes } from '#lib/store/read.ts';
import { readSettings, SETTINGS_KEY } from '#lib/settings.ts';
import { granted } from './scripts.ts';

type Place = Pick<Scope, 'origins' | 'paths'>;

/** A scope that may take events. */
interface Recording {
  scope: Scope;
  /** Where it may be recorded: the scope as far as the person still agrees. */
  place: Place;
  /** Open, paused, or ended a moment ago: what was shown before the end may be told after it. */
  rounds: Round[];
}

let read: Promise<Recording[]> | undefined;

async function readRecordings(): Promise<Recording[]> {
  const [rounds, scopes] = await Promise.all([listRounds(), listScopes()]);
  const late = rounds.filter(({ endedAt = Infinity }) => endedAt + LATE > Date.now());
  const found = scopes.map(async (scope) => {
    const place = { origins: await granted(scope.origins), paths: scope.paths };
    return { scope, place, rounds: late.filter((round) => round.scope === scope.id) };
  });
  // A scope with a schedule takes events without a round: they open the one of the next window.
  return (await Promise.all(found)).filter(
    ({ scope, place, rounds }) => place.origins.length > 0 && (rounds.length > 0 || scope.schedule),
  );
}

/** Scopes that may take events, read once and kept until rounds or scopes change. */
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

/** Sites and paths of those scopes; where the database cannot be opened, what was published of them last. */
async function recordedPlaces(): Promise<Place[]> {
  try {
    return (await recordings()).map(({ place }) => place);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const stored: Record<string, Observed | undefined> = await browser.storage.local.get(OBSERVED_KEY);
    return stored[OBSERVED_KEY]?.scopes ?? [];
  }
}

/** Whether anything may be recorded at all just now. */
export async function isRecording(): Promise<boolean> {
  return (await recordedPlaces()).length > 0;
}

/** Whether a page there may belong to a round; whether it does at that time is the recorder's to say. */
export async function isRecorded(url: string): Promise<boolean> {
  return (await recordedPlaces()).some((place) => covers(place, url));
}

/** The open and paused rounds that have the address, with their scopes. */
export async function roundsWith(url: string): Promise<{ scope: Scope; round: Round }[]> {
  const covering = (await recordings()).filter(({ place }) => covers(place, url));
  return covering.flatMap(({ scope, rounds }) =>
    rounds.filter(({ state }) => state !== 'ended').map((round) => ({ scope, round })),
  );
}

function observedOf({ scope, place, rounds }: Recording): Observed['scopes'] {
  const open = rounds.find(({ state }) => state === 'open');
  if (open) return [{ ...place, policy: open.policy }];
  const paused = rounds.some(({ state }) => state === 'paused');
  return scope.schedule && !paused ? [{ ...place, policy: scope.policy }] : [];
}

/** Says to the observers what is to be seen. Idempotent; runs at every start of the worker and when rounds change. */
export async function publishObserved(): Promise<void> {
  const stored: Record<string, unknown> = await browser.storage.local.get([OBSERVED_KEY, SETTINGS_KEY]);
  const observed: Observed = {
    scopes: (await recordings()).flatMap(observedOf),
    texts: readSettings(stored[SETTINGS_KEY]).detectChanges,
  };
  if (!same(stored[OBSERVED_KEY], observed)) {
    await browser.storage.local.set({ [OBSERVED_KEY]: observed });
  }
}
