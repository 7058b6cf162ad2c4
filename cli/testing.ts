import { run } from './run.ts';
import type { Terminal } from './terminal.ts';

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command line in this process, with `input` as stdin. */
export async function onceover(words: string[], input: string | Uint8Array = ''): Promise<Outcome> {
  const out: Uint8Array[] = [];
  let stderr = '';
  const terminal: Terminal = {
    stdin: (async function* () {
      yield typeof input === 'string' ? Buffer.from(input) : input;
    })(),
    write: async (data) => {
      out.push(typeof data === 'string' ? Buffer.from(data) : data);
    },
    say: (line) => {
      stderr += `${line}\n`;
    },
    progress: () => {},
  };
  const code = await run(words, terminal);
  return { code, stdout: Buffer.concat(out).toString(), stderr };
}
