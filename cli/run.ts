import { parseArgs } from 'node:util';
import manifest from '../package.json' with { type: 'json' };
import { EXIT, UsageError, type Command, type OptionSpec, type OptionValues } from './command.ts';
import { COMMANDS } from './commands/index.ts';
import type { Terminal } from './terminal.ts';

/** One run of the program. @returns the exit code */
export async function run(words: string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = words;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    const about = COMMANDS.find((command) => command.name === rest[0]);
    await terminal.write(about ? helpOf(about) : overview());
    return name === undefined ? EXIT.trouble : EXIT.fine;
  }
  if (name === '--version' || name === '-V') {
    await terminal.write(`onceover ${manifest.version}\n`);
    return EXIT.fine;
  }
  const command = COMMANDS.find((candidate) => candidate.name === name);
  try {
    if (command === undefined) {
      throw new UsageError(
        `Unknown command "${name}". Known are: ${COMMANDS.map((known) => known.name).join(', ')}.`,
      );
    }
    const { values, positionals } = parse(command, rest);
    if (values['help'] === true) {
      await terminal.write(helpOf(command));
      return EXIT.fine;
    }
    return await command.run(terminal, values, positionals);
  } catch (error) {
    if (!isExpected(error)) throw error;
    terminal.say(`onceover${command === undefined ? '' : ` ${command.name}`}: ${error.message}`);
    return EXIT.trouble;
  }
}

function parse(command: Command, words: string[]): { values: OptionValues; positionals: string[] } {
  const options = Object.fromEntries(
    Object.entries({ ...command.options, help: HELP }).map(([name, { type, short }]) => [
      name,
      short === undefined ? { type } : { type, short },
    ]),
  );
  try {
    return parseArgs({ args: words, options, allowPositionals: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('. ')[0] : String(error);
    throw new UsageError(`${reason}. Usage: onceover ${command.name} ${command.usage}`);
  }
}

const HELP: OptionSpec = { type: 'boolean', short: 'h', help: 'this text' };

/** Errors that say what to do; all others are bugs and keep their stack. */
function isExpected(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return (
    ['UsageError', 'PolicyError', 'BackupError', 'StoreOpenError'].includes(error.name) ||
    (error as NodeJS.ErrnoException).code !== undefined
  );
}

function overview(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  const list = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}\n`).join('');
  return `onceover: see every page once a round\n\nUsage: onceover COMMAND …\n\n${list}\nonceover help COMMAND says more.\n`;
}

function helpOf({ name, usage, summary, options }: Command): string {
  const lines = Object.entries({ ...options, help: HELP }).map(([option, { type, short, help }]) => {
    const [value = '', ...words] = help.split(' ');
    const left = `${short === undefined ? '    ' : `-${short}, `}--${option}${type === 'string' ? ` ${value}` : ''}`;
    return `  ${left.padEnd(26)} ${type === 'string' ? words.join(' ') : help}\n`;
  });
  return `Usage: onceover ${name} ${usage}\n\n${summary}\n\n${lines.join('')}`;
}
