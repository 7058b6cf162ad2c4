import { useState } from 'preact/hooks';
import { browser } from 'wxt/browser';
import { useText } from '#components/language.ts';
import { streamPages } from '#lib/store/read.ts';
import { markByHand } from '../views/by-hand.ts';
import { useLive } from '../views/live.ts';
import { showMarks, useMarks } from '../views/marks.ts';
import { mount } from '../views/root.tsx';
import { useShortcut } from '../views/shortcut.ts';
import { startRound } from '../views/start.ts';
import { troubleOf, useHealth, type Trouble } from '../views/trouble.ts';
import { ask } from '../views/worker.ts';
import { loadHere, type Here } from '../views/here.ts';
import { Popup, type PopupActions } from './Popup.tsx';

/** What the popup shows first, until it is drawn. */
let early: Promise<Here> | undefined;

function App() {
  const text = useText();
  const [chosen, setChosen] = useState<string>();
  const [notice, setNotice] = useState<string>();
  const [failed, setFailed] = useState<Trouble>();
  const [busy, setBusy] = useState(false);
  const model = useLive(() => {
    const before = early;
    early = undefined;
    return before ?? loadHere(location.search, chosen);
  }, [chosen]);
  const health = useHealth();
  const marks = useMarks();
  const keys = useShortcut('next-unvisited');
  const round = model.value?.round?.round;
  const tab = model.value?.tab;
  const canOpenPanel = 'sidePanel' in browser && tab !== undefined;

  /** Runs a command; what went wrong is said and stays until the next one. */
  const run = async (command: () => Promise<unknown>): Promise<void> => {
    setNotice(undefined);
    setFailed(undefined);
    setBusy(true);
    try {
      await command();
    } catch (error) {
      setFailed(troubleOf(error));
    }
    setBusy(false);
    model.again();
  };
  const actions: PopupActions = {
    start: (base) =>
      void run(async () => {
        const start = model.value?.start;
        if (!start) return;
        const scope = start.scope ? { id: start.scope.id } : { name: start.host, origins: [start.pattern] };
        const started = await startRound({ base, scope }, start.scope?.origins ?? [start.pattern]);
        if (!started) setNotice(text('permissionDenied'));
      }),
    pause: (until) => void run(async () => round && ask('pauseRound', { round: round.id, until })),
    pauseSite: (paused) =>
      void run(async () => {
        const site = model.value?.site;
        if (round && site?.kind === 'web')
          await ask('pauseSite', { round: round.id, host: site.host, paused });
      }),
    watch: () =>
      void run(async () => {
        const shown = model.value?.round;
        const page = shown?.thisPage.page;
        if (!shown || !page) return;
        const fields = { scope: shown.scope.id, url: page.usable ?? page.url };
        const { watch } = await ask('addWatch', {
          ...fields,
          ...(page.title && { label: page.title.slice(0, 200) }),
        });
        setNotice(text('watchAdded', watch.label));
      }),
    pick:
      tab === undefined
        ? undefined
        : () =>
            void run(async () => {
              const { picking } = await ask('pickRegion', { tab });
              // The popup covers the page.
              if (picking) window.close();
              else setNotice(text('pageSilent'));
            }),
    mark: (page, mark) => void run(() => markByHand([page], mark)),
    resume: () => void run(async () => round && ask('resumeRound', { round: round.id })),
    end: () => void run(async () => round && ask('endRound', { round: round.id })),
    next: () =>
      void run(async () => {
        if (!round) return;
        const { page } = await ask('nextUnvisited', {
          round: round.id,
          open: true,
          ...(tab === undefined ? {} : { tab }),
        });
        if (!page) setNotice(text('nothingLeft'));
      }),
    copyLeft: () =>
      void run(async () => {
        if (!round) return;
        const addresses: string[] = [];
        for await (const page of streamPages(round.space, { compare: 'left' })) addresses.push(page.url);
        try {
          await navigator.clipboard.writeText(addresses.join('\n'));
          setNotice(text('copied', addresses.length));
        } catch {
          setNotice(text('copyFailed'));
        }
      }),
    choose: setChosen,
    openPanel: canOpenPanel ? () => void run(() => openPanel(tab)) : undefined,
    showMarks: (on) => void run(() => showMarks(on)),
  };
  const trouble =
    failed ?? health.trouble ?? (model.error === undefined ? undefined : troubleOf(model.error));
  return (
    <Popup
      model={model.value}
      trouble={trouble}
      marks={marks}
      notice={notice}
      busy={busy}
      now={Date.now()}
      keys={keys}
      actions={actions}
    />
  );
}

/** Opens the side panel beside the tab; only a click may do that, so nothing is awaited before. */
async function openPanel(tab: number): Promise<void> {
  await browser.sidePanel.open({ tabId: tab });
  window.close();
}

if (location.search !== '') document.documentElement.dataset.inTab = '';
void mount(() => <App />);
// Read beside the words that it is said in.
early = loadHere(location.search, undefined);
early.catch(() => undefined);
