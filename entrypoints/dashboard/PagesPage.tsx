import { useMemo, useRef, useState } from 'preact/hooks';
import { Button } from '#components/Button.tsx';
import { pathOf, roundName } from '#components/describe.ts';
import { Choice, SearchField } from '#components/Field.tsx';
import { FilterTabs } from '#components/FilterTabs.tsx';
import { useText } from '#components/language.ts';
import { EmptyState } from '#components/Notices.tsx';
import { PageTable, type TableRow } from '#components/PageTable.tsx';
import { isFrozen } from '#lib/rounds/rounds.ts';
import type { Page, Round, Verdict } from '#lib/rounds/types.ts';
import { sayVerdict } from '../views/by-hand.ts';
import { useLive } from '../views/live.ts';
import { usePageList } from '../views/page-list.ts';
import { hostsOf } from '../views/reading.ts';
import { useDashboard } from './context.ts';
import { CoverageLine } from './CoverageLine.tsx';
import { KeysLine } from './KeysLine.tsx';
import { NextActions } from './NextActions.tsx';
import { NothingListed } from './NothingListed.tsx';
import { filterTabs, tableRow, timeHeads } from './page-rows.ts';
import { useKeys } from '../views/keys.ts';
import { formatRoute, type Route } from './route.ts';
import { Selection } from './Selection.tsx';
import { WhyPanel } from './WhyPanel.tsx';

/** The pages of a round: filtered, searched, each with its reason. */
export function PagesPage() {
  const { round } = useDashboard();
  return round ? <RoundPages key={round.id} round={round} /> : <NoRound />;
}

export function NoRound() {
  const text = useText();
  return (
    <div class="padded">
      <EmptyState title={text('noRoundChosen')}>
        <p class="soft">{text('noRoundHint')}</p>
        <Button kind="primary" href={formatRoute({ view: 'rounds' })}>
          {text('toRounds')}
        </Button>
      </EmptyState>
    </div>
  );
}

function RoundPages({ round }: { round: Round }) {
  const text = useText();
  const { route, now } = useDashboard();
  return (
    <>
      <div class="head">
        <div class="title-line">
          <h1>{text('pages')}</h1>
          <span class="soft">{roundName(round, text, now)}</span>
          <span class="end">
            <Button
              icon="export"
              href={formatRoute({
                view: 'export',
                round: round.id,
                ...(route.show ? { show: route.show } : {}),
              })}
            >
              {text('export')}
            </Button>
            <NextActions round={round} />
          </span>
        </div>
        <CoverageLine round={round} at={{ view: 'pages', round: round.id }} />
      </div>
      <PageListView round={round} view="pages" />
    </>
  );
}

