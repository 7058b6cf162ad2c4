import { KeyBytes } from './key-bytes.ts';
import { ABSENT, type State } from './states.ts';
import { HEADER, ROOT_LINK, type TrieNodes } from './trie-nodes.ts';

/**
 * Compares keys with a trie as they arrive: `feed` takes the next piece and says at once when no stored key can match any more; `seek`
 * goes to another key and walks only what it does not share with the last one. A trie that changed meanwhile is walked anew.
 */
export class Walker {
  readonly #nodesNow: () => TrieNodes;
  readonly #versionNow: () => number;
  #nodes: TrieNodes;
  #version: number;
  readonly #key = new KeyBytes();
  /** Nodes from the root to where the walk stands, and where in the key each node's label ends: the first `#depth` of each. */
  readonly #path: number[];
  readonly #ends: number[] = [0];
  #depth = 1;
  /** Bytes of the key that were matched; fewer than the key has when nothing can match it. */
  #matched = 0;

  constructor(nodesNow: () => TrieNodes, versionNow: () => number) {
    this.#nodesNow = nodesNow;
    this.#versionNow = versionNow;
    this.#nodes = nodesNow();
    this.#version = versionNow();
    this.#path = [this.#nodes.get(ROOT_LINK)];
  }

  /** Appends a piece to the key; false when no stored key starts with what was fed so far. */
  feed(piece: string): boolean {
    this.#refresh();
    this.#key.append(piece);
    this.#advance();
    return this.#matched === this.#key.length;
  }

  /** Goes to another key; its state, 0 when it is not in the trie. */
  seek(key: string): State {
    this.#rewind(this.#key.replace(key));
    this.#refresh();
    this.#advance();
    return this.#stateHere();
  }

  /** Back to the empty key. */
  reset(): void {
    this.#rewind(0);
    this.#key.length = 0;
  }

  /** Whether some stored key starts with what was fed. */
  get possible(): boolean {
    this.#refresh();
    return this.#matched === this.#key.length;
  }

  /** State of the key fed so far, 0 when it is not in the trie. */
  get state(): State {
    this.#refresh();
    return this.#stateHere();
  }

  #stateHere(): State {
    const matched = this.#matched;
    if (matched !== this.#key.length || matched !== this.#ends[this.#depth - 1]) return ABSENT;
    return this.#nodes.state(this.#path[this.#depth - 1]!);
  }

  #refresh(): void {
    if (this.#version === this.#versionNow()) return;
    this.#version = this.#versionNow();
    this.#nodes = this.#nodesNow();
    this.#rewind(0);
    this.#path[0] = this.#nodes.get(ROOT_LINK);
    this.#advance();
  }

  /** Goes up to where only the first `length` bytes are matched. */
  #rewind(length: number): void {
    if (length >= this.#matched) return;
    this.#matched = length;
    while (this.#depth > 1 && this.#ends[this.#depth - 2]! >= length) this.#depth--;
  }

  #advance(): void {
    const nodes = this.#nodes;
    const { bytes: pool } = nodes;
    const { bytes, length } = this.#key;
    let at = this.#matched;
    const path = this.#path;
    const ends = this.#ends;
    let depth = this.#depth;
    let node = path[depth - 1]!;
    let end = ends[depth - 1]!;
    while (at < length) {
      if (at === end) {
        const link = nodes.linkFor(node, bytes[at]!);
        if (link === 0) break;
        node = nodes.get(link);
        at++;
        end = at + nodes.labelLength(node);
        path[depth] = node;
        ends[depth] = end;
        depth++;
      }
      // Position in the pool of the label byte that stands at `at` of the key.
      let position = node + HEADER + nodes.labelLength(node) - (end - at);
      const most = Math.min(end, length);
      while (at < most && pool[position] === bytes[at]) {
        at++;
        position++;
      }
      if (at < most) break;
    }
    this.#matched = at;
    this.#depth = depth;
  }
}
