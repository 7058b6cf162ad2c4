import { useState } from 'preact/hooks';
import { Button } from '#components/Button.tsx';
import { coverageOf } from '#components/coverage.ts';
import { CoverageBar } from '#components/CoverageBar.tsx';
import { useText } from '#components/language.ts';
import { EmptyState } from '#components/Notices.tsx';
import type { Round, Scope } from '#lib/rounds/types.ts';
import { startRound } from '../views/start.ts';
import { ask } from '../views/worker.ts';
import { useDashboard } from './context.ts';
import { formatRoute } from './route.ts';

/** Rounds of every scope: how far they are, and what can be done with them. */
export function RoundsPage() {
  const text = useText();
  const { scopes, rounds } = useDashboard();
  return (
    <div class="sheet">
      <div class="title-line">
        <h1>{text('rounds')}</h1>
      </div>
      {scopes.length === 0 && (
        <EmptyState title={text('noRounds')}>
          <p class="soft">{text('noRoundsHint')}</p>
        </EmptyState>
      )}
      {scopes.map((scope) => (
        <ScopeRounds
          key={scope.id}
          scope={scope}
          rounds={rounds.filter((round) => round.scope === scope.id)}
        />
      ))}
      <AnotherSite first={scopes.length === 0} />
    </div>
  );
}

