import type { CommandMessages } from '#lib/protocol.ts';

type Command<T extends keyof CommandMessages> = (
  fields: CommandMessages[T]['fields'],
) => Promise<CommandMessages[T]['result']>;

/** A command that cannot be done; `code` goes into the answer, the message says what to do. */
export class CommandError extends Error {
  readonly code: 'not-found' | 'conflict' | 'bad-request';
  constructor(code: CommandError['code'], detail: string) {
    super(detail);
    this.name = 'CommandError';
    this.code = code;
  }
}

/** The commands of the protocol that are done by the store alone; the edge does `wishRound` and `health` itself. */
export type Commands = {
  [T in Exclude<keyof CommandMessages, 'wishRound' | 'health'>]: Command<T>;
};