/** Tabs, search, table and why card; shared by Pages and Compare. */
export function PageListView({
  round,
  view,
  base,
}: {
  round: Round;
  view: 'pages' | 'compare';
  base?: Round;
}) {
  const text = useText();
  const { route, go, now, run, tell } = useDashboard();
  const show = route.show ?? 'all';
  const search = useRef<HTMLInputElement>(null);
  const [focused, setFocused] = useState(0);
  const [selected, setSelected] = useState<ReadonlyMap<string, Page>>(new Map());
  const list = usePageList({
    round,
    show,
    host: route.host,
    prefix: route.prefix,
    q: route.q,
    ...(base ? { base } : {}),
  });
  const hosts = useLive(() => hostsOf(round), [round.id]);
  const here: Route = {
    view,
    round: round.id,
    ...(base ? { base: base.id } : {}),
    show,
    ...(route.host ? { host: route.host } : {}),
    ...(route.host && route.prefix ? { prefix: route.prefix } : {}),
    ...(route.q ? { q: route.q } : {}),
  };
  const open = (index: number): void => {
    const page = list.pageAt(index);
    if (!page) return;
    if (page.key === route.page) close();
    else go({ ...here, page: page.key });
  };
  const close = (): void => go(here);
  const select = (index: number): void => {
    const page = list.pageAt(index);
    if (!page) return;
    setSelected((old) => {
      const next = new Map(old);
      if (!next.delete(page.key)) next.set(page.key, page);
      return next;
    });
  };
  const focusTable = (): void => document.querySelector<HTMLElement>('[role="row"][tabindex="0"]')?.focus();
  const judge = (verdict: Verdict) => (): void => {
    const page = list.pageAt(Math.min(focused, Math.max(0, list.count - 1)));
    // With the card open the verdict is of the page it shows.
    if (route.page ? page?.key !== route.page : !page) return;
    if (isFrozen(round)) return tell(text('roundFrozen'));
    const chosen = page?.verdict === verdict ? null : verdict;
    if (page)
      void run(async () =>
        tell(
          text('verdictSaid', pathOf(page.url), text(chosen ?? 'noVerdictYet')),
          await sayVerdict(page, chosen),
        ),
      );
  };
  useKeys({
    1: judge('ok'),
    2: judge('problem'),
    3: judge('skip'),
    '/': () => search.current?.focus(),
    j: focusTable,
    k: focusTable,
    Escape: () => {
      if (route.page) {
        close();
        focusTable();
      } else if (route.q) go({ ...here, q: '' }, 'replace');
    },
  });

  const tabs = useMemo(() => filterTabs(round, text, base), [round, text, base]);
  const rowAt = (index: number): TableRow | undefined => {
    const page = list.pageAt(index);
    if (!page) return undefined;
    const before = base && { round: base, page: list.baseOf(page) };
    return tableRow(page, round, { show, before, team: list.teamOf(page) }, text, now);
  };
  const total = tabs.find((tab) => tab.id === show)?.count;
  return (
    <>
      <div class="tools">
        <FilterTabs
          label={text('filterPages')}
          current={show}
          tabs={tabs.map((tab) => ({ ...tab, href: formatRoute({ ...here, show: tab.id }) }))}
        />
        <span class="end">
          {(hosts.value?.length ?? 0) > 1 && (
            <Choice
              label={text('site')}
              labelShown={false}
              value={route.host ?? ''}
              options={[
                { value: '', text: text('allSites') },
                ...(hosts.value ?? []).map((host) => ({ value: host, text: host })),
              ]}
              onChange={(host) => go({ ...here, host, prefix: '' })}
            />
          )}
          <SearchField
            label={text('searchPages')}
            value={route.q ?? ''}
            fieldRef={search}
            onInput={(q) => go({ ...here, q }, 'replace')}
          />
        </span>
      </div>
      {here.prefix && (
        <div class="selection line">
          <span class="whole">
            {text.rich(
              'onlyBelow',
              <bdi dir="ltr" class="address">
                {`${route.host ?? ''}${here.prefix}`}
              </bdi>,
            )}
          </span>
          <Button compact kind="quiet" href={formatRoute({ ...here, prefix: '' })}>
            {text('showAll')}
          </Button>
        </div>
      )}
      {selected.size > 0 && (
        <Selection round={round} pages={[...selected.values()]} onClear={() => setSelected(new Map())} />
      )}
      <p class="unseen" role="status">
        {route.q ? text('pagesCount', list.count) : ''}
      </p>
      <div class={route.page ? 'halves carded' : 'halves'}>
        {list.count > 0 || list.reading ? (
          <div class="table-place">
            <PageTable
              label={text('pagesOf', roundName(round, text, now))}
              count={list.count}
              rowAt={rowAt}
              onRange={(first, last) => list.want(first, last)}
              times={timeHeads(show, base, text, now)}
              focused={Math.min(focused, Math.max(0, list.count - 1))}
              onFocus={setFocused}
              opened={route.page}
              onOpen={open}
              selected={new Set(selected.keys())}
              onSelect={select}
            />
          </div>
        ) : (
          <div class="padded">
            <NothingListed round={round} route={here} total={total} />
          </div>
        )}
        {route.page && (
          <aside aria-label={text('why')}>
            <WhyPanel round={round} pageKey={route.page} onClose={close} />
          </aside>
        )}
      </div>
      <KeysLine
        hints={[
          [['j', 'k'], text('move')],
          [['Enter'], text('whyKey')],
          ...(isFrozen(round) ? [] : [[['1', '2', '3'], text('verdictKey')] as const]),
          ...(round.state === 'open'
            ? ([
                [['n'], text('nextKey')],
                [['r'], text('retryKey')],
              ] as const)
            : []),
          [['x'], text('select')],
          [['/'], text('searchWord')],
          [['e'], text('exportKey')],
        ]}
      >
        {list.searching ? text('searching', list.searched) : text('sortedByNeed')}
      </KeysLine>
    </>
  );
}
