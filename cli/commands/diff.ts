import { EXIT, UsageError, type Command } from '../command.ts';
import { decodePage, describe, diffFiles } from '../diff.ts';
import { openInput } from '../input.ts';
import type { Terminal } from '../terminal.ts';

/** Saved pages above this are no pages. */
const LIMIT = 1 << 26;

export const diff: Command = {
  name: 'diff',
  usage: 'BEFORE.html AFTER.html [--json]',
  summary:
    'Says what changed in the text of two saved pages. Exit 0: nothing but noise, 1: changes, 2: not readable.',
  options: { json: { type: 'boolean', help: 'as one JSON object' } },
  async run(terminal, values, words) {
    const [before, after] = words;
    if (before === undefined || after === undefined || words.length > 2) {
      throw new UsageError('Two saved pages are needed: onceover diff BEFORE.html AFTER.html.');
    }
    const difference = diffFiles(await readPage(before, terminal), await readPage(after, terminal));
    await terminal.write(values['json'] === true ? `${JSON.stringify(difference)}\n` : describe(difference));
    return difference.quiet ? EXIT.fine : EXIT.someBad;
  },
};

async function readPage(name: string, terminal: Terminal): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of openInput(name, terminal)) {
    length += chunk.length;
    if (length > LIMIT) throw new UsageError(`"${name}" is larger than ${LIMIT} bytes.`);
    chunks.push(chunk);
  }
  return decodePage(Buffer.concat(chunks));
}
