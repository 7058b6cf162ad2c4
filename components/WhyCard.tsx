import './WhyCard.css';
import type { ComponentChildren } from 'preact';
import { Button } from './Button.tsx';
import { useText } from './language.ts';
import { StateWord, type ShownState } from './StateMark.tsx';
import { nearby, urlDiff } from './urlDiff.ts';

/** One rule that changed an address on its way to the key, or a redirect that led on. */
export interface WhyStep {
  title: string;
  before: string;
  after: string;
  /** Whether the rule can be switched, in words; nothing where that is not told. */
  note?: string;
}

export interface WhyAddress {
  url: string;
  /** How and when it was seen. */
  seen: string;
  steps: WhyStep[];
}

interface WhyCardProps {
  state: ShownState;
  word: string;
  /** The fact behind the state, e.g. when it was visited or when it is tried again. */
  reason: string;
  title?: string | undefined;
  /** The address to open: one that was really seen. */
  open: string;
  pageKey: string;
  /** The first is the page's own; the others are its other addresses. */
  addresses: WhyAddress[];
  /** More addresses than are shown. */
  hidden?: number;
  facts: { name: string; value: ComponentChildren }[];
  onClose?: () => void;
}

/** Longer addresses are cut for the eye only. */
const SHOWN = 2_000;

function shortened(address: string): string {
  return address.length > SHOWN ? `${address.slice(0, SHOWN)}…` : address;
}

/** Why an address is the page it is: each address with its numbered steps to the key. */
export function WhyCard(props: WhyCardProps) {
  const text = useText();
  const [own, ...others] = props.addresses;
  const count = props.addresses.length + (props.hidden ?? 0);
  return (
    <article class="why-card" aria-labelledby="why-title">
      <header>
        <h2 id="why-title">{count > 1 ? text('whyOnePage', count) : text('whyThisPage')}</h2>
        {props.onClose && (
          <Button kind="quiet" icon="close" label={text('closeCard')} onClick={props.onClose} />
        )}
      </header>
      <div class="stack">
        <p>
          <StateWord state={props.state} word={props.word} /> <span class="soft">{props.reason}</span>
        </p>
        {props.title !== undefined && props.title !== '' && (
          <p>
            <bdi>{props.title}</bdi>
          </p>
        )}
        <p>
          <a href={props.open} target="_blank" rel="noreferrer">
            {text('openPage')}
          </a>
        </p>
      </div>
      {own && (
        <section>
          <h3>{text('fromAddressToKey')}</h3>
          <Steps address={own} pageKey={props.pageKey} />
        </section>
      )}
      {others.length > 0 && (
        <section>
          <h2>{text('otherAddresses', others.length + (props.hidden ?? 0))}</h2>
          {others.map((address) => (
            <details key={address.url} class="other" data-testid="why-address">
              <summary>
                <bdi dir="ltr" class="address">
                  {shortened(address.url)}
                </bdi>
                <span class="soft small">{address.seen}</span>
              </summary>
              <Steps address={address} pageKey={props.pageKey} />
            </details>
          ))}
          {(props.hidden ?? 0) > 0 && <p class="soft">{text('moreAddresses', props.hidden ?? 0)}</p>}
        </section>
      )}
      {props.facts.length > 0 && (
        <section>
          <dl class="facts stack">
            {props.facts.map((fact) => (
              <div key={fact.name}>
                <dt class="soft">{fact.name}</dt>
                <dd>{fact.value}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </article>
  );
}

function Steps({ address, pageKey }: { address: WhyAddress; pageKey: string }) {
  const text = useText();
  return (
    <ol class="steps">
      <li>
        <span class="place dot" />
        <span>{text('address')}</span>
        <bdi dir="ltr" class="address">
          {shortened(address.url)}
        </bdi>
      </li>
      {address.steps.map((step, index) => (
        // A rule may act twice on one address; its place in the list tells the two apart.
        <li key={`${index} ${step.title}`} data-testid="why-step">
          <span class="place">{index + 1}</span>
          <span class="between">
            <span>{step.title}</span>
            {step.note !== undefined && <span class="soft small">{step.note}</span>}
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
