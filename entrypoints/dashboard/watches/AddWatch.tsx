import { useEffect, useState } from 'preact/hooks';
import { browser } from 'wxt/browser';
import { Button } from '#components/Button.tsx';
import { pathOf } from '#components/describe.ts';
import { TextField } from '#components/Field.tsx';
import { useText } from '#components/language.ts';
import { pickRegion, watchableTabs, watchingScope, type WatchableTab } from '../../views/watches.ts';
import { ask } from '../../views/worker.ts';
import { useDashboard } from '../context.ts';

const MOST_TABS = 20;

/** Pages that are open, each to be watched as a whole or in part, and a field for one that is not. */
export function AddWatch() {
  const text = useText();
  const { scopes, rounds, run, tell } = useDashboard();
  const tabs = useTabs();
  const watch = useAddWatch();
  const [address, setAddress] = useState('');
  const pick = (tab: WatchableTab): void =>
    void run(async () => {
      if (!(await pickRegion(tab.id))) tell(text('pageSilent'));
    });
  return (
    <div class="stack add-watch">
      {tabs.length > 0 && <h3>{text('openPages')}</h3>}
      <ul>
        {tabs.slice(0, MOST_TABS).map((tab) => (
          <li key={tab.id} class="line" data-testid="watchable">
            <span class="whole">
              <bdi>{tab.title || pathOf(tab.url)}</bdi>{' '}
              <bdi dir="ltr" class="address soft">
                {tab.url.replace(/^https?:\/\//, '')}
              </bdi>
            </span>
            <span class="end line">
              <Button compact onClick={() => void watch(tab.scope.id, tab.url, tab.title)}>
                {text('watchPage')}
              </Button>
              <Button compact onClick={() => pick(tab)}>
                {text('watchRegion')}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      {tabs.length === 0 && <p class="soft">{text('noWatchablePage')}</p>}
      <form
        class="line address-form"
        onSubmit={(event) => {
          event.preventDefault();
          const url = address.trim();
          const scope = watchingScope(url, scopes, rounds);
          if (scope) void watch(scope.id, url).then(() => setAddress(''));
          else tell(text('watchOutside'));
        }}
      >
        <TextField label={text('watchAddress')} address value={address} onInput={setAddress} />
        <Button submit off={address.trim() === ''}>
          {text('watchPage')}
        </Button>
      </form>
    </div>
  );
}

/** Watches a page and goes to the watch; undo takes it away. */
export function useAddWatch() {
  const text = useText();
  const { go, run, tell } = useDashboard();
  return (scope: string, url: string, title = '') =>
    run(async () => {
      const label = title.trim().slice(0, 200);
      const { watch } = await ask('addWatch', { scope, url, ...(label !== '' && { label }) });
      go({ view: 'watches', watch: watch.id });
      tell(text('watchAdded', watch.label), async () => {
        await ask('removeWatch', { watch: watch.id });
        go({ view: 'watches' });
      });
    });
}

/** Open tabs with pages that can be watched, as they come and go. */
function useTabs(): WatchableTab[] {
  const { scopes, rounds } = useDashboard();
  const [tabs, setTabs] = useState<WatchableTab[]>([]);
  useEffect(() => {
    const read = (): void => void watchableTabs(scopes, rounds).then(setTabs);
    read();
    const events = [browser.tabs.onUpdated, browser.tabs.onRemoved, browser.tabs.onActivated] as const;
    for (const event of events) event.addListener(read);
    return () => {
      for (const event of events) event.removeListener(read);
    };
  }, [scopes, rounds]);
  return tabs;
}
