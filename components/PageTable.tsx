import './PageTable.css';
import type { CSSProperties } from 'preact';
import { useText } from './language.ts';
import { StateWord, type ShownState } from './StateMark.tsx';
import { pressKey, useRows } from './useRows.ts';

/** One line of the table, ready to be shown. */
export interface TableRow {
  /** The page's key. */
  id: string;
  state: ShownState;
  word: string;
  site: string;
  path: string;
  /** The whole address, for the tooltip. */
  address: string;
  /** Beside the path: how many addresses. */
  aside?: string | undefined;
  /** Times, one for each column of `times`. */
  times: string[];
  why: string;
  /** Where the reason leads, e.g. to what changed. */
  whyHref?: string | undefined;
  /** The reason is a plain fact with nothing more behind it. */
  plain?: boolean;
}

interface PageTableProps {
  label: string;
  /** Rows there are, loaded or not. */
  count: number;
  /** A row, or nothing while it is being read. */
  rowAt: (index: number) => TableRow | undefined;
  /** Tells which rows are in sight (and a few around), so that they are read. */
  onRange: (first: number, last: number) => void;
  /** Headings of the time columns. */
  times: string[];
  /** The row in the tab order. */
  focused: number;
  onFocus: (index: number) => void;
  opened?: string | undefined;
  onOpen: (index: number) => void;
  selected: ReadonlySet<string>;
  onSelect: (index: number) => void;
}

/**
 * A grid of pages of any length: only rows in sight exist. One row stands in the tab order; j k or arrows move,
 * Enter opens, x selects.
 */
export function PageTable(props: PageTableProps) {
  const { count, focused, onFocus, onRange } = props;
  const text = useText();
  const rows = useRows({ count, row: 2, head: 1.75, focused, onFocus, onRange });
  const keys = { ...rows.keys, Enter: () => props.onOpen(focused), x: () => props.onSelect(focused) };
  const width = 530 + 96 * props.times.length;
  const style: CSSProperties = {
    '--columns': `20px 88px minmax(72px, 1fr) minmax(140px, 2.2fr) ${'84px '.repeat(props.times.length)} minmax(110px, 1.4fr)`,
    '--table-width': `${width}px`,
  };
  return (
    <div
      ref={rows.box}
      class="table"
      role="grid"
      aria-label={props.label}
      aria-rowcount={count + 1}
      aria-multiselectable="true"
      style={style}
      onScroll={rows.onScroll}
      onKeyDown={(event) => pressKey(event, keys)}
    >
      <div role="row" aria-rowindex={1} class="heads">
        <span role="columnheader">
          <span class="unseen">{text('selectColumn')}</span>
        </span>
        <span role="columnheader">{text('state')}</span>
        <span role="columnheader" class="second">
          {text('site')}
        </span>
        <span role="columnheader">{text('page')}</span>
        {props.times.map((title) => (
          <span key={title} role="columnheader" class="number second">
            {title}
          </span>
        ))}
        <span role="columnheader" class="second">
          {text('why')}
        </span>
      </div>
      <div class="rows" role="rowgroup" style={{ height: `${rows.height}px` }}>
        {rows.indexes.map((index) => (
          <Row
            key={index}
            row={props.rowAt(index)}
            index={index}
            top={rows.top(index)}
            focused={index === focused}
            props={props}
          />
        ))}
      </div>
    </div>
  );
}

interface RowProps {
  row: TableRow | undefined;
  index: number;
  top: number;
  focused: boolean;
  props: PageTableProps;
}

function Row({ row, index, top, focused, props }: RowProps) {
  const text = useText();
  const selected = row !== undefined && props.selected.has(row.id);
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected ? 'true' : 'false'}
      aria-busy={row ? undefined : 'true'}
      tabIndex={focused ? 0 : -1}
      data-testid="page-row"
      data-open={row !== undefined && row.id === props.opened ? '' : undefined}
      style={{ transform: `translateY(${top}px)` }}
      onFocusIn={() => {
        if (!focused) props.onFocus(index);
      }}
      onClick={(event) => {
        if (event.target instanceof HTMLInputElement) return;
        props.onFocus(index);
        props.onOpen(index);
      }}
    >
      {row ? (
        <>
          <span role="gridcell">
            <label class="tick">
              <input
                type="checkbox"
                tabIndex={-1}
                checked={selected}
                aria-label={text('selectPage', row.path)}
                onChange={() => props.onSelect(index)}
              />
            </label>
          </span>
          <span role="gridcell">
            <StateWord state={row.state} word={row.word} />
          </span>
          <span role="gridcell" class="one-line soft second" title={row.site}>
            <bdi dir="ltr">{row.site}</bdi>
          </span>
          <span role="gridcell" class="path" title={row.address}>
            <bdi dir="ltr" class="one-line">
              {row.path}
            </bdi>
            {row.aside !== undefined && <span class="aside soft small one-line">{row.aside}</span>}
          </span>
          {row.times.map((time, column) => (
            <span key={props.times[column]} role="gridcell" class="number one-line second" title={time}>
              {time}
            </span>
          ))}
          <span role="gridcell" class="second">
            {row.whyHref !== undefined ? (
              <a
                tabIndex={-1}
                class="why one-line"
                title={row.why}
                href={row.whyHref}
                data-testid="why-changed"
              >
                {row.why}
              </a>
            ) : (
              <button
                type="button"
                tabIndex={-1}
                class={row.plain ? 'why plain one-line' : 'why one-line'}
                title={row.why}
                aria-expanded={row.id === props.opened ? 'true' : 'false'}
              >
                {row.why}
              </button>
            )}
          </span>
        </>
      ) : (
        <>
          <span role="gridcell" />
          <span role="gridcell" class="soft">
            {text('loading')}
          </span>
        </>
      )}
    </div>
  );
}
