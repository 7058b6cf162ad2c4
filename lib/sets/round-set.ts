import { choose, type Choice, type KeyFigures, type Needs } from './choice.ts';
import { RadixTrie } from './radix-trie.ts';
import { DamagedSetError, isKind, readHeader, type Stamp } from './sealed.ts';
import { KNOWN, VISITED, type Counts, type PresentState, type State } from './states.ts';
import { STATE_FINGERPRINTS, StateFingerprints } from './state-fingerprints.ts';

/** The form is chosen again at this size and at every doubling. */
const FIRST_CHOICE = 8192;

/** The form of a set with the figures that led to it, for Data > Diagnostics and `onceover dedupe --report`. */
export interface Report extends Choice {
  readonly keys: number;
  /** Bytes that the set takes now. */
  readonly byteLength: number;
}

/**
 * What a duplicate space uses: keys with their states. It begins as a radix trie, and where prefixes prove not to be shared it may
 * become fingerprints (`choose`), for good: keys cannot be had back from them. Whoever then wants a list or a tree builds a trie from
 * the store.
 */
export class RoundSet {
  readonly #needs: Needs;
  #set: RadixTrie | StateFingerprints = new RadixTrie();
  #figures: KeyFigures = { keys: 0, labelBytes: 0, keyBytes: 0 };
  #nextChoice = FIRST_CHOICE;

  constructor(needs: Needs = {}) {
    this.#needs = needs;
  }

  /** The trie, for listing, counting by prefix and comparing piece by piece; undefined when the set is fingerprints. */
  get trie(): RadixTrie | undefined {
    return this.#set instanceof RadixTrie ? this.#set : undefined;
  }

  get size(): number {
    return this.#set.size;
  }

  get byteLength(): number {
    return this.#set.byteLength;
  }

  get counts(): Counts {
    if (this.#set instanceof RadixTrie) return this.#set.countsBelow('');
    return { visited: this.#set.count(VISITED), known: this.#set.count(KNOWN) };
  }

  has(key: string): boolean {
    return this.#set.stateOf(key) !== 0;
  }

  stateOf(key: string): State {
    return this.#set.stateOf(key);
  }

  /** States of many keys, such as the links of a page; a trie walks what neighbours share only once. */
  statesOf(keys: readonly string[]): State[] {
    const set = this.#set;
    if (set instanceof StateFingerprints) return keys.map((key) => set.stateOf(key));
    const walker = set.walker();
    return keys.map((key) => walker.seek(key));
  }

  /** Adds the key unless it is there; true when it was new. A key that was there keeps its state. */
  insert(key: string, state: PresentState = KNOWN): boolean {
    const added = this.#set.insert(key, state);
    if (added) this.#reconsider();
    return added;
  }

  /** Gives the key this state, adding it where it is new; the state it had. */
  setState(key: string, state: PresentState): State {
    const before = this.#set.setState(key, state);
    if (before === 0) this.#reconsider();
    return before;
  }

  /** True when the key was there. */
  delete(key: string): boolean {
    return this.#set.delete(key);
  }

  /** Which form it has and why. */
  report(): Report {
    const figures = this.#set instanceof RadixTrie ? figuresOf(this.#set) : this.#figures;
    const choice = choose(figures, this.#needs);
    // Fingerprints stay what they are, whatever was deleted since.
    const made =
      this.#set instanceof RadixTrie
        ? choice
        : ({ ...choice, form: 'fingerprints', reason: 'unshared' } as const);
    return { ...made, keys: this.size, byteLength: this.byteLength };
  }

  toBuffer(stamp?: Stamp): Uint8Array<ArrayBuffer> {
    return this.#set instanceof RadixTrie
      ? this.#set.toBuffer(stamp)
      : this.#set.toBuffer(this.#figures, stamp);
  }

  /** @throws DamagedSetError when the buffer is not what `toBuffer` gave, or is fingerprints where a trie is needed: rebuild. */
  static from(buffer: ArrayBuffer | Uint8Array, needs: Needs = {}): RoundSet {
    const round = new RoundSet(needs);
    if (isKind(STATE_FINGERPRINTS, buffer)) {
      if (needs.forceTrie === true || needs.listing === true || needs.exact === true) {
        throw new DamagedSetError('RoundSet: fingerprints were saved, but a trie is needed now');
      }
      const { set, figures } = StateFingerprints.from(buffer);
      round.#set = set;
      round.#figures = figures;
    } else {
      round.#set = RadixTrie.from(buffer);
    }
    while (round.#nextChoice <= round.size) round.#nextChoice *= 2;
    return round;
  }

  /** What a saved set is up to date with. @throws DamagedSetError */
  static stampOf(buffer: ArrayBuffer | Uint8Array): Stamp {
    return isKind(STATE_FINGERPRINTS, buffer)
      ? readHeader(STATE_FINGERPRINTS, buffer)
      : RadixTrie.stampOf(buffer);
  }

  #reconsider(): void {
    if (this.size < this.#nextChoice || !(this.#set instanceof RadixTrie)) return;
    this.#nextChoice *= 2;
    const figures = figuresOf(this.#set);
    if (choose(figures, this.#needs).form === 'trie') return;
    this.#figures = figures;
    const fingerprints = new StateFingerprints();
    for (const [key, state] of this.#set.entries()) fingerprints.insert(key, state);
    this.#set = fingerprints;
  }
}

function figuresOf(trie: RadixTrie): KeyFigures {
  return { keys: trie.size, labelBytes: trie.labelBytes, keyBytes: trie.keyBytes };
}
