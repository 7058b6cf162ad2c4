import type { Command } from '../command.ts';
import { check } from './check.ts';
import { convert } from './convert.ts';
import { dedupe } from './dedupe.ts';
import { diff } from './diff.ts';
import { explain } from './explain.ts';
import { formats } from './formats.ts';
import { mark } from './mark.ts';
import { normalize } from './normalize.ts';
import { seen } from './seen.ts';
import { serve } from './serve.ts';

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  normalize,
  dedupe,
  explain,
  check,
  formats,
  convert,
  diff,
  serve,
  mark,
  seen,
];
