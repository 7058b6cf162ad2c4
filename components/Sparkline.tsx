import './LiveValues.css';

const WIDTH = 160;
const HEIGHT = 20;
/** Room for the stroke and the dot at the end. */
const EDGE = 3;

/** Where values stand in a drawing of {@link WIDTH} × {@link HEIGHT}; all in the middle where they are one. */
export function sparkPoints(values: readonly number[]): [x: number, y: number][] {
  const least = Math.min(...values);
  const range = Math.max(...values) - least;
  const step = values.length > 1 ? (WIDTH - 2 * EDGE) / (values.length - 1) : 0;
  const height = HEIGHT - 2 * EDGE;
  return values.map((value, index) => [
    round(EDGE + index * step),
    round(range > 0 ? HEIGHT - EDGE - ((value - least) / range) * height : HEIGHT / 2),
  ]);
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** The last values as a line with a dot at the latest; `label` says the same in words. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const points = sparkPoints(values);
  const end = points.at(-1);
  return (
    <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <polyline
        points={points.map((point) => point.join(',')).join(' ')}
        fill="none"
        stroke="currentColor"
        stroke-width="1.25"
      />
      {end && <circle cx={end[0]} cy={end[1]} r="2.5" fill="var(--accent)" />}
    </svg>
  );
}
