import { browser } from 'wxt/browser';
import { TICK_CHANNEL } from '#lib/protocol.ts';
import type { Page } from '#lib/rounds/types.ts';
import { forgetTeam, hurryBatch, outboxState, queueRound as queuePages } from '#lib/store/outbox.ts';
import { getRound, listRounds } from '#lib/store/read.ts';
import { sendWaiting } from '#lib/store/sender.ts';
import { tidyTeam } from '#lib/store/team.ts';
import { leaseNext } from '#lib/store/team-next.ts';
import { pullRound } from '#lib/store/team-pull.ts';
import { TeamClient, TeamError } from '#lib/team/client.ts';
import { PAIRING_KEY, readPairing, teamPlace, type Pairing } from '#lib/team/pairing.ts';
import {
  loadPairing,
  loadServiceStatus,
  SERVICE_STATUS_KEY,
  serviceFetch,
  type ServiceStatus,
} from '../views/service.ts';
import { openedLately } from './openings.ts';
import { ALARMS, wakeEvery } from './schedule.ts';
import { step } from './steps.ts';
import { tickRounds } from './tick.ts';

/** A request may take so long, in ms; a pull as long as something comes. */
const PATIENCE = 20_000;
const PULL_PATIENCE = 10 * 60_000;
/** Marks of a moment go together. */
const GATHER = 1_000;
const PULL_MINUTES = 15;

let loaded: Promise<Pairing | undefined> | undefined;
/** Counts up when another service takes the place: what is under way with the one before then stops. */
let pairings = 0;

function sameAsNow(): () => boolean {
  const began = pairings;
  return () => pairings === began;
}

/** The service that this extension is paired with; read once, until it changes. */
export function currentPairing(): Promise<Pairing | undefined> {
  loaded ??= loadPairing();
  return loaded;
}

/** Follows what is paired in Options. */
export function listenToPairing(): void {
  browser.storage.local.onChanged.addListener((changes) => {
    const change = changes[PAIRING_KEY];
    if (!change) return;
    loaded = undefined;
    const [before, after] = [readPairing(change.oldValue), readPairing(change.newValue)];
    const isOther = before !== undefined && before.pairedAt !== after?.pairedAt;
    if (isOther) pairings += 1;
    void (async () => {
      const pairing = await currentPairing();
      // What waited for one service is of no other's concern.
      if (isOther) await forgetTeam();
      await startTeam();
      if (pairing) await pullTeam().catch(() => undefined);
      await tickRounds([]);
    })();
  });
  // Whatever was written may have filled the outbox. A channel of its own hears the worker's own ticks too.
  new BroadcastChannel(TICK_CHANNEL).addEventListener('message', sendSoon);
}

