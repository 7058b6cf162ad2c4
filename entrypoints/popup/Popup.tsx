import './popup.css';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button, Keys } from '#components/Button.tsx';
import { coverageOf } from '#components/coverage.ts';
import { CoverageBar, CoverageLegend } from '#components/CoverageBar.tsx';
import { comparedName, describePage, pathOf, roundName } from '#components/describe.ts';
import { Brand } from '#components/Icon.tsx';
import { Kept } from '#components/Kept.tsx';
import { useText } from '#components/language.ts';
import { MarkField, type HandMark } from '#components/MarkField.tsx';
import { Banner } from '#components/Notices.tsx';
import { Recording } from '#components/Recording.tsx';
import { Choice, Switch } from '#components/Field.tsx';
import { StateWord } from '#components/StateMark.tsx';
import type { Page, Round } from '#lib/rounds/types.ts';
import { isPausedAt } from '#lib/rounds/coverage.ts';
import { decidingMark } from '../views/by-hand.ts';
import { troubleWords, type Trouble } from '../views/trouble.ts';
import type { Here, RoundModel, StartModel } from '../views/here.ts';
import type { Site } from '../views/site.ts';
import { lazy } from '../views/lazy.tsx';

/** Brings the comparing of texts along. */
const ChangedPage = lazy(async () => (await import('../views/ChangedPage.tsx')).ChangedPage);

/** What a person can do in the popup. */
export interface PopupActions {
  start: (base: string) => void;
  pause: (until: number | null) => void;
  /** Whether the site of the tab is recorded. */
  pauseSite: (paused: boolean) => void;
  mark: (page: Page, mark: HandMark | null) => void;
  /** Watches the page of the tab, or a part that the person picks on it. */
  watch: () => void;
  pick?: (() => void) | undefined;
  resume: () => void;
  end: () => void;
  next: () => void;
  copyLeft: () => void;
  openPanel?: (() => void) | undefined;
  choose: (round: string) => void;
  showMarks: (on: boolean) => void;
}

interface PopupProps {
  model: Here | undefined;
  trouble: Trouble | undefined;
  /** Whether marks stand beside links of pages. */
  marks: boolean;
  /** What the last action brought, e.g. how much was copied. */
  notice: string | undefined;
  busy: boolean;
  now: number;
  keys: string[];
  actions: PopupActions;
}

const QUARTER_HOUR_MS = 15 * 60_000;

export function Popup(props: PopupProps) {
  const { model, trouble } = props;
  const text = useText();
  const [pausing, setPausing] = useState(false);
  const round = model?.round;
  return (
    <div class="popup">
      <header class="bar">
        <Brand />
        {model && <Recording round={round?.round} />}
        {round?.round.state === 'open' && (
          <Button compact icon="pause" pressed={pausing} onClick={() => setPausing(!pausing)}>
            {text('pause')}
          </Button>
        )}
      </header>
      <main>
        {pausing && round?.round.state === 'open' && (
          <PauseSection
            site={model?.site}
            now={props.now}
            actions={props.actions}
            onDone={() => setPausing(false)}
          />
        )}
        {trouble && <TroubleBanner trouble={trouble} />}
        {!model && !trouble && (
          <section>
            <p class="soft">{text('loading')}</p>
          </section>
        )}
        {model?.site.kind !== 'web' && model && <Elsewhere site={model.site} round={round} />}
        {round && <RoundSection {...props} model={round} />}
        {model?.start && (
          <StartSection start={model.start} busy={props.busy} actions={props.actions} now={props.now} />
        )}
        {round && model?.site.kind === 'web' && (
          <ThisPage model={round} site={model.site} now={props.now} actions={props.actions} />
        )}
        {round && (
          <section>
            <div class="actions">
              <Button
                icon="copy"
                label={text('copyLeftLong', coverageOf(round.round).left)}
                off={coverageOf(round.round).left === 0}
                onClick={props.actions.copyLeft}
              >
                {text('copyLeft')}
              </Button>
              {props.actions.openPanel && (
                <Button icon="panel" onClick={props.actions.openPanel}>
                  {text('sidePanel')}
                </Button>
              )}
              <EndRound model={round} onEnd={props.actions.end} />
              <Switch label={text('marks')} on={props.marks} onChange={props.actions.showMarks} />
            </div>
          </section>
        )}
        <p class="unseen" role="status">
          {props.notice}
        </p>
        {props.notice !== undefined && (
          <section>
            <p aria-hidden="true">{props.notice}</p>
          </section>
        )}
      </main>
      <nav class="links" aria-label="Onceover">
        <a href="/dashboard.html#/rounds" target="_blank">
          {text('dashboard')}
        </a>
        <a href="/dashboard.html#/export" target="_blank">
          {text('export')}
        </a>
        <a href="/dashboard.html#/options" target="_blank">
          {text('options')}
        </a>
        <a href="/dashboard.html#/help" target="_blank">
          {text('help')}
        </a>
      </nav>
    </div>
  );
}

