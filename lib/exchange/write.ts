import { sha256 } from '@noble/hashes/sha2.js';
import { hex } from './bytes.ts';
import { safeAddress, type Refusal } from './address.ts';
import type { ExportContext, ExportFormat, OpenFile, SafeRecord } from './format.ts';
import type { Compressor } from './gzip.ts';
import type { PageRecord } from './record.ts';

export interface ExportOptions extends ExportContext {
  /** File name without its ending, e.g. `shop-round-3`; only letters, digits, `.`, `_` and `-` are kept. */
  name: string;
  /** File ending in place of the format's. */
  extension?: string;
  /** At most so many entries in one file. */
  split?: number;
  /** Write the same address again each time it comes (all visits). Without it every address is written once. */
  repeats?: boolean;
  /** Starts a gzip stream for one file; without it files are plain. */
  gzip?: () => Compressor;
  /** Where the addresses are remembered; a `Set` where absent. `add` answers whether the text was new. */
  seen?: { add(text: string): boolean };
}

/** What lies beside each file as `FILE.manifest.json`. */
export interface Manifest {
  file: string;
  format: string;
  /** Entries in this file. */
  count: number;
  /** Size and SHA-256 of the file as it lies on the disk (compressed where it is). */
  bytes: number;
  sha256: string;
  scope: string | null;
  round: string | null;
  policyVersion: string | null;
  /** ISO 8601. */
  createdAt: string;
}

/** What happened to the records, over all files. `written + repeats + refused = records`. */
export interface ExportSummary {
  records: number;
  written: number;
  repeats: number;
  refused: Record<Refusal, number>;
}

/** Bytes of a file in the order they belong; a file that is complete; the end of the export. Several files may be open at once. */
export type ExportEvent =
  | { type: 'bytes'; file: string; bytes: Uint8Array<ArrayBuffer> }
  | { type: 'file'; file: string; manifest: Manifest }
  | { type: 'end'; summary: ExportSummary };

/** Text is handed on when one file has gathered this much, or all open files together `GATHERED_TOTAL`. Characters. */
const GATHERED_FILE = 1 << 16;
const GATHERED_TOTAL = 1 << 22;

/**
 * Writes records in a format: every address passes the gate, files are split at the format's limits, and each file ends with its
 * manifest. Memory does not grow with the records but for `seen` (and a few hundred bytes a file).
 * Whoever stores the files must make them appear only at `end`, so that an export is complete or absent.
 */
export async function* writeExport(
  format: ExportFormat,
  records: AsyncIterable<PageRecord> | Iterable<PageRecord>,
  options: ExportOptions,
): AsyncGenerator<ExportEvent> {
  const summary: ExportSummary = {
    records: 0,
    written: 0,
    repeats: 0,
    refused: { 'unsupported-scheme': 0, invalid: 0, limit: 0 },
  };
  const seen = options.seen ?? rememberAll();
  const entryLimit = format.limits?.whole
    ? Infinity
    : Math.min(options.split ?? Infinity, format.limits?.entries ?? Infinity);
  const byteLimit = format.limits?.bytes ?? Infinity;
  const groups = new Map<string, Group>();
  const names = new Set<string>();
  let gathered = 0;

  for await (const record of records) {
    summary.records++;
    const safe = safeAddress(record.url, format.fragment);
    if (!safe.ok) {
      summary.refused[safe.reason]++;
      continue;
    }
    const groupKey = format.limits?.oneOrigin ? safe.origin : '';
    let group = groups.get(groupKey);
    if (group === undefined) groups.set(groupKey, (group = { origin: safe.origin, parts: [], open: null }));

    if (!options.repeats && !seen.add(safe.url)) {
      summary.repeats++;
      continue;
    }
    let part = (group.open ??= openPart(format, options, group, names));
    if (part.count >= entryLimit) {
      gathered -= part.gathered;
      yield* closePart(format, options, group);
      part = group.open = openPart(format, options, group, names);
    }
    const entryRecord: SafeRecord = { ...record, url: safe.url, host: safe.host };
    const text = part.content.entry(entryRecord);
    if (text === null) {
      summary.refused.limit++;
      continue;
    }
    const size = byteLength(text);
    if (part.count > 0 && part.bytes + size + part.tailBytes > byteLimit) {
      gathered -= part.gathered;
      yield* closePart(format, options, group);
      part = group.open = openPart(format, options, group, names);
    }
    part.texts.push(text);
    part.gathered += text.length;
    part.bytes += size;
    part.count++;
    gathered += text.length;
    summary.written++;
    if (part.gathered > GATHERED_FILE) {
      gathered -= part.gathered;
      yield* flush(part);
    } else if (gathered > GATHERED_TOTAL) {
      for (const { open } of groups.values()) if (open) yield* flush(open);
      gathered = 0;
    }
  }

  if (groups.size === 0) groups.set('', { origin: '', parts: [], open: null });
  for (const group of groups.values()) {
    // A file without entries says "nothing" in formats that can; a sitemap without an address is not a sitemap.
    if (group.open === null && group.parts.length === 0 && !format.limits?.oneOrigin) {
      group.open = openPart(format, options, group, names);
    }
    if (group.open && (group.open.count > 0 || !format.limits?.oneOrigin))
      yield* closePart(format, options, group);
    if (format.index && group.parts.length > 1) yield* writeIndex(format, options, group, names);
  }
  yield { type: 'end', summary };
}

