import { Button } from '#components/Button.tsx';
import { useText } from '#components/language.ts';
import { EmptyState } from '#components/Notices.tsx';
import type { Round } from '#lib/rounds/types.ts';
import { useDashboard } from './context.ts';
import { formatRoute, type Route } from './route.ts';

/** Why a list is empty, and the next step. `total`: pages of the list without the search. */
export function NothingListed({
  round,
  route,
  total,
}: {
  round: Round;
  route: Route;
  total: number | undefined;
}) {
  const text = useText();
  const { go } = useDashboard();
  if (route.q) {
    const { q, ...rest } = route;
    return (
      <EmptyState title={total === undefined ? text('noMatchAtAll', q) : text('noMatch', total, q)}>
        <p class="soft">{text('noMatchHint')}</p>
        <div class="line">
          <Button onClick={() => go(rest, 'replace')}>{text('clearSearch')}</Button>
          {route.show !== 'all' && (
            <Button kind="quiet" href={formatRoute({ ...route, show: 'all' })}>
              {text('showAll')}
            </Button>
          )}
        </div>
      </EmptyState>
    );
  }
  const { known, visited, retrying, gone } = round.counters;
  if (known + visited + retrying + gone === 0) {
    return (
      <EmptyState title={text('noPagesYet')}>
        <p class="soft">{text('noPagesYetHint')}</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={route.show === 'left' ? text('nothingLeft') : text('nothingInFilter')}>
      <Button href={formatRoute({ view: route.view, round: round.id })}>{text('showAll')}</Button>
    </EmptyState>
  );
}
