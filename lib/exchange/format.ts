import type { PageRecord } from './record.ts';
import type { Words } from './text.ts';

export type FormatName =
  | 'list'
  | 'jsonl'
  | 'csv'
  | 'csv-excel'
  | 'scrapy'
  | 'crawlee'
  | 'crawlee-list'
  | 'scrapy-redis'
  | 'wget'
  | 'curl'
  | 'aria2'
  | 'httrack'
  | 'sitemap'
  | 'bookmarks'
  | 'markdown'
  | 'heritrix'
  | 'nutch'
  | 'stormcrawler'
  | 'urlfrontier'
  | 'browsertrix'
  | 'katana'
  | 'lychee'
  | 'cdxj'
  | 'backup';

/** What a format is told about the export it is part of. */
export interface ExportContext {
  /** Milliseconds since the epoch. */
  createdAt: number;
  scope?: string;
  round?: string;
  policyVersion?: string;
  /** Columns of the CSV formats; `COLUMNS` where absent. */
  columns?: readonly Column[];
  /** Version of Onceover. */
  app?: string;
  /** A fresh id (`crypto.randomUUID()`), for formats whose rows need one. */
  id?: string;
  /** Heritrix: lines that mark pages as done (`.include`) instead of seeds. */
  include?: boolean;
}

/** Columns of the CSV formats and fields of JSON Lines. */
export const COLUMNS = [
  'url',
  'key',
  'title',
  'state',
  'status',
  'visits',
  'firstVisitAt',
  'lastVisitAt',
  'addresses',
  'isNew',
  'changed',
  'verdict',
  'note',
  'from',
] as const satisfies readonly (keyof PageRecord)[];
export type Column = (typeof COLUMNS)[number];

/** A record whose `url` has passed the gate. */
export interface SafeRecord extends PageRecord {
  host: string;
}

/** One file being written, as pure text. */
export interface OpenFile {
  /** Where it is not the format's. */
  extension?: string;
  head?: string;
  /** The text of one record; `null`: the format cannot take this address (`limit`). */
  entry(record: SafeRecord): string | null;
  tail?(): string;
}

/**
 * One export format: a file is `head`, one `entry` a record, `tail`. Everything else (the gate, repeats, splitting,
 * compression, the manifest) is done once for all formats in write.ts.
 */
export interface ExportFormat {
  name: FormatName;
  /** File ending with its dot. */
  extension: string;
  mime: string;
  purpose: Words;
  /** How the format is known to be right: by running the tool on it (`npm run test:tools`) or from its documentation. */
  proof: 'tool' | 'documentation';
  /** How the tool reads it; `FILE` stands for the file's name. */
  use?: string;
  /** Fragments mean nothing to a tool that only speaks HTTP: two routes would be one request twice. */
  fragment: 'keep' | 'drop';
  /** Options besides those every format has (see ExportOptions). */
  options: readonly ('columns' | 'include')[];
  limits?: {
    /** Entries and bytes (UTF-8) of one file; what is more goes into the next. With `bytes`, `entry` must not depend on earlier ones. */
    entries?: number;
    bytes?: number;
    /** One file for each scheme, host and port. */
    oneOrigin?: true;
    /** Never split. */
    whole?: true;
  };
  /** What the format cannot carry, in words. */
  limitation?: Words;
  /** Starts one file. */
  open(context: ExportContext): OpenFile;
  /** A file that lists the parts where there is more than one; `urls` are the addresses they will have on their site. */
  index?(urls: readonly string[]): string;
  /** Files to put beside, e.g. a program that reads the export. */
  companions?(fileName: string): { name: string; text: string }[];
}
