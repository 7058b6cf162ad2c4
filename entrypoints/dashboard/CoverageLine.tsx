import { coverageOf } from '#components/coverage.ts';
import { CoverageBar, CoverageLegend } from '#components/CoverageBar.tsx';
import { useText } from '#components/language.ts';
import type { Round } from '#lib/rounds/types.ts';
import { formatRoute, type Route } from './route.ts';

/** How far a round is: a sentence, a bar, and its numbers as links to their lists in the view `at`. */
export function CoverageLine({ round, at }: { round: Round; at: Route }) {
  const text = useText();
  const coverage = coverageOf(round);
  return (
    <div class="coverage-line">
      <p data-testid="visited-count">
        {text.rich('visitedOf', <span class="figure">{text.number(coverage.visited)}</span>, coverage.total)}
      </p>
      <CoverageBar coverage={coverage} />
      <CoverageLegend
        coverage={coverage}
        href={(show) => formatRoute({ ...at, show })}
        {...(coverage.beside > 0 ? { more: text('besideNew', coverage.beside) } : {})}
      />
    </div>
  );
}
