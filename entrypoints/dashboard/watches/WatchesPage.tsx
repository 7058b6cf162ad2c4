import './watches.css';
import { useState } from 'preact/hooks';
import { Button } from '#components/Button.tsx';
import { FilterTabs } from '#components/FilterTabs.tsx';
import { useText } from '#components/language.ts';
import { EmptyState } from '#components/Notices.tsx';
import { WatchList, type WatchItem } from '#components/WatchList.tsx';
import { listWatches } from '#lib/store/read.ts';
import { useKeys } from '../../views/keys.ts';
import { useLive } from '../../views/live.ts';
import { isListed, listedAs, WATCH_FILTERS } from '../../views/watches.ts';
import { useDashboard } from '../context.ts';
import { KeysLine } from '../KeysLine.tsx';
import { formatRoute, type Route } from '../route.ts';
import { AddWatch } from './AddWatch.tsx';
import { PageChanges } from './PageChanges.tsx';
import { markWatchSeen, WatchView } from './WatchView.tsx';
import { WATCH_MARKS, watchWords } from './words.ts';

/** Pages and regions that are looked at again and again, and what changed in them; or what changed on a page of a round. */
export function WatchesPage() {
  const text = useText();
  const { route, go, scopes, round, now, run, tell } = useDashboard();
  const watches = useLive(() => listWatches(), []);
  const [adding, setAdding] = useState(false);
  const all = watches.value ?? [];
  const listed = all.filter((watch) => isListed(watch, route.only));
  const unseen = all.filter((watch) => watch.unseen);
  const ofPage = route.page !== undefined && round !== undefined;
  const chosen = all.find(({ id }) => id === route.watch) ?? (ofPage || route.watch ? undefined : listed[0]);
  const scope = chosen && scopes.find(({ id }) => id === chosen.scope);
  const at = (more: Partial<Route>): Route => ({
    view: 'watches',
    ...(round && { round: round.id }),
    ...(route.only && { only: route.only }),
    ...more,
  });
  const next = (): void => {
    const place = listed.findIndex(({ id }) => id === chosen?.id);
    const found = listed[place + 1] ?? listed[0];
    if (found) go(at({ watch: found.id }));
  };
  const seeAll = (): void => {
    if (unseen.length === 0) return;
    void run(async () => {
      const undos: (() => Promise<void>)[] = [];
      for (const watch of unseen) undos.push(await markWatchSeen(watch));
      tell(text('allSeenDone', unseen.length), async () => {
        for (const undo of undos) await undo();
      });
    });
  };
  useKeys({ n: next, S: seeAll });

  if (!watches.value) return <p class="padded soft">{text('loading')}</p>;
  const items = listed.map((watch): WatchItem => ({
    id: watch.id,
    label: watch.label,
    state: WATCH_MARKS[listedAs(watch)],
    said: watchWords(watch, text, now),
    unseen: watch.unseen,
    href: formatRoute(at({ watch: watch.id })),
  }));
  const filters = {
    changed: text('watchesChanged'),
    same: text('same'),
    'not-found': text('notFoundWord'),
    busy: text('busyWord'),
  };
  const tabs = [
    { id: 'all', label: text('all'), count: all.length, href: formatRoute({ view: 'watches' }) },
    ...WATCH_FILTERS.map((only) => ({
      id: only,
      label: filters[only],
      count: all.filter((watch) => isListed(watch, only)).length,
      href: formatRoute({ view: 'watches', only }),
    })),
  ];
  return (
    <>
      <div class="head">
        <div class="title-line">
          <h1>{text('watches')}</h1>
          {all.length > 0 && (
            <span class="end">
              {unseen.length > 1 && (
                <Button testid="see-all" onClick={seeAll}>
                  {text('markAllSeen', unseen.length)}
                </Button>
              )}
              <Button icon="plus" onClick={() => setAdding(!adding)}>
                {text('addWatch')}
              </Button>
            </span>
          )}
        </div>
      </div>
      {all.length > 0 && (
        <div class="tools">
          <FilterTabs label={text('filterWatches')} current={route.only ?? 'all'} tabs={tabs} />
        </div>
      )}
      {adding && all.length > 0 && (
        <div class="padded adding">
          <AddWatch />
        </div>
      )}
      {all.length === 0 && !ofPage ? (
        <div class="padded">
          <EmptyState title={text('noWatches')}>
            <p class="soft">{text('noWatchesHint')}</p>
          </EmptyState>
          <AddWatch />
        </div>
      ) : (
        <div class={all.length > 0 ? 'watch-halves' : 'watch-halves alone'}>
          {all.length > 0 && (
            <div class="watch-side">
              <WatchList items={items} current={chosen?.id} />
              {items.length === 0 && <p class="padded soft">{text('noWatchInFilter')}</p>}
            </div>
          )}
          <div class="watch-main">
            {ofPage && <PageChanges key={route.page} round={round} pageKey={route.page!} />}
            {!ofPage && chosen && scope && <WatchView key={chosen.id} watch={chosen} scope={scope} />}
            {!ofPage && route.watch !== undefined && !chosen && <EmptyState title={text('watchGone')} />}
          </div>
        </div>
      )}
      {(all.length > 0 || ofPage) && (
        <KeysLine
          hints={[
            [['j', 'k'], text('move')],
            [['s'], text('seenKey')],
            [['S'], text('allSeenKey')],
            [['i'], text('ignoreKey')],
            [['Enter'], text('showKey')],
            [['n'], text('nextWatchKey')],
            [['u'], text('undoKey')],
          ]}
        >
          {text('timesLocal')}
        </KeysLine>
      )}
    </>
  );
}
