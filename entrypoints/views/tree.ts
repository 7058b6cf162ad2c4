import type { Coverage } from '#components/CoverageBar.tsx';
import type { PageState } from '#lib/rounds/types.ts';
import { STATE_WORDS, type Child } from '#lib/sets/index.ts';
import type { SiteTree } from '#lib/store/tree.ts';

/** Something of the tree: a site, a folder (of a path, or the queries of a page), a page, or pages and folders of one shape. */
export interface TreeNode {
  /** The prefix of its keys; of a group, its shape. Tells nodes apart. */
  id: string;
  kind: 'site' | 'folder' | 'page' | 'group' | 'long';
  /** The last part, as it stands in the key; of a group, with `{id}` in the place of what varies. */
  name: string;
  /** What stands before it on the site. */
  parent: string;
  /** Pages there and below, by state. */
  counts: Omit<Coverage, 'left' | 'changed'> & { known: number };
  /** Of a page. */
  state?: PageState;
  /** Of a group. */
  members?: TreeNode[];
}

export interface TreeRow {
  node: TreeNode;
  /** 1 for sites. */
  level: number;
  /** Not there where nothing is below. */
  expanded?: boolean;
}

const SCHEMES = ['https://', 'http://'];
/** Store keys of addresses above 2,048 characters say nothing of their site. */
const LONG = 'sha256:';
/** Fewer of one shape stand for themselves. */
const LEAST_IN_GROUP = 4;

/** The rows of a tree in which the nodes in `open` show what is below them. */
export function treeRows(tree: SiteTree, open: ReadonlySet<string>): TreeRow[] {
  const rows: TreeRow[] = [];
  const add = (nodes: TreeNode[], level: number): void => {
    for (const node of nodes) {
      if (node.kind === 'page' || node.kind === 'long') {
        rows.push({ node, level });
        continue;
      }
      const expanded = open.has(node.id);
      rows.push({ node, level, expanded });
      if (expanded) add(childrenOf(tree, node), level + 1);
    }
  };
  add(sitesOf(tree), 1);
  return rows;
}

/** All sites, by name, and the addresses too long to be listed. */
export function sitesOf(tree: SiteTree): TreeNode[] {
  const sites = SCHEMES.flatMap((scheme) =>
    [...tree.pages.children(scheme, '/')].map((child): TreeNode => {
      const host = child.segment.replace(/\/$/, '');
      return {
        ...nodeOf(tree, scheme, child),
        kind: 'site',
        name: scheme === 'https://' ? host : scheme + host,
        parent: '',
      };
    }),
  ).toSorted((a, b) => compare(a.id.replace(/^https?/, ''), b.id.replace(/^https?/, '')));
  const counts = countsBelow(tree, LONG);
  if (Object.values(counts).every((count) => count === 0)) return sites;
  return [...sites, { id: LONG, kind: 'long', name: '', parent: '', counts }];
}

/** By tree, not by trie: the trie goes on changing while its rounds are walked. */
const cache = new WeakMap<SiteTree, Map<string, TreeNode[]>>();

/** What is below a node, in order; at least {@link LEAST_IN_GROUP} of one shape are one group. */
export function childrenOf(tree: SiteTree, node: TreeNode): TreeNode[] {
  if (node.members) return node.members;
  const known = cache.get(tree) ?? new Map<string, TreeNode[]>();
  cache.set(tree, known);
  const before = known.get(node.id);
  if (before) return before;
  const nodes = [...tree.pages.children(node.id, '/?#')].map((child) => nodeOf(tree, node.id, child));
  const grouped = groupByShape(nodes, node.id);
  known.set(node.id, grouped);
  return grouped;
}

function nodeOf(tree: SiteTree, prefix: string, { segment, state, more, visited, known }: Child): TreeNode {
  const id = prefix + segment;
  const parent = pathIn(prefix);
  if (more) return { id, kind: 'folder', name: segment, parent, counts: countsBelow(tree, id) };
  const word = STATE_WORDS[state] as PageState;
  const counts = { visited, known, retrying: Number(word === 'retrying'), gone: Number(word === 'gone') };
  return { id, kind: 'page', name: segment, parent, counts, state: word };
}

function countsBelow({ pages, failed }: SiteTree, prefix: string): TreeNode['counts'] {
  const { visited, known } = pages.countsBelow(prefix);
  const { visited: retrying, known: gone } = failed.countsBelow(prefix);
  return { visited, known, retrying, gone };
}

/** `/orders/` of `https://host/orders/`. */
function pathIn(prefix: string): string {
  return prefix.replace(/^https?:\/\/[^/]*/, '');
}

function groupByShape(nodes: TreeNode[], prefix: string): TreeNode[] {
  const shapes = new Map<string, TreeNode[]>();
  for (const node of nodes) {
    const shape = shapeOf(node.name);
    if (shape === node.name) continue;
    // Folders and pages of one shape are told apart.
    const key = `${shape}${node.kind}`;
    const same = shapes.get(key);
    if (same) same.push(node);
    else shapes.set(key, [node]);
  }
  const told = new Set<TreeNode>();
  return nodes.flatMap((node): TreeNode[] => {
    if (told.has(node)) return [];
    const shape = shapeOf(node.name);
    const same = shapes.get(`${shape}${node.kind}`);
    if (!same || same.length < LEAST_IN_GROUP) return [node];
    for (const one of same) told.add(one);
    const counts = { visited: 0, known: 0, retrying: 0, gone: 0 };
    for (const one of same) for (const state of STATES) counts[state] += one.counts[state];
    // A control character stands in no key, so this is no node's own id.
    const id = `${prefix}${shape}\n${node.kind}`;
    return [{ id, kind: 'group', name: shape, parent: node.parent, counts, members: same }];
  });
}

const STATES = ['visited', 'known', 'retrying', 'gone'] as const;

/**
 * The shape of a part of a path or of a query: UUIDs, long hexadecimal numbers and runs of digits are `{id}`. Names of parameters
 * stay, so that `?page=2` and `?item=2` are two shapes.
 */
export function shapeOf(segment: string): string {
  return segment
    .split('&')
    .map((pair) => {
      const at = pair.indexOf('=') + 1;
      return pair.slice(0, at) + pair.slice(at).replace(VARYING, '{id}');
    })
    .join('&');
}

/** Escapes are letters, whatever digits they are written with. */
const VARYING =
  /(?<![%\p{L}\p{N}])(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{12,})(?![\p{L}\p{N}])|(?<!%[\dA-Fa-f]?)\d+/giu;

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
