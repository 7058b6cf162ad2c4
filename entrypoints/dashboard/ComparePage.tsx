import { Button } from '#components/Button.tsx';
import { roundName } from '#components/describe.ts';
import { Choice } from '#components/Field.tsx';
import { useText } from '#components/language.ts';
import { EmptyState } from '#components/Notices.tsx';
import { useDashboard } from './context.ts';
import { CoverageLine } from './CoverageLine.tsx';
import { NextActions } from './NextActions.tsx';
import { NoRound, PageListView } from './PagesPage.tsx';
import { formatRoute } from './route.ts';
import { EqualEdits } from './watches/EqualEdits.tsx';

/** This round beside another of its scope: what is left, new, gone, changed, to retry. */
export function ComparePage() {
  const text = useText();
  const { route, go, round, rounds, now } = useDashboard();
  if (!round) return <NoRound />;
  const others = rounds.filter((one) => one.scope === round.scope && one.id !== round.id);
  // Of a round that had none the one before it is compared, or any there is.
  const before = others.find(({ number }) => number < round.number) ?? others[0];
  const base = others.find((one) => one.id === (route.base ?? round.base)) ?? before;
  return (
    <>
      <div class="head">
        <div class="title-line">
          <h1>{text('compare')}</h1>
          {base && (
            <Choice
              label={text('compareWith', roundName(round, text, now))}
              value={base.id}
              options={others.map((one) => ({ value: one.id, text: roundName(one, text, now) }))}
              onChange={(id) => go({ ...route, round: round.id, base: id })}
            />
          )}
          {base && (
            <span class="end">
              <Button href={formatRoute({ view: 'report', round: round.id })}>{text('report')}</Button>
              <Button
                icon="export"
                href={formatRoute({ view: 'export', round: round.id, show: route.show ?? 'all' })}
              >
                {text('export')}
              </Button>
              <NextActions round={round} />
            </span>
          )}
        </div>
        {base && base.id === round.base && (
          <CoverageLine round={round} at={{ view: 'compare', round: round.id, base: base.id }} />
        )}
      </div>
      {base && base.id === round.base && route.show === 'changed' && <EqualEdits round={round} />}
      {base ? (
        <PageListView key={base.id} round={round} view="compare" base={base} />
      ) : (
        <div class="padded">
          <EmptyState title={text('noBase')}>
            <p class="soft">{text('noBaseHint')}</p>
            <Button kind="primary" href={formatRoute({ view: 'rounds' })}>
              {text('toRounds')}
            </Button>
          </EmptyState>
        </div>
      )}
    </>
  );
}
