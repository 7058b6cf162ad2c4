import { nextPending } from './key-bytes.ts';
import {
  allocateSealed,
  DamagedSetError,
  payloadOf,
  readCount,
  readHeader,
  seal,
  unseal,
  viewOf,
  type Kind,
  type Stamp,
} from './sealed.ts';
import { ABSENT, GONE, type State } from './states.ts';
import { HEADER, MOST_LABEL, recordSize, ROOT_LINK, TrieNodes } from './trie-nodes.ts';

const KIND: Kind = { name: 'RadixTrie', magic: 'OORT', version: 1 };

/**
 * Payload: numbers of keys, of nodes, of bytes that the pool will take, of label bytes (f64 each), then the nodes depth first, each as
 *
 *     state (3 bits) and number of children (5 bits; 31: the number less 31 follows in a byte)
 *     length of the label as a varint, label (the root has none)
 *
 * A chain of nodes that only holds one long label is one node here, so the same keys and states give the same bytes. No positions are
 * saved, so none can be wrong, and counts are made anew; what is read in this order also lies in this order, which makes look-ups
 * faster.
 */
const HEAD = 32;
const MANY = 31;

export function encodeTrie(nodes: TrieNodes, size: number, stamp?: Stamp): Uint8Array<ArrayBuffer> {
  let nodeCount = 0;
  let poolBytes = 0;
  let payloadBytes = HEAD;
  forEachNode(nodes, (labelLength, children) => {
    nodeCount++;
    poolBytes += poolSize(labelLength, children);
    payloadBytes += (children < MANY ? 1 : 2) + varintSize(labelLength) + labelLength;
  });
  const buffer = allocateSealed(payloadBytes);
  const payload = payloadOf(buffer);
  const view = viewOf(payload);
  for (const [i, number] of [size, nodeCount, poolBytes, nodes.labelBytes].entries()) {
    view.setFloat64(i * 8, number, true);
  }
  let at = HEAD;
  forEachNode(nodes, (labelLength, children, state, parts) => {
    payload[at++] = state | (Math.min(children, MANY) << 3);
    if (children >= MANY) payload[at++] = children - MANY;
    let rest = labelLength;
    for (; rest >= 0x80; rest >>>= 7) payload[at++] = (rest & 0x7f) | 0x80;
    payload[at++] = rest;
    for (const { firstByte, node } of parts) {
      if (firstByte >= 0) payload[at++] = firstByte;
      for (let i = node + HEADER, end = i + nodes.labelLength(node); i < end; i++)
        payload[at++] = nodes.bytes[i]!;
    }
  });
  return seal(KIND, buffer, stamp);
}

/** A node of the pool and the first byte of its label, -1 for the root. */
interface Part {
  firstByte: number;
  node: number;
}

/** Visits all nodes depth first, a chain of nodes without state that have one child as one node of several parts. */
function forEachNode(
  nodes: TrieNodes,
  visit: (labelLength: number, children: number, state: State, parts: readonly Part[]) => void,
): void {
  const parents: { node: number; next: number }[] = [];
  let firstByte = -1;
  let node = nodes.get(ROOT_LINK);
  const parts: Part[] = [];
  for (;;) {
    parts.length = 0;
    parts.push({ firstByte, node });
    let labelLength = nodes.labelLength(node);
    if (firstByte >= 0) {
      labelLength++;
      while (nodes.state(node) === ABSENT && nodes.childCount(node) === 1) {
        const first = nodes.firstByte(node, 0);
        node = nodes.get(nodes.linkAt(node, 0));
        parts.push({ firstByte: first, node });
        labelLength += 1 + nodes.labelLength(node);
      }
    }
    const children = nodes.childCount(node);
    visit(labelLength, children, nodes.state(node), parts);
    if (children > 0) parents.push({ node, next: 0 });
    let parent = parents.at(-1);
    while (parent !== undefined && parent.next === nodes.childCount(parent.node)) {
      parents.pop();
      parent = parents.at(-1);
    }
    if (parent === undefined) return;
    firstByte = nodes.firstByte(parent.node, parent.next);
    node = nodes.get(nodes.linkAt(parent.node, parent.next));
    parent.next++;
  }
}

/** Bytes of the records for one saved node: its own, and one for each piece of a label that is too long for one. */
function poolSize(labelLength: number, children: number): number {
  const own = Math.max(0, labelLength - 1);
  const chain = Math.floor(Math.max(0, own) / (MOST_LABEL + 1));
  return chain * recordSize(MOST_LABEL, 1) + recordSize(own - chain * (MOST_LABEL + 1), children);
}

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 0x80; rest >>>= 7) size++;
  return size;
}

export function trieStamp(buffer: ArrayBuffer | Uint8Array): Stamp {
  return readHeader(KIND, buffer);
}

