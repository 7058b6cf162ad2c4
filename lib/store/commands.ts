import { addressOf } from '#lib/rounds/address.ts';
import { covers } from '#lib/rounds/coverage.ts';
import { decideAlias, decideWord, type State } from '#lib/rounds/decide.ts';
import { end, isFrozen, pause, pauseSite, resume } from '#lib/rounds/rounds.ts';
import type { Page, Round, Schedule, Scope } from '#lib/rounds/types.ts';
import { compilePolicy, PolicyError, policyVersion } from '#lib/url/index.ts';
import { teamPlace, type Pairing } from '#lib/team/pairing.ts';
import type { CommandMessages, StartRound } from '#lib/protocol.ts';
import { putNewRound } from './lifecycle.ts';
import { withStore } from './open.ts';
import { below } from './ranges.ts';
import { getRound, listScopes, openRounds, pagesOf, type PageFilter } from './read.ts';
import type { Db, WriteTransaction } from './schema.ts';
import type { LinkState, Sets } from './sets.ts';
import { CommandError, type Surroundings } from './surroundings.ts';
import { teamFacts } from './team.ts';
import { holdOpen, send, write } from './transaction.ts';
import { bringBackLinks, deletePage, deleteRound, undo } from './trash.ts';
import { acceptVersion } from './versions.ts';
import {
  addWatch,
  changeWatch,
  removeContentRule,
  removeWatch,
  seenWatch,
  setContentRule,
} from './watches.ts';
import { appendLog, decideIn, roundOf } from './writes.ts';

type Command<T extends keyof CommandMessages> = (
  fields: CommandMessages[T]['fields'],
  message?: string,
) => Promise<CommandMessages[T]['result']>;

/**
 * The commands of the protocol that are done by the store alone; the edge does the others itself. One with the id of its `message` is
 * done once: told again, it answers what it answered then, which is written in the same transaction as its effect.
 */
export type Commands = {
  [
    T in Exclude<
      keyof CommandMessages,
      | 'wishRound'
      | 'useDatabase'
      | 'health'
      | 'syncTeam'
      | 'queueRound'
      | 'deleteAll'
      | 'pickRegion'
      | 'jumpToBlock'
      | 'tip'
      | 'lookup'
      | 'nextUnvisited'
    >
  ]: Command<T>;
} & {
  /** `except`: keys that are passed over. */
  nextUnvisited: (
    fields: CommandMessages['nextUnvisited']['fields'] & { except?: readonly string[] },
  ) => Promise<CommandMessages['nextUnvisited']['result']>;
  /** States of links of a page in its rounds, `null` where nothing is known. */
  lookup: (fields: CommandMessages['lookup']['fields']) => Promise<{ states: (TeamLinkState | null)[] }>;
};

export { CommandError };

