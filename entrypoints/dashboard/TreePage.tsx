import { useMemo, useState } from 'preact/hooks';
import { Button } from '#components/Button.tsx';
import { pathOf, roundName } from '#components/describe.ts';
import { useText } from '#components/language.ts';
import { EmptyState } from '#components/Notices.tsx';
import { TreeTable, type TreeLine } from '#components/TreeTable.tsx';
import type { Round } from '#lib/rounds/types.ts';
import { sitesOf, treeRows, type TreeNode, type TreeRow } from '../views/tree.ts';
import { useTree } from '../views/use-tree.ts';
import { useDashboard } from './context.ts';
import { KeysLine } from './KeysLine.tsx';
import { NextActions } from './NextActions.tsx';
import { NoRound } from './PagesPage.tsx';
import { formatRoute } from './route.ts';

/** The pages of a round by site and path. */
export function TreePage() {
  const { round } = useDashboard();
  return round ? <RoundTree key={round.id} round={round} /> : <NoRound />;
}

/** So many sites are unfolded at first. */
const UNFOLDED = 5;

function RoundTree({ round }: { round: Round }) {
  const text = useText();
  const { go, now } = useDashboard();
  const { tree, error, read } = useTree(round);
  /** Nothing until the person folds or unfolds something: then the sites are as they like. */
  const [chosen, setChosen] = useState<ReadonlySet<string>>();
  const [focused, setFocused] = useState(0);
  const sites = useMemo(() => (tree ? sitesOf(tree) : []), [tree]);
  const open = useMemo(
    () => chosen ?? new Set(sites.length <= UNFOLDED ? sites.map(({ id }) => id) : []),
    [chosen, sites],
  );
  const lines = useMemo(
    () => (tree ? treeRows(tree, open).map((row) => lineOf(row, round, text)) : []),
    [tree, open, round.id, text],
  );
  const total = sites.reduce((sum, { counts }) => sum + sumOf(counts), 0);
  return (
    <>
      <div class="head">
        <div class="title-line">
          <h1>{text('tree')}</h1>
          <span class="soft">{roundName(round, text, now)}</span>
          {tree && (
            <span class="soft" role="status">
              {read > 0
                ? text('readingTree', read)
                : text('pagesOnSites', total, text('sitesCount', sites.length))}
            </span>
          )}
          <span class="end">
            <Button off={open.size === 0} onClick={() => setChosen(new Set())}>
              {text('collapseAll')}
            </Button>
            <NextActions round={round} />
          </span>
        </div>
      </div>
      <div class="halves tree-place">
        {lines.length > 0 ? (
          <div class="table-place">
            <TreeTable
              label={text('tree')}
              lines={lines}
              focused={focused}
              onFocus={setFocused}
              onToggle={(id) =>
                setChosen(() => {
                  const next = new Set(open);
                  if (!next.delete(id)) next.add(id);
                  return next;
                })
              }
              onOpen={(line) => {
                if (line.href !== undefined) go(routeOf(line, round));
              }}
            />
          </div>
        ) : (
          <div class="padded">
            {tree ? (
              <EmptyState title={text('noPagesYet')}>
                <p class="soft">{text('noPagesYetHint')}</p>
              </EmptyState>
            ) : (
              <p class="soft" role="status">
                {error === undefined ? text('readingTree', read) : text('troubleBrokenHint')}
              </p>
            )}
          </div>
        )}
      </div>
      <KeysLine
        hints={[
          [['j', 'k'], text('move')],
          [['h', 'l'], text('foldUnfold')],
          [['Enter'], text('openList')],
          ...(round.state === 'open'
            ? ([
                [['n'], text('nextKey')],
                [['r'], text('retryKey')],
              ] as const)
            : []),
        ]}
      >
        {text('treeHint')}
      </KeysLine>
    </>
  );
}

function sumOf({ visited, known, retrying, gone }: TreeNode['counts']): number {
  return visited + known + retrying + gone;
}

function lineOf(
  { node, level, expanded }: TreeRow,
  round: Round,
  text: ReturnType<typeof useText>,
): TreeLine {
  const { id, kind, counts, members, state } = node;
  const line = {
    id,
    level,
    expanded,
    parent: readable(node.parent),
    name: kind === 'long' ? text('longAddresses') : readable(node.name),
    aside: members && text('oneShape', members.length),
    state,
    counts,
  };
  // Pages of one shape have no prefix of their own, and the hash of a long address has none either.
  const isListed = kind !== 'group' && kind !== 'long';
  return { ...line, href: isListed ? formatRoute(routeOf(line, round)) : undefined };
}

/** The list of what is below a line; of a page, its why card too. */
function routeOf({ id, state }: Pick<TreeLine, 'id' | 'state'>, round: Round) {
  const [, host = '', prefix = ''] = /^https?:\/\/([^/]*)(.*)$/s.exec(id) ?? [];
  const below = { view: 'pages' as const, round: round.id, host, ...(prefix === '/' ? {} : { prefix }) };
  return state === undefined ? below : { ...below, page: id };
}

/** Escaped letters as letters, as in every list. */
function readable(path: string): string {
  return pathOf(`https://x/${path}`).slice(1);
}
