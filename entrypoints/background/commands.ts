import type { CommandMessages, MarkShape, Messages, Request } from '#lib/protocol.ts';
import type { Page } from '#lib/rounds/types.ts';
import { switchDatabase } from './database.ts';
import { deleteAll } from './delete-all.ts';
import { health } from './health.ts';
import { jumpToBlock, pickRegion, readShown, readWatched } from './in-page.ts';
import { nextUnvisited } from './next.ts';
import { openingFor } from './openings.ts';
import { recorder } from './recorder.ts';
import { afterRoundsChanged } from './rounds.ts';
import { inOrder } from './serial.ts';
import { startWished, wishRound } from './start.ts';
import { step } from './steps.ts';
import { leaseForUs, queueRound, syncTeam } from './team.ts';
import { tickRounds } from './tick.ts';
import { say } from './words.ts';

type Command = keyof CommandMessages;
type Result = CommandMessages[Command]['result'];

/**
 * Does a command of a view, once for its id however often it is sent, and answers when its effect is written. The store knows what
 * was done; what follows from it (badge, registered scripts) is brought in line again.
 */
export async function runCommand(request: Request<Command>): Promise<Result> {
  if (request.type === 'health') return health();
  if (request.type === 'syncTeam') return syncTeam();
  if (request.type === 'queueRound') return queueRound(request.round);
  if (request.type === 'useDatabase') return switchDatabase(request.name);
  // Asks only, and must not wait behind writing.
  if (request.type === 'lookup') return lookup(fieldsOf(request));
  if (request.type === 'tip') return { words: await say(TIPS[request.shape]) };
  if (request.type === 'pickRegion') return { picking: await pickRegion(request.tab) };
  if (request.type === 'jumpToBlock') return { found: await jumpToBlock(fieldsOf(request)) };
  // The service is asked before: what is recorded must not wait for it.
  const isNext = request.type === 'nextUnvisited' && !(await openingFor(request.id));
  const leased = isNext ? await leaseForUs(request) : undefined;
  return inOrder(async () => {
    await step('command:received');
    const result = await run(request, leased);
    await tickRounds('round' in request ? [request.round] : []);
    await step('command:written');
    if ('watch' in result && request.type === 'addWatch') void readWatched(result.watch);
    if (request.type === 'setContentRule' || request.type === 'removeContentRule') void readShown();
    return result;
  });
}

function fieldsOf<T extends keyof Messages>(request: Request<T>): Messages[T]['fields'] {
  const { v: _v, id: _id, type: _type, ...fields } = request;
  return fields as unknown as Messages[T]['fields'];
}

/** Most links of a page have no mark: only those that have one are answered. */
async function lookup(fields: Messages['lookup']['fields']): Promise<Messages['lookup']['result']> {
  const { states } = await recorder.commands.lookup(fields);
  const marked = states.flatMap((known, at) => {
    return known && (known.team || known.state !== 'known') ? [{ at, ...known }] : [];
  });
  return { marked };
}

const TIPS = {
  visited: 'tipVisited',
  changed: 'tipChanged',
  retrying: 'tipRetrying',
  gone: 'tipGone',
  team: 'tipTeam',
} as const satisfies Record<MarkShape, string>;

/** Done beside the order, since no event waits for them. */
type Beside =
  'health' | 'useDatabase' | 'lookup' | 'tip' | 'syncTeam' | 'queueRound' | 'pickRegion' | 'jumpToBlock';

async function run(request: Request<Exclude<Command, Beside>>, leased: Page | undefined): Promise<Result> {
  switch (request.type) {
    case 'wishRound':
      await wishRound(fieldsOf(request), request.id);
      return {};
    case 'startRound':
      return { round: await startWished(fieldsOf(request), request.id) };
    case 'deleteAll':
      return deleteAll();
    case 'nextUnvisited':
      return nextUnvisited(fieldsOf(request), { message: request.id, leased });
    default: {
      const command = recorder.commands[request.type] as (fields: object, message: string) => Promise<Result>;
      const result = await command(fieldsOf(request), request.id);
      if (CHANGE_ROUNDS.has(request.type))
        await afterRoundsChanged({ inject: request.type === 'updateScope' });
      return result;
    }
  }
}

const CHANGE_ROUNDS: ReadonlySet<Command> = new Set([
  'pauseRound',
  'pauseSite',
  'resumeRound',
  'endRound',
  'updateScope',
  'deleteRound',
  'undo',
]);
