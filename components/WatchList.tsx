import './WatchList.css';
import { useText } from './language.ts';
import { StateMark, type ShownState } from './StateMark.tsx';

/** One watch of the list, ready to be shown. */
export interface WatchItem {
  id: string;
  label: string;
  state: ShownState;
  /** What it is now, and since when. */
  said: string;
  /** It changed since the person looked. */
  unseen: boolean;
  href: string;
}

/** All watches, a link each. */
export function WatchList({ items, current }: { items: readonly WatchItem[]; current: string | undefined }) {
  const text = useText();
  return (
    <nav class="watch-list" aria-label={text('watches')}>
      <ul>
        {items.map((item) => (
          <li key={item.id} data-testid="watch" data-unseen={item.unseen ? '' : undefined}>
            <a href={item.href} aria-current={item.id === current ? 'true' : undefined}>
              <StateMark state={item.state} />
              <b class="one-line" title={item.label}>
                <bdi>{item.label}</bdi>
              </b>
              <small>{item.said}</small>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
