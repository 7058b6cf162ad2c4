import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { RULES_VERSION } from '#lib/url/index.ts';
import { EXIT, text, UsageError, type Command } from '../command.ts';
import { checkCorpus, corpusOfLines, type Accepted, type Corpus } from '../corpus.ts';
import { readSmallFile } from '../input.ts';
import { POLICY_OPTIONS, readPolicy } from '../policy.ts';
import type { Terminal } from '../terminal.ts';

export const check: Command = {
  name: 'check',
  usage: '[FILE] [--accept] [--accepted FILE] [--policy FILE]',
  summary: 'Runs a corpus of samples and prints every key that changed since it was accepted.',
  options: {
    accept: {
      type: 'boolean',
      help: 'write the keys as they are now: you have looked at every one that changed',
    },
    accepted: { type: 'string', help: 'FILE the accepted keys, if not accepted-keys.json beside the corpus' },
    ...POLICY_OPTIONS,
  },
  async run(terminal, values, words) {
    const file = words[0] ?? join(import.meta.dirname, '..', '..', 'corpus', 'urls.json');
    if (words.length > 1) throw new UsageError('One corpus at a time.');
    if (words.length === 0 && !existsSync(file))
      throw new UsageError('The samples are not part of the package: give a FILE.');
    const keysFile = text(values, 'accepted') ?? join(dirname(file), 'accepted-keys.json');
    const { policy } = await readPolicy(terminal, values);
    const corpus = await readCorpus(file, terminal);
    const accepted = existsSync(keysFile) ? await readAccepted(keysFile, terminal) : {};
    const { keys, changes, faults } = checkCorpus(corpus, accepted, policy);

    for (const { id, input, before, after } of changes) {
      await terminal.write(
        `${id}: ${input}\n    was ${before ?? 'not accepted yet'}\n    is  ${after ?? 'no sample any more'}\n`,
      );
    }
    for (const { id, problem } of faults) await terminal.write(`${id}: ${problem}\n`);
    const isAccepting = values['accept'] === true;
    if (isAccepting && changes.length > 0) {
      // Through a second file, so that an interrupted run leaves the old keys.
      await writeFile(`${keysFile}.new`, `${JSON.stringify({ rules: RULES_VERSION, keys }, null, 1)}\n`);
      await rename(`${keysFile}.new`, keysFile);
    }
    terminal.say(
      `${Object.keys(keys).length} addresses, ${changes.length} changed${isAccepting ? ' and accepted' : ''}, ${faults.length} wrong`,
    );
    if (changes.length > 0 && !isAccepting)
      terminal.say('Accept them with --accept once you have looked at every one.');
    return (changes.length > 0 && !isAccepting) || faults.length > 0 ? EXIT.someBad : EXIT.fine;
  },
};

async function readCorpus(file: string, terminal: Terminal): Promise<Corpus> {
  const content = await readSmallFile(file, terminal);
  if (!content.trimStart().startsWith('{')) return corpusOfLines(content.split(/\r\n|\r|\n/));
  const corpus = parse(file, content) ?? {};
  const lists = SAMPLES.map(({ list }) => corpus[list]);
  if (
    lists.every((list) => list === undefined) ||
    lists.some((list) => list !== undefined && !Array.isArray(list))
  ) {
    throw new UsageError(
      `"${file}" is no corpus: it needs lists "cases", "mustDiffer" or "mustEqual", as in corpus/urls.json.`,
    );
  }
  for (const { list, needs, isSample } of SAMPLES) {
    const samples = (corpus[list] ?? []) as unknown[];
    const bad = samples.findIndex((sample) => !isSample((sample ?? {}) as Record<string, unknown>));
    if (bad >= 0) throw new UsageError(`"${file}": ${list}[${bad}] needs ${needs}.`);
  }
  return corpus;
}

const isText = (value: unknown) => typeof value === 'string';

const SAMPLES: readonly {
  list: keyof Corpus;
  needs: string;
  isSample: (sample: Record<string, unknown>) => boolean;
}[] = [
  {
    list: 'cases',
    needs: 'texts "id" and "input", and as "base" a text or nothing',
    isSample: ({ id, input, base }) => [id, input, base ?? ''].every(isText),
  },
  {
    list: 'mustDiffer',
    needs: 'texts "id", "a" and "b"',
    isSample: ({ id, a, b }) => [id, a, b].every(isText),
  },
  {
    list: 'mustEqual',
    needs: 'a text "id" and a list of texts "urls"',
    isSample: ({ id, urls }) => isText(id) && Array.isArray(urls) && urls.every(isText),
  },
];

async function readAccepted(file: string, terminal: Terminal): Promise<Accepted> {
  const keys = parse(file, await readSmallFile(file, terminal))?.['keys'];
  if (
    typeof keys !== 'object' ||
    keys === null ||
    Object.values(keys).some((key) => typeof key !== 'string')
  ) {
    throw new UsageError(`"${file}" has no accepted keys: it needs {"keys": {"sample": "key"}}.`);
  }
  return keys as Accepted;
}

function parse(file: string, content: string): Record<string, unknown> | null {
  try {
    return JSON.parse(content) as Record<string, unknown> | null;
  } catch (error) {
    throw new UsageError(`"${file}" is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
