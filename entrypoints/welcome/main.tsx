import '../views/pages.css';
import { useEffect, useState } from 'preact/hooks';
import { browser } from 'wxt/browser';
import { Brand } from '#components/Icon.tsx';
import { useText } from '#components/language.ts';
import { Toast } from '#components/Notices.tsx';
import { covers } from '#lib/rounds/coverage.ts';
import { loadOverview } from '../views/reading.ts';
import { useLive } from '../views/live.ts';
import { mount, saveSettings } from '../views/root.tsx';
import { startRound } from '../views/start.ts';
import { troubleOf, troubleWords, type Trouble } from '../views/trouble.ts';
import { hostIn, STEPS, Welcome, type WelcomeActions } from './Welcome.tsx';

/** Which screen the address asks for. */
function stepAt(): number {
  const step = Number(location.hash.slice(1));
  return Number.isInteger(step) && step >= 1 && step <= STEPS ? step : 1;
}

function App() {
  const text = useText();
  const [step, setStep] = useState(stepAt);
  const [deleted, setDeleted] = useState(location.hash === '#deleted');
  const [trouble, setTrouble] = useState<Trouble>();
  const granted = useLive(() => browser.permissions.getAll(), []);
  const allowed = (granted.value?.origins ?? []).filter((origin) => /^https?:\/\//.test(origin));
  useEffect(() => {
    document.title = 'Onceover';
    const follow = (): void => setStep(stepAt());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    setTrouble(undefined);
    try {
      await work();
    } catch (error) {
      setTrouble(troubleOf(error));
    }
  };
  const actions: WelcomeActions = {
    go: (to) => (location.hash = `#${to}`),
    allow: ({ pattern }) =>
      void run(async () => {
        // Asked first: the browser asks only within the click.
        await browser.permissions.request({ permissions: ['webNavigation'], origins: [pattern] });
        granted.again();
      }),
    start: (pattern) =>
      void run(async () => {
        const begun = startOn(pattern);
        await saveSettings({ welcomed: true });
        if (await begun) await showSite(pattern);
      }),
    leave: () =>
      void run(async () => {
        await saveSettings({ welcomed: true });
        location.assign('/dashboard.html');
      }),
  };
  return (
    <div class="single">
      <header class="line">
        <Brand />
      </header>
      <Welcome
        step={step}
        allowed={allowed}
        trouble={trouble && troubleWords(trouble, text)}
        actions={actions}
      />
      {deleted && <Toast message={text('deletedAll')} onClose={() => setDeleted(false)} />}
    </div>
  );
}

/** The round of a site: of the project that has it already, or of a new one. */
async function startOn(pattern: string): Promise<boolean> {
  const host = hostIn(pattern);
  const { scopes, rounds } = known ?? { scopes: [], rounds: [] };
  const scope = scopes.find((one) => covers(one, pattern.replace('*', '')));
  if (scope && rounds.some((round) => round.scope === scope.id && round.state !== 'ended')) return true;
  const start = scope
    ? { base: 'last', scope: { id: scope.id } }
    : { base: 'none', scope: { name: host, origins: [pattern] } };
  return (await startRound(start, scope?.origins ?? [pattern])) !== undefined;
}

/** Read when the page opens: in the click there is no time for it. */
let known: Awaited<ReturnType<typeof loadOverview>> | undefined;

/** The tab that has the site comes to the front, or a new one. */
async function showSite(pattern: string): Promise<void> {
  const [tab] = await browser.tabs.query({ url: pattern });
  if (tab?.id === undefined) await browser.tabs.create({ url: pattern.replace('*', '') });
  else await browser.tabs.update(tab.id, { active: true });
}

void loadOverview().then(
  (overview) => (known = overview),
  // What is wrong with the database is said when a round is started.
  () => undefined,
);
void mount(() => <App />);
