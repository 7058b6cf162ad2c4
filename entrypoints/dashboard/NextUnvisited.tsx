import { Button, Keys } from '#components/Button.tsx';
import { coverageOf } from '#components/coverage.ts';
import { useText } from '#components/language.ts';
import type { Round } from '#lib/rounds/types.ts';
import { useShortcut } from '../views/shortcut.ts';
import { ask } from '../views/worker.ts';
import { useDashboard } from './context.ts';

/** The one next action of a round that is open: the next page left, in a tab of its own. */
export function NextUnvisited({ round }: { round: Round }) {
  const text = useText();
  const { run, tell } = useDashboard();
  const keys = useShortcut('next-unvisited');
  if (round.state !== 'open' || coverageOf(round).left === 0) return null;
  return (
    <Button
      kind="primary"
      testid="next-unvisited"
      onClick={() =>
        void run(async () => {
          const { page } = await ask('nextUnvisited', { round: round.id, open: true });
          if (!page) tell(text('nothingLeft'));
        })
      }
    >
      {text('nextUnvisited')} <Keys keys={keys} />
    </Button>
  );
}
