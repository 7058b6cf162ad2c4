import './TreeTable.css';
import type { CSSProperties } from 'preact';
import { CoverageBar } from './CoverageBar.tsx';
import { Icon } from './Icon.tsx';
import { useText } from './language.ts';
import { StateMark, type ShownState } from './StateMark.tsx';
import { pressKey, useRows } from './useRows.ts';

/** One line of the tree, ready to be shown. */
export interface TreeLine {
  id: string;
  level: number;
  /** Nothing where there is nothing below. */
  expanded: boolean | undefined;
  /** What stands before the name; it gives way first where there is no room. */
  parent: string;
  name: string;
  /** Beside the name, e.g. how many pages have one shape. */
  aside?: string | undefined;
  /** Of a page. */
  state: Exclude<ShownState, 'team'> | undefined;
  counts: { visited: number; known: number; retrying: number; gone: number };
  /** The list behind it. */
  href: string | undefined;
}

interface TreeTableProps {
  label: string;
  lines: TreeLine[];
  focused: number;
  onFocus: (index: number) => void;
  /** Shows or hides what is below a line. */
  onToggle: (id: string) => void;
  onOpen: (line: TreeLine) => void;
}

/**
 * Sites, folders and pages with their counts; only rows in sight exist. j k or up and down move; right or l unfolds, then goes in; left
 * or h folds, then goes out; Enter opens the list behind a line.
 */
export function TreeTable(props: TreeTableProps) {
  const { lines, onFocus, onToggle } = props;
  const text = useText();
  const focused = Math.min(props.focused, Math.max(0, lines.length - 1));
  const rows = useRows({
    count: lines.length,
    row: 1.75,
    head: 1.75,
    focused,
    onFocus,
    onRange: () => undefined,
  });
  const line = lines[focused];
  const unfold = (): void => {
    if (line?.expanded === false) onToggle(line.id);
    else if (line?.expanded) rows.keys.j?.();
  };
  const fold = (): void => {
    if (line?.expanded) return onToggle(line.id);
    const level = line?.level ?? 1;
    const parent = lines.findLastIndex((other, index) => index < focused && other.level < level);
    if (parent >= 0) rows.move(parent);
  };
  const keys = {
    ...rows.keys,
    ArrowRight: unfold,
    l: unfold,
    ArrowLeft: fold,
    h: fold,
    ' ': () => line && line.expanded !== undefined && onToggle(line.id),
    Enter: () => line && props.onOpen(line),
  };
  const columns = [text('pages'), text('visited'), text('knownOnly'), text('retry'), text('gone')];
  return (
    <div
      ref={rows.box}
      class="table tree-table"
      role="treegrid"
      aria-label={props.label}
      aria-rowcount={lines.length + 1}
      onScroll={rows.onScroll}
      onKeyDown={(event) => pressKey(event, keys)}
    >
      <div role="row" aria-rowindex={1} class="heads">
        <span role="columnheader">{text('path')}</span>
        <span role="columnheader" class="second">
          {text('coverage')}
        </span>
        {columns.map((title, column) => (
          <span key={title} role="columnheader" class={column > 2 ? 'number second' : 'number'}>
            {title}
          </span>
        ))}
      </div>
      <div class="rows" role="rowgroup" style={{ height: `${rows.height}px` }}>
        {rows.indexes.map((index) => {
          const shown = lines[index];
          return (
            shown && (
              <Line
                key={shown.id + String(shown.level)}
                line={shown}
                index={index}
                top={rows.top(index)}
                focused={index === focused}
                props={props}
              />
            )
          );
        })}
      </div>
    </div>
  );
}

interface LineProps {
  line: TreeLine;
  index: number;
  top: number;
  focused: boolean;
  props: TreeTableProps;
}

function Line({ line, index, top, focused, props }: LineProps) {
  const text = useText();
  const { visited, known, retrying, gone } = line.counts;
  const total = visited + known + retrying + gone;
  const style: CSSProperties = { transform: `translateY(${top}px)`, '--level': String(line.level) };
  return (
    <div
      role="row"
      aria-level={line.level}
      aria-rowindex={index + 2}
      aria-expanded={line.expanded === undefined ? undefined : line.expanded ? 'true' : 'false'}
      tabIndex={focused ? 0 : -1}
      class={line.level === 1 ? 'site' : ''}
      data-testid="tree-row"
      style={style}
      onFocusIn={() => {
        if (!focused) props.onFocus(index);
      }}
      onClick={(event) => {
        props.onFocus(index);
        if (event.target instanceof HTMLAnchorElement) return;
        if (line.expanded === undefined) props.onOpen(line);
        else props.onToggle(line.id);
      }}
    >
      <span role="rowheader" class="node">
        <span class="twist">
          {line.state ? (
            <StateMark state={line.state} />
          ) : (
            line.expanded !== undefined && <Icon name={line.expanded ? 'down' : 'right'} />
          )}
        </span>
        <bdi dir="ltr" class="whole-path" title={line.parent + line.name}>
          {line.parent !== '' && <span class="before soft">{line.parent}</span>}
          <span class="one-line">{line.name}</span>
        </bdi>
        {line.aside !== undefined && <span class="aside soft small one-line">{line.aside}</span>}
        {line.state && <span class="unseen">{stateWord(line.state, text)}</span>}
      </span>
      <span role="gridcell" class="second">
        {line.state === undefined && (
          <CoverageBar thin coverage={{ visited, retrying, gone, left: known, changed: 0 }} known />
        )}
      </span>
      <span role="gridcell" class="number">
        {line.href === undefined ? (
          text.number(total)
        ) : (
          <a href={line.href} tabIndex={-1} aria-label={text('pagesBelow', total, line.parent + line.name)}>
            {text.number(total)}
          </a>
        )}
      </span>
      <Cell count={visited} />
      <Cell count={known} />
      <Cell count={retrying} state="retrying" second />
      <Cell count={gone} state="gone" second />
    </div>
  );
}

/** A zero is an empty cell for the eye. */
function Cell({
  count,
  state,
  second,
}: {
  count: number;
  state?: Exclude<ShownState, 'team'>;
  second?: boolean;
}) {
  const text = useText();
  return (
    <span role="gridcell" class={second ? 'number second' : 'number'}>
      {count === 0 ? (
        <span class="unseen">{text.number(0)}</span>
      ) : (
        <>
          {state && <StateMark state={state} />} {text.number(count)}
        </>
      )}
    </span>
  );
}

function stateWord(state: Exclude<ShownState, 'team'>, text: ReturnType<typeof useText>): string {
  const words: Record<Exclude<ShownState, 'team'>, string> = {
    known: text('knownOnly'),
    visited: text('visited'),
    changed: text('changed'),
    retrying: text('retry'),
    gone: text('gone'),
  };
  return words[state];
}
