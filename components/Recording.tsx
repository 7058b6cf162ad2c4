import './Recording.css';
import type { Round } from '#lib/rounds/types.ts';
import { useText } from './language.ts';

/** Whether anything is recorded right now: in words, and a square or bars. */
export function Recording({ round }: { round: Round | undefined }) {
  const text = useText();
  const words = { open: text('recording'), paused: text('paused'), ended: text('notRecording') };
  const state = round?.state ?? 'ended';
  return (
    <p
      class="recording"
      role="status"
      data-testid="round-state"
      data-on={state === 'open' ? 'true' : 'false'}
    >
      {state !== 'ended' && (
        <svg viewBox="0 0 12 12" aria-hidden="true">
          {state === 'open' ? (
            <rect x="2" y="2" width="8" height="8" rx="2" fill="currentColor" />
          ) : (
            <path d="M4 2v8M8 2v8" stroke="currentColor" stroke-width="2" />
          )}
        </svg>
      )}
      {words[state]}
    </p>
  );
}