function TroubleBanner({ trouble }: { trouble: Trouble }) {
  const text = useText();
  const words = troubleWords(trouble, text);
  return (
    <Banner title={words.title}>
      <p>{words.hint}</p>
      {trouble.detail !== '' && <p class="soft small">{trouble.detail}</p>}
    </Banner>
  );
}

/** The tab holds no page of the web: a sentence why nothing is recorded here. */
function Elsewhere({ site, round }: { site: Site; round: RoundModel | undefined }) {
  const text = useText();
  const sentences: Record<Exclude<Site['kind'], 'web'>, string> = {
    browser: text('notWebBrowser'),
    extension: text('notWebExtension'),
    file: text('notWebFile'),
    'no-address': text('notWebNoAddress'),
    store: text('notWebStore'),
  };
  return (
    <section class="stack">
      <h1>{text('nothingHere')}</h1>
      <p class="soft">{site.kind === 'web' ? '' : sentences[site.kind]}</p>
      {!round && <p class="soft">{text('openASite')}</p>}
    </section>
  );
}

function RoundSection({ model, now, keys, actions }: Omit<PopupProps, 'model'> & { model: RoundModel }) {
  const text = useText();
  const { round, scope, base } = model;
  const coverage = coverageOf(round);
  const list = (show: string): string => `/dashboard.html#/pages?round=${round.id}&show=${show}`;
  return (
    <section class="stack" aria-labelledby="round">
      <div>
        <h1 id="round" class="one-line" title={scope.name}>
          <bdi>{scope.name}</bdi>
        </h1>
        <p class="soft">{base ? comparedName(round, base, text, now) : roundName(round, text, now)}</p>
      </div>
      {model.others.length > 1 && (
        <Choice
          label={text('switchRound')}
          value={round.id}
          options={model.others.map((other) => ({ value: other.round.id, text: other.scope.name }))}
          onChange={actions.choose}
        />
      )}
      <div class="between">
        <p data-testid="visited-count">
          {text.rich(
            'visitedOf',
            <span class="figure">{text.number(coverage.visited)}</span>,
            coverage.total,
          )}
        </p>
        <p class="soft">{coverage.total > 0 ? text.percent(coverage.visited / coverage.total) : ''}</p>
      </div>
      <CoverageBar coverage={coverage} />
      <CoverageLegend
        coverage={coverage}
        href={list}
        {...(coverage.beside > 0 ? { more: text('besideNew', coverage.beside) } : {})}
      />
      {round.state === 'paused' ? (
        <div class="stack">
          <p class="soft">
            {round.pausedUntil ? text('pausedUntil', text.time(round.pausedUntil, now)) : text('pausedHint')}
          </p>
          <div class="actions">
            <Button kind="primary" icon="play" onClick={actions.resume}>
              {text('resume')}
            </Button>
            {!round.pausedUntil && (
              <Button onClick={() => actions.pause(now + QUARTER_HOUR_MS)}>{text('resumeIn15')}</Button>
            )}
          </div>
        </div>
      ) : coverage.left > 0 ? (
        <button type="button" class="next" onClick={actions.next} data-testid="next-unvisited">
          <span>
            <b>{text('nextUnvisited')}</b>
            {model.next && (
              <small class="one-line">
                <bdi dir="ltr">{pathOf(model.next.url)}</bdi>
              </small>
            )}
          </span>
          <Keys keys={keys} />
        </button>
      ) : (
        coverage.total > 0 && <p>{text('allDone', coverage.visited, coverage.total)}</p>
      )}
    </section>
  );
}

/** How long, or where, recording is paused. */
function PauseSection({
  site,
  now,
  actions,
  onDone,
}: {
  site: Site | undefined;
  now: number;
  actions: PopupActions;
  onDone: () => void;
}) {
  const text = useText();
  const choose = (act: () => void) => (): void => {
    onDone();
    act();
  };
  return (
    <section class="stack" aria-labelledby="pausing">
      <h2 id="pausing">{text('pauseHow')}</h2>
      <div class="actions">
        <Button onClick={choose(() => actions.pause(now + QUARTER_HOUR_MS))}>{text('pauseFor15')}</Button>
        {site?.kind === 'web' && (
          <Button onClick={choose(() => actions.pauseSite(true))}>
            {text.rich('pauseThisSite', <bdi dir="ltr">{site.host}</bdi>)}
          </Button>
        )}
        <Button onClick={choose(() => actions.pause(null))}>{text('pauseUntilRestart')}</Button>
      </div>
    </section>
  );
}

interface ThisPageProps {
  model: RoundModel;
  site: Site & { kind: 'web' };
  now: number;
  actions: PopupActions;
}

