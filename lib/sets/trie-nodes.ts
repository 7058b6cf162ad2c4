import { countsOf, type Counts, type State } from './states.ts';

/**
 * The nodes of a radix trie as records in one byte pool:
 *
 *     0  state (3 bits) and the flag INNER
 *     1  length of the label, 0 to 255; a longer label is a chain of nodes
 *     2  label, without its first byte, which stands in the parent
 *        an inner node goes on with:
 *        visited u32, known u32 (keys in its subtree, itself included), number of children less one u8,
 *        the first bytes of the children in ascending order, and as many i32: where the children are
 *
 * So a node costs 7 bytes beside its label and an inner node 9 more, and a search reads one run of bytes a node, however many children
 * it has. Numbers are unaligned and little endian. A *link* is the position of the i32 that points to a node. Records that are no
 * longer used are kept in one list per size and used again.
 */
export const HEADER = 2;
const EXTRA = 9;
const PER_CHILD = 5;
export const MOST_LABEL = 255;
/** The link to the root. The root's label is empty and its first byte stands nowhere. */
export const ROOT_LINK = 0;
const START = 4;
const INNER = 8;
const MOST_CHILDREN = 256;
/** A free record holds the position of the next. */
const LEAST_FREE = 4;
/** Positions are i32. */
const MOST_BYTES = 2 ** 31 - 1;
const GROWTH = 1.05;

/** How many children a node with this many has room for: it moves less often, and leaves fewer sizes behind. */
function roomFor(children: number): number {
  return children <= 4 ? children : (children + 3) & ~3;
}

/** Bytes of a record. */
export function recordSize(labelLength: number, children: number): number {
  return HEADER + labelLength + (children === 0 ? 0 : EXTRA + roomFor(children) * PER_CHILD);
}

const MOST_RECORD = recordSize(MOST_LABEL, MOST_CHILDREN);

export class TrieNodes {
  bytes: Uint8Array<ArrayBuffer>;
  view: DataView;
  /** End of the used part of the pool. */
  top = START;
  /** Bytes of all labels, first bytes included. */
  labelBytes = 0;
  /** Bytes in the pool that no node uses. */
  freeBytes = 0;
  /** Per size the first free record of it, and one bit per size that has any. */
  readonly #free = new Int32Array(MOST_RECORD + 1);
  readonly #sizes = new Int32Array((MOST_RECORD >>> 5) + 1);

  /** An empty pool, without a root where `capacity` is given (to be filled by a reader), else with one. */
  constructor(capacity?: number) {
    this.bytes = new Uint8Array(capacity ?? 1024);
    this.view = new DataView(this.bytes.buffer);
    if (capacity === undefined) this.set(ROOT_LINK, this.create(0, 0, 0));
  }

  /** Bytes of a pool whose records take `records` bytes. */
  static capacityFor(records: number): number {
    return START + records;
  }

  get(link: number): number {
    return this.view.getInt32(link, true);
  }

  set(link: number, node: number): void {
    this.view.setInt32(link, node, true);
  }

  state(node: number): State {
    return (this.bytes[node]! & 7) as State;
  }

  setState(node: number, state: State): void {
    this.bytes[node] = (this.bytes[node]! & INNER) | state;
  }

  inner(node: number): boolean {
    return (this.bytes[node]! & INNER) !== 0;
  }

  labelLength(node: number): number {
    return this.bytes[node + 1]!;
  }

