import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { createText, type Text } from './i18n.ts';

/** The language everything below is said in; a page provides it at its root. */
export const LanguageContext = createContext<Text>(createText('en', {}));

export function useText(): Text {
  return useContext(LanguageContext);
}
