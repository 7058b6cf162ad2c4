import { existsSync, rmSync, statSync } from 'node:fs';
import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, extname, join, basename, sep } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { findFormat, FORMATS, COLUMNS, gzip, writeExport } from '#lib/exchange/index.ts';
import type { Column, ExportFormat, ExportOptions, ExportSummary, PageRecord } from '#lib/exchange/index.ts';
import { RoundSet } from '#lib/sets/index.ts';
import { text, UsageError, wholeNumber, type OptionSpec, type OptionValues } from './command.ts';
import type { Terminal } from './terminal.ts';

/** The options of every command that writes a format. */
export const EXPORT_OPTIONS = {
  output: {
    type: 'string',
    short: 'o',
    help: 'PATH write FILE, or into a folder, with a manifest beside each file',
  },
  split: { type: 'string', help: 'N at most so many pages in one file (needs --output)' },
  gzip: { type: 'boolean', help: 'compress' },
  columns: { type: 'string', help: `LIST columns of the CSV formats, of ${COLUMNS.join(',')}` },
  include: { type: 'boolean', help: 'heritrix: pages not to fetch again instead of seeds' },
} as const satisfies Record<string, OptionSpec>;

/** @throws {UsageError} naming the known formats */
export function formatByName(name: string): ExportFormat {
  const format = findFormat(name);
  if (format) return format;
  throw new UsageError(
    `Unknown format "${name}". Known are: ${FORMATS.map((known) => known.name).join(', ')}.`,
  );
}

type About = Pick<ExportOptions, 'scope' | 'round' | 'policyVersion' | 'repeats'>;

/** Writes the records to stdout or, with --output, to files that appear all together when everything is written. */
export async function exportRecords(
  terminal: Terminal,
  values: OptionValues,
  format: ExportFormat,
  records: AsyncIterable<PageRecord>,
  about: About,
): Promise<ExportSummary> {
  const options = readOptions(values, format, about);
  const output = text(values, 'output');
  const watched = watch(terminal, records);
  if (output === undefined) return toStdout(terminal, format, watched, options);
  const isFolder = output.endsWith(sep) || (existsSync(output) && statSync(output).isDirectory());
  const folder = isFolder ? output : dirname(output);
  if (!isFolder) {
    const ending = extname(output);
    options.name = basename(output, ending);
    if (ending !== '' && !format.limits?.oneOrigin && !options.gzip) options.extension = ending;
  }
  return toFolder(terminal, format, watched, options, folder);
}

async function* watch(terminal: Terminal, records: AsyncIterable<PageRecord>): AsyncGenerator<PageRecord> {
  let count = 0;
  for await (const record of records) {
    count++;
    terminal.progress(() => `${count.toLocaleString('en')} pages`);
    yield record;
  }
}

function readOptions(values: OptionValues, format: ExportFormat, about: About): ExportOptions {
  const seen = new RoundSet({ exact: true });
  const options: ExportOptions = {
    ...about,
    seen: { add: (address) => seen.insert(address) },
    name: [about.scope, about.round].filter((part) => part !== undefined).join('-') || 'onceover',
    createdAt: Date.now(),
    app: manifest.version,
    id: crypto.randomUUID(),
  };
  const split = wholeNumber(values, 'split');
  if (split !== undefined) {
    if (text(values, 'output') === undefined)
      throw new UsageError('--split makes several files: say where with --output.');
    options.split = split;
  }
  if (values['gzip'] === true) options.gzip = gzip;
  const columns = text(values, 'columns')?.split(',').map(columnByName);
  for (const name of ['columns', 'include'] as const) {
    if (values[name] !== undefined && !format.options.includes(name)) {
      throw new UsageError(`The format ${format.name} has no --${name}.`);
    }
  }
  if (columns) options.columns = columns;
  if (values['include'] === true) options.include = true;
  return options;
}

function columnByName(name: string): Column {
  const column = COLUMNS.find((known) => known === name);
  if (column) return column;
  throw new UsageError(`Unknown column "${name}". Known are: ${COLUMNS.join(',')}.`);
}

async function toStdout(
  terminal: Terminal,
  format: ExportFormat,
  records: AsyncIterable<PageRecord>,
  options: ExportOptions,
): Promise<ExportSummary> {
  // A format with a file for each site waits until it is sure that there is only one; that is 50 MB at most.
  const held: Uint8Array[] = [];
  let name: string | undefined;
  for await (const event of writeExport(format, records, options)) {
    if (event.type === 'end') {
      for (const bytes of held) await terminal.write(bytes);
      return event.summary;
    }
    name ??= event.file;
    if (event.file !== name) {
      throw new UsageError(
        `The format ${format.name} needs several files here: say where with --output FOLDER/.`,
      );
    }
    if (event.type === 'file') continue;
    if (format.limits?.oneOrigin) held.push(event.bytes);
    else await terminal.write(event.bytes);
  }
  throw new Error('the export did not end');
}

/** Handles that may be open at once; a sitemap for each of a thousand sites needs a thousand files. */
const MOST_OPEN = 100;

async function toFolder(
  terminal: Terminal,
  format: ExportFormat,
  records: AsyncIterable<PageRecord>,
  options: ExportOptions,
  folder: string,
): Promise<ExportSummary> {
  await mkdir(folder, { recursive: true });
  const unfinished = (file: string) => join(folder, `.${file}.unfinished`);
  const files: string[] = [];
  const handles = new Map<string, FileHandle>();
  const append = async (file: string, bytes: Uint8Array) => {
    let handle = handles.get(file);
    if (handle === undefined) {
      if (handles.size >= MOST_OPEN) {
        const [[oldest, old] = [file, undefined]] = handles;
        await old?.close();
        handles.delete(oldest);
      }
      if (!files.includes(file)) await rm(unfinished(file), { force: true });
      handle = await open(unfinished(file), 'a');
      handles.set(file, handle);
      if (!files.includes(file)) files.push(file);
    }
    await handle.appendFile(bytes);
  };
  const close = async (file: string) => {
    await handles.get(file)?.sync();
    await handles.get(file)?.close();
    handles.delete(file);
  };
  const cleanUp = async () => {
    for (const file of handles.keys()) await close(file);
    for (const file of files) await rm(unfinished(file), { force: true });
  };
  const onInterrupt = () => {
    for (const file of files) rmSync(unfinished(file), { force: true });
    process.removeListener('SIGINT', onInterrupt);
    process.kill(process.pid, 'SIGINT');
  };
  process.on('SIGINT', onInterrupt);
  const writeWhole = async (file: string, content: string) => {
    await append(file, Buffer.from(content));
    await close(file);
  };
  try {
    let summary: ExportSummary | undefined;
    const counts = new Map<string, number>();
    for await (const event of writeExport(format, records, options)) {
      if (event.type === 'bytes') await append(event.file, event.bytes);
      else if (event.type === 'end') summary = event.summary;
      else {
        if (!files.includes(event.file)) await append(event.file, new Uint8Array(0));
        await close(event.file);
        counts.set(event.file, event.manifest.count);
        await writeWhole(`${event.file}.manifest.json`, `${JSON.stringify(event.manifest, null, 2)}\n`);
        for (const { name, text } of format.companions?.(event.file) ?? []) await writeWhole(name, text);
      }
    }
    if (summary === undefined) throw new Error('the export did not end');
    for (const file of files) await rename(unfinished(file), join(folder, file));
    for (const [file, count] of counts) terminal.say(`${join(folder, file)}: ${count}`);
    return summary;
  } catch (error) {
    await cleanUp();
    throw error;
  } finally {
    process.removeListener('SIGINT', onInterrupt);
  }
}
