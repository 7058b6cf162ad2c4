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
import { ABSENT, KNOWN, MOST_STATE, VISITED, type State } from './states.ts';
import { EXTRA, HEADER, ROOT, TrieNodes } from './trie-nodes.ts';

const KIND: Kind = { name: 'RadixTrie', magic: 'OORT', version: 1 };

/**
 * Payload: keys, nodes, inner nodes and label bytes (f64 each), then all nodes depth first, each as flags (state, INNER, LAST of its
 * siblings), label length, label. No positions are saved, so none can be wrong, and counts are made anew; what is read in this order
 * also lies in this order, which makes look-ups faster.
 */
const HEAD = 32;
const INNER = 8;
const LAST = 16;

export function encodeTrie(nodes: TrieNodes, size: number, stamp?: Stamp): Uint8Array<ArrayBuffer> {
  let nodeCount = 0;
  let innerCount = 0;
  forEachNode(nodes, (node) => {
    nodeCount++;
    if (nodes.child(node) !== 0) innerCount++;
  });
  const buffer = allocateSealed(HEAD + 2 * nodeCount + nodes.labelBytes);
  const payload = payloadOf(buffer);
  const view = viewOf(payload);
  for (const [i, number] of [size, nodeCount, innerCount, nodes.labelBytes].entries())
    view.setFloat64(i * 8, number, true);
  let at = HEAD;
  forEachNode(nodes, (node) => {
    const length = nodes.labelLength(node);
    payload[at] =
      nodes.state(node) | (nodes.child(node) === 0 ? 0 : INNER) | (nodes.get(node) === 0 ? LAST : 0);
    payload[at + 1] = length;
    payload.set(nodes.bytes.subarray(node + HEADER, node + HEADER + length), at + 2);
    at += 2 + length;
  });
  return seal(KIND, buffer, stamp);
}

function forEachNode(nodes: TrieNodes, visit: (node: number) => void): void {
  const parents: number[] = [];
  let node = ROOT;
  for (;;) {
    visit(node);
    const child = nodes.child(node);
    if (child !== 0) {
      parents.push(node);
      node = child;
      continue;
    }
    while (nodes.get(node) === 0) {
      const parent = parents.pop();
      if (parent === undefined) return;
      node = parent;
    }
    node = nodes.get(node);
  }
}

export function trieStamp(buffer: ArrayBuffer | Uint8Array): Stamp {
  return readHeader(KIND, buffer);
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
  const innerCount = readCount(KIND, view, 16, nodeCount, 'the number of inner nodes');
  const labelBytes = readCount(KIND, view, 24, payload.length, 'the number of label bytes');
  if (HEAD + 2 * nodeCount + labelBytes !== payload.length)
    fail(`its ${nodeCount} nodes do not fit in ${payload.length} bytes`);

  // The root of a new pool is inner whether or not it has children.
  const nodes = new TrieNodes(ROOT + nodeCount * HEADER + (innerCount + 1) * EXTRA + labelBytes);
  const pool = nodes.bytes;
  /** The inner nodes whose children are being read: position, what must follow to end a code unit (`nextPending`), flag LAST. */
  const parents: number[] = [];
  const pendings: number[] = [];
  const lasts: boolean[] = [];
  let depth = 0;
  let keyBytes = 0;
  let keys = 0;
  let inners = 0;
  let labels = 0;
  let link = 0;
  let pendingBefore = 0;
  let firstByteBefore = -1;
  let at = HEAD;
  for (let i = 0; i < nodeCount; i++) {
    if (at + 2 > payload.length) fail(`ends within node ${i}`);
    const flags = payload[at]!;
    const length = payload[at + 1]!;
    const state = flags & 7;
    const inner = (flags & INNER) !== 0;
    at += 2;
    if (at + length > payload.length) fail(`ends within the label of node ${i}`);
    if (flags >= 32 || state > MOST_STATE) fail(`node ${i} has unknown flags ${flags}`);
    labels += length;
    if (inner) inners++;
    if (labels > labelBytes || inners > innerCount) fail('has more nodes than it says');
    let node = ROOT;
    if (i === 0) {
      if (length !== 0 || (flags & LAST) === 0) fail('does not start with a root');
      nodes.setState(ROOT, state as State);
    } else {
      if (length === 0) fail(`node ${i} has no label`);
      const first = payload[at]!;
      if (first <= firstByteBefore) fail(`node ${i} is out of order`);
      if (!inner && state === ABSENT) fail(`node ${i} holds nothing`);
      node = nodes.create(length, state as State, inner);
      nodes.set(link, node);
    }
    let pending = pendingBefore;
    for (let j = 0; j < length; j++) {
      const byte = payload[at + j]!;
      if (pending !== 0 || byte >= 0x80) pending = nextPending(pending, byte);
      if (pending < 0) fail(`node ${i} is no text`);
      pool[node + HEADER + j] = byte;
    }
    at += length;
    depth += length;
    if (state !== ABSENT) {
      keys++;
      keyBytes += depth;
      if (pending !== 0) fail(`node ${i} ends within a character`);
    }
    let last = (flags & LAST) !== 0;
    if (inner || i === 0) nodes.setCounts(node, Number(state === VISITED), Number(state === KNOWN));
    if (inner) {
      parents.push(node);
      pendings.push(pending);
      lasts.push(last);
      link = nodes.childLink(node);
      pendingBefore = pending;
      firstByteBefore = -1;
      continue;
    }
    // A leaf ends itself, and with it every ancestor whose last child it is.
    while (parents.length > 0) {
      nodes.addSubtree(parents.at(-1)!, node);
      depth -= nodes.labelLength(node);
      if (!last) break;
      node = parents.pop()!;
      pendings.pop();
      last = lasts.pop()!;
    }
    if (parents.length === 0) {
      if (i + 1 < nodeCount) fail(`goes on after its end at node ${i}`);
      break;
    }
    link = node;
    pendingBefore = pendings.at(-1)!;
    firstByteBefore = pool[node + HEADER]!;
  }
  if (parents.length > 0) fail('ends before its last node');
  if (keys !== size || labels !== labelBytes || inners !== innerCount)
    fail('has not the numbers of keys and nodes that it says');
  return { nodes, size, keyBytes };
}
