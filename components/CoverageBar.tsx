import './states.css';
import { useText } from './language.ts';
import { StateMark } from './StateMark.tsx';

/** How far a round is. The first four add up to the pages there were to visit. */
export interface Coverage {
  visited: number;
  retrying: number;
  gone: number;
  left: number;
  /** Pages whose content differs from the base round; part of `visited`. */
  changed: number;
}

const SEGMENTS = ['visited', 'retrying', 'gone', 'left'] as const;

interface CoverageBarProps {
  coverage: Coverage;
  thin?: boolean;
  /** What is left is every known link, of the base round or not. */
  known?: boolean;
}

/** One image with its numbers as text alternative; the same numbers stand below as links. */
export function CoverageBar({ coverage, thin = false, known = false }: CoverageBarProps) {
  const text = useText();
  const total = SEGMENTS.reduce((sum, name) => sum + coverage[name], 0);
  const parts = [
    text('coverageVisited', coverage.visited, total),
    ...(coverage.retrying > 0 ? [text('toRetry', coverage.retrying)] : []),
    ...(coverage.gone > 0 ? [text('goneCount', coverage.gone)] : []),
    text(known ? 'knownCount' : 'leftCount', coverage.left),
  ];
  return (
    <div class={thin ? 'coverage thin' : 'coverage'} role="img" aria-label={text.list(parts)}>
      {SEGMENTS.filter((name) => coverage[name] > 0 || (total === 0 && name === 'left')).map((name) => (
        <i key={name} class={name} style={{ flex: Math.max(coverage[name], 1) }} />
      ))}
    </div>
  );
}

interface LegendProps {
  coverage: Coverage;
  /** Address of the list behind a number. */
  href: (filter: 'left' | 'changed' | 'retrying' | 'gone') => string;
  /** Said after the links, e.g. how many pages are new. */
  more?: string;
}

/** Numbers of a round as links to their lists. What does not occur is not mentioned; what is left always is. */
export function CoverageLegend({ coverage, href, more }: LegendProps) {
  const text = useText();
  const entries = [
    { filter: 'left', state: 'known', words: text('leftCount', coverage.left) },
    { filter: 'changed', state: 'changed', words: text('changedCount', coverage.changed) },
    { filter: 'retrying', state: 'retrying', words: text('retryCount', coverage.retrying) },
    { filter: 'gone', state: 'gone', words: text('goneCount', coverage.gone) },
  ] as const;
  return (
    <ul class="legend">
      {entries
        .filter(({ filter }) => filter === 'left' || coverage[filter] > 0)
        .map(({ filter, state, words }) => (
          <li key={filter}>
            <a class="state" href={href(filter)} data-testid={`${filter}-count`}>
              <StateMark state={state} />
              {words}
            </a>
          </li>
        ))}
      {more !== undefined && <li class="soft">{more}</li>}
    </ul>
  );
}
