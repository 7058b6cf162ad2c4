import { useEffect, useState } from 'preact/hooks';
import { browser } from 'wxt/browser';
import { Button } from '#components/Button.tsx';
import { useText } from '#components/language.ts';
import { Banner, EmptyState } from '#components/Notices.tsx';
import { markByHand, sayVerdict } from '../views/by-hand.ts';
import { loadHere } from '../views/here.ts';
import { useLive } from '../views/live.ts';
import { mount } from '../views/root.tsx';
import { useShortcut } from '../views/shortcut.ts';
import { troubleOf, troubleWords, useHealth, type Trouble } from '../views/trouble.ts';
import { ask } from '../views/worker.ts';
import { Panel } from './Panel.tsx';

function App() {
  const text = useText();
  const [failed, setFailed] = useState<Trouble>();
  const here = useLive(() => loadHere(location.search, undefined), []);
  const health = useHealth();
  const keys = useShortcut('next-unvisited');
  useActiveTab(here.again);

  const run = async (command: () => Promise<unknown>): Promise<void> => {
    setFailed(undefined);
    try {
      await command();
    } catch (error) {
      setFailed(troubleOf(error));
    }
    here.again();
  };
  const open = async (url: string): Promise<void> => {
    const tab = here.value?.tab;
    if (tab === undefined) await browser.tabs.create({ url });
    else await browser.tabs.update(tab, { url });
  };
  const trouble = failed ?? health.trouble ?? (here.error === undefined ? undefined : troubleOf(here.error));
  const words = trouble && troubleWords(trouble, text);
  const model = here.value?.round;
  return (
    <>
      {words && (
        <Banner title={words.title}>
          <p>{words.hint}</p>
          {trouble.detail !== '' && <p class="soft small">{trouble.detail}</p>}
        </Banner>
      )}
      {model ? (
        <Panel
          key={model.round.id}
          model={model}
          keys={keys}
          now={Date.now()}
          onOpen={(url) => void run(() => open(url))}
          onNext={(next) =>
            void run(() => {
              const tab = here.value?.tab;
              return ask('nextUnvisited', {
                round: model.round.id,
                open: true,
                ...next,
                ...(tab === undefined ? {} : { tab }),
              });
            })
          }
          onVerdict={(page, verdict, note) => void run(() => sayVerdict(page, verdict, note))}
          onSeen={({ space, key }) => void run(() => ask('seenPage', { space, key }))}
          onMark={(page, mark) => void run(() => markByHand([page], mark))}
        />
      ) : (
        here.value && (
          <main class="panel">
            <EmptyState title={text('noRoundHere')}>
              <p class="soft">{text('noRoundHereHint')}</p>
              <Button href="/dashboard.html#/rounds">{text('toRounds')}</Button>
            </EmptyState>
          </main>
        )
      )}
    </>
  );
}

/** Calls back when another tab comes to the front or this one goes elsewhere. */
function useActiveTab(onChange: () => void): void {
  useEffect(() => {
    const updated = (_tab: number, change: { url?: string; status?: string }): void => {
      if (change.url !== undefined || change.status === 'complete') onChange();
    };
    browser.tabs.onActivated.addListener(onChange);
    browser.tabs.onUpdated.addListener(updated);
    return () => {
      browser.tabs.onActivated.removeListener(onChange);
      browser.tabs.onUpdated.removeListener(updated);
    };
  }, [onChange]);
}

void mount(() => <App />);
