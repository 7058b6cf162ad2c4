import type { Row } from './row.ts';

const LINE = 22;
const LEFT = 420;
const WIDTH = 1000;
const PLOT = WIDTH - LEFT - 90;
const COLORS: Record<string, string> = { yes: '#1a7f5a', no: '#b3261e', 'not distinguishable': '#8a6d00' };
/** The scale is logarithmic: from a tenth of what the target allows to ten times as much. */
const SPAN = 10;

/** How far each row with a target is from it: a bar to the left of the line is better, to the right worse. */
export function chart(rows: readonly Row[]): string {
  const bars = rows.flatMap((row) => {
    const limit = Number(row.target.slice(2));
    if (row.ratio === null || !(limit > 0)) return [];
    const used = row.target.startsWith('≤') ? row.ratio / limit : limit / row.ratio;
    return [{ row, used }];
  });
  const height = 60 + bars.length * LINE;
  const x = (used: number): number =>
    LEFT + PLOT / 2 + (Math.log10(Math.min(SPAN, Math.max(1 / SPAN, used))) * PLOT) / 2;
  const zero = x(1);
  const parts = bars.map(({ row, used }, i) => {
    const y = 46 + i * LINE;
    const end = x(used);
    const label = escape(`${row.name} · ${row.set} · ${row.engine}`);
    return [
      `<text x="${LEFT - 8}" y="${y + 12}" text-anchor="end">${label}</text>`,
      `<rect x="${Math.min(zero, end).toFixed(1)}" y="${y + 2}" width="${Math.abs(end - zero).toFixed(1)}" height="${LINE - 8}" fill="${COLORS[row.holds] ?? '#666'}"/>`,
      `<text x="${WIDTH - 84}" y="${y + 12}">${Number(row.ratio!.toPrecision(3))} ${escape(row.target)}</text>`,
    ].join('');
  });
  const ticks = [0.1, 0.2, 0.5, 1, 2, 5, 10].map(
    (tick) =>
      `<line x1="${x(tick).toFixed(1)}" x2="${x(tick).toFixed(1)}" y1="40" y2="${height - 8}" stroke="${tick === 1 ? '#222' : '#ccc'}"/>` +
      `<text x="${x(tick).toFixed(1)}" y="34" text-anchor="middle">${tick === 1 ? 'target' : `${tick}×`}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="system-ui, sans-serif" font-size="12">
<title>Each row's ratio as a share of its target; left of the line is better</title>
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
<text x="8" y="18" font-size="14">Share of the target that each row uses; left of the line is better</text>
${ticks.join('\n')}
${parts.join('\n')}
</svg>
`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
