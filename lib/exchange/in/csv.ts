import { readLines } from '../lines.ts';
import {
  LONGEST_TEXT,
  type Bytes,
  type Found,
  type ImportFormat,
  type ReaderItem,
  type ReadOptions,
} from './reader.ts';

/** A table with commas, semicolons, tabs or bars between its columns. */
export const csv: ImportFormat = {
  name: 'csv',
  extensions: ['.csv', '.tsv', '.tab'],
  purpose: { en: 'CSV or TSV, the address in any column', zh: 'CSV 或 TSV，地址可在任意列' },
  read: readTable,
};

interface Cell {
  text: string;
  /** Line and column where it begins, from 1. */
  line: number;
  column: number;
}

type Table = { row: Cell[] } | { line: number; column: number; problem: string };

const ADDRESS_NAME =
  /^(?:(?:page|full|final|original|landing)[ _-]?)?(?:url|uri|link|href|loc|location|address|page|网址|链接|地址|页面)s?$/i;
const TITLE_NAME = /^(?:(?:page|link)[ _-]?)?(?:title|name|标题|名称)$/i;
const STATUS_NAME = /^(?:http[ _-]?)?(?:status|code|status[ _-]?code)$/i;
/** Rows looked at to find the column of the address. */
const LOOKED_AT = 50;

async function* readTable(bytes: Bytes, options: ReadOptions): AsyncGenerator<ReaderItem> {
  const first: Cell[][] = [];
  let columns: Columns | null = null;
  for await (const item of rows(bytes)) {
    if ('problem' in item) yield item;
    else if (columns === null && first.length < LOOKED_AT) first.push(item.row);
    else {
      if (columns === null) {
        columns = findColumns(first, options.column);
        yield* links(first, columns);
      }
      if (columns !== null) yield* links([item.row], columns);
    }
  }
  if (columns === null && first.length > 0) yield* links(first, findColumns(first, options.column));
}

interface Columns {
  address: number;
  title: number;
  status: number;
  /** The first row names the columns. */
  header: Cell[] | null;
  top: Cell[];
  problem?: string;
}

function findColumns(rows: Cell[][], wanted: string | undefined): Columns {
  const [top = []] = rows;
  const names = top.map(({ text }) => text.trim());
  const isAddress = (text: string) => /^\s*https?(?::|%)/i.test(text);
  const header = names.some(isAddress) ? null : top;
  const named = (pattern: RegExp) => (header === null ? -1 : names.findIndex((name) => pattern.test(name)));
  const others = { title: named(TITLE_NAME), status: named(STATUS_NAME), header, top };
  if (wanted !== undefined) {
    const byName =
      header === null ? -1 : names.findIndex((name) => name.toLowerCase() === wanted.trim().toLowerCase());
    const address = byName >= 0 ? byName : /^[1-9]\d*$/.test(wanted.trim()) ? Number(wanted) - 1 : -1;
    if (address >= 0 && address < Math.max(...rows.map((row) => row.length))) return { ...others, address };
    return {
      ...others,
      address: -1,
      problem: `There is no column "${wanted}". There are: ${names.join(', ')}.`,
    };
  }
  const counts = new Map<number, number>();
  for (const row of rows) {
    for (const [index, { text }] of row.entries())
      if (isAddress(text)) counts.set(index, (counts.get(index) ?? 0) + 1);
  }
  const byName = named(ADDRESS_NAME);
  const [[fullest] = [-1]] = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const address = byName >= 0 && (counts.size === 0 || counts.has(byName)) ? byName : fullest;
  if (address >= 0) return { ...others, address };
  return { ...others, address: -1, problem: `No column has addresses. Choose one of: ${names.join(', ')}.` };
}