/** All commands reject with {@link CommandError} or `StoreError`. */
export function createCommands(
  around: Surroundings,
  sets: Sets,
  /** What is stored of a page, or of a scope, is judged by other rules from now on. */
  judgeAgain: (scope: string, key: string | undefined) => Promise<void>,
): Commands {
  const { now, randomId, faults } = around;
  const alone = around.alone ?? ((work) => work());
  const inStore = <T>(work: (db: Db) => Promise<T>) => alone(() => withStore(work));
  const once = <T>(message: string | undefined, work: (transaction: WriteTransaction) => Promise<T>) =>
    inStore((db) =>
      write(
        db,
        async (transaction) => {
          const events = transaction.objectStore('events');
          // Observers name their events themselves: a page must not answer a command.
          const id = `command ${message}`;
          const told = message === undefined ? undefined : await events.get(id);
          if (told) return told.answer as T;
          const answer = await work(transaction);
          if (message !== undefined) send(events.add({ id, at: now(), answer }));
          await holdOpen(transaction, around.step?.('command:decided'));
          return answer;
        },
        { durability: 'strict', faults },
      ),
    );

  const changeRound = (message: string | undefined, id: string, change: (round: Round) => Round) =>
    once(message, async (transaction) => {
      const before = await transaction.objectStore('rounds').get(id);
      if (!before) throw new CommandError('not-found', 'The round does not exist any more.');
      if (before.state === 'ended') throw new CommandError('conflict', 'The round has ended.');
      const round = change(before);
      send(transaction.objectStore('rounds').put(round));
      await appendLog(transaction, [{ at: now(), scope: round.scope, change: 'round', space: round.space }]);
      return { round };
    });

  const sayOfPage = async (
    message: string | undefined,
    { space, key }: { space: string; key: string },
    word: (page: Page) => Page,
  ) => {
    const pairing = await around.pairing?.();
    return once(message, async (transaction) => {
      const round = await roundOf(transaction, space);
      if (!round) throw new CommandError('not-found', 'The round does not exist any more.');
      if (isFrozen(round))
        throw new CommandError('conflict', 'The round has ended, so its pages stay as they are.');
      const say = (state: State) => decideWord(state, key, word);
      const { page } = await decideIn(transaction, round, now(), say, pairing);
      return { page: page ?? null };
    });
  };

  return {
    startRound: (fields, message) =>
      once(message, (transaction) => startRound(transaction, fields, now(), randomId)),
    pauseRound: ({ round, until }, message) =>
      changeRound(message, round, (before) => pause(before, now(), until)),
    pauseSite: ({ round, host, paused }, message) =>
      changeRound(message, round, (before) => pauseSite(before, host, paused)),
    resumeRound: ({ round }, message) => changeRound(message, round, (before) => resume(before, now())),
    endRound: ({ round }, message) => changeRound(message, round, (before) => end(before, now())),

    nextUnvisited: async ({ round, retry = false, host, prefix, except = [] }) => {
      const found = await getRound(round);
      if (!found) throw new CommandError('not-found', 'The round does not exist any more.');
      const place = { ...(host && { host, ...(prefix && { prefix }) }) };
      return { page: await nextPage(found, { retry, place, except }) };
    },

    setVerdict: async ({ verdict, note, ...place }, message) => {
      const { page } = await sayOfPage(message, place, (before) => {
        const { verdict: _, note: old, ...rest } = before;
        const kept = note ?? old;
        return { ...rest, verdictAt: now(), ...(verdict && { verdict }), ...(kept && { note: kept }) };
      });
      if (!page) throw new CommandError('not-found', 'The page does not exist any more.');
      return { page };
    },

    markPage: ({ state, reason, at = now(), ...place }, message) =>
      sayOfPage(message, place, (before) => {
        const { mark: _, ...rest } = before;
        return state === null ? rest : { ...rest, mark: { state, at, ...(reason && { reason }) } };
      }),

    setAlias: ({ scope, from, accept }, message) =>
      once(message, async (transaction) => {
        const rounds = await transaction
          .objectStore('rounds')
          .index('scope')
          .getAll(below([scope]));
        const round = rounds.at(-1);
        if (!round) throw new CommandError('not-found', 'The project does not exist any more.');
        const { alias } = await decideIn(transaction, round, now(), (state) =>
          decideAlias(state, from, { accept, at: now() }),
        );
        if (!alias) throw new CommandError('not-found', 'The alias does not exist any more.');
        return { alias };
      }),

    updateScope: (fields, message) => once(message, (transaction) => updateScope(transaction, fields, now())),

    addWatch: (fields, message) =>
      once(message, (transaction) => addWatch(transaction, fields, { id: randomId(), now: now() })),
    changeWatch: (fields, message) => once(message, (transaction) => changeWatch(transaction, fields, now())),
    seenWatch: (fields, message) => once(message, (transaction) => seenWatch(transaction, fields, now())),
    removeWatch: ({ watch }, message) =>
      once(message, (transaction) => removeWatch(transaction, watch, { id: randomId(), now: now() })),
    seenPage: async ({ seen = true, ...place }, message) => {
      const { page } = await sayOfPage(message, place, ({ changeSeenAt: _earlier, ...before }) => ({
        ...before,
        ...(seen && { changeSeenAt: now() }),
      }));
      if (!page) throw new CommandError('not-found', 'The page does not exist any more.');
      return { page };
    },
    acceptVersion: async (version) => {
      await inStore((db) => acceptVersion(db, version));
      return {};
    },
    ignoreBlock: async ({ place, ...where }, message) => {
      const fields = { ...where, rules: { ignore: [place] } };
      const answer = await once(message, (transaction) =>
        setContentRule(transaction, fields, { id: randomId(), now: now() }),
      );
      await judgeAgain(where.scope, where.key);
      return answer;
    },
    setContentRule: async (fields, message) => {
      const answer = await once(message, (transaction) =>
        setContentRule(transaction, fields, { id: randomId(), now: now() }),
      );
      await judgeAgain(fields.scope, fields.key);
      return answer;
    },
    removeContentRule: async ({ rule }, message) => {
      const {
        undo: id,
        scope,
        key,
      } = await once(message, (transaction) =>
        removeContentRule(transaction, rule, { id: randomId(), now: now() }),
      );
      await judgeAgain(scope, key);
      return { undo: id };
    },

    deletePage: (page, message) =>
      once(message, async (transaction) => {
        const id = randomId();
        await deletePage(transaction, page, { id, now: now() });
        return { undo: id };
      }),
    deleteRound: ({ round }, message) =>
      once(message, async (transaction) => {
        const id = randomId();
        await deleteRound(transaction, round, { id, now: now() });
        return { undo: id };
      }),
    undo: async ({ undo: id }, message) => {
      // In steps of their own, each safe to repeat: there may be very many.
      await inStore((db) => bringBackLinks(db, id, now()));
      const { rule } = await once(message, (transaction) => undo(transaction, id, now()));
      if (rule) await judgeAgain(rule.scope, rule.key);
      return {};
    },

    lookup: async ({ url, links }) => ({
      states: await lookup(sets, await around.pairing?.(), url, links),
    }),
  };
}

