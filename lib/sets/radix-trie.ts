import { KeyBytes } from './key-bytes.ts';
import { ABSENT, KNOWN, VISITED, type Counts, type PresentState, type State } from './states.ts';
import type { Stamp } from './sealed.ts';
import { listChildren, listEntries, nodeAt, type Child } from './trie-listing.ts';
import { HEADER, MOST_LABEL, ROOT, TrieNodes } from './trie-nodes.ts';
import { decodeTrie, encodeTrie, trieStamp } from './trie-saved.ts';
import { Walker } from './trie-walker.ts';

/**
 * A set of strings with a state each, as a radix trie (Morrison 1968) in typed arrays. It is exact, lists its keys in code-unit order,
 * and knows for every prefix how many keys below are visited and known: it is also the site tree. Costs v + 13 to 16 bytes a key,
 * where v is the new label bytes a key brings.
 */
export class RadixTrie {
  #nodes = new TrieNodes();
  #size = 0;
  #keyBytes = 0;
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
    this.#key.set(key);
    const node = this.#find();
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

  /** The node where the key ends, 0 for none. */
  #find(): number {
    const nodes = this.#nodes;
    const { bytes: pool } = nodes;
    const { bytes, length } = this.#key;
    let node = ROOT;
    let at = 0;
    while (at < length) {
      let child = nodes.child(node);
      const byte = bytes[at]!;
      while (child !== 0 && pool[child + HEADER]! < byte) child = nodes.get(child);
      if (child === 0 || pool[child + HEADER] !== byte) return 0;
      const end = at + nodes.labelLength(child);
      if (end > length) return 0;
      for (let i = at + 1, j = child + HEADER + 1; i < end; i++, j++) {
        if (pool[j] !== bytes[i]) return 0;
      }
      at = end;
      node = child;
    }
    return node;
  }

  /** Walks to the key once; adds it, or gives it the state where `overwrite` says so. The state it had. */
  #write(key: string, state: PresentState, overwrite: boolean): State {
    this.#key.set(key);
    const { bytes, length } = this.#key;
    if (this.#crowded(length)) this.#compact();
    const nodes = this.#nodes;
    nodes.reserve(length);
    const { bytes: pool } = nodes;
    let node = ROOT;
    let link = 0;
    let at = 0;
    let depth = 0;
    for (;;) {
      this.#step(depth++, node, link);
      if (at === length) break;
      if (!nodes.inner(node)) {
        node = nodes.toInner(node, link);
        this.#path[depth - 1] = node;
      }
      link = nodes.childLink(node);
      let child = nodes.get(link);
      const byte = bytes[at]!;
      while (child !== 0 && pool[child + HEADER]! < byte) {
        link = child;
        child = nodes.get(child);
      }
      if (child === 0 || pool[child + HEADER] !== byte) {
        nodes.set(link, this.#branch(at, state, child));
        this.#added(depth, state, length - at);
        return ABSENT;
      }
      const labelLength = nodes.labelLength(child);
      let same = 1;
      while (same < labelLength && at + same < length && pool[child + HEADER + same] === bytes[at + same])
        same++;
      if (same < labelLength) child = nodes.split(child, same, link);
      at += same;
      node = child;
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
    this.#keyBytes += this.#key.length;
    this.#lastNovelBytes = novelBytes;
    this.#count(depth, ABSENT, state);
  }

  /** A chain of new nodes for the bytes of the key from `start`, and `sibling` after it. */
  #branch(start: number, state: PresentState, sibling: number): number {
    const nodes = this.#nodes;
    const { bytes, length } = this.#key;
    let below = 0;
    let end = length;
    for (;;) {
      const from = Math.max(start, end - MOST_LABEL);
      const node = nodes.create(end - from, end === length ? state : ABSENT, end < length);
      nodes.bytes.set(bytes.subarray(from, end), node + HEADER);
      if (end < length) {
        nodes.set(nodes.childLink(node), below);
        nodes.setCounts(node, state === VISITED ? 1 : 0, state === KNOWN ? 1 : 0);
      }
      if (from === start) {
        nodes.set(node, sibling);
        return node;
      }
      below = node;
      end = from;
    }
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
    let node = ROOT;
    let link = 0;
    let depth = 0;
    for (let at = 0; ; at += nodes.labelLength(node)) {
      this.#step(depth++, node, link);
      if (at === length) return depth;
      link = nodes.childLink(node);
      node = nodes.get(link);
      while (nodes.bytes[node + HEADER] !== bytes[at]) {
        link = node;
        node = nodes.get(node);
      }
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
      const link = this.#links[i]!;
      const child = nodes.child(node);
      if (nodes.inner(node) && child === 0) nodes.toLeaf(node);
      if (nodes.state(node) !== ABSENT) return;
      if (child === 0) {
        nodes.set(link, nodes.get(node));
        nodes.remove(node);
        continue;
      }
      const only = nodes.get(child) === 0;
      if (only && nodes.labelLength(node) + nodes.labelLength(child) <= MOST_LABEL)
        nodes.merge(node, child, link);
      return;
    }
  }

  /** Whether the pool must grow while a quarter of it is unused. */
  #crowded(length: number): boolean {
    const { top, bytes, freeBytes } = this.#nodes;
    return top + 2 * length + 1024 > bytes.length && freeBytes > top / 4;
  }

  #compact(): void {
    this.#nodes = decodeTrie(encodeTrie(this.#nodes, this.#size)).nodes;
    this.#version++;
  }
}

function doubled(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
