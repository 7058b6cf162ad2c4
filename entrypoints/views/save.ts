import type { Column, ExportFormat } from '#lib/exchange/format.ts';
import { gzip } from '#lib/exchange/gzip.ts';
import { writeExport, type ExportSummary, type Manifest } from '#lib/exchange/write.ts';
import type { Round, Scope } from '#lib/rounds/types.ts';
import { FingerprintSet } from '#lib/sets/index.ts';
import { exportRecords, type ExportChoice } from './export-rows.ts';

export interface SaveOptions extends ExportChoice {
  format: ExportFormat;
  round: Round;
  scope: Scope | undefined;
  /** At most so many addresses in one file. */
  split?: number;
  compressed?: boolean;
  columns?: readonly Column[];
  /** Heritrix: pages that are done, not seeds. */
  include?: boolean;
  /** Version of Onceover. */
  app: string;
  signal: AbortSignal;
  /** Records read so far. */
  onProgress: (records: number) => void;
}

/** A complete file, with what lies beside it. */
export interface SavedFile {
  name: string;
  blob: Blob;
  manifest?: Manifest;
}

export interface Saved {
  files: SavedFile[];
  /** Manifests, and programs that read the files. */
  beside: SavedFile[];
  summary: ExportSummary;
}

/** How often progress is told. */
const EVERY = 500;

/**
 * Writes a round in a format. The text goes into Blobs piece by piece, which the browser keeps outside the page's memory; they are
 * answered once all files are complete, so an export is complete or absent.
 * @throws what `signal` was aborted with
 */
export async function writeFiles(options: SaveOptions): Promise<Saved> {
  const { format, round, scope, signal } = options;
  const parts = new Map<string, Blob[]>();
  const saved: Omit<Saved, 'summary'> = { files: [], beside: [] };
  const events = writeExport(format, counted(options), {
    name: `${scope?.name ?? 'onceover'}-${round.number}`,
    createdAt: Date.now(),
    scope: scope?.name ?? round.scope,
    round: round.id,
    policyVersion: round.policyVersion,
    app: options.app,
    id: crypto.randomUUID(),
    seen: fingerprints(),
    repeats: options.allVisits ?? false,
    ...(options.split !== undefined && { split: options.split }),
    ...(options.compressed && { gzip }),
    ...(options.columns && { columns: options.columns }),
    ...(options.include && { include: true }),
  });
  for await (const event of events) {
    signal.throwIfAborted();
    if (event.type === 'end') return { ...saved, summary: event.summary };
    const { file } = event;
    const pieces = parts.get(file) ?? [];
    parts.set(file, pieces);
    if (event.type === 'bytes') {
      pieces.push(new Blob([event.bytes]));
      continue;
    }
    parts.delete(file);
    const type = options.compressed ? 'application/gzip' : format.mime;
    saved.files.push({ name: file, blob: new Blob(pieces, { type }), manifest: event.manifest });
    saved.beside.push(textFile(`${file}.manifest.json`, `${JSON.stringify(event.manifest, null, 2)}\n`));
    for (const { name, text } of format.companions?.(file) ?? []) saved.beside.push(textFile(name, text));
  }
  throw new Error('The export did not end.');
}

function textFile(name: string, text: string): SavedFile {
  return { name, blob: new Blob([text], { type: 'text/plain' }) };
}

async function* counted(options: SaveOptions) {
  const { signal, onProgress, format } = options;
  let done = 0;
  for await (const record of exportRecords(options.round, { ...options, others: format.name === 'jsonl' })) {
    signal.throwIfAborted();
    if (++done % EVERY === 0) onProgress(done);
    yield record;
  }
}

/** Which addresses were written, in about 20 bytes each: by 128 bits, so that no two are ever taken for one. */
function fingerprints(): { add: (text: string) => boolean } {
  const [one, two] = [new FingerprintSet(), new FingerprintSet()];
  return {
    add: (text) => {
      const isNew = one.add(text);
      return two.add(`${text}\n${text.length}`) || isNew;
    },
  };
}

/** Hands a file over. `<a download>` needs no permission; the address is given back once the browser has taken the file. */
export function download({ name, blob }: Pick<SavedFile, 'name' | 'blob'>): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
