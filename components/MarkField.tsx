import './MarkField.css';
import type { Page } from '#lib/rounds/types.ts';
import { Button } from './Button.tsx';
import type { TextKey } from './i18n.ts';
import { useText } from './language.ts';

/** What a person can mark a page as. */
export type HandMark = Pick<NonNullable<Page['mark']>, 'state' | 'reason'>;

const MARKS: { mark: HandMark; words: TextKey }[] = [
  { mark: { state: 'visited' }, words: 'markAsVisited' },
  { mark: { state: 'known' }, words: 'markAsKnown' },
  { mark: { state: 'retrying', reason: 'captcha' }, words: 'markAsCaptcha' },
  { mark: { state: 'retrying', reason: 'login' }, words: 'markAsLogin' },
];

/** The word for a marking. */
export function markWord({ state, reason }: HandMark): TextKey {
  const found = MARKS.find(({ mark }) => mark.state === state && mark.reason === reason);
  return found?.words ?? 'markAsKnown';
}

interface MarkFieldProps {
  /** The marking that decides the state of the page now, where there is one. */
  marked?: HandMark | undefined;
  /** `null`: the marking that decides now is taken back. */
  onMark: (mark: HandMark | null) => void;
}

/** Marks a page by hand; the one that decides is pressed, and pressed again it is taken back. */
export function MarkField({ marked, onMark }: MarkFieldProps) {
  const text = useText();
  return (
    <div class="mark-field" role="group" aria-label={text('markByHand')}>
      <span class="soft small title" aria-hidden="true">
        {text('markByHand')}
      </span>
      {MARKS.map(({ mark, words }) => {
        const pressed = marked !== undefined && markWord(marked) === words;
        return (
          <Button key={words} compact pressed={pressed} onClick={() => onMark(pressed ? null : mark)}>
            {text(words)}
          </Button>
        );
      })}
    </div>
  );
}
