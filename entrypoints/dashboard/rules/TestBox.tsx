import { useEffect, useState } from 'preact/hooks';
import { Button } from '#components/Button.tsx';
import { roundName } from '#components/describe.ts';
import { Choice, TextField } from '#components/Field.tsx';
import { Icon } from '#components/Icon.tsx';
import type { TextKey } from '#components/i18n.ts';
import { useText } from '#components/language.ts';
import { shortened, Steps } from '#components/Steps.tsx';
import type { Scope } from '#lib/rounds/types.ts';
import { compilePolicy, type Normalized, type Refused } from '#lib/url/index.ts';
import { useLive } from '../../views/live.ts';
import { pageAt } from '../../views/reading.ts';
import { compareAddresses, type Difference } from '../../views/same-page.ts';
import { shownSteps } from '../../views/why.ts';
import { useDashboard } from '../context.ts';

/** Two addresses: the same page or not, and why. What is tested has an address of its own. */
export function TestBox({ scope }: { scope: Scope | undefined }) {
  const text = useText();
  const { route, go, round, now } = useDashboard();
  const [a, setA] = useState(route.a ?? '');
  const [b, setB] = useState(route.b ?? '');
  useEffect(() => {
    setA(route.a ?? '');
    setB(route.b ?? '');
  }, [route.a, route.b]);
  const test = (): void => {
    const { a: _, b: _2, ...rest } = route;
    go({ ...rest, ...(a.trim() ? { a: a.trim() } : {}), ...(b.trim() ? { b: b.trim() } : {}) });
  };
  const ofRound = round && round.policyVersion !== scope?.policyVersion;
  const byRound = ofRound && route.by === 'round';
  const policy = byRound ? round.policy : (scope?.policy ?? {});
  return (
    <section aria-labelledby="test">
      <h2 id="test">{text('testTwo')}</h2>
      <form
        class="test-box"
        onSubmit={(event) => {
          event.preventDefault();
          test();
        }}
      >
        <TextField label={text('firstAddress')} value={a} onInput={setA} address />
        <TextField label={text('secondAddress')} value={b} onInput={setB} address />
        <div class="line">
          <Button submit kind="primary">
            {text('testAddresses')}
          </Button>
          {ofRound && (
            <Choice
              label={text('byRulesOf')}
              value={byRound ? 'round' : 'scope'}
              options={[
                { value: 'scope', text: text('nextRound') },
                { value: 'round', text: roundName(round, text, now) },
              ]}
              onChange={(by) => go({ ...route, by: by === 'round' ? 'round' : '' })}
            />
          )}
        </div>
      </form>
      {route.a && route.b && <Verdict a={route.a} b={route.b} policy={policy} scope={scope} />}
    </section>
  );
}

function Verdict({
  a,
  b,
  policy,
  scope,
}: {
  a: string;
  b: string;
  policy: Record<string, unknown>;
  scope: Scope | undefined;
}) {
  const text = useText();
  const { round } = useDashboard();
  const compared = compareAddresses(a, b, compilePolicy(policy));
  // Two keys may still be one page: a redirect that was seen leads from one to the other.
  const joined = useLive(async () => {
    if (!round || !scope || round.scope !== scope.id) return false;
    const [one, other] = await Promise.all([pageAt(round, scope, a), pageAt(round, scope, b)]);
    return one !== undefined && one.key === other?.key;
  }, [a, b, round?.id, scope?.id]);
  return (
    <>
      <p role="status" class="test-verdict" data-testid="test-verdict">
        {compared.same === undefined ? (
          <b>{text('noVerdict')}</b>
        ) : compared.same ? (
          <>
            <Icon name="check" /> <b>{text('samePage')}</b>
          </>
        ) : (
          <>
            <b>{text('twoPages')}</b>{' '}
            {compared.difference && <DifferenceLine difference={compared.difference} />}{' '}
            {joined.value && <span>{text('joinedByRedirect')}</span>}
          </>
        )}
      </p>
      <div class="side-by-side">
        <Side title={text('firstAddress')} input={a} normalized={compared.a} />
        <Side title={text('secondAddress')} input={b} normalized={compared.b} />
      </div>
    </>
  );
}

const PARTS: Record<Difference['part'], TextKey> = {
  scheme: 'partScheme',
  host: 'partHost',
  port: 'partPort',
  userinfo: 'partUserinfo',
  path: 'partPath',
  query: 'partQuery',
  fragment: 'partFragment',
};

function DifferenceLine({ difference: { part, a, b } }: { difference: Difference }) {
  const text = useText();
  const piece = (value: string) =>
    value === '' ? (
      text('nothing')
    ) : (
      <bdi dir="ltr" class="address">
        {shortened(value)}
      </bdi>
    );
  return <span>{text.rich('firstDifference', text(PARTS[part]), piece(a), piece(b))}</span>;
}

const REASONS: Record<Refused['reason'], TextKey> = {
  empty: 'refusedEmpty',
  'unsupported-scheme': 'refusedScheme',
  invalid: 'refusedInvalid',
};

function Side({
  title,
  input,
  normalized,
}: {
  title: string;
  input: string;
  normalized: Normalized | Refused;
}) {
  const text = useText();
  return (
    <section aria-label={title} data-testid="test-side">
      <h3>{title}</h3>
      {normalized.ok ? (
        <Steps address={input} steps={shownSteps(normalized.steps, text)} pageKey={normalized.key} />
      ) : (
        <>
          <bdi dir="ltr" class="address whole">
            {shortened(input)}
          </bdi>
          <p class="problem">
            <Icon name="warning" />
            <span>
              {text(REASONS[normalized.reason])}{' '}
              {normalized.reason === 'invalid' && <span lang="en">{normalized.detail}</span>}
            </span>
          </p>
        </>
      )}
    </section>
  );
}
