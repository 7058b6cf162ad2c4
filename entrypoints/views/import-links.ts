import { safeAddress } from '#lib/exchange/address.ts';
import { compareWithRound } from '#lib/exchange/compare.ts';
import { importLinks, type BadLink, type ImportedLink } from '#lib/exchange/import.ts';
import type { ImportName } from '#lib/exchange/in/reader.ts';
import { addressOf } from '#lib/rounds/address.ts';
import type { Round, Scope } from '#lib/rounds/types.ts';
import { covers } from '#lib/rounds/coverage.ts';
import { FingerprintSet } from '#lib/sets/index.ts';
import {
  addLinks,
  countRefused,
  IMPORT_STEP,
  placesOf,
  takeBackLinks,
  type ImportLink,
  type Place,
} from '#lib/store/imports.ts';
import { streamPages } from '#lib/store/read.ts';
import { compilePolicy, type Policy } from '#lib/url/index.ts';
import { alone, tellWritten } from './writer.ts';

/** Something links can be read from, as often as they are asked for. */
export interface ImportSource {
  /** For people: the name of the file, or what it is. */
  name: string;
  blob: Blob;
  by: 'import' | 'paste';
  format?: ImportName;
  /** Which column of a table has the addresses. */
  column?: string;
  /** What relative addresses are relative to. */
  base?: string;
}

/** What an import would do; each page counts once. */
export interface Preview {
  places: Record<Place, number>;
  /** Links to a page that came before in the same file. */
  repeats: number;
  bad: number;
  /** The first bad ones. */
  problems: BadLink[];
  /** Why reading stopped before the end; what came before is good. */
  stopped?: string;
}

export interface Going {
  signal: AbortSignal;
  /** Links read so far. */
  onProgress: (links: number) => void;
}

const PROBLEMS = 100;
const EVERY = 1_000;

const counted = new WeakSet<ImportSource>();

/** Counts the lines of a source that no key could be made of, for Diagnostics: once, however often it is read. */
async function noteBad(source: ImportSource, bad: number): Promise<void> {
  if (bad === 0 || counted.has(source)) return;
  counted.add(source);
  await alone(() => countRefused(source.by, bad));
}

/** Reads all and writes nothing but what Diagnostics counts. @throws what `signal` was aborted with */
export async function previewImport(
  source: ImportSource,
  round: Round,
  scope: Scope,
  going: Going,
): Promise<Preview> {
  const preview: Preview = {
    places: { new: 0, known: 0, visited: 0, outside: 0 },
    repeats: 0,
    bad: 0,
    problems: [],
  };
  const seen = new FingerprintSet();
  const links = read(source, round, going, (bad) => {
    preview.bad += 1;
    if (preview.problems.length < PROBLEMS) preview.problems.push(bad);
  });
  try {
    for await (const step of inSteps(links)) {
      const fresh = step.filter(({ key }) => seen.add(key));
      preview.repeats += step.length - fresh.length;
      for (const place of await placesOf(round, scope, fresh)) preview.places[place] += 1;
    }
  } catch (error) {
    going.signal.throwIfAborted();
    preview.stopped = error instanceof Error ? error.message : String(error);
  }
  await noteBad(source, preview.bad);
  return preview;
}

export interface Imported {
  /** Pages that are known now and were not before. */
  added: number;
  /** Why it stopped before the end; what was written stays. */
  stopped?: string;
  /** Takes them back, into the trash. */
  takeBack: () => Promise<number>;
}

/**
 * Writes the links as known rows of the round in steps of {@link IMPORT_STEP}, each under the writer's lock. Where it is cancelled what was written
 * stays and can be taken back; done again it passes over what is there. @throws {Error} where the round has ended
 */
export async function runImport(
  source: ImportSource,
  round: Round,
  scope: Scope,
  going: Going,
): Promise<Imported> {
  const at = Date.now();
  const keys: string[] = [];
  let bad = 0;
  let stopped: string | undefined;
  const links = read(source, round, going, () => (bad += 1));
  try {
    for await (const step of inSteps(links)) {
      const places = await placesOf(round, scope, step);
      const fresh = step.filter((_, index) => places[index] === 'new');
      if (fresh.length === 0) continue;
      const written = await alone(() => addLinks(round, fresh, { at, now: Date.now }));
      if (!written) throw new Error('The round has ended.');
      keys.push(...written.keys);
      tellWritten(written.log, [round.id]);
    }
  } catch (error) {
    if (keys.length === 0) throw error;
    stopped = error instanceof Error ? error.message : String(error);
  }
  await noteBad(source, bad);
  return {
    added: keys.length,
    ...(stopped !== undefined && { stopped }),
    takeBack: async () => {
      const id = crypto.randomUUID();
      const removed = await takeBackLinks(round, keys, { id, label: source.name, at }, alone);
      tellWritten(0, [round.id]);
      return removed;
    },
  };
}

