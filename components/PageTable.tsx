import './PageTable.css';
import type { CSSProperties } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useText } from './language.ts';
import { StateWord, type ShownState } from './StateMark.tsx';

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

const OVERSCAN = 8;
/** Browsers draw nothing below some 16-33 million px; longer lists are scrolled in proportion. */
const MAX_HEIGHT = 12_000_000;

/** Height of a row and of the header in px: they are set in rem, so that the reader's own text size counts. */
function rem(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
}

/**
 * A grid of pages of any length: only rows in sight exist. One row stands in the tab order; j k or arrows move,
 * Enter opens, x selects.
 */
export function PageTable(props: PageTableProps) {
  const { count, focused } = props;
  const text = useText();
  const box = useRef<HTMLDivElement>(null);
  const wantsFocus = useRef(false);
  const [view, setView] = useState({ top: 0, height: 640 });
  const row = rem() * 2;
  const head = rem() * 1.75;

  const full = count * row;
  const drawn = Math.min(full, MAX_HEIGHT);
  const room = Math.max(view.height - head, row);
  // Where the top of the window stands in the whole list, and how far drawn and whole positions lie apart there.
  const stretch = full > drawn ? (full - room) / (drawn - room) : 1;
  const offset = view.top * stretch;
  const shift = view.top - offset;
  const first = Math.max(0, Math.floor(offset / row) - OVERSCAN);
  const last = Math.min(count - 1, Math.ceil((offset + room) / row) + OVERSCAN);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    if (last >= first) props.onRange(first, last);
  }, [first, last]);

  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    const element = box.current?.querySelector<HTMLElement>('[role="row"][tabindex="0"]');
    if (element) {
      wantsFocus.current = false;
      element.focus({ preventScroll: true });
    }
  });

  const move = (to: number): void => {
    const index = Math.max(0, Math.min(count - 1, to));
    const element = box.current;
    if (!element || count === 0) return;
    const top = index * row;
    if (top < offset) element.scrollTop = top / stretch;
    else if (top + row > offset + room) element.scrollTop = Math.ceil((top + row - room) / stretch);
    wantsFocus.current = true;
    props.onFocus(index);
    setView({ top: element.scrollTop, height: element.clientHeight });
  };

  const keys: Record<string, () => void> = {
    j: () => move(focused + 1),
    ArrowDown: () => move(focused + 1),
    k: () => move(focused - 1),
    ArrowUp: () => move(focused - 1),
    PageDown: () => move(focused + Math.floor(room / row)),
    PageUp: () => move(focused - Math.floor(room / row)),
    Home: () => move(0),
    End: () => move(count - 1),
    Enter: () => props.onOpen(focused),
    x: () => props.onSelect(focused),
  };

  const indexes = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
  const width = 540 + 96 * props.times.length;
  const style: CSSProperties = {
    '--columns': `20px 88px minmax(96px, 156px) minmax(120px, 2fr) ${'84px '.repeat(props.times.length)} minmax(150px, 1.2fr)`,
    '--table-width': `${width}px`,
  };
  return (
    <div
      ref={box}
      class="table"
      role="grid"
      aria-label={props.label}
      aria-rowcount={count + 1}
      aria-multiselectable="true"
      style={style}
      onScroll={(event) =>
        setView({ top: event.currentTarget.scrollTop, height: event.currentTarget.clientHeight })
      }
      onKeyDown={(event) => {
        const act = keys[event.key];
        const inField = event.target instanceof HTMLInputElement || event.target instanceof HTMLButtonElement;
        if (!act || event.ctrlKey || event.metaKey || event.altKey || (inField && event.key === 'Enter'))
          return;
        event.preventDefault();
        act();
      }}
    >
      <div role="row" aria-rowindex={1} class="heads">
        <span role="columnheader">
          <span class="unseen">{text('selectColumn')}</span>
        </span>
        <span role="columnheader">{text('state')}</span>
        <span role="columnheader">{text('site')}</span>
        <span role="columnheader">{text('page')}</span>
        {props.times.map((title) => (
          <span key={title} role="columnheader" class="number">
            {title}
          </span>
        ))}
        <span role="columnheader">{text('why')}</span>
      </div>
      <div class="rows" role="rowgroup" style={{ height: `${drawn}px` }}>
        {indexes.map((index) => (
          <Row
            key={index}
            row={props.rowAt(index)}
            index={index}
            top={index * row + shift}
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
          <span role="gridcell" class="one-line soft" title={row.site}>
            <bdi dir="ltr">{row.site}</bdi>
          </span>
          <span role="gridcell" class="path" title={row.address}>
            <bdi dir="ltr" class="one-line">
              {row.path}
            </bdi>
            {row.aside !== undefined && <span class="aside soft small one-line">{row.aside}</span>}
          </span>
          {row.times.map((time, column) => (
            <span key={props.times[column]} role="gridcell" class="number one-line" title={time}>
              {time}
            </span>
          ))}
          <span role="gridcell">
            <button
              type="button"
              tabIndex={-1}
              class={row.plain ? 'why plain one-line' : 'why one-line'}
              title={row.why}
              aria-expanded={row.id === props.opened ? 'true' : 'false'}
            >
              {row.why}
            </button>
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
