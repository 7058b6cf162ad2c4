import { browser } from 'wxt/browser';
import { createText, type Catalogue, type TextKey } from '#components/i18n.ts';
import type catalogue from '../../public/_locales/en/messages.json';
import { loadSettings } from './settings.ts';

/** What is said without a plural. */
type Words = Extract<TextKey, keyof typeof catalogue>;

/** Says something in the language the person chose: `browser.i18n` knows only the browser's own. */
export async function say(key: Words, ...values: string[]): Promise<string> {
  const { language } = await loadSettings();
  if (language === 'auto') return browser.i18n.getMessage(key, values);
  const answer = await fetch(browser.runtime.getURL(`/_locales/${language}/messages.json`));
  return createText(language, (await answer.json()) as Catalogue)(key, ...values);
}
