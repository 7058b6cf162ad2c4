import './dashboard.css';
import type { JSX } from 'preact';
import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { allPages, coverageOf } from '#components/coverage.ts';
import { Brand, Icon, type IconName } from '#components/Icon.tsx';
import type { Text } from '#components/i18n.ts';
import { useText } from '#components/language.ts';
import { Recording } from '#components/Recording.tsx';
import { Banner, Toast } from '#components/Notices.tsx';
import type { Settings } from '#lib/settings.ts';
import { useLive } from '../views/live.ts';
import { loadOverview } from '../views/reading.ts';
import { troubleOf, troubleWords, useHealth } from '../views/trouble.ts';
import { ask } from '../views/worker.ts';
import { ComparePage } from './ComparePage.tsx';
import { Context, useDashboard, type DashboardContext, type Undo } from './context.ts';
import { DataPage } from './DataPage.tsx';
import { ExportPage } from './ExportPage.tsx';
import { HelpPage } from './HelpPage.tsx';
import { ImportPage } from './ImportPage.tsx';
import { useKeys } from '../views/keys.ts';
import { OptionsPage } from './OptionsPage.tsx';
import { PagesPage } from './PagesPage.tsx';
import { PrivacyPage } from './PrivacyPage.tsx';
import { ReportPage } from './ReportPage.tsx';
import { RoundsPage } from './RoundsPage.tsx';
import { RulesPage } from './rules/RulesPage.tsx';
import { formatRoute, parseRoute, type Route, type View } from './route.ts';
import { TreePage } from './TreePage.tsx';
import { WatchesPage } from './watches/WatchesPage.tsx';

/** One entry of the rail and the page it leads to: another page is one more line. */
const PAGES: Record<
  View,
  {
    icon: IconName;
    title: (text: Text) => string;
    page: () => JSX.Element | null;
    /** Stands below the others, or not in the rail at all. */
    place?: 'apart' | 'none';
  }
> = {
  rounds: { icon: 'rounds', title: (text) => text('rounds'), page: RoundsPage },
  pages: { icon: 'pages', title: (text) => text('pages'), page: PagesPage },
  tree: { icon: 'tree', title: (text) => text('tree'), page: TreePage },
  compare: { icon: 'compare', title: (text) => text('compare'), page: ComparePage },
  report: { icon: 'check', title: (text) => text('report'), page: ReportPage, place: 'none' },
  watches: { icon: 'watch', title: (text) => text('watches'), page: WatchesPage },
  rules: { icon: 'rules', title: (text) => text('rules'), page: RulesPage, place: 'apart' },
  import: { icon: 'import', title: (text) => text('importWord'), page: ImportPage, place: 'apart' },
  export: { icon: 'export', title: (text) => text('export'), page: ExportPage, place: 'apart' },
  data: { icon: 'data', title: (text) => text('data'), page: DataPage, place: 'apart' },
  options: { icon: 'options', title: (text) => text('options'), page: OptionsPage, place: 'apart' },
  help: { icon: 'help', title: (text) => text('help'), page: HelpPage, place: 'apart' },
  privacy: { icon: 'lock', title: (text) => text('privacy'), page: PrivacyPage, place: 'none' },
};

interface Said {
  message: string;
  undo: Undo | undefined;
}