function* links(rows: Cell[][], columns: Columns): Generator<ReaderItem> {
  if (columns.problem !== undefined && rows[0]?.[0] && rows[0] === columns.top) {
    yield { line: rows[0][0].line, column: 1, problem: columns.problem };
  }
  if (columns.address < 0) return;
  for (const row of rows) {
    if (row === columns.header) continue;
    const cell = row[columns.address];
    if (cell === undefined) {
      const [at] = row;
      if (at && row.some(({ text }) => text.trim() !== ''))
        yield { line: at.line, column: 1, problem: 'The row has no column for the address.' };
      continue;
    }
    if (cell.text.trim() === '' && row.every(({ text }) => text.trim() === '')) continue;
    // A spreadsheet's apostrophe says "text" and is no part of it.
    const found: Found = { line: cell.line, column: cell.column, url: cell.text.trim().replace(/^'/, '') };
    const title = row[columns.title]?.text;
    const status = row[columns.status]?.text.trim();
    if (title !== undefined && title !== '') found.title = title.replace(/^'(?=[=+\-@＝＋－＠])/, '');
    if (status !== undefined && /^\d{3}$/.test(status)) found.status = Number(status);
    yield found;
  }
}

/** Lines that one quoted cell may span before its quote counts as never closed. */
const MOST_LINES = 200;

/** Rows of RFC 4180. A quote that is never closed spoils its own line only. */
async function* rows(bytes: Bytes): AsyncGenerator<Table> {
  let separator = '';
  let pending: { line: number; text: string }[] = [];
  const take = function* (atEnd: boolean): Generator<Table> {
    while (pending.length > 0) {
      const { row, used } = parseRow(pending, separator);
      const [head] = pending;
      if (head === undefined) return;
      if (row !== null) {
        pending = pending.slice(used);
        yield { row };
        continue;
      }
      const size = pending.reduce((sum, { text }) => sum + text.length, 0);
      if (!atEnd && pending.length < MOST_LINES && size < LONGEST_TEXT) return;
      pending = pending.slice(1);
      yield {
        line: head.line,
        column: 1 + head.text.lastIndexOf('"'),
        problem: 'The quote is never closed.',
      };
    }
  };
  for await (const { first, lines } of readLines(bytes)) {
    for (const [index, text] of lines.entries()) {
      const line = first + index;
      if (text === null) {
        yield* take(true);
        yield { line, column: 1, problem: 'The line is longer than 16 MiB.' };
        continue;
      }
      if (separator === '') {
        const told = /^sep=(.)$/i.exec(text.trim())?.[1];
        if (text.trim() === '') continue;
        separator = told ?? separatorOf(text);
        if (told !== undefined) continue;
      }
      pending.push({ line, text });
      yield* take(false);
    }
  }
  yield* take(true);
}

function separatorOf(header: string): string {
  const bare = header.replace(/"(?:[^"]|"")*"/g, '');
  const counts = [',', ';', '\t', '|'].map((separator) => ({
    separator,
    count: bare.split(separator).length - 1,
  }));
  const best = counts.reduce((most, next) => (next.count > most.count ? next : most));
  return best.count === 0 ? ',' : best.separator;
}

/** The first row of some lines; `row: null` where a quote is still open at their end. */
function parseRow(
  lines: { line: number; text: string }[],
  separator: string,
): { row: Cell[] | null; used: number } {
  const row: Cell[] = [];
  let cell = '';
  let isQuoted = false;
  for (const [index, { line, text }] of lines.entries()) {
    let at = 0;
    let begin = isQuoted ? null : { line, column: 1 };
    if (isQuoted) cell += '\n';
    for (;;) {
      if (isQuoted) {
        const end = text.indexOf('"', at);
        if (end < 0) {
          cell += text.slice(at);
          break;
        }
        cell += text.slice(at, end);
        at = end + 1;
        if (text.charAt(at) === '"') {
          cell += '"';
          at++;
        } else isQuoted = false;
        continue;
      }
      if (text.charAt(at) === '"' && cell === '' && begin !== null) {
        row.push({ text: '', ...begin });
        begin = null;
        isQuoted = true;
        at++;
        continue;
      }
      const end = text.indexOf(separator, at);
      cell += text.slice(at, end < 0 ? text.length : end);
      const last = row.at(-1);
      if (begin === null && last) last.text = cell;
      else row.push({ text: cell, line: begin?.line ?? line, column: begin?.column ?? at + 1 });
      cell = '';
      if (end < 0) return { row, used: index + 1 };
      at = end + 1;
      begin = { line, column: at + 1 };
    }
  }
  return { row: null, used: 0 };
}