  childCount(node: number): number {
    return this.inner(node) ? this.bytes[this.#extra(node) + 8]! + 1 : 0;
  }

  /** First label byte of the child at `index`. */
  firstByte(node: number, index: number): number {
    return this.bytes[this.#extra(node) + EXTRA + index]!;
  }

  /** Link to the child at `index`. */
  linkAt(node: number, index: number): number {
    const extra = this.#extra(node);
    return extra + EXTRA + roomFor(this.bytes[extra + 8]! + 1) + index * 4;
  }

  /** Link to the child whose label begins with `byte`, 0 for none. */
  linkFor(node: number, byte: number): number {
    const { bytes } = this;
    if ((bytes[node]! & INNER) === 0) return 0;
    const firsts = node + HEADER + EXTRA + bytes[node + 1]!;
    const count = bytes[firsts - 1]! + 1;
    for (let i = 0; i < count; i++) {
      const first = bytes[firsts + i]!;
      if (first < byte) continue;
      return first === byte ? firsts + roomFor(count) + i * 4 : 0;
    }
    return 0;
  }

  /** The index of the child that a link of the node points to. */
  indexOf(node: number, link: number): number {
    return (link - this.linkAt(node, 0)) / 4;
  }

  counts(node: number): Counts {
    if (!this.inner(node)) return countsOf(this.state(node));
    const extra = this.#extra(node);
    return { visited: this.view.getUint32(extra, true), known: this.view.getUint32(extra + 4, true) };
  }

  /** Adds to the counts of an inner node; a leaf has none of its own. */
  addCounts(node: number, visited: number, known: number): void {
    if (!this.inner(node)) return;
    const extra = this.#extra(node);
    this.view.setUint32(extra, this.view.getUint32(extra, true) + visited, true);
    this.view.setUint32(extra + 4, this.view.getUint32(extra + 4, true) + known, true);
  }

  /** Adds the counts of a child to those of its parent. */
  addSubtree(parent: number, node: number): void {
    const { visited, known } = this.counts(node);
    this.addCounts(parent, visited, known);
  }

  /** A new node with room for its label and children, whose counts are its own; there must be room (`reserve`). */
  create(labelLength: number, state: State, children: number): number {
    const node = this.#allocate(recordSize(labelLength, children));
    this.bytes[node] = state | (children === 0 ? 0 : INNER);
    this.bytes[node + 1] = labelLength;
    this.labelBytes += labelLength;
    if (children > 0) {
      const extra = this.#extra(node);
      const { visited, known } = countsOf(state);
      this.view.setUint32(extra, visited, true);
      this.view.setUint32(extra + 4, known, true);
      this.bytes[extra + 8] = children - 1;
    }
    return node;
  }

  /** Frees the record of a node. Its first byte goes with the link to it. */
  remove(node: number): void {
    const length = this.labelLength(node);
    this.labelBytes -= length;
    this.#release(node, recordSize(length, this.childCount(node)));
  }

  setChild(node: number, index: number, firstByte: number, child: number): void {
    this.bytes[this.#extra(node) + EXTRA + index] = firstByte;
    this.set(this.linkAt(node, index), child);
    this.labelBytes++;
  }

  /** Adds a child in its place in the order. The node may move: `link` points to where it is now, which is the answer. */
  insertChild(node: number, link: number, firstByte: number, child: number): number {
    const { bytes } = this;
    const count = this.childCount(node);
    let index = 0;
    while (index < count && this.firstByte(node, index) < firstByte) index++;
    let moved = node;
    if (count === 0 || count === roomFor(count)) {
      const length = this.labelLength(node);
      moved = this.create(length, this.state(node), count + 1);
      this.labelBytes -= length;
      bytes.copyWithin(moved + HEADER, node + HEADER, node + HEADER + length);
      if (count > 0) {
        const from = this.#extra(node);
        const to = this.#extra(moved);
        bytes.copyWithin(to, from, from + 8);
        bytes.copyWithin(to + EXTRA, from + EXTRA, from + EXTRA + count);
        const links = this.linkAt(node, 0);
        bytes.copyWithin(this.linkAt(moved, 0), links, links + count * 4);
      }
      this.#release(node, recordSize(length, count));
      this.set(link, moved);
    } else {
      bytes[this.#extra(node) + 8] = count;
    }
    const first = this.#extra(moved) + EXTRA;
    const links = this.linkAt(moved, 0);
    bytes.copyWithin(first + index + 1, first + index, first + count);
    bytes.copyWithin(links + (index + 1) * 4, links + index * 4, links + count * 4);
    this.setChild(moved, index, firstByte, child);
    return moved;
  }

  /** Takes a child out, in place; a node without children is a leaf. */
  removeChild(node: number, index: number): void {
    const { bytes } = this;
    const count = this.childCount(node);
    const length = this.labelLength(node);
    const before = recordSize(length, count);
    const firsts = this.#extra(node) + EXTRA;
    const links = this.linkAt(node, 0);
    this.labelBytes--;
    bytes.copyWithin(firsts + index, firsts + index + 1, firsts + count);
    bytes.copyWithin(links + index * 4, links + (index + 1) * 4, links + count * 4);
    if (count === 1) {
      bytes[node] = this.state(node);
    } else {
      bytes[firsts - 1] = count - 2;
      bytes.copyWithin(this.linkAt(node, 0), links, links + (count - 1) * 4);
    }
    const after = recordSize(length, count - 1);
    this.#release(node + after, before - after);
  }

  /**
   * Cuts the label of `node` after `length` bytes: a new inner node with the first part takes its place. It has the rest as a child and
   * room for a second one where `fork` says so; that one is to be set, and which of the two comes first.
   */
  split(node: number, length: number, link: number, fork?: { firstByte: number; child: number }): number {
    const { visited, known } = this.counts(node);
    const flags = this.bytes[node]!;
    const whole = this.labelLength(node);
    const upper = this.create(length, 0, fork === undefined ? 1 : 2);
    this.bytes.copyWithin(upper + HEADER, node + HEADER, node + HEADER + length);
    this.addCounts(upper, visited, known);
    this.set(link, upper);
    // The rest of the label stays where it is; only the header moves up to it, over the byte that goes to the parent.
    const firstByte = this.bytes[node + HEADER + length]!;
    const lower = node + length + 1;
    this.bytes[lower] = flags;
    this.bytes[lower + 1] = whole - length - 1;
    this.labelBytes -= length + 1;
    this.#release(node, length + 1);
    const forkFirst = fork !== undefined && fork.firstByte < firstByte;
    this.setChild(upper, forkFirst ? 1 : 0, firstByte, lower);
    if (fork !== undefined) this.setChild(upper, forkFirst ? 0 : 1, fork.firstByte, fork.child);
    return upper;
  }

  /** Joins a node and its only child into one. */
  merge(node: number, link: number): void {
    const { bytes } = this;
    const child = this.get(this.linkAt(node, 0));
    const length = this.labelLength(node);
    const rest = this.labelLength(child);
    const count = this.childCount(child);
    const joined = this.create(length + 1 + rest, this.state(child), count);
    bytes.copyWithin(joined + HEADER, node + HEADER, node + HEADER + length);
    bytes[joined + HEADER + length] = this.firstByte(node, 0);
    const from = child + HEADER;
    bytes.copyWithin(joined + HEADER + length + 1, from, child + recordSize(rest, count));
    this.set(link, joined);
    this.labelBytes--;
    this.remove(child);
    this.remove(node);
  }

  /** A copy without free places, depth first, so that what is walked together lies together. */
  compacted(): TrieNodes {
    const copy = new TrieNodes(this.top - this.freeBytes);
    copy.labelBytes = this.labelBytes;
    copy.set(ROOT_LINK, copy.#copyOf(this, this.get(ROOT_LINK)));
    /** Inner nodes whose children are being copied. */
    const parents: { from: number; to: number; next: number }[] = [];
    const enter = (from: number, to: number): void => {
      if (this.inner(from)) parents.push({ from, to, next: 0 });
    };
    enter(this.get(ROOT_LINK), copy.get(ROOT_LINK));
    for (let parent = parents.at(-1); parent !== undefined; parent = parents.at(-1)) {
      if (parent.next === this.childCount(parent.from)) {
        parents.pop();
        continue;
      }
      const child = this.get(this.linkAt(parent.from, parent.next));
      const copied = copy.#copyOf(this, child);
      copy.set(copy.linkAt(parent.to, parent.next), copied);
      parent.next++;
      enter(child, copied);
    }
    return copy;
  }

  /** The record of another pool, at the end of this one; the links in it are still the other's. */
  #copyOf(other: TrieNodes, node: number): number {
    const to = this.top;
    const size = recordSize(other.labelLength(node), other.childCount(node));
    for (let i = 0; i < size; i++) this.bytes[to + i] = other.bytes[node + i]!;
    this.top += size;
    return to;
  }

  /** Whether there may be no room for what one insertion or deletion of a key of `length` bytes creates. */
  isFull(length: number): boolean {
    return this.#need(length) > this.bytes.length;
  }

  /**
   * Makes room for whatever one insertion or deletion of a key of `length` bytes may create, so that no position moves within it.
   * @throws RangeError when the pool would pass 2 GiB.
   */
  reserve(length: number): void {
    if (!this.isFull(length)) return;
    const need = this.#need(length);
    if (need > MOST_BYTES) {
      throw new RangeError('the trie is full: 2 GiB of nodes, use fingerprints or more than one space');
    }
    const larger = new Uint8Array(
      Math.min(MOST_BYTES, Math.max(need, Math.floor(this.bytes.length * GROWTH))),
    );
    larger.set(this.bytes.subarray(0, this.top));
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }

  #need(length: number): number {
    const chain = (Math.ceil(length / MOST_LABEL) + 1) * recordSize(0, 1);
    return this.top + length + chain + 3 * MOST_RECORD;
  }

  /** Where the fields of an inner node begin. */
  #extra(node: number): number {
    return node + HEADER + this.bytes[node + 1]!;
  }

  /** A place for a record: a free one of its size, a part of a larger free one, or new room. */
  #allocate(size: number): number {
    const from = this.#free[size] === 0 ? this.#larger(size) : size;
    if (from === 0) {
      this.top += size;
      return this.top - size;
    }
    const at = this.#free[from]!;
    this.#free[from] = this.get(at);
    if (this.#free[from] === 0) this.#sizes[from >>> 5]! &= ~(1 << from);
    this.freeBytes -= from;
    if (from > size) this.#release(at + size, from - size);
    return at;
  }

  /** The least size of a free record that leaves a usable rest, 0 for none. */
  #larger(size: number): number {
    const least = size + LEAST_FREE;
    let word = least >>> 5;
    let bits = (this.#sizes[word] ?? 0) & (-1 << least);
    while (bits === 0) {
      if (++word >= this.#sizes.length) return 0;
      bits = this.#sizes[word]!;
    }
    return word * 32 + 31 - Math.clz32(bits & -bits);
  }

  #release(at: number, size: number): void {
    if (size === 0) return;
    this.freeBytes += size;
    if (size < LEAST_FREE) return;
    this.set(at, this.#free[size]!);
    this.#free[size] = at;
    this.#sizes[size >>> 5]! |= 1 << size;
  }
}