async function startRound(
  transaction: WriteTransaction,
  { scope: wanted, base }: StartRound,
  at: number,
  randomId: () => string,
): Promise<{ round: Round }> {
  const scope =
    'id' in wanted
      ? await transaction.objectStore('scopes').get(wanted.id)
      : newScope(wanted, randomId(), at);
  if (!scope) throw new CommandError('not-found', 'The project does not exist any more.');
  const rounds = await transaction
    .objectStore('rounds')
    .index('scope')
    .getAll(below([scope.id]));
  if (rounds.some(({ state }) => state !== 'ended')) {
    throw new CommandError('conflict', 'A round of this project is open. End it first.');
  }
  const chosen = base === 'last' ? rounds.at(-1) : rounds.find(({ id }) => id === base);
  if (!chosen && base !== 'last' && base !== 'none') {
    throw new CommandError('not-found', 'The round to compare with does not exist any more.');
  }
  if (!('id' in wanted)) send(transaction.objectStore('scopes').put(scope));
  // Set back, the clock must not make two rounds of one scope overlap.
  const earliest = Math.max(0, ...rounds.map(({ endedAt = 0 }) => endedAt));
  return putNewRound(transaction, scope, { id: randomId(), at: Math.max(at, earliest), base: chosen });
}

function newScope(
  {
    name,
    origins,
    paths = [],
    mode = 'inspecting',
    policy = {},
  }: Exclude<StartRound['scope'], { id: string }>,
  id: string,
  createdAt: number,
): Scope {
  if (origins.length === 0) throw new CommandError('bad-request', 'A project needs at least one site.');
  return { id, name, origins, paths, mode, ...checkedPolicy(policy), createdAt };
}

