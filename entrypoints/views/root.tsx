import '#components/base.css';
import { Component, render, type ComponentChildren } from 'preact';
import { browser } from 'wxt/browser';
import { createText, languageFor, type Catalogue, type Language, type Text } from '#components/i18n.ts';
import { LanguageContext, useText } from '#components/language.ts';
import { Banner } from '#components/Notices.tsx';
import { readSettings, SETTINGS_KEY, type Settings } from '#lib/settings.ts';
import { followDatabase } from './database.ts';
import { tellWritten } from './writer.ts';

/** Settings as stored. */
export async function loadSettings(): Promise<Settings> {
  const stored = await browser.storage.local.get(SETTINGS_KEY);
  return readSettings(stored[SETTINGS_KEY]);
}

/** Stores a choice; every open view follows. */
export async function saveSettings(change: Partial<Settings>): Promise<void> {
  await browser.storage.local.set({ [SETTINGS_KEY]: { ...(await loadSettings()), ...change } });
}

/** Everything that can be said, in one language. */
export async function loadText(language: Language): Promise<Text> {
  return createText(language, await loadCatalogue(language));
}

async function loadCatalogue(language: Language): Promise<Catalogue> {
  const answer = await fetch(browser.runtime.getURL(`/_locales/${language}/messages.json`));
  return (await answer.json()) as Catalogue;
}

/** Draws a page in the person's language and theme, and again when one of them is changed. */
export async function mount(page: (settings: Settings) => ComponentChildren): Promise<void> {
  followDatabase(() => tellWritten(0, []));
  const place = document.querySelector('#app');
  if (!place) throw new Error('The page has no element #app.');
  const draw = async (): Promise<void> => {
    // Most people read the browser's own language, so its words need not wait for the settings.
    const usual = languageFor(browser.i18n.getUILanguage());
    const early = loadText(usual);
    early.catch(() => undefined);
    const settings = await loadSettings();
    const language = settings.language === 'auto' ? usual : settings.language;
    const text = await (language === usual ? early : loadText(language));
    document.documentElement.lang = text.tag;
    if (settings.theme === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = settings.theme;
    render(
      <LanguageContext.Provider value={text}>
        <Boundary>{page(settings)}</Boundary>
      </LanguageContext.Provider>,
      place,
    );
  };
  browser.storage.local.onChanged.addListener((changes) => {
    if (SETTINGS_KEY in changes) void draw();
  });
  await draw();
}

/** A fault in one part shows a sentence instead of an empty page. */
class Boundary extends Component<{ children: ComponentChildren }, { fault: string | undefined }> {
  override state: { fault: string | undefined } = { fault: undefined };
  override componentDidCatch(error: unknown): void {
    this.setState({ fault: String(error) });
  }
  override render() {
    return this.state.fault === undefined ? this.props.children : <Fault detail={this.state.fault} />;
  }
}

function Fault({ detail }: { detail: string }) {
  const text = useText();
  return (
    <Banner title={text('faultTitle')}>
      <p>{text('faultHint')}</p>
      <p class="address">{detail}</p>
    </Banner>
  );
}
