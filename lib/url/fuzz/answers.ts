import { keyOf, normalizeUrl } from '../index.ts';
import { compilePolicy } from '../policy.ts';
import type { Policy } from '../policy.ts';
import { fuzzed } from './differential.ts';
import { randomPolicy, seeded } from './inputs.ts';

export interface Question {
  readonly input: string;
  readonly base?: string | undefined;
  readonly options?: unknown;
}

/**
 * What must be the same in every engine, a line for each question: both paths' key or reason. Runs in Node and, bundled, in the
 * browser.
 */
export function answersTo(questions: readonly Question[]): string[] {
  return questions.map(({ input, base, options }) => answer(input, compilePolicy(options ?? {}), base));
}

/** The answers to `count` hostile inputs under random policies, always the same for one seed. */
export function answersToFuzz(seed: number, count: number): string[] {
  const random = seeded(seed);
  const samples = fuzzed(random);
  let policy = compilePolicy({});
  return Array.from({ length: count }, (_, index) => {
    if (index % 20 === 0) policy = compilePolicy(randomPolicy(random));
    const { value } = samples.next() as { value: Question };
    return `${JSON.stringify([value.input, value.base])} ${answer(value.input, policy, value.base)}`;
  });
}

function answer(input: string, policy: Policy, base: string | undefined): string {
  const slow = normalizeUrl(input, policy, base);
  const fast = keyOf(input, policy, base);
  return `${slow.ok ? slow.key : slow.reason} ${fast.ok ? fast.key : fast.reason}`;
}
