import { sha256 } from '@noble/hashes/sha2.js';
import { bytesFromBase64, bytesToBase64, hex } from './bytes.ts';
import { rowProblem } from './backup-rows.ts';
import { jsonLine } from './text.ts';

/**
 * A backup is one file of JSON Lines: a header, the rows of every store in this order, and a last line with the counts and the
 * SHA-256 of all bytes before it. Nothing in it may be used before that line was reached and agreed (`verifyBackup`).
 */
export const BACKUP_STORES = [
  'meta',
  'scopes',
  'policies',
  'rounds',
  'pages',
  'visits',
  'variants',
  'aliases',
  'texts',
  'snapshots',
  'watches',
  'contentRules',
] as const;
export type BackupStore = (typeof BACKUP_STORES)[number];

/** Counts up when rows change so that older files need `UPGRADES`. */
export const BACKUP_VERSION = 2;

export interface BackupHeader {
  format: 'onceover-backup';
  version: number;
  /** ISO 8601. */
  createdAt: string;
  /** Version of Onceover that wrote it. */
  app: string;
}

export type Row = Record<string, unknown>;
export interface BackupRow {
  store: BackupStore;
  row: Row;
  /** Line in the file, from 1. */
  line: number;
}

export interface BackupSummary {
  header: BackupHeader;
  counts: Record<BackupStore, number>;
  sha256: string;
}

/** The file cannot be restored; nothing of it may be used. `line` is where, 0 for the file as a whole. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
  readonly line: number;

  constructor(line: number, problem: string) {
    super(line > 0 ? `Line ${line}: ${problem}` : problem);
    this.line = line;
  }
}

/** Rows of files of older versions become rows of the next one, or nothing, one version at a time. */
const UPGRADES: Record<number, (store: BackupStore, row: Row) => Row | null> = {
  // Texts were not kept before version 2.
  1: (store, row) => (store === 'texts' || store === 'snapshots' ? null : row),
};

/** The text of a backup, piece by piece; the pieces joined are the file. */
export interface BackupText {
  head: string;
  row(store: BackupStore, row: Row): string;
  tail(): string;
}

/** @param createdAt milliseconds since the epoch · @param app version of Onceover */
export function backupText(createdAt: number, app: string): BackupText {
  const header: BackupHeader = {
    format: 'onceover-backup',
    version: BACKUP_VERSION,
    createdAt: new Date(createdAt).toISOString(),
    app,
  };
  const counts = zeroCounts();
  const hash = sha256.create();
  const line = (value: unknown) => {
    const text = `${jsonLine(value)}\n`;
    hash.update(new TextEncoder().encode(text));
    return text;
  };
  return {
    head: line(header),
    row(store, row) {
      counts[store]++;
      return line({ store, row: encodeBytes(row) });
    },
    tail: () => `${jsonLine({ end: true, counts, sha256: hex(hash.digest()) })}\n`,
  };
}

/** A whole backup as text chunks of about 64 Ki characters. Memory does not grow with the rows. */
export async function* writeBackup(
  rows: AsyncIterable<{ store: BackupStore; row: Row }> | Iterable<{ store: BackupStore; row: Row }>,
  { createdAt, app }: { createdAt: number; app: string },
): AsyncGenerator<string> {
  const file = backupText(createdAt, app);
  let text = file.head;
  for await (const { store, row } of rows) {
    text += file.row(store, row);
    if (text.length > 1 << 16) {
      yield text;
      text = '';
    }
  }
  yield text + file.tail();
}

/**
 * The rows of a backup in its order, upgraded to this version. Ends normally only if the file is whole, so rows go to a place that
 * can be thrown away (or `verifyBackup` goes first). @throws {BackupError}
 */
