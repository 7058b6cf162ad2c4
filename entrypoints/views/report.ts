import { coverageOf } from '#components/coverage.ts';
import { CHANGES_TOLD, ReportBuilder, type ReportFacts } from '#lib/exchange/report/facts.ts';
import type { Round, Scope } from '#lib/rounds/types.ts';
import { pageChange } from '#lib/store/changes.ts';
import { streamPages } from '#lib/store/read.ts';

/** Rounds before this one that are in its report. */
const ROUNDS = 12;
/** How often progress is told, in pages. */
const EVERY = 500;

interface Going {
  signal: AbortSignal;
  /** Pages read so far. */
  onProgress: (pages: number) => void;
}

/**
 * Reads a round for its report, once through, in memory that does not grow with it. `rounds`: all rounds of its scope.
 * @throws what `signal` was aborted with
 */
export async function readReport(
  round: Round,
  scope: Scope,
  rounds: Round[],
  { signal, onProgress }: Going,
): Promise<ReportFacts> {
  const builder = new ReportBuilder({
    scope,
    round,
    base: rounds.find(({ id }) => id === round.base),
    coverage: coverageOf(round),
    rounds: rounds
      .filter(({ number }) => number <= round.number)
      .toSorted((a, b) => a.number - b.number)
      .slice(-ROUNDS)
      .map((each) => ({ ...coverageOf(each), number: each.number, startedAt: each.startedAt })),
    madeAt: Date.now(),
  });
  let pages = 0;
  const step = (): void => {
    signal.throwIfAborted();
    if (++pages % EVERY === 0) onProgress(pages);
  };
  for await (const page of streamPages(round.space, {})) {
    step();
    builder.add(page);
  }
  for await (const page of streamPages(round.space, { compare: 'left' })) {
    step();
    builder.addLeft(page);
  }
  for (const { key } of builder.facts().sections.changed.pages.slice(0, CHANGES_TOLD)) {
    signal.throwIfAborted();
    const found = await pageChange(round.space, key);
    if (found?.change) builder.addChange(key, found.change.blocks);
  }
  return builder.facts();
}

/** `Shop-daily-check-2-report.html`: what every file system takes, in any script. */
export function reportName(scope: Pick<Scope, 'name'>, round: Pick<Round, 'number'>): string {
  const name = scope.name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '');
  return `${name.slice(0, 60) || 'onceover'}-${round.number}-report.html`;
}
