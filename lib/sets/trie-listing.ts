import { decodeBytes, KeyBytes } from './key-bytes.ts';
import { ABSENT, countsOf, type Counts, type PresentState, type State } from './states.ts';
import { HEADER, ROOT_LINK, type TrieNodes } from './trie-nodes.ts';

/** A group of keys below a prefix: a host, a folder, a page. */
export interface Child extends Counts {
  /** The part after the prefix, with the separator that ends it. */
  readonly segment: string;
  /** State of the key `prefix + segment` itself; 0 where it is not in the set. */
  readonly state: State;
  /** Whether keys go on after the segment. */
  readonly more: boolean;
}

/** The node within or at the end of whose label a prefix ends, and how many bytes of the label it uses. */
export function nodeAt(nodes: TrieNodes, prefix: KeyBytes): { node: number; used: number } | undefined {
  const { bytes, length } = prefix;
  let node = nodes.get(ROOT_LINK);
  let used = 0;
  for (let at = 0; at < length;) {
    if (used < nodes.labelLength(node)) return undefined;
    const link = nodes.linkFor(node, bytes[at++]!);
    if (link === 0) return undefined;
    node = nodes.get(link);
    const labelLength = nodes.labelLength(node);
    used = 0;
    while (used < labelLength && at < length && nodes.bytes[node + HEADER + used] === bytes[at]) {
      used++;
      at++;
    }
  }
  return { node, used };
}

/**
 * Visits the nodes of the subtree of `prefix` depth first. `path` holds the bytes from the root to the end of the node's label and
 * `start` where the part after the prefix begins that this node adds. What is sent back says whether to go below the node.
 */
function* walkBelow(
  nodes: TrieNodes,
  prefix: string,
): Generator<{ node: number; path: KeyBytes; start: number }, void, boolean | undefined> {
  const path = new KeyBytes();
  path.set(prefix);
  const found = nodeAt(nodes, path);
  if (found === undefined) return;
  /** The nodes whose children are being visited, where their labels end, and which child is next. */
  const parents: { node: number; end: number; next: number }[] = [];
  let { node } = found;
  let start = path.length;
  path.splice(start, labelOf(nodes, node).subarray(found.used));
  for (;;) {
    const enter = yield { node, path, start };
    if (enter !== false && nodes.inner(node)) parents.push({ node, end: path.length, next: 0 });
    let parent = parents.at(-1);
    while (parent !== undefined && parent.next === nodes.childCount(parent.node)) {
      parents.pop();
      parent = parents.at(-1);
    }
    if (parent === undefined) return;
    start = parent.end;
    const link = nodes.linkAt(parent.node, parent.next);
    path.length = start;
    path.push(nodes.firstByte(parent.node, parent.next));
    parent.next++;
    node = nodes.get(link);
    path.splice(start + 1, labelOf(nodes, node));
  }
}

function labelOf(nodes: TrieNodes, node: number): Uint8Array {
  return nodes.bytes.subarray(node + HEADER, node + HEADER + nodes.labelLength(node));
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
      const more = whole && (end < path.length || nodes.inner(node));
      yield { segment: decodeBytes(path.bytes, from, end), state, more, visited, known };
      check();
    }
    step = walk.next(!whole);
  }
}
