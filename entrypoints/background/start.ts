import { browser } from 'wxt/browser';
import type { StartRound } from '#lib/protocol.ts';
import type { Round } from '#lib/rounds/types.ts';
import { same } from '#lib/same.ts';
import { getRound, getScope, openRounds } from '#lib/store/read.ts';
import { listenToNavigation } from './navigation.ts';
import { recorder } from './recorder.ts';
import { afterRoundsChanged } from './rounds.ts';
import { loadSettings } from './settings.ts';
import { forgetAllTabs } from './tabs.ts';
import { tickRounds } from './tick.ts';

/** What was asked for is not agreed to. */
export class NoPermissionError extends Error {
  constructor() {
    super('Allow Onceover on these sites first: the start button asks for it.');
  }
}

/** A round that a person wished for, until the permission it needs arrives; lives in `storage.session.pendingStart`. */
interface PendingStart {
  /** Message of the view that wished it: the round is started once for it. */
  message: string;
  start: StartRound;
  at: number;
  /** Set once it was fulfilled: the view that asked, if it still lives, asks for the same round. */
  round?: string;
}

const WISH_LASTS = 5 * 60_000;

async function readWish(): Promise<PendingStart | undefined> {
  const stored: { pendingStart?: PendingStart } = await browser.storage.session.get('pendingStart');
  const wish = stored.pendingStart;
  return wish && Date.now() - wish.at < WISH_LASTS ? wish : undefined;
}

const writeWish = (pendingStart: PendingStart) => browser.storage.session.set({ pendingStart });

async function isAllowed({ scope }: StartRound): Promise<boolean> {
  const origins = 'id' in scope ? ((await getScope(scope.id))?.origins ?? []) : scope.origins;
  return browser.permissions.contains({ permissions: ['webNavigation'], origins });
}

/** A new project begins with the preset that was chosen in Options. */
async function withPreset(start: StartRound): Promise<StartRound> {
  const { preset } = await loadSettings();
  if ('id' in start.scope || start.scope.policy || preset === 'standard') return start;
  return { ...start, scope: { ...start.scope, policy: { preset } } };
}

async function fulfil(wish: PendingStart): Promise<Round> {
  listenToNavigation();
  // What is remembered of tabs from a time without any round may be long out of date.
  if ((await openRounds()).length === 0) await forgetAllTabs();
  const { round } = await recorder.commands.startRound(await withPreset(wish.start), wish.message);
  await writeWish({ ...wish, round: round.id });
  await afterRoundsChanged({ inject: true });
  await tickRounds([round.id]);
  return round;
}

/** Keeps the wish; where everything was agreed to before, the round starts at once. */
export async function wishRound(start: StartRound, message: string): Promise<void> {
  const wish: PendingStart = { message, start, at: Date.now() };
  await writeWish(wish);
  if (await isAllowed(start)) await fulfil(wish);
}

/** Starts the round, or answers the one that this very wish has started already. */
export async function startWished(start: StartRound, message: string): Promise<Round> {
  const wish = await readWish();
  const mine = wish && same(wish.start, start) ? wish : undefined;
  const round = mine?.round === undefined ? undefined : await getRound(mine.round);
  if (round && round.state !== 'ended') return round;
  if (!(await isAllowed(start))) throw new NoPermissionError();
  // The worker may have died between starting it and noting that.
  return fulfil(mine && mine.round === undefined ? mine : { message, start, at: Date.now() });
}

/** The permission arrived: the round that waits for it starts. Whether there was one. */
export async function startPending(): Promise<boolean> {
  const wish = await readWish();
  if (!wish || wish.round !== undefined || !(await isAllowed(wish.start))) return false;
  await fulfil(wish);
  return true;
}
