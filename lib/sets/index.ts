export {
  choose,
  estimateBytes,
  type Choice,
  type Form,
  type KeyFigures,
  type Needs,
  type Reason,
} from './choice.ts';
export { BloomFilter, type BloomOptions } from './bloom-filter.ts';
export { FingerprintSet } from './fingerprint-set.ts';
export { FrozenSet } from './frozen-set.ts';
export { hashKey, readKeysWith, words } from './hash.ts';
export { RadixTrie } from './radix-trie.ts';
export { RoundSet, type Report } from './round-set.ts';
export { DamagedSetError, type Stamp } from './sealed.ts';
export {
  ABSENT,
  GONE,
  KNOWN,
  RETRYING,
  STATE_WORDS,
  VISITED,
  type Counts,
  type PresentState,
  type State,
} from './states.ts';
export type { Child } from './trie-listing.ts';
export type { Walker } from './trie-walker.ts';