function ThisPage({ model, site, now, actions }: ThisPageProps) {
  const text = useText();
  const { page, team } = model.thisPage;
  const described = page && describePage(page, text, now);
  const sitePaused = isPausedAt(model.round, site.url);
  const why = `/dashboard.html#/pages?round=${model.round.id}&page=${encodeURIComponent(page?.key ?? '')}`;
  const whyLink = (
    <a href={why} target="_blank" data-testid="why-link">
      {text('why')}
    </a>
  );
  return (
    <section aria-labelledby="this-page">
      <div class="line watching">
        <h2 id="this-page">{text('thisPage')}</h2>
        {page && (
          <span class="end">
            <Button compact icon="watch" testid="watch-page" onClick={actions.watch}>
              {text('watchPage')}
            </Button>
            {actions.pick && (
              <Button compact onClick={actions.pick}>
                {text('watchRegion')}
              </Button>
            )}
          </span>
        )}
      </div>
      <p class="one-line soft" title={site.url}>
        <bdi dir="ltr">{site.url.replace(/^https?:\/\//, '')}</bdi>
      </p>
      <dl class="facts">
        <div>
          <dt>
            {described ? <StateWord state={described.state} word={described.word} /> : text('notInRound')}{' '}
            {page?.lastVisitAt !== undefined && (
              <span class="soft">{text('visitedAt', text.time(page.lastVisitAt, now))}</span>
            )}
          </dt>
        </div>
        {described && !page?.changed && (
          <div>
            <dt class="soft">{described.detail ?? described.reason}</dt>
            <dd>{whyLink}</dd>
          </div>
        )}
        {page?.changed && (
          <div>
            <dd class="wide">
              <ChangedPage round={model.round} page={page} most={2} beside={whyLink} />
            </dd>
          </div>
        )}
        {!described && !sitePaused && (
          <div>
            <dt class="soft">
              {text(model.round.state === 'paused' ? 'notRecordedPaused' : 'notRecordedYet')}
            </dt>
          </div>
        )}
        {team && (
          <div>
            <dt>
              <StateWord state="team" word={text('teamSawFirst', text.time(team.at, now))} />
            </dt>
          </div>
        )}
        {site.pdf && (
          <div>
            <dt class="soft">{text('pdfNote')}</dt>
          </div>
        )}
      </dl>
      {sitePaused && (
        <div class="stack">
          <p class="soft">{text.rich('siteNotRecorded', <bdi dir="ltr">{site.host}</bdi>)}</p>
          <Button wide onClick={() => actions.pauseSite(false)}>
            {text.rich('recordSiteAgain', <bdi dir="ltr">{site.host}</bdi>)}
          </Button>
        </div>
      )}
      {page && <MarkField marked={decidingMark(page)} onMark={(mark) => actions.mark(page, mark)} />}
    </section>
  );
}

/** Ending cannot be taken back, so it says what it means before the second press. */
function EndRound({ model, onEnd }: { model: RoundModel; onEnd: () => void }) {
  const text = useText();
  const [asked, setAsked] = useState(false);
  if (!asked) {
    return (
      <Button icon="end" onClick={() => setAsked(true)}>
        {text('endRound')}
      </Button>
    );
  }
  return (
    <div class="stack">
      <p>{text('endRoundAsk', coverageOf(model.round).left)}</p>
      <div class="actions">
        <Button kind="primary" onClick={onEnd} testid="end-round">
          {text('endRound')}
        </Button>
        <Button onClick={() => setAsked(false)}>{text('goOn')}</Button>
      </div>
    </div>
  );
}

function StartSection({
  start,
  busy,
  actions,
  now,
}: {
  start: StartModel;
  busy: boolean;
  actions: PopupActions;
  now: number;
}) {
  const text = useText();
  const { last } = start;
  return (
    <section class="stack" aria-labelledby="start">
      <h1 id="start">{start.firstRun ? text('welcome') : text('startTitle')}</h1>
      {start.firstRun ? <Kept /> : <p class="soft">{text('startHint')}</p>}
      {last && <p class="soft">{lastRoundLine(last, text, now)}</p>}
      {!start.allowed && <p class="soft">{text.rich('permissionWhy', <bdi dir="ltr">{start.host}</bdi>)}</p>}
      <Button
        kind="primary"
        wide
        off={busy}
        testid="start-round"
        onClick={() => actions.start(last ? 'last' : 'none')}
      >
        {last ? text('startNext', last.number + 1) : text.rich('startOn', <bdi dir="ltr">{start.host}</bdi>)}
      </Button>
      {last && (
        <Button wide off={busy} onClick={() => actions.start('none')}>
          {text('startWithoutBase')}
        </Button>
      )}
      <p class="between">
        <a href="/dashboard.html#/rounds" target="_blank">
          {text('startFromList')}
        </a>
        {last && (
          <a href={`/dashboard.html#/report?round=${last.id}`} target="_blank">
            {text('reportOfRound', last.number)}
          </a>
        )}
      </p>
    </section>
  );
}

function lastRoundLine(last: Round, text: ReturnType<typeof useText>, now: number): ComponentChildren {
  const coverage = coverageOf(last);
  return text(
    'lastRoundLine',
    roundName(last, text, now),
    coverage.visited,
    coverage.total,
    coverage.changed,
  );
}