/** Addresses, the first of them to be looked at and all of them for a file. */
export interface AddressList {
  count: number;
  first: string[];
  /** One address a line. */
  text: Blob[];
}

/** What is only in the file, only in the round, and in both. */
export interface ComparedLists {
  file: AddressList;
  round: AddressList;
  both: AddressList;
  outside: number;
  bad: number;
}

const LOOKED_AT = 100;
/** Lines of one piece of a list. */
const PIECE = 5_000;

/** Compares a crawler's result with a round, to see what it missed. */
export async function compareFile(
  source: ImportSource,
  round: Round,
  scope: Scope,
  going: Going,
): Promise<ComparedLists> {
  let outside = 0;
  let bad = 0;
  const links = inScope(
    read(source, round, going, () => (bad += 1)),
    scope,
    () => (outside += 1),
  );
  const lists = { file: new Lines(), round: new Lines(), both: new Lines() };
  for await (const { where, url } of compareWithRound(links, streamPages(round.space, { order: 'seq' }))) {
    going.signal.throwIfAborted();
    lists[where].add(url);
  }
  await noteBad(source, bad);
  return { file: lists.file.end(), round: lists.round.end(), both: lists.both.end(), outside, bad };
}

/** A list that is put into Blobs as it grows: those are kept outside the page's memory. */
class Lines {
  #lines: string[] = [];
  readonly #list: AddressList = { count: 0, first: [], text: [] };

  add(url: string): void {
    const { first } = this.#list;
    if (first.length < LOOKED_AT) first.push(url);
    const safe = safeAddress(url);
    if (safe.ok) this.#lines.push(`${safe.url}\n`);
    this.#list.count += 1;
    if (this.#lines.length >= PIECE) this.end();
  }

  end(): AddressList {
    this.#list.text.push(new Blob([this.#lines.join('')]));
    this.#lines = [];
    return this.#list;
  }
}

async function* inScope(
  links: AsyncIterable<ImportLink & { full: ImportedLink }>,
  scope: Scope,
  onOutside: () => void,
): AsyncGenerator<ImportedLink> {
  for await (const { full, url, key, fullKey } of links) {
    if (covers(scope, url)) yield { ...full, url, key: (fullKey ?? key) as ImportedLink['key'] };
    else onOutside();
  }
}

async function* read(
  { blob, format, column, base, name }: ImportSource,
  round: Round,
  { signal, onProgress }: Going,
  onBad: (bad: BadLink) => void,
): AsyncGenerator<ImportLink & { full: ImportedLink }> {
  const plain = compilePolicy(round.policy);
  const options = {
    policy: compilePolicy({ ...round.policy, htmlEntities: true }),
    ...(format === undefined ? { fileName: name } : { format }),
    ...(column !== undefined && { column }),
    ...(base !== undefined && { base }),
  };
  let links = 0;
  for await (const item of importLinks(chunksOf(blob), options)) {
    if (++links % EVERY === 0) {
      signal.throwIfAborted();
      onProgress(links);
    }
    const link = item.ok ? rowLink(item, plain) : undefined;
    if (item.ok && link) yield { ...link, full: item };
    else if (!item.ok) onBad(item);
  }
  signal.throwIfAborted();
}

/**
 * The address whose visit will be the page that the link means. Lists out of HTML have `&amp;` between parameters: there it is the
 * decoded address, or the page would stay left for ever.
 */
function rowLink({ url, key, title }: ImportedLink, policy: Policy): ImportLink | undefined {
  const asFound = addressOf(url, policy);
  const isMeant = asFound && (asFound.fullKey ?? asFound.key) === key;
  const decoded = isMeant ? undefined : addressOf(url.replaceAll(/&amp;/gi, '&'), policy);
  const address = decoded && (decoded.fullKey ?? decoded.key) === key ? decoded : asFound;
  return address && (title === undefined ? address : { ...address, title });
}

async function* inSteps<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let step: T[] = [];
  for await (const item of items) {
    if (step.push(item) < IMPORT_STEP) continue;
    yield step;
    step = [];
  }
  if (step.length > 0) yield step;
}

/** The bytes of a file, piece by piece. */
export async function* chunksOf(blob: Blob): AsyncGenerator<Uint8Array> {
  const reader = blob.stream().getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    void reader.cancel();
  }
}
