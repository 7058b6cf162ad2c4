import { Button } from '#components/Button.tsx';
import { useText } from '#components/language.ts';
import type { Round, Scope } from '#lib/rounds/types.ts';
import { startRound } from '../views/start.ts';
import { useDashboard } from './context.ts';

/** The same round again with one click: the same sites, compared with the last one. */
export function StartNext({ scope, last }: { scope: Scope; last: Round | undefined }) {
  const text = useText();
  const { run, tell, go, route } = useDashboard();
  const start = (): void =>
    void run(async () => {
      const round = await startRound({ base: 'last', scope: { id: scope.id } }, scope.origins);
      if (!round) return tell(text('permissionDenied'));
      if (route.view !== 'rounds') go({ view: 'rounds' });
      tell(text('roundStarted', round.number));
    });
  return (
    <Button kind="primary" testid="start-round" onClick={start}>
      {last ? text('startNext', last.number + 1) : text('startFirst')}
    </Button>
  );
}
