import { browser } from 'wxt/browser';
import { Button } from '#components/Button.tsx';
import { Choice, Switch } from '#components/Field.tsx';
import { Kept } from '#components/Kept.tsx';
import { useText } from '#components/language.ts';
import { MarksLegend } from '#components/MarksLegend.tsx';
import { MOST_TEXT_ROUNDS, type Settings } from '#lib/settings.ts';
import { useLive } from '../views/live.ts';
import { showMarks, useMarks } from '../views/marks.ts';
import { saveSettings } from '../views/root.tsx';
import { useDashboard } from './context.ts';
import { formatRoute } from './route.ts';
import { ServiceSection } from './ServiceSection.tsx';

/** What the person chose, section by section: each choice is saved at once and can be taken back. */
export function OptionsPage() {
  const text = useText();
  const { settings, scopes, rounds, run, tell } = useDashboard();
  const marks = useMarks();
  /** Saves one choice. `name` is what it is called. */
  const choose = (name: string, change: Partial<Settings>): void => {
    const before = Object.fromEntries(
      Object.keys(change).map((field) => [field, settings[field as keyof Settings]]),
    );
    void run(async () => {
      await saveSettings(change);
      tell(text('optionSaved', name), () => saveSettings(before));
    });
  };
  return (
    <div class="sheet">
      <div class="title-line">
        <h1>{text('options')}</h1>
      </div>
      <section aria-labelledby="recording">
        <h2 id="recording">{text('recordingTitle')}</h2>
        <p class="soft prose">{text('recordingHint')}</p>
        <Kept />
        <p class="soft prose">{text('incognitoNever')}</p>
      </section>
      <Sites />
      <section aria-labelledby="on-pages">
        <h2 id="on-pages">{text('marks')}</h2>
        <p class="soft prose">{text('marksHint')}</p>
        <div>
          <Switch
            label={text('marksOnPages')}
            on={marks}
            onChange={(on) =>
              void run(async () => {
                await showMarks(on);
                tell(text('optionSaved', text('marksOnPages')), () => showMarks(!on));
              })
            }
          />
        </div>
        <MarksLegend onPages />
      </section>
      <section aria-labelledby="matching">
        <h2 id="matching">{text('matching')}</h2>
        <p class="soft prose">{text('presetHint')}</p>
        <div>
          <Choice
            label={text('presetNew')}
            value={settings.preset}
            options={[
              { value: 'strict', text: text('presetStrict') },
              { value: 'standard', text: text('presetStandard') },
              { value: 'broad', text: text('presetBroad') },
            ]}
            onChange={(preset) => choose(text('matching'), { preset })}
          />
        </div>
        <ul class="stack">
          {scopes.map((scope) => {
            const latest = rounds.find((round) => round.scope === scope.id);
            return (
              latest && (
                <li key={scope.id}>
                  <a class="whole" href={formatRoute({ view: 'rules', round: latest.id })}>
                    {text.rich('rulesOf', <bdi>{scope.name}</bdi>)}
                  </a>
                </li>
              )
            );
          })}
        </ul>
      </section>
      <section aria-labelledby="changes">
        <h2 id="changes">{text('changesTitle')}</h2>
        <p class="soft prose">{text('detectChangesHint')}</p>
        <div>
          <Switch
            label={text('detectChanges')}
            on={settings.detectChanges}
            onChange={(detectChanges) => choose(text('detectChanges'), { detectChanges })}
          />
        </div>
        <p class="soft prose">{text('keepTextsHint')}</p>
        <div>
          <Choice
            label={text('keepTexts')}
            value={String(settings.keepTextRounds)}
            options={roundCounts(settings.keepTextRounds).map((count) => ({
              value: String(count),
              text: text('roundsNumber', count),
            }))}
            onChange={(count) => choose(text('keepTexts'), { keepTextRounds: Number(count) })}
          />
        </div>
      </section>
      <ServiceSection />
      <section aria-labelledby="privacy">
        <h2 id="privacy">{text('privacy')}</h2>
        <p class="soft prose">{text('privacyHint')}</p>
        <div class="actions">
          <a href={formatRoute({ view: 'privacy' })}>{text('privacyDetail')}</a>
          <a href={formatRoute({ view: 'data' })}>{text('toData')}</a>
        </div>
      </section>
      <section aria-labelledby="appearance">
        <h2 id="appearance">{text('appearance')}</h2>
        <p class="soft prose">{text('languageHint')}</p>
        <div class="actions">
          <Choice
            label={text('language')}
            value={settings.language}
            options={[
              { value: 'auto', text: text('asBrowser') },
              // Each language says its own name, so that it is found whatever is set.
              { value: 'en', text: 'English' },
              { value: 'zh_CN', text: '简体中文' },
            ]}
            onChange={(language) => choose(text('language'), { language })}
          />
          <Choice
            label={text('theme')}
            value={settings.theme}
            options={[
              { value: 'auto', text: text('asSystem') },
              { value: 'light', text: text('light') },
              { value: 'dark', text: text('dark') },
            ]}
            onChange={(theme) => choose(text('theme'), { theme })}
          />
        </div>
      </section>
    </div>
  );
}

/** The counts to choose from; the one that is set is always among them. */
function roundCounts(current: number): number[] {
  const counts = new Set([1, 2, 3, 5, 10, 20, 50, MOST_TEXT_ROUNDS, current]);
  return [...counts].toSorted((a, b) => a - b);
}

/** Sites the person agreed to, each with the way back. */
function Sites() {
  const text = useText();
  const { run, tell } = useDashboard();
  const granted = useLive(() => browser.permissions.getAll(), []);
  const origins = granted.value?.origins ?? [];
  return (
    <section aria-labelledby="sites">
      <h2 id="sites">{text('allowedSites')}</h2>
      <p class="soft prose">{text('allowedSitesHint')}</p>
      {granted.value && origins.length === 0 && <p>{text('noAllowedSites')}</p>}
      <ul class="stack">
        {origins.map((origin) => (
          <li key={origin} class="line">
            <bdi dir="ltr" class="address whole">
              {origin}
            </bdi>
            <Button
              compact
              label={text('takeBackSite', origin)}
              onClick={() =>
                void run(async () => {
                  await browser.permissions.remove({ origins: [origin] });
                  granted.again();
                  // Undo is a click, so the browser can be asked again in it.
                  tell(text('tookBackSite', origin), async () => {
                    await browser.permissions.request({ origins: [origin] });
                    granted.again();
                  });
                })
              }
            >
              {text('takeBack')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
