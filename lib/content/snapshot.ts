import { hashText } from './hash.ts';

/** Where a block stands, for people and for finding it again. Never part of a hash: markup may change around a text. */
export interface Place {
  /** Nearest `id` attribute at or above the block. */
  id?: string;
  /** Label of its table row (row header, else first cell), or the `dt` of a `dd`. */
  row?: string;
  /** Header of its table column. */
  column?: string;
  /** The heading above it. */
  heading?: string;
  /** 0-based position among the blocks of the snapshot. */
  order: number;
  /** In the body of a closed `<details>`. */
  collapsed?: true;
  /** In a list that shows a window of its rows: index in `coverage.lists`, and the row's 1-based number. */
  list?: number;
  item?: number;
}

/** The text that a person reads as one piece: normal form, and its two hashes (16 hex digits). */
export interface Block {
  text: string;
  exact: string;
  /** Hash of the text with its noise masked; equals `exact` where there is none. */
  masked: string;
  place: Place;
  /** The rule that makes every change of this block noise (an `ignore` selector matched when it was read). */
  noise?: string;
}

/** What the snapshot could not see. */
export interface Coverage {
  /** Visible canvases: drawn, without text. */
  canvases: number;
  /** Visible frames without access. */
  frames: number;
  /** Lists that show `shown` of `of` rows. */
  lists: { shown: number; of: number }[];
  /** Blocks beyond the limit were not read. */
  cut?: true;
}

/** What could be read in one document at one time; JSON-safe. */
export interface Snapshot {
  blocks: Block[];
  /** Fingerprint of the texts in their order. */
  digest: string;
  /** The same without noise: equal masked digests mean a quiet change or none. */
  maskedDigest: string;
  coverage: Coverage;
  /** Hash of the rules it was captured with. */
  rulesHash: string;
}

export interface ChangedBlock {
  op: 'added' | 'removed' | 'edited' | 'moved';
  before?: string;
  after?: string;
  /** In the newer snapshot; for removed blocks in the older one. */
  place: Place;
  /** Where a moved or edited block stood: its order in the older snapshot. */
  from?: number;
  /** Name of the rule that calls this change noise. */
  noise?: string;
}

/** The difference of two snapshots; JSON-safe. */
export interface Change {
  /** Any block differs. */
  changed: boolean;
  /** All that differs is noise. */
  quiet: boolean;
  blocks: ChangedBlock[];
  /** Of the newer snapshot. */
  coverage: Coverage;
  /** The comparison ran into its bound: every difference is reported, but not the shortest list of them. */
  coarse: boolean;
}

/** Digests of a list of blocks: of all texts, and of the masked texts that no rule calls noise. */
export function digestsOf(blocks: readonly Block[]): { digest: string; maskedDigest: string } {
  let exact = '';
  let masked = '';
  let noisy = false;
  for (const block of blocks) {
    exact += block.exact;
    if (block.noise === undefined) masked += block.masked;
    noisy ||= block.noise !== undefined || block.masked !== block.exact;
  }
  const digest = hashText(exact);
  return { digest, maskedDigest: noisy ? hashText(masked) : digest };
}

/** Digest of a page: of its frames' digests in order, the page itself first. A page without frames has its own digest. */
export function pageDigest(frames: readonly string[]): string {
  return frames.length === 1 ? frames[0]! : hashText(frames.join(' '));
}
