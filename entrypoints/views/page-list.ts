import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Page, Round } from '#lib/rounds/types.ts';
import { pagesOf } from '#lib/store/read.ts';
import { listParts, type ListPart, type Show } from './list-parts.ts';
import { onTicks } from './live.ts';
import { pagesByKey } from './reading.ts';
import { teamFactsOf, type TeamFact } from './team.ts';

export interface PageQuery {
  round: Round;
  show: Show;
  host?: string | undefined;
  /** Beginning of the path; needs `host`. */
  prefix?: string | undefined;
  /** Free text in address or title. */
  q?: string | undefined;
  /** Another round to compare with than the round's own base. */
  base?: Round | undefined;
}

/** Rows of one answer of the store. */
const CHUNK = 200;
/** Rows looked at for one chunk: first hits of a search come soon, and progress moves. */
const BUDGET = 4_000;
/** Chunks kept in memory; others are read again from where they begin. */
const KEPT = 30;

/** A place in a list: a part, and where in it. */
interface Place {
  part: number;
  after: string | null;
}

/** The rows from a place on. */
interface Chunk extends Place {
  count: number;
  rows: Page[] | undefined;
  /** Read before the last write. */
  stale: boolean;
  before: Map<string, Page>;
  /** What others of the team saw. */
  team: Map<string, TeamFact>;
}

/**
 * A list of pages that is read as it is scrolled: keyset paging, so every step costs the same wherever it is, and a
 * bounded number of rows in memory. Rows that were shown stay until newer ones have been read.
 */
export class PageList {
  private readonly parts: ListPart[];
  private chunks: Chunk[] = [];
  /** Where the next chunk begins; nothing when the end was found. */
  private next: Place | undefined = { part: 0, after: null };
  private wanted = { first: 0, last: 0 };
  private working = false;
  private closed = false;
  /** Rows looked at, for progress. */
  searched = 0;
  error: unknown;
  private readonly query: PageQuery;
  private readonly onChange: () => void;
  private readonly kept: number;

  constructor(query: PageQuery, onChange: () => void, kept = KEPT) {
    this.kept = kept;
    this.query = query;
    this.onChange = onChange;
    this.parts = listParts(query.round, query.show, query.base?.space);
  }

  /** Many rows are gone through for few hits, or before the first. */
  get searching(): boolean {
    return this.working && (Boolean(this.query.q) || (this.count === 0 && this.searched > 0));
  }

  /** Rows found so far. */
  get count(): number {
    return this.chunks.reduce((sum, chunk) => sum + chunk.count, 0);
  }

  /** More rows may follow. */
  get more(): boolean {
    return this.next !== undefined;
  }

  get reading(): boolean {
    return this.working;
  }

  pageAt(index: number): Page | undefined {
    const [chunk, start] = this.chunkOf(index);
    return chunk?.rows?.[index - start];
  }

  baseOf(page: Page): Page | undefined {
    return this.chunks.find((chunk) => chunk.before.has(page.key))?.before.get(page.key);
  }

  teamOf(page: Page): TeamFact | undefined {
    return this.chunks.find((chunk) => chunk.team.has(page.key))?.team.get(page.key);
  }

  /** Rows `first` to `last` are in sight: reads them, and what is missing up to there. */
  want(first: number, last: number): void {
    this.wanted = { first, last };
    void this.work();
  }

  /** Something was written: what is in sight is read again. */
  refresh(): void {
    // A search does not start over for every write: chunks in which it found nothing are left alone.
    for (const chunk of this.chunks) chunk.stale ||= !this.query.q || chunk.count > 0;
    void this.work();
  }

  close(): void {
    this.closed = true;
  }

  private async work(): Promise<void> {
    if (this.working) return;
    this.working = true;
    try {
      while (!this.closed && (await this.step())) this.onChange();
      this.error = undefined;
    } catch (error) {
      this.error = error;
    } finally {
      this.working = false;
      if (!this.closed) this.onChange();
    }
  }

