import './states.css';
import type { VNode } from 'preact';
import type { PageState } from '#lib/rounds/types.ts';

/** What a mark can show: a state, that a visited page differs from the base round, or that only the team saw it. */
export type ShownState = PageState | 'changed' | 'team';

const SHAPES: Record<ShownState, VNode> = {
  known: <circle cx="6" cy="6" r="4.25" fill="none" stroke="currentColor" stroke-width="1.5" />,
  visited: <circle cx="6" cy="6" r="4.75" fill="currentColor" />,
  changed: (
    <g>
      <circle cx="6" cy="6" r="5.1" fill="none" stroke="currentColor" stroke-width="1.4" />
      <circle cx="6" cy="6" r="2.4" fill="currentColor" />
    </g>
  ),
  retrying: <path d="M6 1.4 11 10.4H1z" fill="currentColor" stroke="currentColor" stroke-linejoin="round" />,
  team: (
    <path
      d="M6 1.2 10.8 6 6 10.8 1.2 6z"
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
      stroke-linejoin="round"
    />
  ),
  gone: (
    <path
      d="M2.2 2.2 9.8 9.8M9.8 2.2 2.2 9.8"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
    />
  ),
};

/** Shape and colour of a state; the word stands beside it, so the mark itself is silent. */
export function StateMark({ state }: { state: ShownState }) {
  return (
    <svg class="mark" data-state={state} viewBox="0 0 12 12" aria-hidden="true">
      {SHAPES[state]}
    </svg>
  );
}

/** Shape, colour and word. */
export function StateWord({ state, word }: { state: ShownState; word: string }) {
  return (
    <span class="state">
      <StateMark state={state} />
      {word}
    </span>
  );
}
