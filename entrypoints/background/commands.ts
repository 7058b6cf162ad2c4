import { browser } from 'wxt/browser';
import type { CommandMessages, Messages, Request } from '#lib/protocol.ts';
import type { Page } from '#lib/rounds/types.ts';
import { switchDatabase } from './database.ts';
import { health } from './health.ts';
import { recorder } from './recorder.ts';
import { afterRoundsChanged } from './rounds.ts';
import { inOrder } from './serial.ts';
import { startWished, wishRound } from './start.ts';
import { step } from './steps.ts';
import { tickRounds } from './tick.ts';

type Command = keyof CommandMessages;
type Result = CommandMessages[Command]['result'];

/** Answers to commands that were done, by message id: a command sent again is not done again. */
const KEPT = 50;
type Done = [id: string, result: Result][];

async function readDone(): Promise<Done> {
  const stored: { done?: Done } = await browser.storage.session.get('done');
  return stored.done ?? [];
}

/** Does a command of a view, once for its id however often it is sent, and answers when its effect is written. */
export async function runCommand(request: Request<Command>): Promise<Result> {
  if (request.type === 'health') return health();
  if (request.type === 'useDatabase') return switchDatabase(request.name);
  // Asks only, and must not wait behind writing.
  if (request.type === 'lookup') return recorder.commands.lookup(fieldsOf(request));
  return inOrder(async () => {
    await step('command:received');
    const done = await readDone();
    const before = done.find(([id]) => id === request.id);
    if (before) return before[1];
    const result = await run(request);
    await tickRounds('round' in request ? [request.round] : []);
    await step('command:written');
    await browser.storage.session.set({ done: [...done, [request.id, result]].slice(-KEPT) });
    return result;
  });
}

function fieldsOf<T extends keyof Messages>(request: Request<T>): Messages[T]['fields'] {
  const { v: _v, id: _id, type: _type, ...fields } = request;
  return fields as unknown as Messages[T]['fields'];
}

async function run(request: Request<Exclude<Command, 'health' | 'useDatabase' | 'lookup'>>): Promise<Result> {
  switch (request.type) {
    case 'wishRound':
      await wishRound(fieldsOf(request));
      return {};
    case 'startRound':
      return { round: await startWished(fieldsOf(request)) };
    case 'nextUnvisited':
      return nextUnvisited(fieldsOf(request));
    default: {
      const command = recorder.commands[request.type] as (fields: object) => Promise<Result>;
      const result = await command(fieldsOf(request));
      if (CHANGE_ROUNDS.has(request.type))
        await afterRoundsChanged({ inject: request.type === 'updateScope' });
      return result;
    }
  }
}

const CHANGE_ROUNDS: ReadonlySet<Command> = new Set([
  'pauseRound',
  'resumeRound',
  'endRound',
  'updateScope',
  'deleteRound',
  'undo',
]);

/** Asks for the next page left, and opens it where that is wished. */
export async function nextUnvisited(
  fields: CommandMessages['nextUnvisited']['fields'],
): Promise<{ page: Page | null }> {
  const { page } = await recorder.commands.nextUnvisited(fields);
  if (page && fields.open) {
    const url = page.usable ?? page.url;
    if (fields.tab === undefined) await browser.tabs.create({ url });
    else await browser.tabs.update(fields.tab, { url });
  }
  return { page };
}
