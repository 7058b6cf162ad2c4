import { KeyBytes } from './key-bytes.ts';
import { ABSENT, KNOWN, VISITED, type Counts, type PresentState, type State } from './states.ts';
import type { Stamp } from './sealed.ts';
import { listChildren, listEntries, nodeAt, type Child } from './trie-listing.ts';
import { HEADER, MOST_LABEL, ROOT_LINK, TrieNodes } from './trie-nodes.ts';
import { decodeTrie, encodeTrie, trieStamp } from './trie-saved.ts';
import { Walker } from './trie-walker.ts';

const UNDECIDED = -1;
/** A pool that must grow is compacted first when more than this share of it is free … */
const MOST_FREE = 0.04;
/** … and so many keys for each it has were added since that was done last: it costs little however keys come and go. */
const COMPACT_AFTER = 0.5;

/**
 * A set of strings with a state each, as a radix trie (Morrison 1968; children as in Leis, Kemper and Neumann 2013) in one typed array.
 * It is exact, lists its keys in code-unit order, and knows for every prefix how many keys below are visited and known: it is also the
 * site tree. Costs v + 13 to 16 bytes a key,
 * where v is the new label bytes a key brings.
 */
export class RadixTrie {
  #nodes = new TrieNodes();
  #size = 0;
  #keyBytes = 0;
  /** Keys added since the last compaction. */
  #addedSince = 0;
  #lastNovelBytes = 0;
  /** Counts changes, so that walkers and listings notice them. */
  #version = 0;
  readonly #key = new KeyBytes();
  /** The nodes from the root to where the last walk ended, and the links to them. */
  #path = new Int32Array(64);
  #links = new Int32Array(64);

  get size(): number {
    return this.#size;
  }

  /** Label bytes in all: what all keys cost beside the shared prefixes. Divided by `size` it is v. */
  get labelBytes(): number {
    return this.#nodes.labelBytes;
  }

  /** Bytes of all keys, written out. */
  get keyBytes(): number {
    return this.#keyBytes;
  }

  /** New label bytes that the last `insert` or `setState` brought, 0 when the key was there. */
  get lastNovelBytes(): number {
    return this.#lastNovelBytes;
  }

  /** Memory of the nodes in bytes, spare room included. */
  get byteLength(): number {
    return this.#nodes.bytes.length;
  }

  has(key: string): boolean {
    return this.stateOf(key) !== ABSENT;
  }

  stateOf(key: string): State {
    let node = this.#findAscii(key);
    if (node === UNDECIDED) {
      this.#key.set(key);
      node = this.#find();
    }
    return node === 0 ? ABSENT : this.#nodes.state(node);
  }

  /** Adds the key unless it is there; true when it was new. A key that was there keeps its state. */
  insert(key: string, state: PresentState = KNOWN): boolean {
    return this.#write(key, state, false) === ABSENT;
  }

  /** Gives the key this state, adding it where it is new; the state it had. */
  setState(key: string, state: PresentState): State {
    return this.#write(key, state, true);
  }

  /** True when the key was there. */
  delete(key: string): boolean {
    this.#key.set(key);
    const nodes = this.#nodes;
    nodes.reserve(0);
    const node = this.#find();
    if (node === 0 || nodes.state(node) === ABSENT) return false;
    this.#version++;
    this.#size--;
    this.#keyBytes -= this.#key.length;
    const depth = this.#tracePath();
    this.#count(depth, nodes.state(node), ABSENT);
    nodes.setState(node, ABSENT);
    this.#tidy(depth);
    return true;
  }

