import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { chart } from './chart.ts';
import type { Engine, Row } from './row.ts';

const DOCUMENT = fileURLToPath(new URL('../docs/performance.md', import.meta.url));
const CHART = fileURLToPath(new URL('../docs/performance.svg', import.meta.url));
/** What is between these is written by the bench, the rest of the document by people. */
const BEGIN = '<!-- bench:begin -->';
const END = '<!-- bench:end -->';

const COLUMNS = [
  'work',
  'engine',
  'set',
  'unit',
  'ours',
  'peer',
  'floor',
  'ratio',
  'target',
  'holds',
] as const;

/** The rows as a Markdown table. */
export function table(rows: readonly Row[]): string {
  const cells = rows.map((row): string[] => [
    row.name,
    row.engine,
    row.set,
    row.unit,
    number(row.ours),
    row.peer === null ? row.peerName : `${number(row.peer)} ${row.peerName}`,
    number(row.floor),
    row.ratio === null ? '' : `${number(row.ratio)} (${row.ratioOf})`,
    row.target,
    row.holds,
  ]);
  const all = [[...COLUMNS], COLUMNS.map(() => '---'), ...cells];
  return all.map((line) => `| ${line.join(' | ')} |`).join('\n');
}

function number(value: number | null): string {
  if (value === null) return '';
  if (value === 0 || Math.abs(value) >= 1000) return String(Math.round(value));
  return String(Number(value.toPrecision(3)));
}

/** Puts the table with machine, versions and date, and its chart, into docs/performance.md. */
export async function writeReport(
  rows: readonly Row[],
  versions: Partial<Record<Engine, string>>,
  rounds: number,
): Promise<void> {
  const [cpu] = cpus();
  const machine = `${cpu?.model.trim() ?? process.arch}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}`;
  const engines = Object.entries(versions).map(([engine, version]) => `${engine} ${version}`);
  const missed = rows.filter(({ holds }) => holds === 'no').length;
  const text = [
    BEGIN,
    `Measured on ${new Date().toISOString().slice(0, 10)}: ${machine}; ${engines.join(', ')}; medians of ${rounds} interleaved rounds.`,
    `${rows.length} rows; ${rows.filter(({ holds }) => holds === 'yes').length} reach their target, ${missed} miss it.`,
    '',
    '![Ratio to the target of each row](performance.svg)',
    '',
    table(rows),
    END,
  ].join('\n');
  const document = await readFile(DOCUMENT, 'utf8').catch(() => `# Performance\n\n${BEGIN}\n${END}\n`);
  const start = document.indexOf(BEGIN);
  const end = document.indexOf(END);
  if (start < 0 || end < start)
    throw new Error(`docs/performance.md has no place for the table (${BEGIN} … ${END})`);
  await mkdir(fileURLToPath(new URL('../docs/', import.meta.url)), { recursive: true });
  const written = document.slice(0, start) + text + document.slice(end + END.length);
  const options = { ...(await resolveConfig(DOCUMENT)), parser: 'markdown' };
  await writeFile(DOCUMENT, await format(written, options));
  await writeFile(CHART, chart(rows));
}
