import { useText } from '#components/language.ts';
import { EmptyState } from '#components/Notices.tsx';
import type { Round, Scope } from '#lib/rounds/types.ts';
import { useDashboard } from './context.ts';
import { NextActions } from './NextActions.tsx';
import { RoundRow } from './RoundRow.tsx';
import { ScheduleField } from './ScheduleField.tsx';
import { StartForm } from './StartForm.tsx';
import { StartNext } from './StartNext.tsx';

/** Rounds of every scope: how far they are, and what can be done with them. */
export function RoundsPage() {
  const text = useText();
  const { scopes, rounds } = useDashboard();
  const first = scopes.length === 0;
  return (
    <div class="sheet">
      <div class="title-line">
        <h1>{text('rounds')}</h1>
      </div>
      {first && (
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
      <section aria-labelledby="another-site">
        <h2 id="another-site">{first ? text('startTitle') : text('anotherSite')}</h2>
        <StartForm first={first} />
      </section>
    </div>
  );
}

const COUNTS = ['visited', 'left', 'changed', 'retry', 'gone'] as const;

function ScopeRounds({ scope, rounds }: { scope: Scope; rounds: Round[] }) {
  const text = useText();
  const { round: shown } = useDashboard();
  const running = rounds.find((round) => round.state !== 'ended');
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
        <span class="end">
          {!running && <StartNext scope={scope} last={last} />}
          {running && running.id === shown?.id && <NextActions round={running} />}
        </span>
      </div>
      <ScheduleField scope={scope} />
      <div class="wide-list" tabIndex={0} role="group" aria-labelledby={`scope-${scope.id}`}>
        <table class="rounds">
          <thead>
            <tr>
              <th scope="col">{text('round')}</th>
              <th scope="col">{text('state')}</th>
              <th scope="col" class="bar-cell">
                {text('coverage')}
              </th>
              {COUNTS.map((count) => (
                <th key={count} scope="col" class="number">
                  {text(count)}
                </th>
              ))}
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
      {!running && (
        <details>
          <summary>{text('otherStarts')}</summary>
          <StartForm scope={scope} rounds={scope.mode === 'inspecting' ? rounds : []} />
        </details>
      )}
    </section>
  );
}
