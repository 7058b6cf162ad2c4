import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GONE, KNOWN, RadixTrie, RETRYING, VISITED, type PresentState } from '#lib/sets/index.ts';
import type { SiteTree } from '#lib/store/tree.ts';
import { childrenOf, shapeOf, sitesOf, treeRows, type TreeNode } from './tree.ts';

function treeOf(pages: [key: string, state: PresentState][]): SiteTree {
  const tree: SiteTree = { pages: new RadixTrie(), failed: new RadixTrie(), log: 0 };
  for (const [key, state] of pages) {
    tree.pages.setState(key, state);
    if (state === RETRYING) tree.failed.setState(key, VISITED);
    if (state === GONE) tree.failed.setState(key, KNOWN);
  }
  return tree;
}

const lines = (tree: SiteTree, open: string[]): string[] =>
  treeRows(tree, new Set(open)).map(
    ({ node, level, expanded }) =>
      `${'  '.repeat(level - 1)}${expanded === undefined ? '' : expanded ? '- ' : '+ '}${node.parent}${node.name} ${Object.values(node.counts).join('/')}`,
  );

describe('the tree', () => {
  const tree = treeOf([
    ['https://a.example.com/', VISITED],
    ['https://a.example.com/orders', KNOWN],
    ['https://a.example.com/orders/', VISITED],
    ['https://a.example.com/orders/1', VISITED],
    ['https://a.example.com/orders/22', GONE],
    ['https://a.example.com/orders/333', KNOWN],
    ['https://a.example.com/orders/4444', RETRYING],
    ['https://a.example.com/orders/list', VISITED],
    ['https://a.example.com/orders/list?view=open', KNOWN],
    ['http://b.example.com:8080/x', VISITED],
    [`sha256:${'0'.repeat(64)}`, VISITED],
  ]);

  it('lists sites, folders, pages and groups, with counts of visited, known, retrying, gone', () => {
    const site = 'https://a.example.com/';
    expect(lines(tree, [site, `${site}orders/`, `${site}orders/{id}\npage`])).toEqual([
      '- a.example.com 4/3/1/1',
      '  / 1/0/0/0',
      '  /orders 0/1/0/0',
      '  - /orders/ 3/2/1/1',
      '    /orders/ 1/0/0/0',
      '    - /orders/{id} 1/1/1/1',
      '      /orders/1 1/0/0/0',
      '      /orders/22 0/0/0/1',
      '      /orders/333 0/1/0/0',
      '      /orders/4444 0/0/1/0',
      '    /orders/list 1/0/0/0',
      '    + /orders/list? 0/1/0/0',
      '+ http://b.example.com:8080 1/0/0/0',
      ' 1/0/0/0',
    ]);
  });

  it('adds up: every page is below exactly one node of each level', () => {
    const segment = fc.constantFrom('a', 'b', '1', '22', 'x-7', '2024', 'p?q=1', 'p?q=2', '?', 'c#/r', '');
    const key = fc
      .tuple(
        fc.constantFrom('https://a.example.com/', 'http://a.example.com/', 'https://b.example.com:1/'),
        fc.array(segment, { maxLength: 3 }),
      )
      .map(([site, segments]) => site + segments.join('/'));
    const state = fc.constantFrom<PresentState>(KNOWN, VISITED, RETRYING, GONE);
    fc.assert(
      fc.property(fc.array(fc.tuple(key, state), { maxLength: 60 }), (pages) => {
        const all = new Map(pages);
        const tree = treeOf([...all]);
        const ids: string[] = [];
        const total = (node: TreeNode): number => Object.values(node.counts).reduce((a, b) => a + b);
        const walk = (node: TreeNode): string[] => {
          ids.push(node.id);
          const found = node.kind === 'page' ? [node.id] : childrenOf(tree, node).flatMap(walk);
          expect(found.length).toBe(total(node));
          return found;
        };
        const found = sitesOf(tree).flatMap(walk);
        expect(found.toSorted()).toEqual([...all.keys()].toSorted());
        // A folder that is a page too, lists that page with the same id below it.
        const folders = ids.filter((id) => !found.includes(id));
        expect(new Set(folders).size).toBe(folders.length);
      }),
      { numRuns: 150 },
    );
  });
});

describe('shapes', () => {
  it.each([
    ['123', '{id}'],
    ['123/', '{id}/'],
    ['item-05', 'item-{id}'],
    ['2024-05-01', '{id}-{id}-{id}'],
    ['550e8400-e29b-41d4-a716-446655440000', '{id}'],
    ['9f86d081884c7d65', '{id}'],
    ['deadbeefcafe', 'deadbeefcafe'],
    ['b=1&id=7', 'b={id}&id={id}'],
    ['p1=a', 'p1=a'],
    ['%E5%80%BC', '%E5%80%BC'],
    ['%205', '%20{id}'],
    ['about', 'about'],
    ['', ''],
  ])('%s → %s', (segment, shape) => {
    expect(shapeOf(segment)).toBe(shape);
  });
});
