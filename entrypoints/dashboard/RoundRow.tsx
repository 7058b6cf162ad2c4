import { useState } from 'preact/hooks';
import { Button } from '#components/Button.tsx';
import { coverageOf } from '#components/coverage.ts';
import { CoverageBar } from '#components/CoverageBar.tsx';
import { useText } from '#components/language.ts';
import type { Round } from '#lib/rounds/types.ts';
import { ask } from '../views/worker.ts';
import { useDashboard } from './context.ts';
import { formatRoute } from './route.ts';

const QUARTER_HOUR_MS = 15 * 60_000;

/** One round of a scope: how far it is, and what can be done with it. `rounds`: all of the scope. */
export function RoundRow({ round, rounds }: { round: Round; rounds: Round[] }) {
  const text = useText();
  const { now } = useDashboard();
  const coverage = coverageOf(round);
  const base = rounds.find((one) => one.id === round.base);
  const states = { open: text('recording'), paused: text('paused'), ended: text('ended') };
  return (
    <tr>
      <th scope="row">
        <a href={formatRoute({ view: 'pages', round: round.id })}>{text('roundNumber', round.number)}</a>
        <div class="soft small">{text.time(round.startedAt, now)}</div>
        {base && <div class="soft small">{text('comparedWith', base.number)}</div>}
      </th>
      <td class="state-cell">
        {states[round.state]}
        {round.state === 'paused' && typeof round.pausedUntil === 'number' && (
          <div class="soft small">{text('pausedUntil', text.time(round.pausedUntil, now))}</div>
        )}
        {round.pausedSites?.map((host) => (
          <PausedSite key={host} round={round} host={host} />
        ))}
      </td>
      <td class="bar-cell">
        <CoverageBar coverage={coverage} thin />
      </td>
      <td class="number">{text('nOfN', coverage.visited, coverage.total)}</td>
      <Count round={round} show="left" count={coverage.left} />
      <Count round={round} show="changed" count={coverage.changed} />
      <Count round={round} show="retrying" count={coverage.retrying} />
      <Count round={round} show="gone" count={coverage.gone} />
      <td>
        <RoundActions round={round} others={rounds.length - 1} />
      </td>
    </tr>
  );
}

function PausedSite({ round, host }: { round: Round; host: string }) {
  const text = useText();
  const { run } = useDashboard();
  return (
    <div class="small line">
      <span class="soft">{text.rich('pauseOn', <bdi dir="ltr">{host}</bdi>)}</span>
      <Button
        compact
        label={text('recordSiteAgain', host)}
        onClick={() => void run(() => ask('pauseSite', { round: round.id, host, paused: false }))}
      >
        {text('resume')}
      </Button>
    </div>
  );
}

/** `others`: rounds of the scope that this one can be compared with. */
function RoundActions({ round, others }: { round: Round; others: number }) {
  const text = useText();
  const { now, run, tell, go } = useDashboard();
  const [asked, setAsked] = useState<'pause' | 'end'>();
  const coverage = coverageOf(round);
  const id = { round: round.id };
  const pause = (until: number | null) => (): void => {
    setAsked(undefined);
    void run(() => ask('pauseRound', { ...id, until }));
  };
  const end = (): void => {
    setAsked(undefined);
    void run(async () => {
      await ask('endRound', id);
      tell(text('roundEnded', round.number, coverage.visited, coverage.total, coverage.changed));
      go({ view: 'report', ...id });
    });
  };
  if (asked === 'pause') {
    return (
      <div class="line">
        <Button compact onClick={pause(now + QUARTER_HOUR_MS)}>
          {text('pauseFor15')}
        </Button>
        <Button compact onClick={pause(null)}>
          {text('pauseUntilRestart')}
        </Button>
        <Button compact kind="quiet" onClick={() => setAsked(undefined)}>
          {text('cancel')}
        </Button>
      </div>
    );
  }
  if (asked === 'end') {
    return (
      <div class="line">
        <span>{text('endRoundAsk', coverage.left)}</span>
        <Button compact kind="primary" testid="end-round" onClick={end}>
          {text('endRound')}
        </Button>
        <Button compact onClick={() => setAsked(undefined)}>
          {text('goOn')}
        </Button>
      </div>
    );
  }
  return (
    <div class="line">
      {round.state === 'open' && (
        <Button compact onClick={() => setAsked('pause')}>
          {text('pause')}
        </Button>
      )}
      {round.state === 'paused' && (
        <Button compact onClick={() => void run(() => ask('resumeRound', id))}>
          {text('resume')}
        </Button>
      )}
      {round.state !== 'ended' && (
        <Button compact onClick={() => setAsked('end')}>
          {text('endRound')}
        </Button>
      )}
      {others > 0 && (
        <Button compact kind="quiet" href={formatRoute({ view: 'compare', ...id })}>
          {text('compare')}
        </Button>
      )}
      <Button compact kind="quiet" href={formatRoute({ view: 'report', ...id })}>
        {text('report')}
      </Button>
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
