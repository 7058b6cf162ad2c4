import './WorkList.css';
import { useText } from './language.ts';
import { StateMark, type ShownState } from './StateMark.tsx';
import { pressKey, useRows } from './useRows.ts';

/** One page of the list beside the page. */
export interface WorkItem {
  id: string;
  state: ShownState;
  word: string;
  path: string;
  /** Before the path, where the list has several sites. */
  site?: string | undefined;
  /** The address to open. */
  address: string;
}

interface WorkListProps {
  label: string;
  count: number;
  itemAt: (index: number) => WorkItem | undefined;
  onRange: (first: number, last: number) => void;
  focused: number;
  onFocus: (index: number) => void;
  /** Key of the page that is shown beside the list. */
  here: string | undefined;
  onOpen: (item: WorkItem) => void;
}

/** Pages to walk through, one narrow line each; Enter opens one beside the list. */
export function WorkList(props: WorkListProps) {
  const { count, focused, onFocus, onRange } = props;
  const text = useText();
  const rows = useRows({ count, row: 1.75, head: 0, focused, onFocus, onRange });
  const open = (index: number): void => {
    const item = props.itemAt(index);
    if (item) props.onOpen(item);
  };
  const keys = { ...rows.keys, Enter: () => open(focused) };
  return (
    <div
      ref={rows.box}
      class="work-list"
      role="grid"
      aria-label={props.label}
      aria-rowcount={count}
      onScroll={rows.onScroll}
      onKeyDown={(event) => pressKey(event, keys)}
    >
      <div class="rows" role="rowgroup" style={{ height: `${rows.height}px` }}>
        {rows.indexes.map((index) => {
          const item = props.itemAt(index);
          return (
            <div
              key={index}
              role="row"
              aria-rowindex={index + 1}
              tabIndex={index === focused ? 0 : -1}
              data-testid="work-row"
              data-here={item && item.id === props.here ? '' : undefined}
              style={{ transform: `translateY(${rows.top(index)}px)` }}
              onFocusIn={() => {
                if (index !== focused) onFocus(index);
              }}
            >
              <span role="gridcell">
                {item ? (
                  <>
                    <StateMark state={item.state} />
                    <span class="unseen">{item.word}</span>
                    <a
                      class="one-line"
                      tabIndex={-1}
                      href={item.address}
                      title={item.address}
                      onClick={(event) => {
                        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                        event.preventDefault();
                        props.onOpen(item);
                      }}
                    >
                      <bdi dir="ltr">
                        {item.site !== undefined && <span class="soft">{item.site}</span>}
                        {item.path}
                      </bdi>
                    </a>
                  </>
                ) : (
                  <span class="soft">{text('loading')}</span>
                )}
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