  /** Reads one chunk that is needed; answers whether there was one. */
  private async step(): Promise<boolean> {
    const { first, last } = this.wanted;
    let start = 0;
    for (const [index, old] of this.chunks.entries()) {
      const inSight = start <= last && start + old.count >= first;
      if (inSight && (old.stale || !old.rows)) {
        const { chunk, next } = await this.read(old.part, old.after);
        const following = this.chunks[index + 1];
        this.chunks[index] = chunk;
        if (!following || following.part !== next?.part || following.after !== next.after) {
          this.chunks.length = index + 1;
          this.next = next;
        }
        this.forget();
        return true;
      }
      start += old.count;
    }
    if (!this.next || start > last + CHUNK) return false;
    const { chunk, next } = await this.read(this.next.part, this.next.after);
    this.chunks.push(chunk);
    this.next = next;
    this.forget();
    return true;
  }

  /** Reads the chunk that begins there, and tells where the next one does. */
  private async read(part: number, after: string | null): Promise<{ chunk: Chunk; next: Place | undefined }> {
    const { round, host, prefix, q, base } = this.query;
    const chunk: Chunk = {
      part,
      after,
      count: 0,
      rows: [],
      stale: false,
      before: new Map(),
      team: new Map(),
    };
    const wanted = this.parts[part];
    if (!wanted) return { chunk, next: undefined };
    const { rows, scanned, next } = await pagesOf(round.space, {
      ...wanted.filter,
      ...(host ? { host } : {}),
      ...(host && prefix ? { prefix } : {}),
      ...(q ? { text: q } : {}),
      after,
      limit: CHUNK,
      budget: BUDGET,
    });
    this.searched += scanned;
    chunk.rows = wanted.keep ? rows.filter(wanted.keep) : rows;
    chunk.count = chunk.rows.length;
    if (base) {
      const keys = chunk.rows.map((page) => page.key);
      for (const page of await pagesByKey(base.space, keys)) if (page) chunk.before.set(page.key, page);
    }
    const facts = await teamFactsOf(round, chunk.rows);
    for (const [index, page] of chunk.rows.entries()) {
      const fact = facts[index];
      if (fact) chunk.team.set(page.key, fact);
    }
    if (next !== null) return { chunk, next: { part, after: next } };
    return { chunk, next: part + 1 < this.parts.length ? { part: part + 1, after: null } : undefined };
  }

  /** Lets rows far from sight go. */
  private forget(): void {
    const loaded = this.chunks.filter((chunk) => chunk.rows && chunk.count > 0);
    const [near] = this.chunkOf(this.wanted.first);
    const at = near ? this.chunks.indexOf(near) : 0;
    const distance = (chunk: Chunk): number => Math.abs(this.chunks.indexOf(chunk) - at);
    for (const far of loaded.toSorted((a, b) => distance(a) - distance(b)).slice(this.kept)) {
      far.rows = undefined;
      far.before = new Map();
      far.team = new Map();
    }
  }

  private chunkOf(index: number): [Chunk | undefined, number] {
    let start = 0;
    for (const chunk of this.chunks) {
      if (index < start + chunk.count) return [chunk, start];
      start += chunk.count;
    }
    return [undefined, start];
  }
}

/** The list of a query, drawn again whenever more of it is known. */
export function usePageList(query: PageQuery): PageList {
  const [, draw] = useState(0);
  const { round, show, host, prefix, q, base } = query;
  const { changed, retrying, gone } = round.counters;
  // Which parts a list has depends on whether a state occurs at all.
  const shape = [changed, retrying, gone].map((count) => count > 0).join();
  const list = useMemo(
    () => new PageList(query, () => draw((turn) => turn + 1)),
    [round.id, show, host, prefix, q, base?.id, shape],
  );
  useEffect(() => {
    list.want(0, CHUNK);
    const stop = onTicks(() => list.refresh());
    return () => {
      stop();
      list.close();
    };
  }, [list]);
  return list;
}
