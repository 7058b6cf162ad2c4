import { Button, Keys } from '#components/Button.tsx';
import { coverageOf } from '#components/coverage.ts';
import { useText } from '#components/language.ts';
import type { Round } from '#lib/rounds/types.ts';
import { useKeys } from '../views/keys.ts';
import { useShortcut } from '../views/shortcut.ts';
import { ask } from '../views/worker.ts';
import { useDashboard } from './context.ts';

/** The next actions of a round that is open, each in a tab of its own: the next page left, and the next to try again (`n`, `r`). */
export function NextActions({ round }: { round: Round }) {
  const text = useText();
  const { run, tell } = useDashboard();
  const keys = useShortcut('next-unvisited');
  const isOpen = round.state === 'open';
  const next = (retry: boolean): void => {
    if (!isOpen) return;
    void run(async () => {
      const { page } = await ask('nextUnvisited', { round: round.id, open: true, retry });
      if (!page) tell(text(retry ? 'nothingToRetry' : 'nothingLeft'));
    });
  };
  useKeys({ n: () => next(false), r: () => next(true) });
  if (!isOpen) return null;
  return (
    <>
      {round.counters.retrying > 0 && (
        <Button testid="next-retry" onClick={() => next(true)}>
          {text('nextRetry')} <Keys keys={['r']} />
        </Button>
      )}
      {coverageOf(round).left > 0 && (
        <Button kind="primary" testid="next-unvisited" onClick={() => next(false)}>
          {text('nextUnvisited')} <Keys keys={keys.length > 0 ? keys : ['n']} />
        </Button>
      )}
    </>
  );
}
