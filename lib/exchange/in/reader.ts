import type { Words } from '../text.ts';

/** An address as it stands in a file, before it is known to be good. */
export interface Found {
  /** Where it begins, both from 1; columns are UTF-16 units of the line. */
  line: number;
  column: number;
  url: string;
  title?: string;
  /** Milliseconds since the epoch. */
  at?: number;
  status?: number;
  /** It is the address of another sitemap, not of a page. */
  sitemap?: true;
}

/** A place that could not be read; the rest goes on. */
export interface Unreadable {
  line: number;
  column: number;
  problem: string;
}

export type ReaderItem = Found | Unreadable;

export interface ReadOptions {
  /** Which column of a table holds the address: its name or its number from 1. Without it the column is found. */
  column?: string;
}

export type ImportName =
  | 'list'
  | 'csv'
  | 'json'
  | 'jsonl'
  | 'sitemap'
  | 'bookmarks'
  | 'har'
  | 'history-trends'
  | 'html'
  | 'text'
  | 'backup';

export type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** One import format. Readers are streams: memory does not grow with the file, and no file makes them slow. */
export interface ImportFormat {
  name: ImportName;
  /** File endings, with their dots. */
  extensions: readonly string[];
  purpose: Words;
  read(bytes: Bytes, options: ReadOptions): AsyncGenerator<ReaderItem>;
}

/** Longest text (address, title, cell) that is kept, in UTF-16 units. Nothing that people exchange is longer. */
export const LONGEST_TEXT = 1 << 16;