  /** How many keys that start with `prefix` are visited and known. */
  countsBelow(prefix: string): Counts {
    this.#key.set(prefix);
    const found = nodeAt(this.#nodes, this.#key);
    return found === undefined ? { visited: 0, known: 0 } : this.#nodes.counts(found.node);
  }

  /** Keys that start with `prefix`, with their states, in code-unit order. Ends with an error when the trie changes meanwhile. */
  entries(prefix = ''): Generator<[key: string, state: PresentState]> {
    return listEntries(this.#nodes, prefix, this.#guard());
  }

  [Symbol.iterator](): Generator<[key: string, state: PresentState]> {
    return this.entries();
  }

  /**
   * What follows `prefix`, grouped up to and with the next separator, in order, with counts per group: hosts after `https://`; pages
   * (`about`), folders (`orders/`) and queries (`find?`) after `https://host/`, and the page `https://host/` itself as the segment ''.
   * A page beside a folder of its name is a group of its own. Separators are ASCII.
   */
  children(prefix: string, separators = '/?#'): Generator<Child> {
    return listChildren(this.#nodes, prefix, separators, this.#guard());
  }

  /** For comparing keys piece by piece, or many keys that share prefixes. */
  walker(): Walker {
    return new Walker(
      () => this.#nodes,
      () => this.#version,
    );
  }

  /** The trie as one sealed buffer: the same keys and states give the same bytes, whatever their history. */
  toBuffer(stamp?: Stamp): Uint8Array<ArrayBuffer> {
    return encodeTrie(this.#nodes, this.#size, stamp);
  }

  /** @throws DamagedSetError when the buffer is not what `toBuffer` gave. */
  static from(buffer: ArrayBuffer | Uint8Array): RadixTrie {
    const trie = new RadixTrie();
    const { nodes, size, keyBytes } = decodeTrie(buffer);
    trie.#nodes = nodes;
    trie.#size = size;
    trie.#keyBytes = keyBytes;
    return trie;
  }

  /** What a saved trie is up to date with. @throws DamagedSetError */
  static stampOf(buffer: ArrayBuffer | Uint8Array): Stamp {
    return trieStamp(buffer);
  }

  /** A check for listings: it throws when the trie has changed since. */
  #guard(): () => void {
    const version = this.#version;
    return () => {
      if (this.#version !== version) throw new Error('the trie was changed while it was being listed');
    };
  }

  /** `#find` straight on the text, whose code units are its bytes while it is ASCII; `UNDECIDED` where it may not be. */
  #findAscii(key: string): number {
    const nodes = this.#nodes;
    const { bytes: pool } = nodes;
    const { length } = key;
    let node = nodes.get(ROOT_LINK);
    let units = 0;
    let at = 0;
    while (at < length) {
      const unit = key.charCodeAt(at++);
      units |= unit;
      const link = nodes.linkFor(node, unit);
      if (link === 0) return units < 0x80 ? 0 : UNDECIDED;
      node = nodes.get(link);
      const end = at + nodes.labelLength(node);
      if (end > length) return UNDECIDED;
      for (let label = node + HEADER; at < end; at++, label++) {
        const next = key.charCodeAt(at);
        units |= next;
        if (pool[label] !== next) return units < 0x80 ? 0 : UNDECIDED;
      }
    }
    return units < 0x80 ? node : UNDECIDED;
  }

  /** The node where the key in `#key` ends, 0 for none. */
  #find(): number {
    const nodes = this.#nodes;
    const { bytes: pool } = nodes;
    const { bytes, length } = this.#key;
    let node = nodes.get(ROOT_LINK);
    let at = 0;
    while (at < length) {
      const link = nodes.linkFor(node, bytes[at++]!);
      if (link === 0) return 0;
      node = nodes.get(link);
      const end = at + nodes.labelLength(node);
      if (end > length) return 0;
      for (let label = node + HEADER; at < end; at++, label++) {
        if (pool[label] !== bytes[at]) return 0;
      }
    }
    return node;
  }

  /** Walks to the key once; adds it, or gives it the state where `overwrite` says so. The state it had. */
  #write(key: string, state: PresentState, overwrite: boolean): State {
    this.#key.set(key);
    const { bytes, length } = this.#key;
    const nodes = this.#nodes;
    nodes.reserve(length);
    const { bytes: pool } = nodes;
    let link = ROOT_LINK;
    let node = nodes.get(link);
    let at = 0;
    let depth = 0;
    for (;;) {
      this.#step(depth++, node, link);
      if (at === length) break;
      const childLink = nodes.linkFor(node, bytes[at]!);
      if (childLink === 0) {
        this.#path[depth - 1] = nodes.insertChild(node, link, bytes[at]!, this.#branch(at + 1, state));
        this.#added(depth, state, length - at);
        return ABSENT;
      }
      at++;
      link = childLink;
      node = nodes.get(link);
      const labelLength = nodes.labelLength(node);
      const start = at;
      while (at < length && at - start < labelLength && pool[node + HEADER + at - start] === bytes[at]) at++;
      const same = at - start;
      if (same === labelLength) continue;
      if (at === length) {
        node = nodes.split(node, same, link);
        continue;
      }
      const fork = { firstByte: bytes[at]!, child: this.#branch(at + 1, state) };
      this.#step(depth++, nodes.split(node, same, link, fork), link);
      this.#added(depth, state, length - at);
      return ABSENT;
    }
    const before = nodes.state(node);
    if (before === ABSENT) {
      nodes.setState(node, state);
      this.#added(depth, state, 0);
    } else {
      this.#lastNovelBytes = 0;
      if (overwrite && before !== state) {
        this.#version++;
        nodes.setState(node, state);
        this.#count(depth, before, state);
      }
    }
    return before;
  }

  #added(depth: number, state: State, novelBytes: number): void {
    this.#version++;
    this.#size++;
    this.#addedSince++;
    this.#keyBytes += this.#key.length;
    this.#lastNovelBytes = novelBytes;
    this.#count(depth, ABSENT, state);
    if (this.#nodes.isFull(0)) this.#compact();
  }

  /** A new node for the bytes of the key from `start`; a chain of nodes where a label cannot hold them. */
  #branch(start: number, state: PresentState): number {
    const nodes = this.#nodes;
    const { bytes, length } = this.#key;
    const end = Math.min(length, start + MOST_LABEL);
    const last = end === length;
    const node = nodes.create(end - start, last ? state : ABSENT, last ? 0 : 1);
    for (let i = start, label = node + HEADER; i < end; i++, label++) nodes.bytes[label] = bytes[i]!;
    if (!last) {
      nodes.addCounts(node, Number(state === VISITED), Number(state === KNOWN));
      nodes.setChild(node, 0, bytes[end]!, this.#branch(end + 1, state));
    }
    return node;
  }

  /** Takes a change of one key's state into the counts of the nodes on the path. */
  #count(depth: number, before: State, after: State): void {
    const visited = Number(after === VISITED) - Number(before === VISITED);
    const known = Number(after === KNOWN) - Number(before === KNOWN);
    if (visited === 0 && known === 0) return;
    for (let i = 0; i < depth; i++) this.#nodes.addCounts(this.#path[i]!, visited, known);
  }

  /** Fills the path for a key that is there; its depth. */
  #tracePath(): number {
    const nodes = this.#nodes;
    const { bytes, length } = this.#key;
    let link = ROOT_LINK;
    let at = 0;
    for (let depth = 0; ; depth++) {
      const node = nodes.get(link);
      this.#step(depth, node, link);
      at += depth === 0 ? 0 : 1 + nodes.labelLength(node);
      if (at === length) return depth + 1;
      link = nodes.linkFor(node, bytes[at]!);
    }
  }