/** Sets the alarms that a paired service needs, and sends what a worker before left. Idempotent. */
export async function startTeam(): Promise<void> {
  const pairing = await currentPairing();
  if (!pairing) {
    await browser.alarms.clear(ALARMS.send);
    await browser.alarms.clear(ALARMS.pull);
    return;
  }
  await wakeEvery(ALARMS.pull, PULL_MINUTES);
  sendSoon();
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Sends in a moment. The timer is quick, the alarm outlives the worker. */
function sendSoon(): void {
  timer ??= setTimeout(() => {
    timer = undefined;
    void sendOutbox();
  }, GATHER);
}

let sending: Promise<void> | undefined;

/** Sends what waits for the service; one at a time. */
export function sendOutbox(): Promise<void> {
  sending ??= send().finally(() => {
    sending = undefined;
  });
  return sending;
}

async function send(): Promise<void> {
  const isWanted = sameAsNow();
  const pairing = await currentPairing();
  if (!pairing || (await outboxState()).waiting === 0) return;
  await browser.alarms.create(ALARMS.send, { delayInMinutes: 1 });
  const { sent, refused, stopped } = await sendWaiting({
    client: new TeamClient(pairing, serviceFetch(PATIENCE)),
    now: Date.now,
    random: Math.random,
    randomId: () => crypto.randomUUID(),
    isWanted,
    step,
  });
  if (stopped) {
    await browser.alarms.create(ALARMS.send, { when: Math.max(stopped.nextAt, Date.now() + 1_000) });
    // The pause of an earlier failure says nothing new.
    if (stopped.cause !== 'waiting') await note(pairing, { trouble: { ...stopped, cause: stopped.cause } });
  } else {
    await browser.alarms.clear(ALARMS.send);
    await note(pairing, { trouble: undefined });
  }
  if (sent === 0) return;
  const status = await loadServiceStatus();
  const all = { ...status.refused };
  for (const [reason, count] of Object.entries(refused)) all[reason] = (all[reason] ?? 0) + count;
  await note(pairing, { sentAt: Date.now(), ...(Object.keys(all).length > 0 && { refused: all }) });
  await tickRounds([]);
}

type Change = { [K in keyof ServiceStatus]?: ServiceStatus[K] | undefined };

/** Changes the status, unless somebody unpaired meanwhile. */
async function note(pairing: Pairing, change: Change): Promise<void> {
  if ((await currentPairing())?.pairedAt !== pairing.pairedAt) return;
  const before = await loadServiceStatus();
  const after = { ...before, ...change };
  if (JSON.stringify(after) === JSON.stringify(before)) return;
  await browser.storage.local.set({ [SERVICE_STATUS_KEY]: after });
}

let pulling: Promise<void> | undefined;

/** Fetches what the team saw, of the latest round of every scope that takes part; one at a time. @throws {TeamError} */
export function pullTeam(): Promise<void> {
  pulling ??= pull().finally(() => {
    pulling = undefined;
  });
  return pulling;
}

async function pull(): Promise<void> {
  const isWanted = sameAsNow();
  const pairing = await currentPairing();
  if (!pairing) return;
  const client = new TeamClient(pairing, serviceFetch(PULL_PATIENCE));
  const rounds = await listRounds();
  try {
    for (const scope of Object.keys(pairing.scopes)) {
      const latest = rounds.find((round) => round.scope === scope);
      const place = latest && teamPlace(pairing, latest);
      if (!latest || !place) continue;
      const pages = await pullRound(client, place, { space: latest.space, isWanted });
      if (!isWanted()) return;
      const { pulled } = await loadServiceStatus();
      await note(pairing, { pulled: { ...pulled, [scope]: { at: Date.now(), pages } } });
      await tickRounds([latest.id]);
    }
    await tidyTeam(Date.now());
  } catch (error) {
    if (!(error instanceof TeamError)) throw error;
    await note(pairing, { trouble: { cause: error.team, detail: error.message, nextAt: 0 } });
    throw error;
  }
}

/** Sends and fetches now, whatever failed before; the status says how it went. */
export async function syncTeam(): Promise<Record<string, never>> {
  await hurryBatch();
  await sendOutbox();
  await pullTeam().catch(() => undefined);
  return {};
}

/** Queues all that was visited in a round. */
export async function queueRound(id: string): Promise<{ queued: number }> {
  const [round, pairing] = await Promise.all([getRound(id), currentPairing()]);
  const place = round && teamPlace(pairing, round);
  if (!round || !place) return { queued: 0 };
  const queued = await queuePages(round.space, place, Date.now());
  sendSoon();
  return { queued };
}

/** Somebody waits for the page: what takes longer than this, in ms, is done without the service. */
const LEASE_PATIENCE = 800;

/** The next page, as the service divides them among the team; nothing where it has none or says nothing in time. */
export async function leaseForUs(fields: {
  round: string;
  open: boolean;
  retry?: boolean;
  host?: string;
  prefix?: string;
}): Promise<Page | undefined> {
  if (!fields.open || fields.retry) return undefined;
  const pairing = await currentPairing();
  const round = pairing && (await getRound(fields.round));
  const place = round && teamPlace(pairing, round);
  if (!place) return undefined;
  const client = new TeamClient(pairing, serviceFetch(LEASE_PATIENCE));
  const { host, prefix } = fields;
  const filter = { ...(host && { host, ...(prefix && { prefix }) }) };
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, LEASE_PATIENCE));
  const except = await openedLately(round.id);
  const asked = leaseNext(client, round, place, { filter, now: Date.now(), except }).catch(
    (error: unknown) => {
      if (!(error instanceof TeamError)) console.error(error);
      return undefined;
    },
  );
  return Promise.race([asked, late]);
}
