import type { HandMark } from '#components/MarkField.tsx';
import { lastHappening } from '#lib/rounds/fold.ts';
import { currentTarget } from '#lib/rounds/aliases.ts';
import type { Alias, Page, Verdict } from '#lib/rounds/types.ts';
import { ask } from './worker.ts';

/** Takes back what was said. */
type TakeBack = () => Promise<void>;

/** The marking that decides the state of a page: one after which nothing happened. */
export function decidingMark(page: Page): HandMark | undefined {
  const { mark } = page;
  return mark && mark.at >= lastHappening(page) ? mark : undefined;
}

/** Marks pages by hand, or takes their markings back. Answers how each gets back the marking it had. */
export async function markByHand(pages: Page[], mark: HandMark | null): Promise<TakeBack> {
  for (const { space, key } of pages) {
    await ask('markPage', { space, key, state: null, ...mark });
  }
  return async () => {
    for (const { space, key, mark: before } of pages) {
      await ask('markPage', { space, key, state: null, ...before });
    }
  };
}

/** Says OK, problem or skip of a page, with a note. Answers how to take it back. */
export async function sayVerdict(page: Page, verdict: Verdict | null, note?: string): Promise<TakeBack> {
  const { space, key } = page;
  await ask('setVerdict', { space, key, verdict, ...(note !== undefined && { note }) });
  return async () => {
    const before = { verdict: page.verdict ?? null, note: page.note ?? '' };
    await ask('setVerdict', { space, key, ...before });
  };
}

/** Accepts an alias, keeps it apart, or leaves it to what is seen (`null`). Answers how to take it back. */
export async function ruleAlias(alias: Alias, accept: boolean | null): Promise<TakeBack> {
  const { scope, from } = alias;
  const before = wordOn(alias);
  await ask('setAlias', { scope, from, accept });
  return async () => {
    await ask('setAlias', { scope, from, accept: before });
  };
}

/** What a person said of an alias: accepted, kept apart, or nothing. */
function wordOn({ undone, targets }: Alias): boolean | null {
  if (undone) return false;
  return currentTarget(targets)?.evidence === 'accepted' ? true : null;
}