  #step(depth: number, node: number, link: number): void {
    if (depth === this.#path.length) {
      this.#path = doubled(this.#path);
      this.#links = doubled(this.#links);
    }
    this.#path[depth] = node;
    this.#links[depth] = link;
  }

  /** Takes nodes off the end of the path that hold nothing any more, and joins a node with its only child. */
  #tidy(depth: number): void {
    const nodes = this.#nodes;
    for (let i = depth - 1; i > 0; i--) {
      const node = this.#path[i]!;
      if (nodes.state(node) !== ABSENT) return;
      const link = this.#links[i]!;
      const count = nodes.childCount(node);
      if (count === 0) {
        const parent = this.#path[i - 1]!;
        nodes.remove(node);
        nodes.removeChild(parent, nodes.indexOf(parent, link));
        continue;
      }
      if (count > 1) return;
      const child = nodes.get(nodes.linkAt(node, 0));
      if (nodes.labelLength(node) + 1 + nodes.labelLength(child) <= MOST_LABEL) nodes.merge(node, link);
      return;
    }
  }

  /** Writes the trie anew without free places, where that is worth it. */
  #compact(): void {
    const { freeBytes, top } = this.#nodes;
    if (freeBytes < top * MOST_FREE || this.#addedSince < this.#size * COMPACT_AFTER) return;
    this.#nodes = this.#nodes.compacted();
    this.#addedSince = 0;
  }
}

function doubled(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