export function Dashboard({ settings }: { settings: Settings }) {
  const text = useText();
  const [route, setRoute] = useState<Route>(() => parseRoute(location.hash));
  const [said, setSaid] = useState<Said>();
  const overview = useLive(loadOverview, []);
  const health = useHealth();
  const now = useNow();

  useEffect(() => {
    const follow = (): void => setRoute(parseRoute(location.hash));
    addEventListener('hashchange', follow);
    // The address may have changed between the first drawing and now.
    follow();
    return () => removeEventListener('hashchange', follow);
  }, []);

  const go = useCallback((to: Route, how: 'push' | 'replace' = 'push') => {
    if (how === 'push') location.hash = formatRoute(to);
    else {
      history.replaceState(history.state, '', formatRoute(to));
      setRoute(to);
    }
  }, []);
  const tell = useCallback((message: string, undo?: Undo) => setSaid({ message, undo }), []);
  const run = useCallback(
    async (command: () => Promise<unknown>) => {
      try {
        await command();
        overview.again();
        return true;
      } catch (error) {
        tell(troubleWords(troubleOf(error), text).title);
        return false;
      }
    },
    [text],
  );
  const undo = (): void => {
    const back = said?.undo;
    setSaid(undefined);
    if (back === undefined) return;
    void run(async () => {
      if (typeof back === 'string') await ask('undo', { undo: back });
      else await back();
      tell(text('undone'));
    });
  };

  const rounds = overview.value?.rounds ?? [];
  const round =
    rounds.find((one) => one.id === route.round) ?? rounds.find((one) => one.state !== 'ended') ?? rounds[0];
  const context: DashboardContext = useMemo(
    () => ({
      route,
      go,
      settings,
      scopes: overview.value?.scopes ?? [],
      rounds,
      round,
      unseen: overview.value?.unseen ?? 0,
      now,
      tell,
      run,
    }),
    [route, settings, overview.value, now, go, tell, run],
  );
  useKeys({
    '?': () => go({ view: 'help' }),
    u: undo,
    e: () =>
      go({
        view: 'export',
        ...(round ? { round: round.id } : {}),
        ...(route.show ? { show: route.show } : {}),
      }),
  });

  const { title, page: Page } = PAGES[route.view];
  useEffect(() => {
    document.title = `${title(text)} · Onceover`;
  }, [route.view, text]);
  const trouble = health.trouble ?? (overview.error === undefined ? undefined : troubleOf(overview.error));
  const words = trouble && troubleWords(trouble, text);
  return (
    <Context.Provider value={context}>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          // The address behind # belongs to the route.
          event.preventDefault();
          document.querySelector<HTMLElement>('#main')?.focus();
        }}
      >
        {text('skipToContent')}
      </a>
      <div class="dashboard">
        <Rail />
        <main class="view" id="main" tabIndex={-1}>
          {words && (
            <Banner title={words.title}>
              <p>{words.hint}</p>
              {trouble.detail !== '' && <p class="soft small">{trouble.detail}</p>}
            </Banner>
          )}
          {overview.value ? <Page /> : !words && <p class="padded soft">{text('loading')}</p>}
        </main>
      </div>
      {said && (
        <Toast
          message={said.message}
          onUndo={said.undo === undefined ? undefined : undo}
          onClose={() => setSaid(undefined)}
        />
      )}
    </Context.Provider>
  );
}

function Rail() {
  const text = useText();
  const { route, go, scopes, rounds, round, now, unseen } = useDashboard();
  const entries = Object.entries(PAGES) as [View, (typeof PAGES)[View]][];
  const counts: Partial<Record<View, { count: number; said: string }>> = {};
  if (round) {
    const total = allPages(round);
    const { left } = coverageOf(round);
    if (total !== undefined) counts.pages = { count: total, said: text('pagesCount', total) };
    if (round.base !== undefined) counts.compare = { count: left, said: text('leftCount', left) };
  }
  if (unseen > 0) counts.watches = { count: unseen, said: text('unseenCount', unseen) };
  const link = ([view, entry]: (typeof entries)[number]) => (
    <li key={view}>
      <a
        href={formatRoute({ view, ...(round ? { round: round.id } : {}) })}
        aria-current={view === route.view ? 'page' : undefined}
      >
        <Icon name={entry.icon} />
        <span>{entry.title(text)}</span>
        {counts[view] && (
          <span class="count" title={counts[view].said}>
            {text.number(counts[view].count)}
          </span>
        )}
      </a>
    </li>
  );
  const running = rounds.find((one) => one.state === 'open') ?? rounds.find((one) => one.state === 'paused');
  return (
    <header class="rail">
      <Brand />
      {round && (
        <label class="round-choice">
          <b class="one-line">
            <bdi>{scopes.find((scope) => scope.id === round.scope)?.name}</bdi>
          </b>
          <span class="unseen">{text('roundLookedAt')}</span>
          <select
            class="choice"
            value={round.id}
            onChange={(event) => {
              const { page: _page, base: _base, ...rest } = route;
              go({ ...rest, round: event.currentTarget.value });
            }}
          >
            {scopes.map((scope) => (
              <optgroup key={scope.id} label={scope.name}>
                {rounds
                  .filter((one) => one.scope === scope.id)
                  .map((one) => (
                    <option key={one.id} value={one.id} selected={one.id === round.id}>
                      {text('roundName', text.number(one.number), text.date(one.startedAt, now))}
                    </option>
                  ))}
              </optgroup>
            ))}
          </select>
        </label>
      )}
      <nav aria-label={text('mainNavigation')}>
        <ul>{entries.filter(([, entry]) => entry.place === undefined).map(link)}</ul>
        <ul class="apart">{entries.filter(([, entry]) => entry.place === 'apart').map(link)}</ul>
      </nav>
      <Recording round={running} />
    </header>
  );
}

/** The time, once a minute: what is shown of times does not need more. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
