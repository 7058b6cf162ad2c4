import './WhyCard.css';
import type { ComponentChildren } from 'preact';
import { Button } from './Button.tsx';
import { useText } from './language.ts';
import { StateWord, type ShownState } from './StateMark.tsx';
import { shortened, Steps, type Step } from './Steps.tsx';

export interface WhyAddress {
  url: string;
  /** How and when it was seen. */
  seen: string;
  steps: Step[];
  /** Which layer decided, and what can be done about it. */
  actions?: ComponentChildren;
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
  /** What the person says of the page. */
  said?: ComponentChildren;
  /** Where redirects and proposals lead. */
  aliases?: ComponentChildren;
  facts: { name: string; value: ComponentChildren }[];
  onClose?: () => void;
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
      {props.said !== undefined && <section>{props.said}</section>}
      {own && (
        <section>
          <h3>{text('fromAddressToKey')}</h3>
          <Steps address={own.url} steps={own.steps} pageKey={props.pageKey} />
          {own.actions}
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
              <Steps address={address.url} steps={address.steps} pageKey={props.pageKey} />
              {address.actions}
            </details>
          ))}
          {(props.hidden ?? 0) > 0 && <p class="soft">{text('moreAddresses', props.hidden ?? 0)}</p>}
        </section>
      )}
      {props.aliases}
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
