import { nextTry, outcomeOf, type Outcome } from './outcome.ts';
import type { Page, Tries, Visit, VisitKind } from './types.ts';

/** A try that failed; of a redirect to a sink it is known from the alias only. */
export interface Try {
  at: number;
  times: number;
  outcome: Outcome;
  status?: number;
  error?: string;
}

/**
 * What a page is, from everything that happened to it: the same whatever the order in which it was told. `facts` is its row as far
 * as it does not follow from visits: address, link, verdict, digest. Answers the row, and the kind of each visit that counts.
 */
export function foldPage(
  facts: Page,
  visits: Visit[],
  tries: Try[],
): { page: Page; kinds: Map<Visit, VisitKind> } {
  let page = unvisited(facts, visits);
  const kinds = new Map<Visit, VisitKind>();
  const happenings: { at: number; seq: number; apply: () => void }[] = [
    ...visits.map((visit) => ({
      at: visit.at,
      seq: visit.seq,
      apply: () => {
        const step = stepVisit(page, visit);
        ({ page } = step);
        kinds.set(visit, step.kind);
      },
    })),
    ...tries.map((failed) => ({ at: failed.at, seq: 0, apply: () => (page = stepTry(page, failed)) })),
  ];
  if (facts.mark) {
    happenings.push({ at: facts.mark.at, seq: Infinity, apply: () => (page = stepMark(page)) });
  }
  for (const { apply } of happenings.sort((a, b) => a.at - b.at || a.seq - b.seq)) apply();
  return { page, kinds };
}

/** The row before anything happened. Its address is the one that was seen first: of the link or of a visit. */
function unvisited(facts: Page, visits: Visit[]): Page {
  const { firstVisitAt: _1, lastVisitAt: _2, usable: _3, status: _4, tries: _5, ...rest } = facts;
  const { title, reason, ...kept } = rest;
  const first = visits.reduce<Visit | undefined>((a, b) => (a && a.at <= b.at ? a : b), undefined);
  const linked = facts.linkedAt ?? Infinity;
  const isFlag = reason === 'download' || reason === 'outside';
  return {
    ...kept,
    ...(title !== undefined && visits.length === 0 && { title }),
    ...(isFlag && { reason }),
    state: 'known',
    visits: 0,
    url: first && first.at < linked ? addressBy(first) : facts.url,
    firstSeenAt: Math.min(
      linked,
      first?.at ?? Infinity,
      first || linked < Infinity ? Infinity : facts.firstSeenAt,
    ),
  };
}

/** Address of the page a visit belongs to, which is not the one shown where a temporary token hides it. */
export function addressBy(visit: Visit): string {
  if (visit.shown === undefined) return visit.url;
  return visit.chain?.find(({ key }) => key === visit.key)?.url ?? visit.url;
}

/** One visit more, later than everything before. */
export function stepVisit(page: Page, visit: Visit): { page: Page; kind: VisitKind } {
  if (visit.kind === 'stub') return { page, kind: 'stub' };
  const outcome = outcomeOf(visit);
  const { status, error, at } = visit;
  if (outcome.state !== 'visited') {
    const failed: Try = { at, times: 1, outcome };
    if (status !== undefined) failed.status = status;
    if (error !== undefined) failed.error = error;
    return { page: stepTry(page, failed), kind: 'failed' };
  }
  const { reason: _, ...rest } = page;
  const kind = page.visits > 0 || page.state === 'visited' ? 'return' : 'first';
  const shown: Page = {
    ...rest,
    state: 'visited',
    visits: page.visits + 1,
    firstVisitAt: page.firstVisitAt ?? at,
  };
  return { page: restateVisit(shown, visit), kind };
}

/** What the latest showing of a page says of it. */
export function restateVisit(page: Page, { at, url, status, signals }: Visit): Page {
  const { usable: _, ...rest } = page;
  const title = signals.findLast((signal) => signal.title)?.title;
  const stated: Page = { ...rest, lastVisitAt: at };
  if (status !== undefined) stated.status = status;
  if (title) stated.title = title;
  if (url !== page.url) stated.usable = url;
  return stated;
}

function stepTry(page: Page, { at, times, outcome, status, error }: Try): Page {
  const { tries: before, reason: _, status: _2, ...rest } = page;
  const goesOn = before && before.lastAt >= (page.lastVisitAt ?? -Infinity);
  const tries: Omit<Tries, 'nextAt'> = {
    count: (goesOn ? before.count : 0) + times,
    lastAt: at,
    ...(status !== undefined && { status }),
    ...(error !== undefined && { error }),
  };
  const failed: Page = { ...rest, tries: { ...tries, nextAt: nextTry(tries, outcome.reason) } };
  if (status !== undefined) failed.status = status;
  // A page already visited in its space stays visited and shows the failure.
  if (page.state === 'visited') return failed;
  failed.state = outcome.state;
  if (outcome.reason !== undefined) failed.reason = outcome.reason;
  return failed;
}

function stepMark(page: Page): Page {
  if (!page.mark) return page;
  const { reason: _, ...rest } = page;
  const { state, reason, at } = page.mark;
  const marked: Page = { ...rest, state, ...(reason && { reason }) };
  if (state !== 'retrying' || page.tries) return marked;
  const tries = { count: 1, lastAt: at };
  return { ...marked, tries: { ...tries, nextAt: nextTry(tries, reason) } };
}

/** When the last thing happened to a page: a visit after that needs no more than one step. */
export function lastHappening({ lastVisitAt = -Infinity, tries, mark }: Page): number {
  return Math.max(lastVisitAt, tries?.lastAt ?? -Infinity, mark?.at ?? -Infinity);
}
