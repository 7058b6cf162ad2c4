import type { Terminal } from './terminal.ts';

/** Exit codes, as diff(1) uses them. */
export const EXIT = { fine: 0, someBad: 1, trouble: 2 } as const;

/** An error of the person's making: printed as it is, without a stack. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface OptionSpec {
  type: 'string' | 'boolean';
  short?: string;
  /** Shown in the help; strings name their value in capitals first, e.g. `FILE policy as JSON`. */
  help: string;
}

export type OptionValues = Readonly<Record<string, string | boolean | undefined>>;

export interface Command {
  name: string;
  /** What stands behind the name, e.g. `[FILE…] [--report]`. */
  usage: string;
  summary: string;
  options: Readonly<Record<string, OptionSpec>>;
  /** @returns the exit code. @throws {UsageError} */
  run(terminal: Terminal, values: OptionValues, words: string[]): Promise<number>;
}

export function text(values: OptionValues, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** A whole number above zero. @throws {UsageError} */
export function wholeNumber(values: OptionValues, name: string): number | undefined {
  const value = text(values, name);
  if (value === undefined) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(value))
    throw new UsageError(`--${name} must be a whole number above 0, not "${value}".`);
  return Number(value);
}

/** One of a few words. @throws {UsageError} naming them. */
export function choice<T extends string>(
  values: OptionValues,
  name: string,
  words: readonly T[],
  byDefault: T,
): T {
  const value = text(values, name) ?? byDefault;
  const found = words.find((word) => word === value);
  if (found === undefined)
    throw new UsageError(`--${name} must be one of ${words.join(', ')}, not "${value}".`);
  return found;
}
