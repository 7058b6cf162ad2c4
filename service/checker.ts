/** One item of one call, as the client that made it saw it. Times are any numbers that grow. */
export interface Observed {
  readonly verb: 'mark' | 'is_seen';
  /** Round and fingerprint. */
  readonly page: string;
  readonly asked: number;
  /** When the answer came; Infinity where none ever came, also not to a replay. */
  readonly answered: number;
  readonly result?: 'fresh' | 'seen' | undefined;
}

/**
 * Compares what clients saw with what a single set would have answered, one call after the other in some order that fits their
 * times (linearizability; for a set that only grows and one page this comes down to the rules below). `present` says which pages the
 * store holds at the end.
 * @returns every contradiction, in words
 */
export function check(history: readonly Observed[], present: (page: string) => boolean): string[] {
  const faults: string[] = [];
  for (const [page, calls] of Map.groupBy(history, (call) => call.page)) {
    const fault = (what: string) => faults.push(`${page}: ${what}`);
    const marks = calls.filter(({ verb }) => verb === 'mark');
    const answered = marks.filter(({ result }) => result !== undefined);
    const fresh = answered.filter(({ result }) => result === 'fresh');
    const lost = marks.length - answered.length;
    if (fresh.length > 1) fault(`${fresh.length} marks were answered fresh`);
    if (fresh.length === 0 && answered.length > 0 && lost === 0)
      fault('no mark was answered fresh, and no answer was lost');
    if (answered.length > 0 && !present(page)) fault('a mark was acknowledged, and the page is not there');
    if (marks.length === 0 && present(page)) fault('nobody marked it, and it is there');
    // From the end of the first acknowledged mark on, it is seen; before the first mark began, it is not.
    const known = Math.min(...answered.map((call) => call.answered), ...seenEnds(calls));
    const begun = Math.min(...marks.map((call) => call.asked));
    for (const { verb, result, asked, answered } of calls) {
      if (result === 'fresh' && asked > known) fault(`${verb} was answered fresh after it was known as seen`);
      if (result === 'seen' && answered < begun) fault(`${verb} was answered seen before anybody marked it`);
    }
    // The one that is fresh comes before all other marks: none may have ended before it began.
    for (const first of fresh)
      if (answered.some((other) => other !== first && other.answered < first.asked))
        fault('a mark was answered before the one that is fresh began');
  }
  return faults;
}

const seenEnds = (calls: readonly Observed[]): number[] =>
  calls.filter(({ result }) => result === 'seen').map(({ answered }) => answered);
