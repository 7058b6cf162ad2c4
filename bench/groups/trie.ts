import * as prelude from '@prelude/radix-trie';
import RadixTree from 'radix-trie-js';
import { RadixTrie, VISITED } from '../../lib/sets/index.ts';
import { exactRow, timedRow, type Group } from '../context.ts';
import { fresh, makeList, urlsOf } from '../lists.ts';
import { ask, over } from '../measure.ts';
import { heapOf } from '../memory.ts';

const SIZE = 200_000;
/** Peers that take much more memory tell it with fewer. */
const SOME = 50_000;
/** One object per character takes so much memory that fewer keys tell it. */
const FEW = 5000;

export const trie: Group = {
  name: 'trie',
  engines: ['node', 'chromium'],
  async *run(context) {
    const kinds = ['numbered', 'shop', 'web', 'files', 'tokens'];
    for (const list of [...kinds.map((kind) => makeList(kind, SIZE)), ...context.given]) {
      const { name, size } = list;
      const ours = trieOf(urlsOf(list));
      const set = await heapOf(context, () => new Set(urlsOf(list)));
      const each = ours.byteLength / size;
      const v = (ours.labelBytes / size).toFixed(1);
      const others = [
        [
          '@prelude/radix-trie',
          await heapOf(context, () => preludeOf(urlsOf(list).slice(0, SOME))),
          Math.min(SOME, size),
        ],
        [
          'radix-trie-js',
          await heapOf(context, () => radixTreeOf(urlsOf(list).slice(0, SOME))),
          Math.min(SOME, size),
        ],
        [
          'one object per character',
          await heapOf(context, () => objectsOf(urlsOf(list).slice(0, FEW))),
          Math.min(FEW, size),
        ],
      ] as const;
      const named = others.map(
        ([label, bytes, count]) => `${label} ${bytes === undefined ? '?' : Math.round(bytes / count)}`,
      );
      yield exactRow(
        context,
        {
          name: 'trie with prefix counts, memory',
          set: `${name} (v = ${v})`,
          unit: 'bytes per URL',
          target: { most: 0.45 },
          ratioOf: 'ours ÷ Set',
        },
        {
          ours: each,
          peer: set === undefined ? undefined : set / size,
          peerName: `Set; ${named.join(', ')}`,
          floor: ours.labelBytes / size,
          ratio: set === undefined ? undefined : each / (set / size),
        },
      );

      const urls = urlsOf(list);
      const strings = new Set(urlsOf(list));
      const objects = preludeOf(urlsOf(list));
      const questions = urls.slice(0, SOME).map((url, i) => (i % 2 === 0 ? url : `${url}-`));
      yield await timedRow(
        context,
        { name: 'trie, has', set: name, target: { most: 1.4 }, ratioOf: 'ours ÷ Set.has' },
        {
          ours: ask('ours', questions, (url) => ours.has(url)),
          peers: [ask('@prelude/radix-trie', questions, (url) => prelude.has(objects, url))],
          base: ask('Set', questions, (url) => strings.has(url)),
        },
      );
      const walker = ours.walker();
      const links = fresh([...questions].sort());
      yield await timedRow(
        context,
        { name: 'trie, links of a page in order', set: name, ratioOf: 'walker ÷ has' },
        {
          ours: over('walker', links, (url) => walker.seek(url)),
          peers: [over('has', links, (url) => ours.stateOf(url))],
        },
      );
    }
  },
};

function trieOf(urls: readonly string[]): RadixTrie {
  const made = new RadixTrie();
  for (const url of urls) made.insert(url, VISITED);
  return made;
}

function preludeOf(urls: readonly string[]): prelude.Trie {
  const made = prelude.empty();
  for (const url of urls) prelude.insert(made, url);
  return made;
}

function radixTreeOf(urls: readonly string[]): RadixTree {
  const made = new RadixTree();
  for (const url of urls) made.add(url, true);
  return made;
}

interface CharacterNode {
  readonly children: Map<string, CharacterNode>;
  isEnd: boolean;
}

/** The trie of the textbooks. */
function objectsOf(urls: readonly string[]): CharacterNode {
  const root: CharacterNode = { children: new Map(), isEnd: false };
  for (const url of urls) {
    let node = root;
    for (const character of url) {
      let next = node.children.get(character);
      if (next === undefined) {
        next = { children: new Map(), isEnd: false };
        node.children.set(character, next);
      }
      node = next;
    }
    node.isEnd = true;
  }
  return root;
}
