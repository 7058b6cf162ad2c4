import { once } from 'node:events';
import { EXIT } from './command.ts';

/** What a command may touch of the process, so that tests can stand in for it. */
export interface Terminal {
  stdin: AsyncIterable<Uint8Array>;
  /** Writes to stdout; resolves when more may be written. */
  write(data: string | Uint8Array): Promise<void>;
  /** Writes one line to stderr. */
  say(line: string): void;
  /** Shows how far a long work is, where somebody watches. Cheap to call often. */
  progress(text: () => string): void;
}

/** 128 + SIGPIPE: what a program that a closed pipe ended leaves behind. */
const BROKEN_PIPE = 141;
const PROGRESS_EVERY = 500;

/** The real one. A reader that went away (`| head`) ends the program without a word. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr } = process;
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(BROKEN_PIPE);
      // A full disk, mostly.
      if (stream === stdout) stderr.write(`onceover: the output cannot be written: ${error.message}\n`);
      process.exit(EXIT.trouble);
    });
  }
  const watched = stderr.isTTY && !stdout.isTTY;
  let shownAt = Date.now();
  let shown = false;
  const clear = () => {
    if (shown) stderr.write('\r\u001B[K');
    shown = false;
  };
  process.on('exit', clear);
  return {
    stdin,
    async write(data) {
      if (!stdout.write(data)) await once(stdout, 'drain');
    },
    say(line) {
      clear();
      stderr.write(`${line}\n`);
    },
    progress(text) {
      if (!watched || Date.now() - shownAt < PROGRESS_EVERY) return;
      shownAt = Date.now();
      shown = true;
      stderr.write(`\r${text()}\u001B[K`);
    },
  };
}