async function updateScope(
  transaction: WriteTransaction,
  { scope: id, policy, schedule, ...plain }: CommandMessages['updateScope']['fields'],
  at: number,
): Promise<{ scope: Scope }> {
  const before = await transaction.objectStore('scopes').get(id);
  if (!before) throw new CommandError('not-found', 'The project does not exist any more.');
  const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined));
  let scope: Scope = { ...before, ...given };
  if (schedule !== undefined) {
    const { schedule: _, scheduledAt: _2, ...byHand } = scope;
    const checked = checkedSchedule(schedule);
    scope = checked ? { ...byHand, schedule: checked, scheduledAt: at } : byHand;
  }
  if (policy) Object.assign(scope, checkedPolicy(policy));
  send(transaction.objectStore('scopes').put(scope));
  await appendLog(transaction, [{ at, scope: id, change: 'scope' }]);
  return { scope };
}

function checkedSchedule(schedule: Schedule | null): Schedule | null {
  if (schedule === null) return null;
  const isWhole = (value: number, least: number, most: number) =>
    Number.isInteger(value) && value >= least && value <= most;
  if (schedule.every === 'day' && isWhole(schedule.hour, 0, 23)) return schedule;
  if (schedule.every === 'hours' && isWhole(schedule.hours, 1, 24)) return schedule;
  throw new CommandError('bad-request', 'A round starts at an hour from 0 to 23, or every 1 to 24 hours.');
}

function checkedPolicy(policy: Record<string, unknown>): Pick<Scope, 'policy' | 'policyVersion'> {
  try {
    compilePolicy(policy);
    return { policy, policyVersion: policyVersion(policy) };
  } catch (error) {
    if (error instanceof PolicyError) throw new CommandError('bad-request', error.message);
    throw error;
  }
}

/** The first page left that a visit can settle, or the one whose next try is due first. */
async function nextPage(
  round: Round,
  {
    retry,
    place,
    except,
  }: { retry: boolean; place: Pick<PageFilter, 'host' | 'prefix'>; except: readonly string[] },
): Promise<Page | null> {
  let after: string | null = null;
  let best: Page | undefined;
  do {
    const state = retry ? ({ state: 'retrying' } as const) : ({ left: true } as const);
    const { rows, next } = await pagesOf(round.space, { ...state, ...place, after, limit: 100 });
    const open = rows.filter((page) => isOpen(page) && !except.includes(page.key));
    if (!retry && open[0]) return open[0];
    for (const page of open) if (!best || dueAt(page) < dueAt(best)) best = page;
    after = next;
  } while (after !== null);
  return best ?? null;
}

/** Whether a visit can settle a page, and nobody said to leave it out. */
export const isOpen = ({ reason, verdict }: Page): boolean =>
  reason !== 'download' && reason !== 'outside' && verdict !== 'skip';

const dueAt = ({ tries }: Page) => tries?.nextAt ?? 0;

/** `team`: only others of the team saw it. */
type TeamLinkState = LinkState & { team?: true };

/**
 * In several rounds the one that went there counts before the one that only knows the link. What only the team saw is a link nobody went
 * to here, and says so.
 */
async function lookup(
  sets: Sets,
  pairing: Pairing | undefined,
  url: string,
  links: string[],
): Promise<(TeamLinkState | null)[]> {
  const [rounds, scopes] = await Promise.all([openRounds(), listScopes()]);
  const states: (TeamLinkState | null)[] = links.map(() => null);
  for (const round of rounds) {
    const scope = scopes.find(({ id }) => id === round.scope);
    if (!scope || !covers(scope, url)) continue;
    const policy = compilePolicy(round.policy);
    const asked = links.flatMap((link, index) => {
      const address = covers(scope, link) ? addressOf(link, policy) : undefined;
      return address ? [{ ...address, index }] : [];
    });
    const found = await withStore((db) =>
      sets.statesOf(
        db,
        round,
        asked.map(({ key }) => key),
      ),
    );
    for (const [at, state] of found.entries()) {
      const { index } = asked[at]!;
      const before = states[index];
      if (state && (!before || before.state === 'known')) states[index] = state;
    }
    const place = teamPlace(pairing, round);
    if (!place) continue;
    const left = asked.filter(({ index }) => (states[index]?.state ?? 'known') === 'known');
    for (const [at, fact] of (await teamFacts(place, left)).entries())
      if (fact) states[left[at]!.index] = { state: 'known', changed: false, team: true };
  }
  return states;
}
