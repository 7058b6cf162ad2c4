import { useState } from 'preact/hooks';
import { browser } from 'wxt/browser';
import { Button } from '#components/Button.tsx';
import { TextField } from '#components/Field.tsx';
import { useText } from '#components/language.ts';
import { outboxState } from '#lib/store/outbox.ts';
import { TeamClient, TeamError } from '#lib/team/client.ts';
import { serviceOrigin, type Pairing } from '#lib/team/pairing.ts';
import { useLive } from '../views/live.ts';
import {
  loadPairing,
  loadServiceStatus,
  savePairing,
  serviceFetch,
  servicePattern,
} from '../views/service.ts';
import { causeWords, TEST_PATIENCE } from '../views/service-words.ts';
import { ask } from '../views/worker.ts';
import { useDashboard } from './context.ts';
import { ScopeBinding } from './ScopeBinding.tsx';

/** Pairing with a service, and which projects take part. Nothing is asked of any service before the pairing. */
export function ServiceSection() {
  const text = useText();
  const pairing = useLive(loadPairing, []);
  return (
    <section aria-labelledby="service" data-testid="service">
      <h2 id="service">{text('service')}</h2>
      <p class="soft prose">{text('serviceHint')}</p>
      {pairing.value ? (
        <Paired key={pairing.value.pairedAt} pairing={pairing.value} onChange={pairing.again} />
      ) : (
        <PairForm onPaired={pairing.again} />
      )}
    </section>
  );
}

function PairForm({ onPaired }: { onPaired: () => void }) {
  const text = useText();
  const { tell } = useDashboard();
  const [address, setAddress] = useState('http://127.0.0.1:8321');
  const [token, setToken] = useState('');
  const [said, setSaid] = useState('');
  const [isBusy, setBusy] = useState(false);
  const pair = async (): Promise<void> => {
    const origin = serviceOrigin(address);
    if (origin === undefined) return setSaid(text('serviceNoAddress'));
    if (token.trim() === '') return setSaid(text('serviceNoToken'));
    setBusy(true);
    setSaid('');
    try {
      // Before anything else is awaited: the browser asks only while the click lasts.
      const isAllowed = await browser.permissions.request({ origins: [servicePattern(origin)] });
      if (!isAllowed) throw new TeamError('no-permission', 0, '');
      const made = { address: origin, token: token.trim() };
      const client = new TeamClient(made, serviceFetch(TEST_PATIENCE));
      await client.pair();
      await client.about();
      await savePairing({ ...made, pairedAt: Date.now(), scopes: {} });
      onPaired();
      tell(text('servicePairedWith', origin));
    } catch (error) {
      setSaid(causeWords(error, origin, text));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void pair();
      }}
    >
      <TextField label={text('serviceAddress')} value={address} address onInput={setAddress} />
      <TextField
        label={text('serviceToken')}
        hint={text('serviceTokenHint')}
        value={token}
        secret
        onInput={setToken}
      />
      <div class="line">
        <Button submit kind="primary" off={isBusy} testid="pair">
          {text('servicePair')}
        </Button>
      </div>
      <p role="status" class="prose" data-testid="service-said">
        {isBusy ? text('serviceTesting') : said}
      </p>
    </form>
  );
}

function Paired({ pairing, onChange }: { pairing: Pairing; onChange: () => void }) {
  const text = useText();
  const { scopes, run, tell } = useDashboard();
  const [said, setSaid] = useState('');
  const { address } = pairing;
  const act = async (work: () => Promise<string>): Promise<void> => {
    setSaid(text('serviceTesting'));
    try {
      setSaid(await work());
    } catch (error) {
      setSaid(causeWords(error, address, text));
    }
  };
  const test = async (): Promise<string> => {
    const isAllowed = await browser.permissions.request({ origins: [servicePattern(address)] });
    if (!isAllowed) throw new TeamError('no-permission', 0, '');
    const client = new TeamClient(pairing, serviceFetch(TEST_PATIENCE));
    // Whoever has the token may pair: a service with a new store lets this extension in again.
    const isKnown = await client.about().then(
      () => true,
      (error: unknown) => {
        if (error instanceof TeamError && error.team === 'not-paired') return false;
        throw error;
      },
    );
    if (!isKnown) await client.pair();
    const { version, durable } = await client.about();
    await ask('syncTeam', {});
    return text(durable ? 'serviceAnswers' : 'serviceAnswersVolatile', version);
  };
  const sync = async (): Promise<string> => {
    await ask('syncTeam', {});
    return text('serviceSynced');
  };
  const unpair = async (): Promise<void> => {
    await savePairing(undefined);
    const origins = [servicePattern(address)];
    if (!scopes.some((scope) => scope.origins.includes(origins[0] ?? '')))
      await browser.permissions.remove({ origins });
    onChange();
    tell(text('serviceUnpaired', address), async () => {
      await browser.permissions.request({ origins });
      await savePairing(pairing);
      onChange();
    });
  };
  return (
    <div class="stack">
      <p class="whole">
        {text.rich(
          'servicePairedWith',
          <bdi dir="ltr" class="address">
            {address}
          </bdi>,
        )}
      </p>
      <Status pairing={pairing} />
      <div class="actions">
        <Button testid="service-test" onClick={() => void act(test)}>
          {text('serviceTest')}
        </Button>
        <Button testid="service-sync" onClick={() => void act(sync)}>
          {text('serviceSync')}
        </Button>
        <Button kind="quiet" testid="unpair" onClick={() => void run(unpair)}>
          {text('serviceUnpair')}
        </Button>
      </div>
      <p role="status" class="prose" data-testid="service-said">
        {said}
      </p>
      {scopes.length === 0 && <p class="soft">{text('serviceNoProjects')}</p>}
      <ul class="stack">
        {scopes.map((scope) => (
          <li key={scope.id}>
            <ScopeBinding scope={scope} pairing={pairing} onChange={onChange} />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** How it goes: what waits, what was sent, what stands in the way. */
function Status({ pairing }: { pairing: Pairing }) {
  const text = useText();
  const { now } = useDashboard();
  const state = useLive(async () => ({ ...(await outboxState()), ...(await loadServiceStatus()) }), []);
  if (!state.value) return null;
  const { waiting, sentAt, trouble, refused } = state.value;
  const refusals = Object.values(refused ?? {}).reduce((sum, count) => sum + count, 0);
  return (
    <div class="stack small" data-testid="service-status">
      <p class="soft">
        {text('serviceWaiting', waiting)}
        {sentAt !== undefined && ` · ${text('serviceSentAt', text.time(sentAt, now))}`}
      </p>
      {trouble && (
        <p>
          {causeWords(new TeamError(trouble.cause, 0, trouble.detail), pairing.address, text)}{' '}
          {trouble.nextAt > 0 && text('serviceNextTry', text.time(trouble.nextAt, now))}
        </p>
      )}
      {refusals > 0 && <p>{text('serviceRefusedCount', refusals)}</p>}
    </div>
  );
}