export async function* readBackup(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<BackupRow, BackupSummary> {
  const hash = sha256.create();
  const counts = zeroCounts();
  let header: BackupHeader | undefined;
  let number = 0;
  let end: { counts: unknown; sha256: unknown } | undefined;
  for await (const bytes of byteLines(chunks)) {
    number++;
    if (end) throw new BackupError(number, 'something follows the end of the backup.');
    const value = parseLine(bytes, number);
    if (header === undefined) {
      header = readHeader(value);
      hash.update(bytes);
      continue;
    }
    if (value['end'] === true) {
      end = { counts: value['counts'], sha256: value['sha256'] };
      continue;
    }
    hash.update(bytes);
    const { store, row } = readRow(value, header.version, number);
    counts[store]++;
    if (row) yield { store, row, line: number };
  }
  if (header === undefined) throw new BackupError(0, 'The file is empty, so it is no backup.');
  if (end === undefined) {
    throw new BackupError(
      0,
      `The backup is cut off after line ${number}: its last line is missing. Use another copy.`,
    );
  }
  const digest = hex(hash.digest());
  if (digest !== end.sha256 || !sameCounts(counts, end.counts)) {
    throw new BackupError(0, 'The backup is damaged: its checksum does not agree. Use another copy.');
  }
  return { header, counts, sha256: digest };
}

/** Reads a backup to its end and keeps nothing. @throws {BackupError} when it is damaged, cut off, of a newer version or no backup. */
export async function verifyBackup(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<BackupSummary> {
  const rows = readBackup(chunks);
  for (;;) {
    const step = await rows.next();
    if (step.done) return step.value;
  }
}

/** Longest line of a backup, in bytes. The longest rows are the texts of a page. */
const LONGEST_ROW = 1 << 26;

/** Lines with their LF, as bytes, because the checksum is over bytes. */
async function* byteLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let number = 1;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const piece = chunk.subarray(start, end + 1);
      yield pieces.length === 0 ? piece : joined([...pieces, piece]);
      pieces = [];
      length = 0;
      start = end + 1;
      number++;
    }
    if (start < chunk.length) {
      pieces.push(chunk.slice(start));
      length += chunk.length - start;
      if (length > LONGEST_ROW) throw new BackupError(number, 'the line is too long; this is no backup.');
    }
  }
  if (length > 0) yield joined(pieces);
}

function joined(pieces: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function parseLine(bytes: Uint8Array, line: number): Row {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new BackupError(
      line,
      line === 1 ? 'this is no backup of Onceover.' : 'the line is damaged or cut off. Use another copy.',
    );
  }
  if (!isObject(value)) throw new BackupError(line, 'this is no backup of Onceover.');
  return value;
}

function readHeader(value: Row): BackupHeader {
  const { format, version, createdAt, app } = value;
  if (
    format !== 'onceover-backup' ||
    typeof version !== 'number' ||
    !Number.isInteger(version) ||
    version < 1
  ) {
    throw new BackupError(1, 'this is no backup of Onceover.');
  }
  if (version > BACKUP_VERSION) {
    throw new BackupError(
      1,
      `the backup was made by a newer Onceover (format ${version}, this one reads up to ${BACKUP_VERSION}). Update Onceover.`,
    );
  }
  return { format, version, createdAt: String(createdAt), app: String(app) };
}

function readRow(value: Row, version: number, line: number): { store: BackupStore; row: Row | null } {
  const store = BACKUP_STORES.find((name) => name === value['store']);
  if (store === undefined) throw new BackupError(line, `unknown store ${jsonLine(value['store'] ?? null)}.`);
  let row = decodeBytes(value['row']);
  if (!isObject(row)) throw new BackupError(line, 'the row is no object.');
  for (let step = version; step < BACKUP_VERSION; step++) {
    const upgrade = UPGRADES[step];
    if (upgrade) row = upgrade(store, row as Row);
    if (row === null) return { store, row };
  }
  const problem = rowProblem(store, row as Row);
  if (problem !== null) throw new BackupError(line, `${store}: ${problem}`);
  return { store, row: row as Row };
}

const BYTES = '$bytes';

/** JSON has no bytes: they are written `{ "$bytes": base64 }`. A value without any is answered as it is. */
function encodeBytes(value: unknown): unknown {
  if (value instanceof Uint8Array) return { [BYTES]: bytesToBase64(value) };
  if (value instanceof ArrayBuffer) return { [BYTES]: bytesToBase64(new Uint8Array(value)) };
  return mapFields(value, encodeBytes);
}

function decodeBytes(value: unknown): unknown {
  if (isObject(value)) {
    const bytes = value[BYTES];
    if (typeof bytes === 'string' && Object.keys(value).length === 1) return bytesFromBase64(bytes) ?? value;
  }
  return mapFields(value, decodeBytes);
}

/** Copies only where a field changes: most rows are flat and have nothing to change. */
function mapFields(value: unknown, change: (field: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  let copy: Record<string, unknown> | unknown[] | null = null;
  for (const name of Object.keys(value)) {
    const field = (value as Row)[name];
    if (typeof field !== 'object' || field === null || name === '__proto__') continue;
    const changed = change(field);
    if (changed === field) continue;
    copy ??= Array.isArray(value) ? [...(value as unknown[])] : { ...value };
    (copy as Row)[name] = changed;
  }
  return copy ?? value;
}

function zeroCounts(): Record<BackupStore, number> {
  return Object.fromEntries(BACKUP_STORES.map((store) => [store, 0])) as Record<BackupStore, number>;
}

function sameCounts(counts: Record<BackupStore, number>, told: unknown): boolean {
  return isObject(told) && BACKUP_STORES.every((store) => (told[store] ?? 0) === counts[store]);
}

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
