export { BloomFilter, type BloomOptions } from './bloom-filter.ts';
export { DamagedSetError, type Stamp } from './sealed.ts';
export { hashKey, words } from './hash.ts';
