import './Steps.css';
import type { ComponentChildren } from 'preact';
import { useText } from './language.ts';
import { nearby, urlDiff } from './urlDiff.ts';

/** One rule that changed an address on its way to the key, or a redirect that led on. */
export interface Step {
  title: string;
  before: string;
  after: string;
  /** Whether the rule can be switched, in words; nothing where that is not told. */
  note?: string;
  /** What can be done about it, e.g. keep what it takes away. */
  action?: ComponentChildren;
}

/** Longer addresses are cut for the eye only. */
const SHOWN = 2_000;

export function shortened(address: string): string {
  return address.length > SHOWN ? `${address.slice(0, SHOWN)}…` : address;
}

/** From an address to its key, rule by rule. */
export function Steps({ address, steps, pageKey }: { address: string; steps: Step[]; pageKey: string }) {
  const text = useText();
  return (
    <ol class="steps">
      <li>
        <span class="place dot" />
        <span>{text('address')}</span>
        <bdi dir="ltr" class="address">
          {shortened(address)}
        </bdi>
      </li>
      {steps.map((step, index) => (
        // A rule may act twice on one address; its place in the list tells the two apart.
        <li key={`${index} ${step.title}`} data-testid="why-step">
          <span class="place">{index + 1}</span>
          <span class="between">
            <span>{step.title}</span>
            {step.note !== undefined && <span class="soft small">{step.note}</span>}
            {step.action}
          </span>
          <Difference before={step.before} after={step.after} />
        </li>
      ))}
      <li>
        <span class="place dot key" />
        <span>{text('keyForComparing')}</span>
        <bdi dir="ltr" class="address key-text">
          {shortened(pageKey)}
        </bdi>
      </li>
    </ol>
  );
}

function Difference({ before, after }: { before: string; after: string }) {
  const text = useText();
  const pieces = nearby(urlDiff(before.slice(0, SHOWN), after.slice(0, SHOWN)));
  return (
    <bdi dir="ltr" class="address">
      {pieces.map((piece, index) => {
        const key = `${index}`;
        if (piece.kind === 'same') return <span key={key}>{piece.text}</span>;
        if (piece.kind === 'cut') {
          return (
            <del key={key}>
              <span class="unseen">{text('removedText')} </span>
              {piece.text}
            </del>
          );
        }
        return (
          <ins key={key}>
            <span class="unseen">{text('addedText')} </span>
            {piece.text}
          </ins>
        );
      })}
    </bdi>
  );
}
