import { countsOf, type Counts, type State } from './states.ts';

/**
 * The nodes of a radix trie as records in one byte pool:
 *
 *     0  next sibling, i32 (position in the pool, 0 = none); siblings are in ascending order of their first label byte
 *     4  state (3 bits) and the flag INNER
 *     5  length of the label, 0 to 255 (0 for the root only); a longer label is a chain of nodes
 *     6  label
 *        an inner node goes on with: first child i32, visited u32, known u32 (keys in its subtree, itself included)
 *
 * A leaf costs 6 bytes and an inner node 18 beside their labels. Numbers are unaligned and little endian. Records that are no longer
 * used are kept in one list per size and used again. A *link* is the position of the i32 that points to a node: the first-child field
 * of its parent or the sibling field (the start) of the node before it.
 */
export const ROOT = 8;
export const HEADER = 6;
export const EXTRA = 12;
export const MOST_LABEL = 255;
const INNER = 8;
const MOST_RECORD = HEADER + MOST_LABEL + EXTRA;
/** Positions are i32. */
const MOST_BYTES = 2 ** 31 - 1;
const GROWTH = 1.2;

export class TrieNodes {
  bytes: Uint8Array<ArrayBuffer>;
  view: DataView;
  /** End of the used part of the pool. */
  top = ROOT;
  /** Label bytes of all nodes. */
  labelBytes = 0;
  /** Bytes in the pool that no node uses. */
  freeBytes = 0;
  readonly #free = new Int32Array(MOST_RECORD + 1);

  constructor(capacity = 1024) {
    this.bytes = new Uint8Array(Math.max(capacity, ROOT + HEADER + EXTRA));
    this.view = new DataView(this.bytes.buffer);
    this.create(0, 0, true);
  }

  get(link: number): number {
    return this.view.getInt32(link, true);
  }

  set(link: number, node: number): void {
    this.view.setInt32(link, node, true);
  }

  state(node: number): State {
    return (this.bytes[node + 4]! & 7) as State;
  }

  setState(node: number, state: State): void {
    this.bytes[node + 4] = (this.bytes[node + 4]! & INNER) | state;
  }

  inner(node: number): boolean {
    return (this.bytes[node + 4]! & INNER) !== 0;
  }

  labelLength(node: number): number {
    return this.bytes[node + 5]!;
  }

  /** Position of the first-child field of an inner node. */
  childLink(node: number): number {
    return node + HEADER + this.bytes[node + 5]!;
  }

  /** First child of any node, 0 for none. */
  child(node: number): number {
    return this.inner(node) ? this.get(this.childLink(node)) : 0;
  }

  counts(node: number): Counts {
    if (this.inner(node)) {
      const at = this.childLink(node);
      return { visited: this.view.getUint32(at + 4, true), known: this.view.getUint32(at + 8, true) };
    }
    return countsOf(this.state(node));
  }

  setCounts(node: number, visited: number, known: number): void {
    const at = this.childLink(node);
    this.view.setUint32(at + 4, visited, true);
    this.view.setUint32(at + 8, known, true);
  }

  /** Adds to the counts of an inner node; a leaf has none of its own. */
  addCounts(node: number, visited: number, known: number): void {
    if (!this.inner(node)) return;
    const at = this.childLink(node);
    this.view.setUint32(at + 4, this.view.getUint32(at + 4, true) + visited, true);
    this.view.setUint32(at + 8, this.view.getUint32(at + 8, true) + known, true);
  }

  /** Adds the counts of a child to those of its parent. */
  addSubtree(parent: number, node: number): void {
    const { visited, known } = this.counts(node);
    this.addCounts(parent, visited, known);
  }

