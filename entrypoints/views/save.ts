import type { ExportFormat } from '#lib/exchange/format.ts';
import { writeExport } from '#lib/exchange/write.ts';
import type { Round } from '#lib/rounds/types.ts';
import type { Show } from './list-parts.ts';
import { exportRecords } from './reading.ts';

interface SaveOptions {
  format: ExportFormat;
  round: Round;
  show: Show;
  /** Name of the file without its ending. */
  name: string;
  signal: AbortSignal;
  /** Records read so far. */
  onProgress: (records: number) => void;
}

interface Saved {
  written: number;
  refused: number;
  files: string[];
}

/** How often progress is told. */
const EVERY = 500;

/**
 * Writes a round in a format and hands the files over as downloads once all of them are complete. The text goes into
 * Blobs piece by piece, which the browser keeps outside the page's memory.
 * @throws what `signal` was aborted with
 */
export async function saveExport(options: SaveOptions): Promise<Saved> {
  const { format, round, signal } = options;
  const files = new Map<string, Blob[]>();
  let saved: Saved | undefined;
  const events = writeExport(format, counted(options), {
    name: options.name,
    createdAt: Date.now(),
    round: round.id,
    policyVersion: round.policyVersion,
    id: crypto.randomUUID(),
  });
  for await (const event of events) {
    signal.throwIfAborted();
    if (event.type === 'bytes') {
      const parts = files.get(event.file) ?? [];
      files.set(event.file, parts);
      parts.push(new Blob([event.bytes]));
    } else if (event.type === 'file') {
      if (!files.has(event.file)) files.set(event.file, []);
    } else {
      const { refused } = event.summary;
      const lost = Object.values(refused).reduce((sum, count) => sum + count, 0);
      saved = { written: event.summary.written, refused: lost, files: [...files.keys()] };
    }
  }
  if (!saved) throw new Error('The export did not end.');
  for (const [name, parts] of files) download(name, new Blob(parts, { type: format.mime }));
  return saved;
}

async function* counted({ round, show, signal, onProgress }: SaveOptions) {
  let done = 0;
  for await (const record of exportRecords(round, show)) {
    signal.throwIfAborted();
    if (++done % EVERY === 0) onProgress(done);
    yield record;
  }
}

/** `<a download>` needs no permission; the address is given back once the browser has taken the file over. */
function download(name: string, blob: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
