import { Button } from '#components/Button.tsx';
import { useText } from '#components/language.ts';
import { MarkField, markWord, type HandMark } from '#components/MarkField.tsx';
import { isFrozen } from '#lib/rounds/rounds.ts';
import type { Page, Round } from '#lib/rounds/types.ts';
import { markByHand } from '../views/by-hand.ts';
import { useDashboard } from './context.ts';
import { formatRoute } from './route.ts';

/** What can be done with the pages that are selected. */
export function Selection({ round, pages, onClear }: { round: Round; pages: Page[]; onClear: () => void }) {
  const text = useText();
  const { run, tell } = useDashboard();
  const mark = (chosen: HandMark | null): void =>
    void run(async () => {
      const undo = await markByHand(pages, chosen);
      if (chosen) tell(text('markedPages', pages.length, text(markWord(chosen))), undo);
      onClear();
    });
  return (
    <div class="selection line">
      <span role="status">{text('selectedCount', pages.length)}</span>
      <Button
        compact
        icon="copy"
        onClick={() =>
          void navigator.clipboard.writeText(pages.map((page) => page.url).join('\n')).then(
            () => tell(text('copied', pages.length)),
            () => tell(text('copyFailed')),
          )
        }
      >
        {text('copySelected')}
      </Button>
      {isFrozen(round) ? <span class="soft small">{text('roundFrozen')}</span> : <MarkField onMark={mark} />}
      {pages.length === 2 && (
        <Button
          compact
          href={formatRoute({
            view: 'rules',
            round: round.id,
            a: pages[0]?.url ?? '',
            b: pages[1]?.url ?? '',
            by: 'round',
          })}
        >
          {text('whyTheseDifferent')}
        </Button>
      )}
      <Button compact kind="quiet" onClick={onClear}>
        {text('clearSelection')}
      </Button>
    </div>
  );
}
