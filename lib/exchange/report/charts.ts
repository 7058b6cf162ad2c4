import { escapeXml } from '../text.ts';
import { SLICES, type ReportFacts } from './facts.ts';
import type { ReportText } from './text.ts';

/**
 * A picture with its numbers: SVG with title and description, and the same as a table, for who does not see it or wants to copy it. States and
 * stretches are told apart by pattern, not by colour alone.
 */
export interface Chart {
  title: string;
  svg: string;
  heads: string[];
  /** Cells; the first of each row names it. */
  rows: string[][];
}

const WIDTH = 640;
const HEIGHT = 200;
/** Room for the words at the left and below. */
const LEFT = 48;
const BOTTOM = 24;
const TOP = 12;
const RIGHT = 16;
const ROWS_OF_PROGRESS = 12;

/** Patterns of the states, the same as the coverage bar has: solid, slanted, upright, outline. */
export const PATTERNS = `<svg width="0" height="0" aria-hidden="true" focusable="false"><defs>
<pattern id="slanted" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="2.6" height="4" class="retrying"/></pattern>
<pattern id="upright" width="4" height="4" patternUnits="userSpaceOnUse"><rect width="2.6" height="4" class="gone"/></pattern>
<pattern id="dotted" width="5" height="5" patternUnits="userSpaceOnUse"><circle cx="1.5" cy="1.5" r="1" class="visited"/></pattern>
</defs></svg>`;

/** How many pages were visited as time went on. */
export function progressChart({ progress, coverage, madeAt }: ReportFacts, text: ReportText): Chart {
  const { from, to, visited } = progress;
  const total = Math.max(coverage.total, coverage.visited, 1);
  const sums: number[] = [];
  for (const count of visited) sums.push((sums.at(-1) ?? 0) + count);
  const end = sums.at(-1) ?? 0;
  const title = text('reportProgress');
  const x = (slice: number) => round(LEFT + (slice / SLICES) * (WIDTH - LEFT - RIGHT));
  const y = (count: number) => round(HEIGHT - BOTTOM - (count / total) * (HEIGHT - BOTTOM - TOP));
  const line = [`M${x(0)} ${y(0)}`, ...sums.map((sum, slice) => `L${x(slice + 1)} ${y(sum)}`)].join('');
  const timeOf = (slice: number) => text.time(from + ((to - from) * slice) / SLICES, madeAt);
  const step = SLICES / ROWS_OF_PROGRESS;
  return {
    title,
    svg: picture(
      'progress',
      title,
      text('reportProgressSays', end, coverage.total, timeOf(0), timeOf(SLICES)),
      `<path class="rule" d="M${LEFT} ${y(total)}H${WIDTH - RIGHT}M${LEFT} ${y(0)}H${WIDTH - RIGHT}"/>
<path class="area" d="${line}V${y(0)}H${x(0)}Z"/><path class="line" d="${line}"/>
${label(LEFT - 6, y(total) + 4, text.number(total), 'end')}${label(LEFT - 6, y(0) + 4, text.number(0), 'end')}
${label(LEFT, HEIGHT - 6, timeOf(0), 'start')}${label(WIDTH - RIGHT, HEIGHT - 6, timeOf(SLICES), 'end')}`,
    ),
    heads: [text('time'), text('visited'), text('share')],
    rows: Array.from({ length: ROWS_OF_PROGRESS }, (_, row) => {
      const slice = (row + 1) * step;
      const sum = sums[slice - 1] ?? 0;
      return [timeOf(slice), text.number(sum), text.percent(sum / total)];
    }),
  };
}

/** Pages per state. */
export function statesChart({ coverage }: ReportFacts, text: ReportText): Chart {
  const states = ['visited', 'retrying', 'gone', 'left'] as const;
  const words = { visited: text('visited'), retrying: text('retry'), gone: text('gone'), left: text('left') };
  const most = Math.max(1, ...states.map((state) => coverage[state]));
  const total = Math.max(1, coverage.total);
  const title = text('reportStates');
  const names = 120;
  const numbers = 80;
  const rowHeight = 32;
  const bars = states.map((state, index) => {
    const width = round((coverage[state] / most) * (WIDTH - names - numbers));
    const top = index * rowHeight + 6;
    const bar = `<rect class="bar ${state}" x="${names}" y="${top}" width="${width}" height="18"/>`;
    const number = label(names + width + 8, top + 14, text.number(coverage[state]), 'start');
    return label(names - 10, top + 14, words[state], 'end') + (coverage[state] > 0 ? bar : '') + number;
  });
  return {
    title,
    svg: picture(
      'states',
      title,
      text('reportStatesSay', coverage.visited, coverage.retrying, coverage.gone, coverage.left),
      bars.join('\n'),
      states.length * rowHeight,
    ),
    heads: [text('state'), text('pages'), text('share')],
    rows: states.map((state) => [
      words[state],
      text.number(coverage[state]),
      text.percent(coverage[state] / total),
    ]),
  };
}

/** How far each round came; nothing where there is only one. */
export function roundsChart({ rounds, madeAt }: ReportFacts, text: ReportText): Chart | undefined {
  if (rounds.length < 2) return undefined;
  const title = text('reportRounds');
  const room = (WIDTH - LEFT - RIGHT) / rounds.length;
  const width = round(Math.min(48, room * 0.6));
  const full = HEIGHT - BOTTOM - TOP;
  const shareOf = ({ visited, total }: (typeof rounds)[number]) =>
    total > 0 ? Math.min(1, visited / total) : 0;
  const bars = rounds.map((each, index) => {
    const x = round(LEFT + room * index + (room - width) / 2);
    const height = round(shareOf(each) * full);
    const bar = `<rect class="bar visited" x="${x}" y="${HEIGHT - BOTTOM - height}" width="${width}" height="${height}"/>`;
    const rest = `<rect class="bar left" x="${x}" y="${TOP}" width="${width}" height="${round(full - height)}"/>`;
    return rest + bar + label(round(x + width / 2), HEIGHT - 6, text.number(each.number), 'middle');
  });
  return {
    title,
    svg: picture(
      'rounds',
      title,
      text('reportRoundsSay', rounds.length),
      `${label(LEFT - 6, TOP + 8, text.percent(1), 'end')}${label(LEFT - 6, HEIGHT - BOTTOM, text.percent(0), 'end')}
${bars.join('\n')}`,
    ),
    heads: [text('round'), text('time'), text('visited'), text('share')],
    rows: rounds.map((each) => [
      text('roundNumber', each.number),
      text.time(each.startedAt, madeAt),
      text('nOfN', each.visited, each.total),
      text.percent(shareOf(each)),
    ]),
  };
}

function picture(id: string, title: string, says: string, content: string, height = HEIGHT): string {
  return `<svg class="chart" role="img" viewBox="0 0 ${WIDTH} ${height}" aria-labelledby="${id}-title ${id}-says">
<title id="${id}-title">${escapeXml(title)}</title><desc id="${id}-says">${escapeXml(says)}</desc>
${content}
</svg>`;
}

function label(x: number, y: number, words: string, anchor: 'start' | 'middle' | 'end'): string {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}">${escapeXml(words)}</text>`;
}

/** Two digits are finer than any screen. */
function round(value: number): number {
  return Math.round(value * 100) / 100;
}
