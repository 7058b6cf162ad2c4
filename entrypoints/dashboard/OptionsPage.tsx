import { browser } from 'wxt/browser';
import { Button } from '#components/Button.tsx';
import { Choice, Switch } from '#components/Field.tsx';
import { Kept } from '#components/Kept.tsx';
import { useText } from '#components/language.ts';
import { useLive } from '../views/live.ts';
import { showMarks, useMarks } from '../views/marks.ts';
import { saveSettings } from '../views/root.tsx';
import { useDashboard } from './context.ts';

/** Language, theme, and which sites may be read. */
export function OptionsPage() {
  const text = useText();
  const { settings } = useDashboard();
  const marks = useMarks();
  return (
    <div class="sheet">
      <div class="title-line">
        <h1>{text('options')}</h1>
      </div>
      <section aria-labelledby="appearance">
        <h2 id="appearance">{text('appearance')}</h2>
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
            onChange={(language) => void saveSettings({ language })}
          />
          <Choice
            label={text('theme')}
            value={settings.theme}
            options={[
              { value: 'auto', text: text('asSystem') },
              { value: 'light', text: text('light') },
              { value: 'dark', text: text('dark') },
            ]}
            onChange={(theme) => void saveSettings({ theme })}
          />
        </div>
      </section>
      <section aria-labelledby="on-pages">
        <h2 id="on-pages">{text('onPages')}</h2>
        <div>
          <Switch label={text('marksOnPages')} on={marks} onChange={(on) => void showMarks(on)} />
        </div>
      </section>
      <Sites />
      <section aria-labelledby="privacy">
        <h2 id="privacy">{text('privacy')}</h2>
        <Kept />
      </section>
    </div>
  );
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
                  tell(text('tookBackSite', origin));
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