interface Part {
  file: string;
  content: OpenFile;
  /** Text not handed on yet, and its length. */
  texts: string[];
  gathered: number;
  bytes: number;
  tailBytes: number;
  count: number;
  hash: ReturnType<typeof sha256.create>;
  stored: number;
  compressor: Compressor | null;
}

interface Group {
  origin: string;
  /** Names of the complete files. */
  parts: string[];
  open: Part | null;
}

function openPart(format: ExportFormat, options: ExportOptions, group: Group, names: Set<string>): Part {
  const number = group.parts.length + 1;
  const host = format.limits?.oneOrigin && group.origin ? `-${group.origin.replace(/^https?:\/\//, '')}` : '';
  const content = format.open(options);
  const ending = (options.extension ?? content.extension ?? format.extension) + (options.gzip ? '.gz' : '');
  const file = freeName(`${options.name}${host}${number > 1 ? `-${number}` : ''}`, ending, names);
  const head = content.head ?? '';
  return {
    file,
    content,
    texts: [head],
    gathered: head.length,
    bytes: byteLength(head),
    tailBytes: format.limits?.bytes === undefined ? 0 : byteLength(content.tail?.() ?? ''),
    count: 0,
    hash: sha256.create(),
    stored: 0,
    compressor: options.gzip?.() ?? null,
  };
}

async function* flush(part: Part): AsyncGenerator<ExportEvent> {
  const bytes = new TextEncoder().encode(part.texts.join(''));
  part.texts = [];
  part.gathered = 0;
  if (bytes.length === 0) return;
  yield* store(part, part.compressor ? await part.compressor.push(bytes) : [bytes]);
}

function* store(part: Part, pieces: Uint8Array<ArrayBuffer>[]): Generator<ExportEvent> {
  for (const bytes of pieces) {
    part.hash.update(bytes);
    part.stored += bytes.length;
    yield { type: 'bytes', file: part.file, bytes };
  }
}

async function* closePart(
  format: ExportFormat,
  options: ExportOptions,
  group: Group,
): AsyncGenerator<ExportEvent> {
  const part = group.open;
  if (part === null) return;
  part.texts.push(part.content.tail?.() ?? '');
  yield* flush(part);
  if (part.compressor) yield* store(part, await part.compressor.end());
  group.parts.push(part.file);
  group.open = null;
  yield {
    type: 'file',
    file: part.file,
    manifest: {
      file: part.file,
      format: format.name,
      count: part.count,
      bytes: part.stored,
      sha256: hex(part.hash.digest()),
      scope: options.scope ?? null,
      round: options.round ?? null,
      policyVersion: options.policyVersion ?? null,
      createdAt: new Date(options.createdAt).toISOString(),
    },
  };
}

async function* writeIndex(
  format: ExportFormat,
  options: ExportOptions,
  group: Group,
  names: Set<string>,
): AsyncGenerator<ExportEvent> {
  const text = format.index?.(group.parts.map((file) => `${group.origin}/${file}`)) ?? '';
  const content: OpenFile = { head: text, entry: () => null };
  const host = group.origin.replace(/^https?:\/\//, '');
  const index: Group = { ...group, parts: [], open: null };
  const part = openPart(
    { ...format, open: () => content, limits: {} },
    { ...options, name: `${options.name}-${host}-index` },
    index,
    names,
  );
  part.count = group.parts.length;
  index.open = part;
  yield* closePart(format, options, index);
}

/** A file name no operating system minds, and not one that was given out already. */
function freeName(stem: string, ending: string, names: Set<string>): string {
  const clean =
    stem
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[-.]+/, '')
      .slice(0, 150) || 'onceover';
  let name = clean + ending;
  for (let number = 2; names.has(name.toLowerCase()); number++) name = `${clean}~${number}${ending}`;
  names.add(name.toLowerCase());
  return name;
}

function rememberAll(): { add(text: string): boolean } {
  const texts = new Set<string>();
  return { add: (text) => texts.size < texts.add(text).size };
}

/** Bytes of a text in UTF-8 (a pair of surrogates is 4, a lone one 3). */
function byteLength(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes++;
    else if (unit < 0xd800 || unit > 0xdfff) bytes += 2;
    else bytes += (text.codePointAt(at) ?? 0) > 0xffff ? 1 : isTrail(text, at) ? 1 : 2;
  }
  return bytes;
}

function isTrail(text: string, at: number): boolean {
  return at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff;
}