  /** A new node with room for its label, without relations; there must be room (`reserve`). */
  create(labelLength: number, state: State, inner: boolean): number {
    const size = HEADER + labelLength + (inner ? EXTRA : 0);
    let node = this.#free[size]!;
    if (node === 0) {
      node = this.top;
      this.top += size;
    } else {
      this.#free[size] = this.get(node);
      this.freeBytes -= size;
    }
    this.set(node, 0);
    this.bytes[node + 4] = state | (inner ? INNER : 0);
    this.bytes[node + 5] = labelLength;
    this.labelBytes += labelLength;
    if (inner) {
      this.set(this.childLink(node), 0);
      this.setCounts(node, 0, 0);
    }
    return node;
  }

  remove(node: number): void {
    const length = this.labelLength(node);
    this.labelBytes -= length;
    this.#release(node, HEADER + length + (this.inner(node) ? EXTRA : 0));
  }

  /** Cuts the label of `node` after `length` bytes: a new inner node with the first part takes its place and has the rest as its child. */
  split(node: number, length: number, link: number): number {
    const { visited, known } = this.counts(node);
    const sibling = this.get(node);
    const flags = this.bytes[node + 4]!;
    const whole = this.labelLength(node);
    const upper = this.create(length, 0, true);
    this.bytes.copyWithin(upper + HEADER, node + HEADER, node + HEADER + length);
    this.setCounts(upper, visited, known);
    this.set(upper, sibling);
    this.set(link, upper);
    // The rest of the label stays where it is; only the header moves up to it.
    const lower = node + length;
    this.set(lower, 0);
    this.bytes[lower + 4] = flags;
    this.bytes[lower + 5] = whole - length;
    this.set(this.childLink(upper), lower);
    this.labelBytes -= length;
    this.#release(node, length);
    return upper;
  }

  /** Gives a leaf the fields of an inner node; it moves. */
  toInner(leaf: number, link: number): number {
    const length = this.labelLength(leaf);
    const { visited, known } = this.counts(leaf);
    const node = this.create(length, this.state(leaf), true);
    this.bytes.copyWithin(node + HEADER, leaf + HEADER, leaf + HEADER + length);
    this.setCounts(node, visited, known);
    this.set(node, this.get(leaf));
    this.set(link, node);
    this.remove(leaf);
    return node;
  }

  /** Makes an inner node without children a leaf, in place. */
  toLeaf(node: number): void {
    this.bytes[node + 4] = this.state(node);
    this.#release(this.childLink(node), EXTRA);
  }

  /** Joins a node without state and its only child into one. */
  merge(node: number, child: number, link: number): void {
    const length = this.labelLength(node);
    const rest = this.labelLength(child);
    const inner = this.inner(child);
    const joined = this.create(length + rest, this.state(child), inner);
    this.bytes.copyWithin(joined + HEADER, node + HEADER, node + HEADER + length);
    this.bytes.copyWithin(
      joined + HEADER + length,
      child + HEADER,
      child + HEADER + rest + (inner ? EXTRA : 0),
    );
    this.set(joined, this.get(node));
    this.set(link, joined);
    this.remove(child);
    this.remove(node);
  }

  /**
   * Makes room for whatever one insertion or deletion of a key of `length` bytes may create, so that no position moves within it.
   * @throws RangeError when the pool would pass 2 GiB.
   */
  reserve(length: number): void {
    const need =
      this.top + length + (Math.ceil(length / MOST_LABEL) + 2) * (HEADER + EXTRA) + 2 * MOST_RECORD;
    if (need <= this.bytes.length) return;
    if (need > MOST_BYTES)
      throw new RangeError('the trie is full: 2 GiB of nodes, use fingerprints or more than one space');
    const larger = new Uint8Array(
      Math.min(MOST_BYTES, Math.max(need, Math.floor(this.bytes.length * GROWTH))),
    );
    larger.set(this.bytes.subarray(0, this.top));
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }

  #release(at: number, size: number): void {
    this.freeBytes += size;
    if (size < HEADER) return;
    this.set(at, this.#free[size]!);
    this.#free[size] = at;
  }
}
