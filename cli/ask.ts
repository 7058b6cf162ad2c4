import { readLines } from '#lib/exchange/index.ts';
import { ServiceClient, ServiceError, type Answer } from '../service/index.ts';
import { EXIT, text, UsageError, type Command, type OptionValues } from './command.ts';
import { openInput, STDIN } from './input.ts';
import type { Terminal } from './terminal.ts';

const DEFAULT_SERVICE = 'http://127.0.0.1:8321';
/** Lines sent at once. */
const BATCH = 1000;

const OPTIONS = {
  service: { type: 'string', help: `URL of the service; ${DEFAULT_SERVICE} where absent` },
  ns: { type: 'string', help: 'NAME the namespace; default where absent' },
  round: { type: 'string', help: 'NAME id of a round, or a window (day, hour, 6h); all where absent' },
  json: { type: 'boolean', help: 'one object a line' },
} as const;

/** A command that sends lines to the service: addresses in, answers out, line n belongs to line n. */
export function askCommand(name: 'mark' | 'seen', verb: 'mark' | 'is_seen', summary: string): Command {
  return {
    name,
    usage: '[FILE…] [--service URL] [--ns NAME] [--round NAME] [--json]',
    summary,
    options: OPTIONS,
    async run(terminal, values, words) {
      const client = openClient(values);
      const ns = text(values, 'ns') ?? 'default';
      const round = text(values, 'round') ?? 'all';
      const write = values['json'] === true ? jsonLine : wordLine;
      let bad = 0;
      let done = 0;
      for (const file of words.length > 0 ? words : [STDIN]) {
        for await (const { first, lines } of readBatches(file, terminal)) {
          const items = lines.map((url) => ({ url: url ?? '' }));
          const answers = await send(client, verb, ns, { items, round });
          const out = answers.map((answer, index) => {
            if (answer.result === 'invalid') {
              bad++;
              const place = words.length > 1 ? `${file}:` : 'line ';
              if (values['json'] !== true) terminal.say(`${place}${first + index}: ${answer.reason}`);
            }
            return write(lines[index] ?? '', answer);
          });
          done += lines.length;
          terminal.progress(() => `${done.toLocaleString('en')} lines, ${bad} bad`);
          await terminal.write(`${out.join('\n')}\n`);
        }
      }
      return bad > 0 ? EXIT.someBad : EXIT.fine;
    },
  };
}

/** @throws {UsageError} */
function openClient(values: OptionValues): ServiceClient {
  const url = text(values, 'service') ?? DEFAULT_SERVICE;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError(`--service must be the address of a service such as ${DEFAULT_SERVICE}.`);
  const token = process.env['ONCEOVER_TOKEN'];
  if (!token) throw new UsageError('Set ONCEOVER_TOKEN to the token that onceover serve printed.');
  return new ServiceClient({ url, token });
}

type Send = Parameters<ServiceClient['batch']>;

async function send(client: ServiceClient, ...request: Send): Promise<Answer[]> {
  try {
    return await client.batch(...request);
  } catch (error) {
    if (error instanceof ServiceError) throw new UsageError(error.message);
    throw error;
  }
}

interface Lines {
  /** Number of the first line, from 1. */
  readonly first: number;
  readonly lines: readonly (string | null)[];
}

/** Lines as they come from a pipe: answers do not wait for more than is there. */
async function* readBatches(file: string, terminal: Terminal): AsyncGenerator<Lines> {
  for await (const { first, lines } of readLines(openInput(file, terminal)))
    for (let from = 0; from < lines.length; from += BATCH)
      yield { first: first + from, lines: lines.slice(from, from + BATCH) };
}

function wordLine(_: string, answer: Answer): string {
  return answer.result === 'invalid' ? '' : answer.result;
}

function jsonLine(input: string, answer: Answer): string {
  return JSON.stringify({ input, ...answer });
}