/** An inner node whose children are being read. */
interface Parent {
  node: number;
  children: number;
  next: number;
  /** First byte of the child before. */
  firstByte: number;
  /** Bytes of the key that ends here, and what must follow to end a code unit (`nextPending`). */
  depth: number;
  pending: number;
}

/** @throws DamagedSetError */
export function decodeTrie(buffer: ArrayBuffer | Uint8Array): {
  nodes: TrieNodes;
  size: number;
  keyBytes: number;
} {
  const { payload } = unseal(KIND, buffer);
  const fail = (what: string): never => {
    throw new DamagedSetError(`${KIND.name}: ${what}`);
  };
  if (payload.length < HEAD + 2) fail('has no nodes');
  const view = viewOf(payload);
  const nodeCount = readCount(KIND, view, 8, payload.length / 2, 'the number of nodes');
  const size = readCount(KIND, view, 0, nodeCount, 'the number of keys');
  const labelBytes = readCount(KIND, view, 24, payload.length, 'the number of label bytes');
  // A node takes at most 24 bytes beside its label, and each piece of a long label as many more.
  const most = 24 * nodeCount + labelBytes + 24 * Math.floor(labelBytes / MOST_LABEL);
  const poolBytes = readCount(KIND, view, 16, most, 'the number of bytes of its nodes');

  const nodes = new TrieNodes(TrieNodes.capacityFor(poolBytes));
  const pool = nodes.bytes;
  const parents: Parent[] = [];
  let keys = 0;
  let keyBytes = 0;
  let room = poolBytes;
  let at = HEAD;
  for (let i = 0; i < nodeCount; i++) {
    const parent = parents.at(-1);
    if (i > 0 && parent === undefined) fail(`goes on after its end at node ${i}`);
    const flags = payload[at++] ?? fail(`ends within node ${i}`);
    const state = flags & 7;
    if (state > GONE) fail(`node ${i} has the unknown state ${state}`);
    let children = flags >> 3;
    if (children === MANY) children += payload[at++] ?? fail(`ends within node ${i}`);
    if (children > 256) fail(`node ${i} has ${children} children`);
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = payload[at++] ?? fail(`ends within node ${i}`);
      length |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
      if (shift === 21) fail(`node ${i} has a label that is too long`);
    }
    const end = at + length;
    if (end > payload.length) fail(`ends within the label of node ${i}`);
    if ((length === 0) !== (i === 0)) fail(i === 0 ? 'does not start with a root' : `node ${i} has no label`);
    if (i > 0 && state === ABSENT && children < 2) fail(`node ${i} holds nothing`);
    room -= poolSize(length, children);
    if (room < 0) fail('has more nodes than it says');

    let pending = parent?.pending ?? 0;
    for (let j = at; j < end; j++) {
      const byte = payload[j]!;
      if (pending !== 0 || byte >= 0x80) pending = nextPending(pending, byte);
      if (pending < 0) fail(`node ${i} is no text`);
    }
    const depth = (parent?.depth ?? 0) + length;
    if (state !== ABSENT) {
      keys++;
      keyBytes += depth;
      if (pending !== 0) fail(`node ${i} ends within a character`);
    }

    let link = ROOT_LINK;
    if (parent !== undefined) {
      const firstByte = payload[at++]!;
      if (firstByte <= parent.firstByte) fail(`node ${i} is out of order`);
      parent.firstByte = firstByte;
      link = nodes.linkAt(parent.node, parent.next);
      nodes.setChild(parent.node, parent.next, firstByte, 0);
      parent.next++;
    }
    // A label that is too long for one node: a chain.
    while (end - at > MOST_LABEL) {
      const piece = nodes.create(MOST_LABEL, ABSENT, 1);
      for (let label = piece + HEADER; label < piece + HEADER + MOST_LABEL; label++)
        pool[label] = payload[at++]!;
      nodes.set(link, piece);
      link = nodes.linkAt(piece, 0);
      nodes.setChild(piece, 0, payload[at++]!, 0);
      parents.push({ node: piece, children: 1, next: 1, firstByte: 0, depth: 0, pending: 0 });
    }
    let node = nodes.create(end - at, state as State, children);
    for (let label = node + HEADER; at < end; label++) pool[label] = payload[at++]!;
    nodes.set(link, node);
    if (children > 0) {
      parents.push({ node, children, next: 0, firstByte: -1, depth, pending });
      continue;
    }
    // A leaf is complete, and with it every ancestor whose last child it is.
    for (let above = parents.at(-1); above !== undefined; above = parents.at(-1)) {
      nodes.addSubtree(above.node, node);
      if (above.next < above.children) break;
      node = above.node;
      parents.pop();
    }
  }
  if (parents.length > 0) fail('ends before its last node');
  if (at !== payload.length) fail(`has ${payload.length - at} bytes too many`);
  if (keys !== size || room !== 0 || nodes.labelBytes !== labelBytes)
    fail('has not the numbers of keys and nodes that it says');
  return { nodes, size, keyBytes };
}