function ScopeRounds({ scope, rounds }: { scope: Scope; rounds: Round[] }) {
  const text = useText();
  const { run, tell } = useDashboard();
  const running = rounds.some((round) => round.state !== 'ended');
  const last = rounds[0];
  return (
    <section aria-labelledby={`scope-${scope.id}`}>
      <div class="title-line">
        <h2 id={`scope-${scope.id}`}>
          <bdi>{scope.name}</bdi>
        </h2>
        <span class="soft whole">
          <bdi dir="ltr">
            {scope.origins.map((origin) => origin.replace(/^.*:\/\/|\/\*$/g, '')).join(', ')}
          </bdi>
        </span>
        {!running && (
          <span class="end">
            <Button
              kind="primary"
              testid="start-round"
              onClick={() =>
                void run(async () => {
                  const round = await startRound({ base: 'last', scope: { id: scope.id } }, scope.origins);
                  if (round) tell(text('roundStarted', round.number));
                })
              }
            >
              {last ? text('startNext', last.number + 1) : text('startFirst')}
            </Button>
          </span>
        )}
      </div>
      <div class="wide-list" tabIndex={0} role="group" aria-labelledby={`scope-${scope.id}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">{text('round')}</th>
              <th scope="col">{text('state')}</th>
              <th scope="col" class="bar-cell">
                {text('coverage')}
              </th>
              <th scope="col" class="number">
                {text('visited')}
              </th>
              <th scope="col" class="number">
                {text('left')}
              </th>
              <th scope="col" class="number">
                {text('changed')}
              </th>
              <th scope="col" class="number">
                {text('retry')}
              </th>
              <th scope="col" class="number">
                {text('gone')}
              </th>
              <th scope="col">
                <span class="unseen">{text('actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rounds.map((round) => (
              <RoundRow key={round.id} round={round} rounds={rounds} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function RoundRow({ round, rounds }: { round: Round; rounds: Round[] }) {
  const text = useText();
  const { now, run, tell } = useDashboard();
  const [asked, setAsked] = useState(false);
  const coverage = coverageOf(round);
  const base = rounds.find((one) => one.id === round.base);
  const id = { round: round.id };
  const states = { open: text('recording'), paused: text('paused'), ended: text('ended') };
  return (
    <tr>
      <th scope="row">
        <a href={formatRoute({ view: 'pages', ...id })}>{text('roundNumber', round.number)}</a>
        <div class="soft small">
          {text.time(round.startedAt, now)}
          {base && ` · ${text('comparedWith', base.number)}`}
        </div>
      </th>
      <td>{states[round.state]}</td>
      <td class="bar-cell">
        <CoverageBar coverage={coverage} thin />
      </td>
      <td class="number">{text('nOfN', coverage.visited, coverage.total)}</td>
      <Count round={round} show="left" count={coverage.left} />
      <Count round={round} show="changed" count={coverage.changed} />
      <Count round={round} show="retrying" count={coverage.retrying} />
      <Count round={round} show="gone" count={coverage.gone} />
      <td>
        <div class="line">
          {round.state === 'open' && !asked && (
            <Button compact onClick={() => void run(() => ask('pauseRound', { ...id, until: null }))}>
              {text('pause')}
            </Button>
          )}
          {round.state === 'paused' && !asked && (
            <Button compact onClick={() => void run(() => ask('resumeRound', id))}>
              {text('resume')}
            </Button>
          )}
          {round.state !== 'ended' && !asked && (
            <Button compact onClick={() => setAsked(true)}>
              {text('endRound')}
            </Button>
          )}
          {asked && (
            <>
              <span>{text('endRoundAsk', coverage.left)}</span>
              <Button
                compact
                kind="primary"
                testid="end-round"
                onClick={() => {
                  setAsked(false);
                  void run(async () => {
                    await ask('endRound', id);
                    tell(
                      text('roundEnded', round.number, coverage.visited, coverage.total, coverage.changed),
                    );
                  });
                }}
              >
                {text('endRound')}
              </Button>
              <Button compact onClick={() => setAsked(false)}>
                {text('goOn')}
              </Button>
            </>
          )}
          {round.base !== undefined && (
            <Button compact kind="quiet" href={formatRoute({ view: 'compare', ...id })}>
              {text('compare')}
            </Button>
          )}
          {round.state === 'ended' && (
            <Button
              compact
              kind="quiet"
              onClick={() =>
                void run(async () => {
                  const { undo } = await ask('deleteRound', id);
                  tell(text('roundDeleted', round.number), undo);
                })
              }
            >
              {text('delete')}
            </Button>
          )}
        </div>
      </td>
    </tr>
  );
}

/** A number with its list behind it; nothing for zero. */
function Count({
  round,
  show,
  count,
}: {
  round: Round;
  show: 'left' | 'changed' | 'retrying' | 'gone';
  count: number;
}) {
  const text = useText();
  return (
    <td class="number">
      {count > 0 && <a href={formatRoute({ view: 'pages', round: round.id, show })}>{text.number(count)}</a>}
    </td>
  );
}

/** A round on a site by its address, without opening it first. */
function AnotherSite({ first }: { first: boolean }) {
  const text = useText();
  const { run, tell } = useDashboard();
  const [address, setAddress] = useState('');
  const [wrong, setWrong] = useState(false);
  const submit = (): void => {
    const url = URL.parse(/^[a-z]+:\/\//i.test(address) ? address : `https://${address}`);
    const good = url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '';
    setWrong(!good);
    if (!good) return;
    const origins = [`${url.protocol}//${url.hostname}/*`];
    void run(async () => {
      const round = await startRound({ base: 'none', scope: { name: url.hostname, origins } }, origins);
      if (round) {
        setAddress('');
        tell(text('roundStarted', round.number));
      }
    });
  };
  return (
    <section aria-labelledby="another-site">
      <h2 id="another-site">{first ? text('startTitle') : text('anotherSite')}</h2>
      <form
        class="actions"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <label class="field">
          <span>{text('site')}</span>
          <input
            type="text"
            inputMode="url"
            autocomplete="off"
            dir="ltr"
            value={address}
            placeholder="shop.example.com"
            aria-invalid={wrong ? 'true' : undefined}
            aria-describedby="another-site-hint"
            onInput={(event) => setAddress(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class={first ? 'button primary' : 'button plain'}>
          {text('startFirst')}
        </button>
      </form>
      <p id="another-site-hint" class="soft prose" role={wrong ? 'alert' : undefined}>
        {wrong ? text('notAnAddress') : text('permissionWhySite')}
      </p>
    </section>
  );
}
