import './sidepanel.css';
import { useEffect, useState } from 'preact/hooks';
import { Button, Keys } from '#components/Button.tsx';
import { coverageOf } from '#components/coverage.ts';
import { CoverageBar } from '#components/CoverageBar.tsx';
import { describePage, isChangeUnseen, pathOf } from '#components/describe.ts';
import { Choice, TextField } from '#components/Field.tsx';
import { FilterTabs } from '#components/FilterTabs.tsx';
import { useText } from '#components/language.ts';
import { MarkField, type HandMark } from '#components/MarkField.tsx';
import { EmptyState } from '#components/Notices.tsx';
import { Recording } from '#components/Recording.tsx';
import { StateWord } from '#components/StateMark.tsx';
import { VerdictField, VERDICTS } from '#components/VerdictField.tsx';
import { WorkList } from '#components/WorkList.tsx';
import type { CommandMessages } from '#lib/protocol.ts';
import type { Page, Verdict } from '#lib/rounds/types.ts';
import { decidingMark } from '../views/by-hand.ts';
import type { RoundModel } from '../views/here.ts';
import { lazy } from '../views/lazy.tsx';
import { useKeys } from '../views/keys.ts';
import { SHOWS, type Show } from '../views/list-parts.ts';
import { useLive } from '../views/live.ts';
import { usePageList } from '../views/page-list.ts';
import { hostsOf } from '../views/reading.ts';

/** Brings the comparing of texts along. */
const ChangedPage = lazy(async () => (await import('../views/ChangedPage.tsx')).ChangedPage);

/** Which page is opened next: to be tried again or left, and where. */
type Next = Pick<CommandMessages['nextUnvisited']['fields'], 'retry' | 'host' | 'prefix'>;

interface PanelProps {
  model: RoundModel;
  keys: string[];
  now: number;
  onOpen: (url: string) => void;
  onNext: (next: Next) => void;
  onMark: (page: Page, mark: HandMark | null) => void;
  onVerdict: (page: Page, verdict: Verdict | null, note?: string) => void;
  /** What changed on the page was seen. */
  onSeen: (page: Page) => void;
}

/** The work list beside the page: what is left, and what the inspector says of the page shown. */
export function Panel(props: PanelProps) {
  const { model, now } = props;
  const { round, scope } = model;
  const text = useText();
  const show = useShow();
  const [host, setHost] = useState('');
  const [prefix, setPrefix] = useState('');
  const [focused, setFocused] = useState(0);
  const hosts = useLive(() => hostsOf(round), [round.id]).value ?? [];
  // A beginning of paths is one of a site: of the only one where there is no other.
  const site = host || (prefix !== '' && hosts.length === 1 ? (hosts[0] ?? '') : '');
  const place = site === '' ? {} : { host: site, ...(prefix !== '' && { prefix }) };
  const list = usePageList({ round, show, ...place });
  const next = (retry: boolean) => (): void => props.onNext({ ...place, ...(retry && { retry }) });
  const coverage = coverageOf(round);
  const { page } = model.thisPage;
  const judge = VERDICTS.map((verdict, index) => [
    String(index + 1),
    () => {
      if (page) props.onVerdict(page, page.verdict === verdict ? null : verdict);
    },
  ]);
  useKeys({
    ...Object.fromEntries(judge),
    n: next(false),
    r: next(true),
    s: () => {
      if (page && isChangeUnseen(page)) props.onSeen(page);
    },
    m: () => document.querySelector<HTMLElement>('.note textarea')?.focus(),
    j: () => document.querySelector<HTMLElement>('[role="row"][tabindex="0"]')?.focus(),
  });
  const tabs: { id: Show; label: string; count?: number }[] = [
    { id: 'left', label: text('left'), count: coverage.left },
    { id: 'changed', label: text('changed'), count: coverage.changed },
    { id: 'retrying', label: text('retry'), count: round.counters.retrying },
    { id: 'all', label: text('all') },
  ];
  return (
    <div class="panel">
      <header>
        <div class="bar">
          <h1 class="one-line" title={scope.name}>
            <bdi>{scope.name}</bdi>
          </h1>
          <Recording round={round} />
        </div>
        <CoverageBar coverage={coverage} />
        <div class="between">
          <p data-testid="visited-count">
            {text.rich('visitedOf', <b>{text.number(coverage.visited)}</b>, coverage.total)}
          </p>
          <p class="soft" data-testid="left-count">
            {text('leftCount', coverage.left)}
          </p>
        </div>
        <FilterTabs
          label={text('filterPages')}
          current={show}
          tabs={tabs.map((tab) => ({ ...tab, href: `#${tab.id}` }))}
        />
        {hosts.length > 1 && (
          <div class="site-choice">
            <Choice
              label={text('site')}
              value={host}
              options={[
                { value: '', text: text('allSites') },
                ...hosts.map((one) => ({ value: one, text: one })),
              ]}
              onChange={setHost}
            />
          </div>
        )}
        {(host !== '' || hosts.length === 1) && (
          <div class="site-choice">
            <TextField
              label={text('pathBegins')}
              labelShown={false}
              address
              value={prefix}
              onInput={setPrefix}
            />
          </div>
        )}
      </header>
      <main class="place">
        {list.count === 0 && !list.reading ? (
          <EmptyState title={show === 'left' ? text('nothingLeft') : text('nothingInFilter')} />
        ) : (
          <WorkList
            label={text('filterPages')}
            count={list.count}
            itemAt={(index) => {
              const one = list.pageAt(index);
              if (!one) return undefined;
              const { state, word } = describePage(one, text, now);
              const site = host === '' && hosts.length > 1 ? one.host : undefined;
              return {
                id: one.key,
                state,
                word,
                site,
                path: pathOf(one.url),
                address: one.usable ?? one.url,
              };
            }}
            onRange={(first, last) => list.want(first, last)}
            focused={Math.min(focused, Math.max(0, list.count - 1))}
            onFocus={setFocused}
            here={page?.key}
            onOpen={({ address }) => props.onOpen(address)}
          />
        )}
      </main>
      <ThisPage {...props} page={page} onNext={next(false)} onRetry={next(true)} />
    </div>
  );
}

