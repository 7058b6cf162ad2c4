import { Fragment } from 'preact';
import type { TextKey } from './i18n.ts';
import { useText } from './language.ts';
import { StateWord, type ShownState } from './StateMark.tsx';

const MARKS: { state: ShownState; word: TextKey; means: TextKey }[] = [
  { state: 'known', word: 'left', means: 'meansKnown' },
  { state: 'visited', word: 'visited', means: 'meansVisited' },
  { state: 'changed', word: 'changed', means: 'meansChanged' },
  { state: 'retrying', word: 'retry', means: 'meansRetrying' },
  { state: 'gone', word: 'gone', means: 'meansGone' },
  { state: 'team', word: 'team', means: 'meansTeam' },
];

/** What each shape means, wherever it stands: in lists, in trees and beside links of pages. */
export function MarksLegend({ onPages = false }: { onPages?: boolean }) {
  const text = useText();
  return (
    <>
      <dl class="pairs">
        {MARKS.filter(({ state }) => state !== (onPages ? 'known' : 'team')).map(({ state, word, means }) => (
          <Fragment key={state}>
            <dt>
              <StateWord state={state} word={text(word)} />
            </dt>
            <dd>{text(means)}</dd>
          </Fragment>
        ))}
      </dl>
      {onPages && <p class="soft">{text('noMark')}</p>}
    </>
  );
}
