import { useState } from 'preact/hooks';
import { Button } from '#components/Button.tsx';
import { Choice, TextField } from '#components/Field.tsx';
import type { TextKey } from '#components/i18n.ts';
import { useText } from '#components/language.ts';
import { countHost, knownHosts, type HostRows } from '#lib/store/forget.ts';
import { forgetSite } from '../views/forget.ts';
import { useLive } from '../views/live.ts';
import { ask } from '../views/worker.ts';
import { useDashboard } from './context.ts';
import { Counts } from './Diagnostics.tsx';
import { useWork } from './use-work.tsx';

const KINDS: [keyof HostRows, TextKey][] = [
  ['pages', 'forgetPages'],
  ['links', 'forgetLinks'],
  ['visits', 'visitsWord'],
  ['addresses', 'forgetAddresses'],
  ['aliases', 'forgetAliases'],
  ['texts', 'usageTexts'],
  ['watches', 'watchesWord'],
  ['mentions', 'forgetMentions'],
  ['trash', 'forgetTrash'],
];

/** Everything about one site, for good: what there is first, then the button that deletes it. */
export function DeleteSite() {
  const text = useText();
  const { tell } = useDashboard();
  const hosts = useLive(knownHosts, [], { follows: false });
  const { isGoing, start, bar } = useWork();
  const [chosen, setChosen] = useState('');
  const [counted, setCounted] = useState<{ host: string; rows: HostRows }>();
  const host = hosts.value?.includes(chosen) ? chosen : (hosts.value?.[0] ?? '');
  const count = (): void => {
    setCounted(undefined);
    start('forgetCounting', 'cancelled', async (progress) =>
      setCounted({ host, rows: await countHost(host, progress) }),
    );
  };
  const forget = (site: string): void =>
    start('forgetting', 'forgetStopped', async (progress) => {
      await forgetSite(site, progress);
      setCounted(undefined);
      hosts.again();
      tell(text('forgot', site));
    });
  return (
    <section aria-labelledby="forget">
      <h2 id="forget">{text('forgetTitle')}</h2>
      <p class="soft prose">{text('forgetHint')}</p>
      {hosts.value?.length === 0 && <p>{text('forgetNoSites')}</p>}
      {host !== '' && (
        <div class="actions">
          <Choice
            label={text('site')}
            value={host}
            options={(hosts.value ?? []).map((one) => ({ value: one, text: one }))}
            onChange={(site) => {
              setChosen(site);
              setCounted(undefined);
            }}
          />
          <Button off={isGoing} testid="forget-count" onClick={count}>
            {text('forgetCount')}
          </Button>
        </div>
      )}
      {bar}
      {counted && (
        <div class="stack" data-testid="forget-counted">
          <h3 class="whole">{text.rich('forgetFound', <bdi dir="ltr">{counted.host}</bdi>)}</h3>
          <Counts rows={KINDS.map(([kind, name]) => [text(name), counted.rows[kind]])} />
          <p class="prose">{text('forgetForGood')}</p>
          <div class="actions">
            <Button icon="trash" off={isGoing} testid="forget" onClick={() => forget(counted.host)}>
              <span class="whole">{text.rich('forgetNow', <bdi dir="ltr">{counted.host}</bdi>)}</span>
            </Button>
            <Button kind="quiet" onClick={() => setCounted(undefined)}>
              {text('cancel')}
            </Button>
          </div>
        </div>
      )}
    </section>
  );
}

const NAME = 'Onceover';

/** Everything there is, for good, after the name was typed. */
export function DeleteAll() {
  const text = useText();
  const { run } = useDashboard();
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const isSure = typed.trim().toLowerCase() === NAME.toLowerCase();
  const remove = (): void => {
    setBusy(true);
    void run(async () => {
      await ask('deleteAll', {});
      // Nothing of what this page has read is there any more.
      location.assign('/welcome.html#deleted');
    }).finally(() => setBusy(false));
  };
  return (
    <section aria-labelledby="delete-all">
      <h2 id="delete-all">{text('deleteAllTitle')}</h2>
      <p class="soft prose">{text('deleteAllHint')}</p>
      <form
        class="actions"
        onSubmit={(event) => {
          event.preventDefault();
          if (isSure && !busy) remove();
        }}
      >
        <TextField label={text('deleteAllType', NAME)} value={typed} onInput={setTyped} />
        <Button icon="trash" submit off={!isSure || busy} testid="delete-all">
          {text('deleteAllNow')}
        </Button>
      </form>
    </section>
  );
}