type ThisPageProps = Pick<PanelProps, 'model' | 'keys' | 'now' | 'onVerdict' | 'onMark' | 'onSeen'> & {
  page: Page | undefined;
  onNext: () => void;
  onRetry: () => void;
};

function ThisPage({ model, page, keys, now, onNext, onRetry, onVerdict, onMark, onSeen }: ThisPageProps) {
  const text = useText();
  const described = page && describePage(page, text, now);
  return (
    <section class="this-page stack" aria-labelledby="this-page">
      <div>
        <h2 id="this-page">{text('thisPage')}</h2>
        {page && described ? (
          <p class="line">
            <bdi dir="ltr" class="one-line soft" title={page.url}>
              {pathOf(page.url)}
            </bdi>
            <span class="end">
              <StateWord state={described.state} word={described.word} />
            </span>
          </p>
        ) : (
          <p class="soft">{text('notInRound')}</p>
        )}
      </div>
      {page?.changed && (
        <ChangedPage round={model.round} page={page} most={4} keys={['s']} onSeen={() => onSeen(page)} />
      )}
      {page && (
        <VerdictField
          key={page.key}
          verdict={page.verdict}
          note={page.note ?? ''}
          onVerdict={(verdict) => onVerdict(page, verdict)}
          onNote={(note) => onVerdict(page, page.verdict ?? null, note)}
        />
      )}
      {page && <MarkField marked={decidingMark(page)} onMark={(mark) => onMark(page, mark)} />}
      {model.round.counters.retrying > 0 && (
        <Button wide onClick={onRetry} testid="next-retry">
          {text('nextRetry')} <Keys keys={['r']} />
        </Button>
      )}
      <Button kind="primary" wide onClick={onNext} testid="next-unvisited">
        {text('nextUnvisited')} <Keys keys={keys.length > 0 ? keys : ['n']} />
      </Button>
    </section>
  );
}

/** The filter stands behind # of the panel's address, so that its tabs are links as everywhere. */
function useShow(): Show {
  const read = (): Show => SHOWS.find((show) => `#${show}` === location.hash) ?? 'left';
  const [show, setShow] = useState(read);
  useEffect(() => {
    const follow = (): void => setShow(read());
    addEventListener('hashchange', follow);
    follow();
    return () => removeEventListener('hashchange', follow);
  }, []);
  return show;
}
