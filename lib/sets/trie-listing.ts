import { decodeBytes, KeyBytes } from './key-bytes.ts';
import { ABSENT, countsOf, type Counts, type PresentState, type State } from './states.ts';
import { HEADER, ROOT, type TrieNodes } from './trie-nodes.ts';

/** A group of keys below a prefix: a host, a folder, a page. */
export interface Child extends Counts {
  /** The part after the prefix, with the separator that ends it. */
  readonly segment: string;
  /** State of the key `prefix + segment` itself; 0 where it is not in the set. */
  readonly state: State;
  /** Whether keys go on after the segment. */
  readonly more: boolean;
}

/** Where a prefix ends: within the label of `node`, `length` bytes of it used (all of them when it ends with it). */
export function nodeAt(nodes: TrieNodes, prefix: KeyBytes): { node: number; used: number } | undefined {
  const { bytes, length } = prefix;
  let node = ROOT;
  let at = 0;
  while (at < length) {
    let child = nodes.child(node);
    while (child !== 0 && nodes.bytes[child + HEADER] !== bytes[at]) child = nodes.get(child);
    if (child === 0) return undefined;
    const labelLength = nodes.labelLength(child);
    let same = 1;
    while (
      same < labelLength &&
      at + same < length &&
      nodes.bytes[child + HEADER + same] === bytes[at + same]
    )
      same++;
    at += same;
    if (at < length && same < labelLength) return undefined;
    if (at === length) return { node: child, used: same };
    node = child;
  }
  return { node, used: 0 };
}

/**
 * Visits the nodes of the subtree of `prefix` depth first. `path` holds the bytes from the root to the end of the node's label and
 * `start` where the part after the prefix begins that this node adds. `enter` says whether to go below the node.
 */
function* walkBelow(
  nodes: TrieNodes,
  prefix: string,
): Generator<{ node: number; path: KeyBytes; start: number }, void, boolean | undefined> {
  const path = new KeyBytes();
  path.set(prefix);
  const found = nodeAt(nodes, path);
  if (found === undefined) return;
  const starts: number[] = [];
  const label = (node: number, from: number): Uint8Array =>
    nodes.bytes.subarray(node + HEADER + from, node + HEADER + nodes.labelLength(node));
  let node = found.node;
  let start = path.length;
  path.splice(start, label(node, found.used));
  const parents: number[] = [];
  for (;;) {
    const enter = yield { node, path, start };
    const child = enter === false ? 0 : nodes.child(node);
    if (child !== 0) {
      parents.push(node);
      starts.push(start);
      start = path.length;
      node = child;
    } else {
      while (parents.length > 0 && nodes.get(node) === 0) {
        node = parents.pop()!;
        start = starts.pop()!;
      }
      if (parents.length === 0) return;
      node = nodes.get(node);
    }
    path.splice(start, label(node, 0));
  }
}

export function* listEntries(
  nodes: TrieNodes,
  prefix: string,
  check: () => void,
): Generator<[key: string, state: PresentState]> {
  for (const { node, path } of walkBelow(nodes, prefix)) {
    const state = nodes.state(node);
    if (state === ABSENT) continue;
    yield [path.toString(), state];
    check();
  }
}

export function* listChildren(
  nodes: TrieNodes,
  prefix: string,
  separators: string,
  check: () => void,
): Generator<Child> {
  const ends = new Uint8Array(256);
  for (const separator of separators) ends[separator.charCodeAt(0)] = 1;
  const walk = walkBelow(nodes, prefix);
  let from = -1;
  let step = walk.next();
  while (step.done !== true) {
    const { node, path, start } = step.value;
    if (from < 0) from = start;
    let end = start;
    while (end < path.length && ends[path.bytes[end]!] !== 1) end++;
    const whole = end < path.length;
    if (whole) end++;
    const state = end === path.length ? nodes.state(node) : ABSENT;
    if (whole || state !== ABSENT) {
      const { visited, known } = whole ? nodes.counts(node) : countsOf(state);
      const more = whole && (end < path.length || nodes.child(node) !== 0);
      yield { segment: decodeBytes(path.bytes, from, end), state, more, visited, known };
      check();
    }
    step = walk.next(!whole);
  }
}
