// The peers as far as they are used. They are installed in bench/ alone, so their own types may be absent when the project is checked.
declare module 'normalize-url' {
  export default function normalizeUrl(
    url: string,
    options?: { stripWWW?: boolean; stripHash?: boolean },
  ): string;
}
declare module 'tidy-url' {
  export const TidyURL: {
    clean(url: string): { url: string };
    config: { set(name: 'silent', value: boolean): void };
  };
}
declare module 'bloomfilter' {
  export class BloomFilter {
    constructor(bits: number, hashes: number);
    add(key: string): void;
    test(key: string): boolean;
  }
}
declare module 'bloom-filters' {
  const api: {
    BloomFilter: {
      create(capacity: number, errorRate: number): { add(key: string): void; has(key: string): boolean };
    };
  };
  export default api;
}
declare module 'mnemonist' {
  export class BloomFilter {
    constructor(options: { capacity: number; errorRate: number });
    add(key: string): void;
    test(key: string): boolean;
  }
}
declare module 'radix-trie-js' {
  export default class Trie {
    add(key: string, value?: unknown): this;
    get(key: string): unknown;
  }
}
declare module '@prelude/radix-trie' {
  export interface Trie {
    readonly [first: string]: unknown;
  }
  export function empty(): Trie;
  export function insert(trie: Trie, key: string): void;
  export function has(trie: Trie, key: string): boolean;
}
declare module 'xxhash-wasm' {
  export default function xxhash(): Promise<{ h64(text: string): bigint }>;
}
